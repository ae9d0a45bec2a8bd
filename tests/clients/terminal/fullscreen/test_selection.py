"""Pressed squares: picking up, putting down, changing the selection."""

from fourfold.clients.terminal.fullscreen.selection import Selection


def test_a_move_is_two_presses() -> None:
    selection = Selection()
    selection.offer(["e2e3", "e2e4", "g1f3"])
    assert selection.press("e2") == ()
    assert selection.square == "e2"
    assert selection.targets == {"e3", "e4"}
    assert selection.press("e4") == ("e2e4",)
    assert selection.square is None


def test_another_piece_may_be_taken_instead_and_the_same_put_back() -> None:
    selection = Selection()
    selection.offer(["e2e3", "g1f3"])
    selection.press("e2")
    assert selection.press("g1") == ()
    assert selection.square == "g1"
    selection.press("g1")
    assert selection.square is None


def test_what_cannot_move_is_not_picked() -> None:
    selection = Selection()
    selection.offer(["e2e3"])
    assert selection.press("e7") == ()
    assert selection.square is None
    selection.press("e2")
    selection.press("a5")
    assert selection.square is None


def test_a_drop_beside_the_targets_keeps_the_piece() -> None:
    selection = Selection()
    selection.offer(["e2e3", "e2e4"])
    selection.press("e2")
    assert selection.press("h8", dropped=True) == ()
    assert selection.square == "e2"
    assert selection.press("e3", dropped=True) == ("e2e3",)


def test_promotions_are_for_choice() -> None:
    selection = Selection()
    selection.offer(["e7e8q", "e7e8n", "e7d8q", "e7d8n"])
    selection.press("e7")
    assert selection.press("e8") == ("e7e8q", "e7e8n")


def test_squares_of_two_digits() -> None:
    selection = Selection()
    selection.offer(["d10d11q", "d1d10"])
    selection.press("d10")
    assert selection.targets == {"d11"}


def test_new_moves_take_the_piece_out_of_the_hand() -> None:
    selection = Selection()
    selection.offer(["e2e3"])
    selection.press("e2")
    selection.offer(["e2e3", "d2d3"])
    assert selection.square == "e2"
    selection.offer(["d2d3"])
    assert selection.square is None
