"""Guests, their tokens and their names."""

import re
from collections.abc import Callable

import pytest

from fourfold.server.players.identity import LIFE, RENEWED, BadToken, Identities
from fourfold.server.players.members import Change, Member, Roll
from fourfold.server.players.names import MAX_NAME, clean_name

HERE = Identities(b"s" * 32)


def test_a_token_brings_the_identity_back_on_any_node_with_the_secret() -> None:
    guest = HERE.greet(None, "Ann")
    again = Identities(b"s" * 32).greet(guest.token, None)
    assert again == guest


@pytest.mark.parametrize("name", ["Ann", "王さん", "A.n.n", "\U0001f451" * MAX_NAME, None])
def test_the_name_travels_in_the_token(name: str | None) -> None:
    guest = HERE.greet(None, name)
    assert HERE.greet(guest.token, None) == guest
    assert HERE.greet(guest.token, "\u200b") == guest
    assert len(guest.token) <= 256, "as long as `hello` takes"


def test_a_new_name_goes_into_a_new_token_and_the_old_one_stays_good() -> None:
    ann = HERE.greet(None, "Ann")
    anna = HERE.greet(ann.token, "Anna")
    assert (anna.id, anna.name) == (ann.id, "Anna")
    assert HERE.greet(anna.token, None).name == "Anna"
    assert HERE.greet(ann.token, None).name == "Ann"


def test_a_name_that_would_pass_for_anothers_is_marked_also_of_a_bot() -> None:
    roll = Roll(reserved="boss")
    roll.take(Change({"ann": Member(1, "Annabel")}))
    identities = Identities(b"s" * 32, roll)
    for name in ("Annabel", "A.n.n.a.b.e.l", "Moderator", "Аdmin", "server", "Level 5", "LeveI 5", "Boss"):
        for bot, mark in ((False, " (guest)"), (True, " (bot)")):
            player = identities.greet(None, name, bot=bot)
            assert player.name.endswith(mark), name
            assert identities.greet(player.token, None).name == player.name
    assert identities.greet(None, "Deep Thought", bot=True).name == "Deep Thought"
    called = identities.house_bot(5)
    assert identities.greet(called.token, None).name == "Level 5"


def test_nobody_writes_another_name_into_a_token() -> None:
    ann, bob = (HERE.greet(None, name).token.split(".") for name in ("Ann", "Bob"))
    with pytest.raises(BadToken):
        HERE.greet(f"{ann[0]}.{bob[1]}.{ann[2]}", None)
    with pytest.raises(BadToken):
        HERE.greet(f"{ann[0]}.{bob[1]}.{bob[2]}", None)


def test_guests_are_different_people() -> None:
    assert len({HERE.greet(None, None).id for _ in range(100)}) == 100


def test_no_guests_id_is_an_option_of_a_command() -> None:
    assert not [id for _ in range(2000) if (id := HERE.greet(None, None).id).startswith("-")]


def test_the_public_id_is_not_the_token() -> None:
    guest = HERE.greet(None, None)
    with pytest.raises(BadToken):
        HERE.greet(guest.id, None)


@pytest.mark.parametrize(
    "forge", [lambda t: t[:-1], lambda t: t + "A", lambda t: "x" + t, lambda t: "", lambda t: "ä.ö"]
)
def test_a_token_we_did_not_sign_is_refused(forge: Callable[[str], str]) -> None:
    with pytest.raises(BadToken):
        HERE.greet(forge(HERE.greet(None, None).token), None)


def test_another_servers_token_is_refused() -> None:
    with pytest.raises(BadToken):
        Identities(b"o" * 32).greet(HERE.greet(None, None).token, None)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Ann", "Ann"),
        ("  Ann \t of\nGreen  ", "Ann of Green"),
        ("A\x00n\x1b[31mn", "An[31mn"),
        ("Ann\u202e\u200bevil", "Annevil"),
        ("\ufb01ne", "fine"),
        ("x" * 100, "x" * MAX_NAME),
        ("王さん", "王さん"),
        ("\u200b", ""),
    ],
)
def test_names_are_cleaned(said: str, shown: str) -> None:
    assert clean_name(said) == shown


