"""Challenges: made, answered, cancelled and expired, on any server; and the room that the last acceptance opens."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from redis import Redis

from fourfold.server.lobby import challenges
from fourfold.server.lobby.challenge import Challenge, Side
from fourfold.server.lobby.seating import Seating
from tests.conftest import archive_of, some
from tests.server.conftest import Dial, Wire, appointed

Start = Callable[..., Awaitable[str]]
Host = Callable[[], Awaitable[Wire]]


def told(wire: Wire, id: str, status: str) -> Awaitable[dict[str, Any]]:
    """The challenge as sent to a client, once it has this status."""
    return wire.seen(
        lambda f: f["type"] == "challenge" and f["challenge"] == id and f["status"] == status and f.get("id") is None
    )


async def knows(wire: Wire, players: set[str]) -> None:
    """Wait until a connection's server knows that these players are online."""
    async with asyncio.timeout(240):
        while not {person["player"] for person in (await wire.asks("people"))["people"]} >= players:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def accepts(wire: Wire, made: dict[str, Any]) -> dict[str, Any]:
    """The answer to an acceptance, once the server knows that the required players are online."""
    async with asyncio.timeout(240):
        while True:
            answer = await wire.asks("answer", challenge=made["challenge"], accept=True)
            if answer.get("code") != "player_away":
                return answer
            await asyncio.sleep(0.02)


async def challenged(wire: Wire, **fields: Any) -> dict[str, Any]:
    """A new challenge, made once its players are known at the challenger's server."""
    named = {who for who in (fields.get("player"), *fields.get("seats", {}).values()) if isinstance(who, str)}
    await knows(wire, {who for who in named if len(who) >= 12})
    made = await wire.asks("challenge", **fields)
    assert made["type"] == "challenge", made
    return made


async def test_yes_opens_a_room_in_which_both_are_seated(dial: Dial, elsewhere: str) -> None:
    ann, bob = await dial(name="Ann"), await dial(name="Bob", at=elsewhere)
    made = await challenged(ann, player=bob.player, clock={"base": 300_000, "increment": 2000})
    assert (made["status"], made["by"], made["clock"]["increment"]) == ("open", ann.player, 2000)
    got = await told(bob, made["challenge"], "open")
    assert [(one["name"], one["seat"], one["answer"]) for one in got["seats"]] == [
        ("Ann", None, True),
        ("Bob", None, None),
    ]
    answer = await accepts(bob, made)
    assert answer["status"] == "accepted"
    heard = await told(ann, made["challenge"], "accepted")
    assert heard["room"] == answer["room"]
    assert (await accepts(bob, made))["room"] == answer["room"], "said again"
    for wire in (ann, bob):
        assert (await wire.asks("join", room=heard["room"]))["type"] == "joined"
    room = await ann.seen(lambda frame: frame["type"] == "room")
    assert room["status"] == "playing" and room["host"] == ann.player
    assert {seat["name"] for seat in room["seats"]} == {"Ann", "Bob"} and room["clocks"]["base"] == 300_000


async def test_a_seat_of_ones_own_and_a_name(dial: Dial) -> None:
    ann, bob = await dial(name="Ann"), await dial(name="Bob")
    made = await challenged(ann, player="bob", seat="black", visibility="private", rated=False)
    assert [(one["name"], one["seat"]) for one in made["seats"]] == [("Bob", "white"), ("Ann", "black")]
    room = (await accepts(bob, made))["room"]
    assert len(room) == 16
    assert (await bob.asks("join", room=room))["seat"] == "white"
    assert (await bob.asks("watch", room=room))["rated"] is False


async def test_no_has_a_reason_and_words(dial: Dial, elsewhere: str) -> None:
    ann, bob = await dial(name="Ann"), await dial(name="Bob", at=elsewhere)
    made = await challenged(ann, player=bob.player)
    await told(bob, made["challenge"], "open")
    await bob.asks("answer", challenge=made["challenge"], accept=False, reason="later", text="in \u202e an\nhour")
    heard = await told(ann, made["challenge"], "declined")
    assert (heard["reason"], heard["text"]) == ("later", "in an hour")
    assert [one["answer"] for one in heard["seats"]] == [True, False]
    assert (await accepts(bob, made))["code"] == "challenge_over"


