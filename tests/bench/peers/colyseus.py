"""Players for `colyseus.mjs`, in the protocol of Colyseus 0.17: a seat is reserved by HTTP, messages are MessagePack
after a type byte, and changes of the state are fields of the schema by their number."""

import asyncio
import urllib.error
from typing import Any, Final

import msgpack

from tests.bench.peers.players import PATIENCE, PeerPlayer, RematchTable, post

_JOINED: Final = 10
_ERROR: Final = 11
_MESSAGE: Final = 13
_PATCH: Final = 15

_FIELDS: Final = ("fen", "move", "over")
"""Of the schema, by their number."""

_FIELD: Final = 0x3F
"""Of the byte before a value, these bits are the field's number; the others say whether it had a value before."""


def changes(patch: bytes) -> dict[str, str | bool]:
    """The fields that a patch of the state changes."""
    found: dict[str, str | bool] = {}
    at = 1
    while at < len(patch):
        field = _FIELDS[patch[at] & _FIELD]
        at += 1
        if field == "over":
            found[field] = patch[at] == 1
            at += 1
        else:
            # Strings are as in MessagePack, and none is longer than 255 bytes.
            size, start = (patch[at + 1], at + 2) if patch[at] == 0xD9 else (patch[at] & 0x1F, at + 1)
            at = start + size
            found[field] = patch[start:at].decode()
    return found


class ColyseusTable(RematchTable):
    """A room of Colyseus."""

    async def connect(self) -> None:
        method, name, room = "create", "chess", ""
        for player in self.players:
            seat = await post(f"{self.url}/matchmake/{method}/{name}", {})
            room = seat["roomId"]
            await player.connect(f"{self.url}/{seat['processId']}/{room}?sessionId={seat['sessionId']}")
            await asyncio.wait_for(player.greeted.wait(), PATIENCE)
            player.wire.send(bytes((_JOINED,)))
            method, name = "joinById", room
        self.room = room

    def write(self, player: PeerPlayer, move: str) -> bytes:
        payload: dict[str, Any] = {"from": move[:2], "to": move[2:4]}
        if len(move) > 4:
            payload["promotion"] = move[4]
        return bytes((_MESSAGE,)) + msgpack.packb("move") + msgpack.packb(payload)

    def heard(self, player: PeerPlayer, data: bytes) -> None:
        kind = data[0]
        if kind == _PATCH:
            changed = changes(data)
            move = changed["move"]
            assert isinstance(move, str)  # by the schema
            self.moved(player, move, bool(changed.get("over")))
        elif kind == _JOINED:
            player.greeted.set()
        elif kind == _ERROR or (kind == _MESSAGE and data[1:9] == msgpack.packb("refused")):
            self.tally.errors[data[1:].decode(errors="replace")] += 1

    async def standing(self, url: str) -> int:
        try:
            await post(f"{url}/matchmake/joinById/{self.room}", {})
        except urllib.error.HTTPError:
            return 0  # there is no such room
        raise AssertionError("Colyseus has kept a room")
