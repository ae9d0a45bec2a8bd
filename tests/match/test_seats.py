"""Creating, sitting down, standing up, starting."""

from collections.abc import Callable

import pytest

from fourfold.engine.decisions import Rejection
from fourfold.engine.match import Status, decide, replay
from fourfold.engine.match.commands import Close, Create, Invite, Kick, Move, Propose, Resign, Sit, Stand
from fourfold.engine.match.events import Finished, ProposalKind, Renamed, Seated, Started, Unseated
from fourfold.engine.match.terms import Terms
from fourfold.engine.outcome import Outcome, Termination

Make = Callable[..., "Table"]  # type: ignore[name-defined]  # noqa: F821


def test_the_game_starts_when_the_last_seat_is_taken(table: Make) -> None:
    t = table(seated=False)
    assert t.says("ann", Sit("Ann")) == (Seated(0, "ann", "Ann"),)
    assert t.state.status is Status.OPEN
    assert t.says("bob", Sit("Bob", "black")) == (Seated(1, "bob", "Bob"), Started())
    assert t.state.status is Status.PLAYING
    assert t.state.seat_of("bob") == 1


def test_sitting_again_is_no_news(table: Make) -> None:
    t = table(seated=False)
    t.says("ann", Sit("Ann", "black"))
    assert t.says("ann", Sit("Ann")) == ()
    assert t.says("ann", Sit("Ann", "black")) == ()
    assert t.refused("ann", Sit("Ann", "white")) == "already_seated"


def test_a_seat_is_taken_once(table: Make) -> None:
    t = table(seated=False)
    t.says("ann", Sit("Ann", "white"))
    assert t.refused("bob", Sit("Bob", "white")) == "seat_taken"
    assert t.refused("bob", Sit("Bob", "red")) == "no_such_seat"
    t.says("bob", Sit("Bob"))
    assert t.refused("eve", Sit("Eve")) == "already_started"


def test_who_sits_apart_sits_with_nobody_of_the_same_mark(table: Make) -> None:
    t = table("survivor", seated=False)
    t.says("bot:a", Sit("A", mark="m"))
    assert t.refused("bot:b", Sit("B", mark="m", apart=True)) == "same_address"
    assert t.says("bot:a", Sit("A", mark="m", apart=True)) == ()
    t.says("bot:c", Sit("C", mark="n", apart=True))
    t.says("ann", Sit("Ann", apart=True))
    t.says("bot:a", Stand())
    assert t.says("bot:b", Sit("B", "red", mark="m", apart=True))[-1] == Seated(0, "bot:b", "B", "m")
    assert t.says("eve", Sit("Eve", "green", mark="m"))[-1] == Started()


def test_no_guest_comes_back_from_where_a_player_was_sent_away(table: Make) -> None:
    t = table(seated=False)
    t.says("ann", Sit("Ann", "white", mark="m", guest=True))
    t.says("host", Kick("white"))
    for player, guest, mark, code in (("ann", False, "n", "kicked"), ("eve", True, "m", "kicked")):
        assert t.refused(player, Sit("A", mark=mark, guest=guest)) == code
    assert isinstance(t.says("host", Sit("Host", mark="m", guest=True))[0], Seated)
    t.says("host", Stand())
    assert isinstance(t.says("bob", Sit("Bob", mark="m"))[0], Seated), "an account is somebody"
    assert isinstance(t.says("cat", Sit("Cat", mark="n", guest=True))[0], Seated)


ONE_ADDRESS = ("m", "n", "m", "o")
PLAYED_TWICE = {"standard": "e2e4 e7e5 g1f3 b8c6", "teams": "h2h4 b7d7 g13g11 m8k8 e2e4 b4d4 j13j11 m11k11"}


@pytest.mark.parametrize(
    ("variant", "terms", "marks", "moves", "unrated"),
    [
        ("standard", Terms(), ("m", "n"), 0, "too_short"),
        ("standard", Terms(), ("m", "n"), 3, "too_short"),
        ("standard", Terms(), ("m", "n"), 4, ""),
        ("standard", Terms(), ("m", "m"), 4, "same_address"),
        ("standard", Terms(), ("", ""), 4, ""),
        ("standard", Terms(same_address=True), ("m", "m"), 4, ""),
        ("standard", Terms(rated=False), ("m", "m"), 0, ""),
        ("teams", Terms(), ONE_ADDRESS, 8, ""),
        ("teams", Terms(), ("m", "m", "n", "o"), 8, "same_address"),
        ("teams", Terms(), ("m", "n", "o", "p"), 7, "too_short"),
    ],
)
def test_a_result_says_why_the_game_is_not_rated(
    table: Make, variant: str, terms: Terms, marks: tuple[str, ...], moves: int, unrated: str
) -> None:
    t = table(variant, seated=False, terms=terms)
    names = t.state.position.seats
    for name, mark in zip(names, marks, strict=True):
        t.says(name, Sit(name, name, mark=mark))
    for move in PLAYED_TWICE[variant].split()[:moves]:
        t.play(move)
    for name in names[:-1]:
        if t.state.status is Status.PLAYING:
            t.resign(name)
    assert t.state.unrated == unrated
    assert replay(t.log) == t.state
    assert [seat.mark for seat in t.state.seats] == [*marks]