async def test_a_table_of_four_begins_when_all_have_said_yes(dial: Dial, elsewhere: str) -> None:
    ann, bob = await dial(name="Ann"), await dial(name="Bob", at=elsewhere)
    bot = await dial(name="Deep", bot=True)
    seats = {"red": bob.player, "yellow": bot.player, "green": 2}
    made = await challenged(ann, variant="ffa", seats=seats)
    assert [(one["seat"], one["name"], one["level"], one["bot"]) for one in made["seats"]] == [
        ("red", "Bob", None, False), ("blue", "Ann", None, False), ("yellow", "Deep", None, True),
        ("green", "Level 2", 2, False),
    ]  # fmt: skip
    await told(bob, made["challenge"], "open")
    assert (await accepts(bob, made))["status"] == "open"
    await told(bot, made["challenge"], "open")
    room = (await accepts(bot, made))["room"]
    await told(bob, made["challenge"], "accepted")
    snapshot = await bob.asks("watch", room=room)
    assert [seat["name"] for seat in snapshot["seats"]] == ["Bob", "Ann", "Deep", None]
    assert snapshot["seats"][3]["invited"] == 2 and snapshot["status"] == "open", "no bots run here"


async def test_one_no_ends_the_table_for_all(dial: Dial) -> None:
    wires = [await dial(name=name) for name in ("Ann", "Bob", "Cy", "Di")]
    seats = dict(zip(("blue", "yellow", "green"), (wire.player for wire in wires[1:]), strict=True))
    made = await challenged(wires[0], variant="teams", seats=seats)
    await wires[1].asks("answer", challenge=made["challenge"], accept=True)
    await wires[2].asks("answer", challenge=made["challenge"], accept=False)
    for wire in wires:
        assert (await told(wire, made["challenge"], "declined"))["reason"] == "generic"


async def test_the_challenger_takes_it_back(dial: Dial, elsewhere: str) -> None:
    ann, bob = await dial(name="Ann"), await dial(name="Bob", at=elsewhere)
    made = await challenged(ann, player=bob.player)
    assert (await bob.asks("cancel", challenge=made["challenge"]))["code"] == "not_yours"
    assert (await ann.asks("cancel", challenge=made["challenge"]))["status"] == "cancelled"
    assert (await ann.asks("cancel", challenge=made["challenge"]))["status"] == "cancelled", "said again"
    await told(bob, made["challenge"], "cancelled")
    assert (await accepts(bob, made))["code"] == "challenge_over"


async def test_it_survives_reconnects_and_servers(dial: Dial, start: Start, brief: Any) -> None:
    ann = await dial(name="Ann")
    async with brief() as other:
        bob = await dial(name="Bob", at=other)
        made = await challenged(ann, player=bob.player)
        await told(bob, made["challenge"], "open")
    later = await start()
    again = await dial(at=later, token=bob.token)
    assert (await told(again, made["challenge"], "open"))["by"] == ann.player
    second = await dial(token=ann.token)
    await told(second, made["challenge"], "open")
    assert (await accepts(again, made))["status"] == "accepted"
    await told(second, made["challenge"], "accepted")


async def test_the_same_key_makes_one_challenge(dial: Dial) -> None:
    ann, bob = await dial(name="Ann"), await dial(name="Bob")
    made = [await challenged(ann, player=bob.player, key="k") for _ in range(2)]
    assert made[0]["challenge"] == made[1]["challenge"]
    assert (await challenged(ann, player=bob.player))["challenge"] != made[0]["challenge"]


async def test_nobody_says_yes_to_who_is_away(dial: Dial) -> None:
    ann, bob = await dial(name="Ann"), await dial(name="Bob")
    made = await challenged(ann, player=bob.player)
    await ann.end()
    async with asyncio.timeout(240):
        while (await bob.asks("people"))["count"] > 1:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.02)
    refused = await bob.asks("answer", challenge=made["challenge"], accept=True)
    assert refused["code"] == "player_away" and refused["retry"] > 0
    await dial(token=ann.token)
    assert (await bob.asks("answer", challenge=made["challenge"], accept=True))["status"] == "accepted"


