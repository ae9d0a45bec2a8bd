"""Sign-in at a real OpenID provider, over the socket, with everything that can go wrong."""

import asyncio
import urllib.parse
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from typing import Any

import msgspec
import pytest
from redis import Redis
from websockets.asyncio.client import connect
from websockets.typing import Origin, Subprotocol

from fourfold.protocol.errors import SUBPROTOCOL_JSON
from fourfold.server.players import oidc
from fourfold.server.players.oidc import Attempt
from fourfold.server.settings import read
from tests.conftest import HANG
from tests.provider import provider
from tests.server.conftest import Wire

Start = Callable[..., Awaitable[str]]
PAGE = "http://localhost:8080"


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    """A provider that knows Ann and Bob."""
    with provider() as issuer:
        yield issuer


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside busy processes the provider may not answer for many seconds."""
    monkeypatch.setattr(oidc, "PATIENCE", HANG)


def settings(issuer: str, **more: Any) -> dict[str, Any]:
    return {"oidc_issuer": issuer, "oidc_client_id": "fourfold", "oidc_client_secret": "s3cret"} | more


@pytest.fixture
async def visit() -> AsyncIterator[Any]:
    """Opens a connection of a page, and says hello on it."""
    async with AsyncExitStack() as stack:

        async def visit(at: str, page: str | None = PAGE, **greeting: Any) -> Wire:
            url, origin = f"{at.replace('http', 'ws')}/ws", None if page is None else Origin(page)
            json = Subprotocol(SUBPROTOCOL_JSON)
            socket = await connect(url, subprotocols=[json], origin=origin, open_timeout=HANG)
            wire = Wire(socket, text=True)
            stack.push_async_callback(wire.end)
            welcome = await wire.asks("hello", **greeting)
            wire.player, wire.token = welcome["player"], welcome["token"]
            return wire

        yield visit


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


async def authorized(url: str, person: str = "ann-1") -> dict[str, str]:
    """The parameters with which the provider sends back the browser of a person who has identified themselves."""

    def ask() -> str:
        try:
            data = urllib.parse.urlencode({"sub": person}).encode()
            urllib.request.build_opener(_Stay).open(url, data, timeout=240).close()
        except urllib.error.HTTPError as answer:
            return str(answer.headers["Location"])
        raise AssertionError("the provider has not sent the browser back")

    back = urllib.parse.urlsplit(await asyncio.to_thread(ask))
    assert f"{back.scheme}://{back.netloc}{back.path}" == f"{PAGE}/signed-in"
    sent = dict(urllib.parse.parse_qsl(back.query))
    return {"state": sent["state"], "code": sent["code"]}


async def signed_in(wire: Wire, person: str = "ann-1") -> dict[str, Any]:
    url = (await wire.asks("oidc"))["url"]
    asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
    assert asked["code_challenge_method"] == "S256" and asked["nonce"] and asked["scope"] == "openid profile"
    return await wire.asks("login", oidc=await authorized(url, person), device="Firefox on Linux")


async def test_a_guest_becomes_an_account_in_place_and_a_second_device_signs_in_to_it(
    start: Start, visit: Any, issuer: str
) -> None:
    here = await start(**settings(issuer))
    ann = await visit(here, name="Ann")
    room = (await ann.asks("create"))["room"]
    await ann.asks("join", room=room, seat="white")
    account = await signed_in(ann)
    assert (account["player"], account["name"], account["recovery"]) == (ann.player, "Ann of School", False)
    assert account["issuers"] == [issuer] and account["sessions"][0]["here"]
    again = await visit(here, token=account["token"])
    assert (await again.asks("join", room=room))["seat"] == "white"
    phone = await visit(here, name="Phone")
    other = await signed_in(phone)
    assert (other["player"], other["name"]) == (ann.player, "Ann of School")
    assert len(other["sessions"]) == 2
    assert (await visit(here, token=other["token"])).player == ann.player


async def test_a_copy_of_a_guests_token_adds_no_identity_to_the_account(
    start: Start, visit: Any, issuer: str
) -> None:
    here = await start(**settings(issuer))
    guest = await visit(here, name="Guest")
    sent = await authorized((await guest.asks("oidc"))["url"], "copy-1")
    account = await (await visit(here, token=guest.token)).asks("register", name="Owner")
    assert account["player"] == guest.player
    refused = await guest.asks("login", oidc=sent)
    assert refused["code"] in ("has_account", "bad_token"), refused
    owner = await visit(here, token=account["token"])
    assert (await owner.asks("account"))["issuers"] == []


@pytest.mark.slow
async def test_a_mail_address_is_no_name_and_an_account_can_have_both_ways(
    start: Start, visit: Any, issuer: str
) -> None:
    here = await start(**settings(issuer))
    bob = await visit(here, name="Bob")
    await bob.asks("register", name="Bob of Code")
    linked = await signed_in(bob, "bob-2")
    assert (linked["player"], linked["name"], linked["issuers"]) == (bob.player, "Bob of Code", [issuer])
    elsewhere = await visit(here)
    assert (await signed_in(elsewhere, "bob-2"))["player"] == bob.player
    nobody = await visit(here)
    unnamed = await signed_in(nobody, "somebody-new")
    assert unnamed["name"].startswith("Player ")


async def test_a_state_is_good_once_and_for_who_has_begun(start: Start, visit: Any, issuer: str) -> None:
    here = await start(**settings(issuer))
    ann, eve = await visit(here), await visit(here)
    sent = await authorized((await ann.asks("oidc"))["url"], "state-1")
    stolen = await eve.asks("login", oidc=sent)
    assert stolen["code"] == "provider_refused" and "another player" in stolen["message"]
    assert "started here" in (await ann.asks("login", oidc=sent))["message"], "an attempt ends once"
    wrong = await ann.asks("login", oidc={"state": "made-up", "code": sent["code"]})
    assert wrong["code"] == "provider_refused" and "took too long" in wrong["message"]
    sent = await authorized((await ann.asks("oidc"))["url"], "state-1")
    assert (await ann.asks("login", oidc=sent | {"code": "made-up"}))["code"] == "provider_refused"


@pytest.mark.parametrize("field", ["nonce", "verifier"])
async def test_what_the_provider_repeats_must_be_what_was_asked(
    start: Start, visit: Any, issuer: str, store: Redis, field: str
) -> None:
    here = await start(**settings(issuer))
    ann = await visit(here)
    sent = await authorized((await ann.asks("oidc"))["url"], "nonce-1")
    key = f"fourfold:oidc:{sent['state']}"
    attempt = msgspec.msgpack.decode(store.get(key), type=Attempt)  # type: ignore[arg-type]
    assert 0 < store.pttl(key) <= 600_000
    store.set(key, msgspec.msgpack.encode(msgspec.structs.replace(attempt, **{field: "x" * 48})))
    answer = await ann.asks("login", oidc=sent)
    if field == "nonce":
        assert answer["code"] == "provider_refused" and "nonce" in answer["message"]


@pytest.mark.slow
async def test_an_id_token_that_has_expired_proves_nothing(start: Start, visit: Any) -> None:
    with provider("--token-max-age", "-3600") as issuer:
        ann = await visit(await start(**settings(issuer)))
        refused = await signed_in(ann)
        assert refused["code"] == "provider_refused" and "exp" in refused["message"]


@pytest.mark.slow
async def test_a_provider_that_is_away_or_is_another(start: Start, visit: Any, issuer: str) -> None:
    away = await visit(await start(**settings("http://127.0.0.1:9")))
    assert (await away.asks("oidc"))["code"] == "provider_away"
    other = await visit(await start(**settings(issuer.replace("127.0.0.1", "localhost") + "/")))
    refused = await other.asks("oidc")
    assert refused["code"] == "provider_away" and "calls itself" in refused["message"]
    none = await visit(await start())
    assert (await none.asks("oidc"))["code"] == "no_provider"
    terminal = await visit(await start(**settings(issuer)), page=None)
    assert (await terminal.asks("oidc"))["code"] == "provider_refused"


async def test_who_may_have_an_account(start: Start, visit: Any, issuer: str) -> None:
    only = await visit(await start(**settings(issuer, accounts="oidc")))
    assert (await only.asks("register", name="By Code"))["code"] == "accounts_closed"
    account = await signed_in(only, "policy-1")
    assert account["type"] == "account"
    closed = await start(**settings(issuer, accounts="closed"))
    assert (await signed_in(await visit(closed), "policy-2"))["code"] == "accounts_closed"
    assert (await signed_in(await visit(closed), "policy-1"))["player"] == only.player
    off = await visit(await start(**settings(issuer, accounts="off")))
    assert (await off.asks("oidc"))["code"] == "accounts_off"


def test_the_settings_go_together(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        read(["--accounts", "oidc"], {})
    with pytest.raises(SystemExit):
        read(["--oidc-issuer", "https://id.example.org"], {})
    assert "go together" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        read(["--oidc-issuer", "id.example.org"], {})
    told = ["--oidc-issuer", "https://id.example.org", "--oidc-client-id", "a", "--oidc-client-secret", "b"]
    assert read(told, {}).oidc_issuer == "https://id.example.org"