def test_a_rematch_knows_where_players_come_from(table: Make) -> None:
    t = table(seated=False)
    for name in ("white", "black"):
        t.says(name, Sit(name, name, mark="m"))
    t.resign("white")
    t.propose("white", "rematch")
    t.vote("black", True)
    assert (t.state.game, t.state.seats[0].player) == (2, "black")
    assert t.state.unrated == "" and [seat.mark for seat in t.state.seats] == ["m", "m"]


def test_standing_up_frees_the_seat_before_the_start_only(table: Make) -> None:
    t = table("survivor", seated=False)
    t.says("ann", Sit("Ann", "blue"))
    assert t.refused("bob", Stand()) == "not_seated"
    assert t.says("ann", Stand()) == (Unseated(1),)
    for name in ("a", "b", "c", "d"):
        t.says(name, Sit(name))
    assert t.refused("a", Stand()) == "already_started"


def test_the_host_sends_a_player_away_for_good(table: Make) -> None:
    t = table("survivor", seated=False)
    t.says("eve", Sit("Eve", "blue"))
    assert t.refused("eve", Kick("blue")) == "not_host"
    assert t.says("host", Kick("blue")) == (Unseated(1, kicked=True),)
    assert t.state.seats[1].player is None
    assert t.refused("eve", Sit("Eve")) == "kicked"
    assert t.refused("host", Kick("blue")) == "seat_free"
    assert t.refused("host", Kick("white")) == "no_such_seat"
    for name in ("a", "b", "c", "d"):
        t.says(name, Sit(name))
    assert t.refused("host", Kick("blue")) == "already_started"


def test_a_host_who_gives_up_a_seat_of_their_own_may_have_it_again(table: Make) -> None:
    t = table(seated=False)
    t.says("host", Sit("Host", "white"))
    assert t.says("host", Kick("white")) == (Unseated(0),)
    t.says("host", Sit("Host", "black"))


def test_an_invitation_is_taken_back(table: Make) -> None:
    t = table(seated=False)
    t.says("host", Invite(3, "black"))
    assert t.says("host", Kick("black")) == (Unseated(1),)
    assert t.state.seats[1].invited is None


@pytest.mark.parametrize("by", ["host", ""])
def test_a_room_that_has_not_begun_is_closed_by_its_host_or_the_server(table: Make, by: str) -> None:
    t = table(seated=False)
    t.says("ann", Sit("Ann"))
    assert t.refused("ann", Close()) == "not_host"
    (finished,) = t.says(by, Close())
    assert finished == Finished(Outcome(Termination.ABORTED, (), (1, 1)), (0, 0))
    assert t.state.status is Status.FINISHED
    assert t.refused("host", Close()) == "game_over"
    assert t.refused("bob", Sit("Bob")) == "game_over"
    assert t.refused("ann", Propose(ProposalKind.REMATCH, t.state.seq)) == "not_started"


@pytest.mark.parametrize("by", ["host", ""])
def test_a_game_that_has_begun_is_not_closed(table: Make, by: str) -> None:
    t = table()
    assert t.refused(by, Close()) == "already_started"


def test_nothing_is_played_before_the_start(table: Make) -> None:
    t = table(seated=False)
    t.says("ann", Sit("Ann"))
    assert t.refused("ann", Move("e2e4", 9)) == "not_started"
    assert t.refused("ann", Resign()) == "not_started"
    assert t.propose_refused("ann", "draw") == "not_started"
    assert t.refused("eve", Move("e2e4", 9)) == "not_seated"


@pytest.mark.parametrize(
    ("variant", "position", "kind"),
    [
        ("checkers", None, "unreadable"),
        ("standard", "nonsense", "unreadable"),
        ("survivor", "8/8/8/8/8/8/8/8 w - - 0 1", "unreadable"),
        ("standard", "8/8/8/8/8/8/8/K7 w - - 0 1", "refused"),
        ("standard", "7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "refused"),
    ],
)
def test_a_room_needs_a_playable_position(variant: str, position: str | None, kind: str) -> None:
    verdict = decide(None, Create(variant, position), "host", 0)
    assert isinstance(verdict, Rejection)
    assert verdict.kind == kind


def test_a_match_is_created_once_and_first(table: Make) -> None:
    t = table()
    assert t.refused("host", Create("standard")) == "room_exists"
    verdict = decide(None, Sit("Ann"), "ann", 0)
    assert isinstance(verdict, Rejection)
    assert verdict.code == "no_such_room"


def test_a_player_changes_the_name_at_the_seat(table: Make) -> None:
    t = table(seated=False)
    t.says("ann", Sit("Amber Rook 27", "white"))
    assert t.says("ann", Sit("Ann", "white")) == (Renamed(0, "ann", "Ann"),)
    assert t.says("ann", Sit("Ann")) == (), "nothing changes"
    assert t.refused("ann", Sit("Ann", "black")) == "already_seated"
    t.says("bob", Sit("Bob"))
    assert t.says("bob", Sit("Bobby")) == (Renamed(1, "bob", "Bobby"),), "in a young game too"
    assert [seat.name for seat in t.state.seats] == ["Ann", "Bobby"]
    moves = ("g1f3", "g8f6", "f3g1", "f6g8", "e2e4", "e7e5", "g1f3", "g8f6", "f3g1", "f6g8")
    for seat, move in zip(("ann", "bob") * 5, moves, strict=True):
        t.says(seat, Move(move, t.state.seq))
    assert t.says("bob", Sit("Eve")) == (), "later a name stays"
