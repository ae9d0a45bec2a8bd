"""Rate limits: never exceeded, and counts are dropped once they no longer matter."""

from hypothesis import given
from hypothesis import strategies as st

from fourfold.server.limits.rate import Budget, SlidingWindow

TIMES, WINDOW = 3, 1000


class Hand:
    """A clock set by hand."""

    def __init__(self) -> None:
        self.now = 5_000

    def __call__(self) -> int:
        return self.now


@given(st.lists(st.tuples(st.integers(0, 700), st.sampled_from("ab")), max_size=60))
def test_no_window_holds_more_than_it_may(steps: list[tuple[int, str]]) -> None:
    clock = Hand()
    pace = SlidingWindow(TIMES, WINDOW, clock)
    done: list[tuple[int, str]] = []
    for later, key in steps:
        clock.now += later
        recent = [at for at, of in done if of == key and at > clock.now - WINDOW]
        wait = pace.wait(key)
        assert (wait == 0) == (len(recent) < TIMES)
        if wait:
            assert clock.now + wait == recent[0] + WINDOW
        else:
            pace.count(key)
            done.append((clock.now, key))


def test_one_key_does_not_slow_another() -> None:
    pace = SlidingWindow(1, WINDOW, Hand())
    pace.count("a")
    assert (pace.wait("a"), pace.wait("b")) == (WINDOW, 0)


def test_what_was_forgiven_does_not_count() -> None:
    pace = SlidingWindow(1, WINDOW, Hand())
    pace.count("a")
    pace.forgive("a")
    assert pace.wait("a") == 0
    assert len(pace) == 0


def test_a_budget_is_whole_again_when_its_window_ends() -> None:
    clock = Hand()
    budget = Budget(10, WINDOW, clock)
    assert budget.wait("a", 100) == 0  # an amount above the limit is allowed alone
    budget.spend("a", 6)
    clock.now += 400
    assert (budget.wait("a", 4), budget.wait("a", 5), budget.wait("b", 5)) == (0, WINDOW - 400, 0)
    budget.spend("a", 4)
    budget.spend("b", 1)
    clock.now += WINDOW - 400
    assert (budget.wait("a", 10), budget.wait("b", 10), len(budget)) == (0, 400, 1)


def test_the_memory_is_of_the_window_alone() -> None:
    clock = Hand()
    pace = SlidingWindow(TIMES, WINDOW, clock)
    for key in range(1000):
        clock.now += 100
        pace.count(key)
    assert len(pace) == WINDOW // 100
