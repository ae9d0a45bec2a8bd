"""The stored form of a password, and how often it may be guessed."""

import asyncio

import pytest

from fourfold.server.limits.refused import RequestRefused
from fourfold.server.sessions import passwords
from fourfold.server.sessions.passwords import PasswordVault, make, opens

LOCK = make("sésame")


class Hand:
    """A clock set by hand."""

    now = 1_000_000

    def __call__(self) -> int:
        return self.now


def test_the_password_opens_and_nothing_else_does() -> None:
    assert opens("sésame", LOCK)
    assert opens("se\u0301same", LOCK)  # the same letters from another keyboard
    for wrong in ("sesame", "sésame ", "Sésame", "", LOCK):
        assert not opens(wrong, LOCK)


def test_what_is_kept_tells_nothing() -> None:
    assert "same" not in LOCK
    assert make("sésame") != LOCK  # each lock has its own salt
    assert LOCK.startswith("scrypt$14$8$1$")  # the cost is stored too: it may be raised later


async def test_an_address_guesses_so_often_at_a_room_and_no_more() -> None:
    clock = Hand()
    locksmith = PasswordVault(clock)
    times, window = passwords.GUESSES_AT_ROOM
    for _ in range(times):
        with pytest.raises(RequestRefused, match="Wrong password"):
            await locksmith.unlock("r", LOCK, "guess", "10.0.0.1")
    with pytest.raises(RequestRefused, match="in 60 s") as refusal:
        await locksmith.unlock("r", LOCK, "sésame", "10.0.0.1")
    assert refusal.value.rejection.retry == window
    await locksmith.unlock("r", LOCK, "sésame", "10.0.0.2")
    await locksmith.unlock("r2", LOCK, "sésame", "10.0.0.1")
    clock.now += window
    await locksmith.unlock("r", LOCK, "sésame", "10.0.0.1")


async def test_guesses_made_at_once_are_counted_before_they_are_looked_at() -> None:
    locksmith = PasswordVault(Hand())
    guesses = [locksmith.unlock("r", LOCK, str(n), "10.0.0.1") for n in range(12)]
    refusals = await asyncio.gather(*guesses, return_exceptions=True)
    codes = [refusal.rejection.code for refusal in refusals if isinstance(refusal, RequestRefused)]
    assert codes.count("wrong_password") == passwords.GUESSES_AT_ROOM[0]
    assert codes.count("too_fast") == 12 - passwords.GUESSES_AT_ROOM[0]


@pytest.mark.slow
async def test_the_right_password_is_no_guess() -> None:
    locksmith = PasswordVault(Hand())
    for _ in range(2 * passwords.GUESSES_AT_ROOM[0]):
        await locksmith.unlock("r", LOCK, "sésame", "10.0.0.1")
