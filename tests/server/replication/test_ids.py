"""Room ids: nobody can guess one, every node derives the same one from a key, and study ids differ from game ids."""

from fourfold.server.replication.ids import ALPHABET, STUDY, id_of_length, is_study, number_of, random_number
from fourfold.server.rooms.registry import _ID, new_id

SECRET = b"secret"


def test_the_id_of_a_key_is_its_players_alone() -> None:
    given = ("ann", "key", SECRET, b"room")
    others = [
        ("bob", "key", SECRET, b"room"),
        ("ann", "other", SECRET, b"room"),
        ("ann", "key", b"other", b"room"),
        ("ann", "key", SECRET, b"study"),
    ]
    assert number_of(*given) == number_of(*given)
    assert len({number_of(*given), *(number_of(*other) for other in others)}) == 5
    assert number_of("ann", "bkey", SECRET, b"room") != number_of("annb", "key", SECRET, b"room"), "told apart"


def test_an_id_has_so_many_letters_of_the_alphabet() -> None:
    assert id_of_length(0, 3) == "222"
    assert id_of_length(1 + 31 + 2 * 31**2, 3) == "334"
    for length in (8, STUDY, 16):
        id = id_of_length(random_number(), length)
        assert len(id) == length and set(id) <= set(ALPHABET)
    assert len({id_of_length(random_number(), 16) for _ in range(100)}) == 100


def test_a_study_is_known_by_its_length() -> None:
    study = id_of_length(random_number(), STUDY)
    assert is_study(study)
    assert not any(map(is_study, (study[1:], study + "2", study[:-1] + "1", study[:-1] + "\n", "", new_id("private"))))


def test_what_is_no_id_of_a_game_reaches_no_store() -> None:
    public, private = new_id("public"), new_id("private")
    assert _ID.fullmatch(public) and _ID.fullmatch(private)
    for other in (id_of_length(random_number(), STUDY), public[1:], public + "2", public.upper() + "A", "lobby", ""):
        assert not _ID.fullmatch(other)
