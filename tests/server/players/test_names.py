"""The names of accounts: which may be taken, and which look alike."""

import pytest

from fourfold.server.players.names import MAX_NAME, BadName, account_name, is_reserved, marked_name, skeleton


@pytest.mark.parametrize(
    "alike",
    [
        ("Magnus Carlsen", "Маgnus Саrlsen", "MAGNUS_CARLSEN", "rnagnus carlsen", "𝓜agnus Carlsen"),
        ("Ivan", "lvan", "ivan", "1van", "|van"),
        ("O0o", "ooo", "ΟΟΟ"),
        ("Ann", "A.n.n", "ａｎｎ"),
    ],
)
def test_names_that_look_alike_have_one_skeleton(alike: tuple[str, ...]) -> None:
    assert len({skeleton(name) for name in alike}) == 1


def test_other_names_have_other_skeletons() -> None:
    names = ("Ann", "Anna", "José", "Jose", "Guy", "Guu", "Ivan", "Inan", "王さん", "王", "Bob", "Rob", "max", "nax")
    assert len({skeleton(name) for name in names}) == len(names)


@pytest.mark.parametrize(
    "name",
    ["Level 5", "LeveI 5", "Leve1 1", "level 10", "Computer 3", "Bot", "Guest 12ab", "Guest", "Admin", "αdmіn", "red",
     "♔♔", "\u200b", "...", ""],
)  # fmt: skip
def test_names_that_nobody_may_have(name: str) -> None:
    with pytest.raises(BadName):
        account_name(name)


@pytest.mark.parametrize("name", ["Ann", "王", "Levelle", "Robot", "Fred", "x" * MAX_NAME])
def test_names_that_anybody_may_have(name: str) -> None:
    assert account_name(f" {name} ") == name
    assert not is_reserved(name)


def test_a_guests_mark_has_room() -> None:
    for bot, mark in ((False, "x (guest)"), (True, "x (bot)")):
        marked = marked_name("x" * MAX_NAME, bot=bot)
        assert marked.endswith(mark) and len(marked) == MAX_NAME
        assert marked_name(marked, bot=bot) == marked