async def test_what_cannot_be_challenged(dial: Dial) -> None:
    ann, bob, twin = await dial(name="Ann"), await dial(name="Bob"), await dial(name="bob")
    for fields, code in (
        ({"player": "Nobody"}, "no_such_player"),
        ({"player": "Bob"}, "ambiguous_player"),
        ({"player": ann.player}, "bad_challenge"),
        ({}, "bad_challenge"),
        ({"player": bob.player, "variant": "ffa"}, "bad_challenge"),
        ({"player": bob.player, "seat": "red"}, "bad_challenge"),
        ({"variant": "ffa", "seats": {"red": bob.player}}, "bad_challenge"),
        ({"variant": "ffa", "seats": {"red": bob.player, "blue": bob.player, "green": 1}}, "bad_challenge"),
        ({"variant": "ffa", "seats": {"red": 1, "white": bob.player, "green": 1}}, "bad_challenge"),
        ({"player": bob.player, "variant": "nothing"}, "unknown_variant"),
    ):
        assert (await ann.asks("challenge", **fields))["code"] == code, fields
    made = await challenged(ann, player=bob.player)
    assert (await accepts(twin, made))["code"] == "no_such_challenge"
    assert (await ann.asks("answer", challenge=made["challenge"], accept=False))["code"] == "challenge_over"
    assert (await ann.asks("cancel", challenge="nothing"))["code"] == "no_such_challenge"


async def test_how_many_may_be_open(dial: Dial) -> None:
    ann, bob = await dial(name="Ann"), await dial(name="Bob")
    for _ in range(challenges.MADE):
        made = await challenged(ann, player=bob.player)
    assert (await ann.asks("challenge", player=bob.player))["code"] == "too_many_challenges"
    await ann.asks("cancel", challenge=made["challenge"])
    await challenged(ann, player=bob.player)


async def test_an_account_is_challenged_by_its_name_although_it_is_away(dial: Dial) -> None:
    ann, bob = await dial(name="Ann"), await dial(name="Bob")
    await bob.asks("register", name="Challenged")
    await bob.end()
    made = await challenged(ann, player="challenged")
    assert made["seats"][1]["player"] == bob.player and made["seats"][1]["name"] == "Challenged"


async def test_without_accounts_guests_challenge_who_is_online(start: Start, dial: Dial) -> None:
    off = await start(accounts="off")
    ann, bob = await dial(name="Ann", at=off), await dial(name="Bob", at=off)
    made = await challenged(ann, player="Bob")
    assert (await accepts(bob, made))["status"] == "accepted"


# -- expiry -----------------------------------------------------------------------------------------


class Hash:
    """The hash of challenges, and the channel of one server."""

    def __init__(self, store: Redis) -> None:
        self.store = store

    async def execute(self, key: str, *command: Any) -> Any:
        answer = await asyncio.to_thread(self.store.execute_command, *command)
        return (answer[0], answer[1]) if command[0] == "HSCAN" else answer

    async def follow(self, room: str, listener: Any) -> None: ...

    async def unfollow(self, room: str, listener: Any) -> None: ...

    async def tell(self, room: str, message: bytes) -> int:
        return 0


def a_challenge(**fields: Any) -> Challenge:
    sides = (Side(None, "a", "Ann", answer=True), Side(None, "b", "Bob"))
    usual = {"id": "c1", "by": "a", "origin": "", "variant": "standard", "clock": None, "visibility": "public"}
    return Challenge(**(usual | {"sides": sides, "made": 1000, "until": 2000} | fields))


@pytest.fixture
def known(store: Any) -> Any:
    """The challenges of a server, the frames it sent with their receivers, and its clock: the list's only entry."""
    now, sent = [1000], []
    store.delete(challenges.KEY)
    seating = Seating(b"secret", lambda _: False)
    told = lambda player, frame: sent.append((player, frame.frame))  # noqa: E731 - it is one line
    found = challenges.Challenges(Hash(store), lambda: now[0], seating, told)
    return found, sent, now


async def test_a_challenge_expires_and_is_forgotten(known: Any, store: Any) -> None:
    found, sent, now = known
    await found.make(a_challenge())
    now[0] = 2000
    with pytest.raises(challenges.RequestRefused, match="expired"):
        await found.decline("c1", "b", None, "")
    sent.clear()
    await found._expire(2000 + challenges.LATE)
    assert [(player, frame.status) for player, frame in sent] == [("a", "expired"), ("b", "expired")]
    await found._expire(2000 + challenges.TOLD + 1)
    assert found.of("a") == [] and not store.exists(challenges.KEY)


