"""Guests, their tokens and their names."""

from collections.abc import Callable

import pytest

from server.identity import MAX_NAME, BadToken, Identities, clean_name

HERE = Identities(b"s" * 32)


def test_a_token_brings_the_identity_back_on_any_node_with_the_secret() -> None:
    guest = HERE.greet(None, "Ann")
    again = Identities(b"s" * 32).greet(guest.token, None)
    assert again.id == guest.id
    assert again.token == guest.token


def test_guests_are_different_people() -> None:
    assert len({HERE.greet(None, None).id for _ in range(100)}) == 100


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
    assert guest.name.startswith("Guest ")
    assert HERE.greet(guest.token, None).name == guest.name
