"""Messages between nodes about a room survive encoding; types that only a newer node knows are skipped."""

import msgspec

from fourfold.server.rooms.node_messages import Alive, Here, Probe, Reacted, Rewritten, Said, read, write

MESSAGES = {
    "Here": Here("node", ["ann"], 3, 7, True, {"bob": 5}, 2),
    "Said": Said("ann", "Ann", "hello", "all", 9, "white"),
    "Reacted": Reacted("ann", "Ann", "oops", 9),
    "Roll": Probe("number", ["ann", "bob"]),
    "Present": Alive("number", "ann", "192.0.2.1"),
    "Rewritten": Rewritten(),
}
"""Each message, with its type name, which nodes of other versions rely on."""


def test_each_message_comes_back_under_the_name_that_others_know() -> None:
    names = {name: msgspec.msgpack.decode(write(message))["type"] for name, message in MESSAGES.items()}
    assert names == {name: name for name in MESSAGES}
    assert [read(write(message)) for message in MESSAGES.values()] == list(MESSAGES.values())


def test_a_node_understands_older_and_newer_ones() -> None:
    older = {"type": "Here", "node": "node", "players": [], "watchers": 0, "seq": 7}
    assert read(msgspec.msgpack.encode(older)) == Here("node", [], 0, 7)
    assert read(msgspec.msgpack.encode({**older, "mood": "good"})) == Here("node", [], 0, 7)
    said = {"type": "Said", "player": "ann", "name": "Ann", "text": "hello", "to": "all", "time": 9}
    assert read(msgspec.msgpack.encode(said)) == Said("ann", "Ann", "hello", "all", 9)
    assert read(msgspec.msgpack.encode({"type": "Gossip"})) is None
    assert read(b"") is None
