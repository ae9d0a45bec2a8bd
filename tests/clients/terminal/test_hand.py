"""Pressing squares: picking up, putting down, thinking again."""

from fourfold.clients.terminal.fullscreen.hand import Hand


def test_a_move_is_two_presses() -> None:
    hand = Hand()
    hand.deal(["e2e3", "e2e4", "g1f3"])
    assert hand.press("e2") == ()
    assert hand.holding == "e2"
    assert hand.targets == {"e3", "e4"}
    assert hand.press("e4") == ("e2e4",)
    assert hand.holding is None


def test_another_piece_may_be_taken_instead_and_the_same_put_back() -> None:
    hand = Hand()
    hand.deal(["e2e3", "g1f3"])
    hand.press("e2")
    assert hand.press("g1") == ()
    assert hand.holding == "g1"
    hand.press("g1")
    assert hand.holding is None


def test_what_cannot_move_is_not_picked() -> None:
    hand = Hand()
    hand.deal(["e2e3"])
    assert hand.press("e7") == ()
    assert hand.holding is None
    hand.press("e2")
    hand.press("a5")
    assert hand.holding is None


def test_a_drop_beside_the_targets_keeps_the_piece() -> None:
    hand = Hand()
    hand.deal(["e2e3", "e2e4"])
    hand.press("e2")
    assert hand.press("h8", dropped=True) == ()
    assert hand.holding == "e2"
    assert hand.press("e3", dropped=True) == ("e2e3",)


def test_promotions_are_for_choice() -> None:
    hand = Hand()
    hand.deal(["e7e8q", "e7e8n", "e7d8q", "e7d8n"])
    hand.press("e7")
    assert hand.press("e8") == ("e7e8q", "e7e8n")


def test_squares_of_two_digits() -> None:
    hand = Hand()
    hand.deal(["d10d11q", "d1d10"])
    hand.press("d10")
    assert hand.targets == {"d11"}


def test_new_moves_take_the_piece_out_of_the_hand() -> None:
    hand = Hand()
    hand.deal(["e2e3"])
    hand.press("e2")
    hand.deal(["e2e3", "d2d3"])
    assert hand.holding == "e2"
    hand.deal(["d2d3"])
    assert hand.holding is None