def test_a_nameless_guest_gets_a_lasting_name() -> None:
    guest = HERE.greet(None, "\u200b")
    assert re.fullmatch(r"[A-Z][a-z]+ [A-Z][a-z]+ [1-9][0-9]", guest.name)
    assert HERE.greet(guest.token, None).name == guest.name


NOW = 1_700_000_000_000


@pytest.fixture
def roll() -> Roll:
    return Roll()


@pytest.fixture
def known(roll: Roll) -> Identities:
    """Identities that know accounts."""
    return Identities(b"s" * 32, roll)


def test_an_accounts_token_brings_it_back_under_its_own_name(known: Identities, roll: Roll) -> None:
    roll.take(Change({"p1": Member(NOW, "Ann")}))
    token = known.member("p1", "Ann", "s1", NOW).token
    player = known.greet(token, "Somebody else", now=NOW + 1000)
    assert (player.id, player.name, player.session, player.token) == ("p1", "Ann", "s1", token)
    roll.take(Change({"p1": Member(NOW, "Bea")}))
    assert known.greet(token, None, now=NOW + 1000).name == "Bea"
    assert len(known.member("x" * 12, "\U0001f451" * MAX_NAME, "y" * 12, NOW).token) <= 256, "as long as `hello` takes"


def test_an_accounts_token_expires_and_is_renewed_when_it_is_used(known: Identities, roll: Roll) -> None:
    roll.take(Change({"p1": Member(NOW, "Ann")}))
    token = known.member("p1", "Ann", "s1", NOW).token
    assert known.greet(token, None, now=NOW + RENEWED - 1).token == token
    renewed = known.greet(token, None, now=NOW + RENEWED).token
    with pytest.raises(BadToken, match="expired"):
        known.greet(token, None, now=NOW + LIFE + 1)
    assert known.greet(renewed, None, now=NOW + LIFE + 1).id == "p1"


def test_a_session_that_is_signed_out_is_refused(known: Identities, roll: Roll) -> None:
    roll.take(Change({"p1": Member(NOW, "Ann")}))
    first, second = (known.member("p1", "Ann", session, NOW).token for session in ("s1", "s2"))
    roll.take(Change(void={"s1": NOW + LIFE}))
    with pytest.raises(BadToken, match="signed out"):
        known.greet(first, None, now=NOW)
    assert known.greet(second, None, now=NOW).session == "s2"


def test_an_account_that_is_closed_is_refused_and_one_that_is_not_known_yet_is_not(
    known: Identities, roll: Roll
) -> None:
    token = known.member("p1", "Ann", "s1", NOW).token
    assert known.greet(token, None, now=NOW).name == "Ann", "another server may just have created it"
    roll.take(Change({"p1": Member(NOW, "")}))
    with pytest.raises(BadToken):
        known.greet(token, None, now=NOW)


def test_a_guests_token_is_void_once_the_player_has_an_account(known: Identities, roll: Roll) -> None:
    guest = known.greet(None, "Ann", now=NOW)
    roll.take(Change({guest.id: Member(NOW, "Ann")}))
    with pytest.raises(BadToken, match="account"):
        known.greet(guest.token, None, now=NOW)


def test_a_guest_who_would_pass_for_another_is_marked(known: Identities, roll: Roll) -> None:
    roll.take(Change({"p1": Member(NOW, "Magnus Carlsen")}))
    assert known.greet(None, "Маgnus Саrlsen").name == "Маgnus Саrlsen (guest)"
    assert known.greet(None, "Red").name == "Red", "names of guests stay as they always were"
    assert known.greet(None, "Bob").name == "Bob"
