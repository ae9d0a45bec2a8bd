"""Keys of commands: each found again with its version, whatever lies between, in little memory."""

import sys

from fourfold.server.rooms.keys import SIZE, Keys


def test_a_key_is_found_with_its_version() -> None:
    keys = Keys()
    for seq in range(1, 1501):
        keys.add("ann" if seq % 2 else "bob", f"k{seq}")
    assert len(keys) == 1500
    assert [keys.find("ann" if seq % 2 else "bob", f"k{seq}") for seq in range(1, 1501)] == [*range(1, 1501)]
    assert keys.find("bob", "k1") is None
    assert keys.find("ann", "k1501") is None


def test_the_ends_of_two_digests_are_no_digest() -> None:
    keys = Keys()
    keys.add("ann", "key")
    keys._digests[:] = b"\7" * 3 + keys._digests + b"\7" * (SIZE - 3)
    assert keys.find("ann", "key") is None
    keys.add("ann", "key")
    assert keys.find("ann", "key") == 3


def test_a_long_game_takes_little() -> None:
    keys = Keys()
    for seq in range(1500):
        keys.add("ann", f"k{seq}")
    assert sys.getsizeof(keys._digests) < 16_000