async def test_limits_of_an_address_and_of_who_is_challenged(known: Any) -> None:
    found, _, _ = known
    for number in range(challenges.TAKEN):
        by = Side(None, f"p{number}", "", answer=True)
        await found.make(a_challenge(id=f"c{number}", by=by.player, origin="o", sides=(by, Side(None, "b", "Bob"))))
    with pytest.raises(challenges.RequestRefused, match="Your address already has"):
        await found.make(a_challenge(id="d", origin="o"))
    with pytest.raises(challenges.RequestRefused, match="Bob already has 20"):
        await found.make(a_challenge(id="d", origin="other"))


async def test_what_was_told_while_nobody_heard_is_read(known: Any, store: Any) -> None:
    found, sent, _ = known
    other = challenges.Challenges(Hash(store), lambda: 1000, Seating(b"secret", lambda _: False), lambda *_: None)
    await other.make(a_challenge())
    assert found.of("b") == []
    await found.learn()
    assert [one.id for one in found.of("b")] == ["c1"] and sent
    found.told(b"\xc1")  # of a newer version


async def test_a_repeated_request_is_told_to_all_again(known: Any, store: Any) -> None:
    """The server that stored the change may have died before it told the others."""
    found, sent, _ = known
    told: list[bytes] = []

    class Told(Hash):
        async def tell(self, room: str, message: bytes) -> int:
            told.append(message)
            return 1

    dead = challenges.Challenges(Hash(store), lambda: 1000, Seating(b"secret", lambda _: False), lambda *_: None)
    await dead.make(a_challenge())
    found._store = Told(store)
    assert await found.kept("c1") == a_challenge()
    assert [(player, frame.status) for player, frame in sent] == [("a", "open"), ("b", "open")] and len(told) == 1
    await dead.decline("c1", "b", None, "")
    sent.clear()
    assert (await found.decline("c1", "b", None, "")).status == "declined"
    assert [(player, frame.status) for player, frame in sent] == [("a", "declined"), ("b", "declined")]
    assert len(told) == 2


def test_a_drawn_seat_is_always_the_same_and_not_always_white() -> None:
    drawn = [a_challenge(id=str(number)).arranged() for number in range(20)]
    assert drawn == [a_challenge(id=str(number)).arranged() for number in range(20)]
    assert {one[0][1].player for one in drawn} == {"a", "b"}


@pytest.mark.parametrize(
    ("plays", "reason"),
    [
        ({"variants": ["chess960"]}, "variant"),
        ({"speeds": ["bullet"]}, "time_control"),
        ({"rated": True}, "rated"),
        ({"rated": False}, None),
        ({"variants": ["standard"], "speeds": ["rapid"], "games": 1}, None),
    ],
)
async def test_what_a_bot_does_not_play_is_declined_for_it(dial: Dial, plays: Any, reason: str | None) -> None:
    ann, bot = await dial(name="Ann"), await dial(name="Robot", bot=True, plays=plays)
    made = await challenged(ann, player=bot.player, clock={"base": 600_000}, rated=False)
    assert (made["status"], made["reason"]) == (("open", None) if reason is None else ("declined", reason))
    assert (await told(bot, made["challenge"], made["status"]))["reason"] == reason


async def test_computer_players_say_yes_at_once(dial: Dial, host: Host) -> None:
    ann = await dial(name="Ann")
    await host()
    made = await ann.asks("challenge", player="Level 3", clock={"base": 600_000}, key="once")
    assert (made["status"], made["room"]) == ("accepted", made["challenge"])
    assert {seat["level"] for seat in made["seats"]} == {None, 3}
    again = await ann.asks("challenge", player="Level 3", clock={"base": 600_000}, key="once")
    assert again["room"] == made["room"]
    four = await ann.asks("challenge", variant="ffa", seats={"red": "level1", "yellow": 2, "green": "level5"})
    room = await ann.asks("watch", room=four["room"])
    assert [seat["invited"] for seat in room["seats"]] == [1, None, 2, 5]
    assert room["seats"][1]["player"] == ann.player


class TestArranged:
    """A moderator arranges games between others."""

    @pytest.fixture
    async def organizer(self, start: Start, dial: Dial, common_url: str) -> tuple[Wire, tuple[str, str]]:
        """An admin's token to organize, used at one of two servers."""
        name = f"Org{secrets.token_hex(4)}"
        servers = await start(trust_proxy=1), await start(trust_proxy=1)
        admin = await dial(at=servers[0], name="Somebody")
        await admin.asks("register", name=name)
        await appointed(archive_of(common_url), admin.player)
        granted = await admin.asks("grant", scope="organize", name="Ladder")
        return await dial(at=servers[0], token=granted["token"]), servers

    @pytest.mark.slow
    async def test_all_seats_are_others(self, organizer: tuple[Wire, tuple[str, str]], dial: Dial) -> None:
        maker, (here, there) = organizer
        ann, bob = await dial(at=here, name="Ann", bot=True), await dial(at=there, name="Bob", bot=True)
        made = await challenged(maker, seats={"white": ann.player, "black": bob.player})
        assert made["by"] == maker.player and [one["answer"] for one in made["seats"]] == [None, None]
        assert (await maker.asks("answer", challenge=made["challenge"], accept=True))["code"] == "not_yours"
        await told(ann, made["challenge"], "open")
        assert (await accepts(ann, made))["status"] == "open"
        await told(bob, made["challenge"], "open")
        room = (await accepts(bob, made))["room"]
        assert (await told(maker, made["challenge"], "accepted"))["room"] == room
        seats = (await maker.asks("watch", room=room))["seats"]
        assert [seat["player"] for seat in seats] == [ann.player, bob.player]

    async def test_levels_begin_at_once(self, organizer: tuple[Wire, tuple[str, str]]) -> None:
        maker, _ = organizer
        made = await maker.asks("challenge", seats={"white": 1, "black": 2})
        assert made["status"] == "accepted", made

    async def test_it_is_taken_back(self, organizer: tuple[Wire, tuple[str, str]], dial: Dial) -> None:
        maker, (here, _) = organizer
        ann, bob = await dial(at=here, bot=True), await dial(at=here, bot=True)
        made = await challenged(maker, seats={"white": ann.player, "black": bob.player})
        assert (await maker.asks("cancel", challenge=made["challenge"]))["status"] == "cancelled"
        await told(ann, made["challenge"], "cancelled")

    async def test_only_moderators_may(self, organizer: tuple[Wire, tuple[str, str]], dial: Dial) -> None:
        maker, (here, _) = organizer
        ann, bob = await dial(at=here), await dial(at=here)
        seats = {"white": 1, "black": bob.player}
        await knows(ann, {bob.player})
        assert (await ann.asks("challenge", seats=seats))["code"] == "not_moderator"
        await ann.asks("register", name=f"Ann{secrets.token_hex(4)}")
        assert (await ann.asks("challenge", seats=seats))["code"] == "not_moderator"
        for scope in ("organize", "moderate"):
            assert (await ann.asks("grant", scope=scope, name="Program"))["code"] == "not_moderator"
        token = (await ann.asks("grant", scope="play", name="Program"))["token"]
        program = await dial(at=here, token=token)
        assert (await program.asks("challenge", seats=seats))["code"] == "out_of_scope"
        assert (await maker.asks("moderate", act="silence"))["code"] == "out_of_scope", "that is all it may do"
        own = {"white": bob.player, "black": maker.player}
        assert (await maker.asks("challenge", seats=own))["code"] == "bad_challenge"

    @pytest.mark.parametrize(
        ("variant", "rated", "meet"), some(1, ("ffa", True, False), ("teams", True, True), ("ffa", False, True))
    )
    async def test_no_two_of_one_address_against_others(
        self, organizer: tuple[Wire, tuple[str, str]], dial: Dial, variant: str, rated: bool, meet: bool
    ) -> None:
        maker, servers = organizer
        addresses = ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.1"]
        bots = [
            await dial(at=servers[number % 2], bot=True, headers={"X-Forwarded-For": address})
            for number, address in enumerate(addresses)
        ]
        seats = dict(zip(("red", "blue", "yellow", "green"), (bot.player for bot in bots), strict=True))
        made = await challenged(maker, variant=variant, seats=seats, rated=rated)
        for bot in bots:
            await told(bot, made["challenge"], "open")
        for bot in bots[:-1]:
            assert (await accepts(bot, made))["status"] == "open"
        answer = await accepts(bots[-1], made)
        if meet:
            assert answer["status"] == "accepted"
        else:
            assert answer["code"] == "same_address"
            assert (await told(maker, made["challenge"], "declined"))["reason"] == "same_address"
