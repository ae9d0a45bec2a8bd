"""Players for `boardgameio.cjs`, in the protocol of boardgame.io 0.50: seats are taken at the lobby's HTTP API,
everything else goes through Socket.IO, of which this implements the part for a connection by WebSocket alone."""

import asyncio
from typing import Any, Final

import msgspec

from tests.bench.peers.players import PATIENCE, PeerPlayer, RematchTable, plies, post
from tests.bench.wire import Wire

_SILENCE: Final = 5.0
"""Seconds without an answer about a match after which the server has lost it."""

_PATH: Final = "/socket.io/?EIO=4&transport=websocket"
_HELLO: Final = b"0"
_PING: Final = b"2"
_PONG: Final = b"3"
_OPEN: Final = b"40/chess,"
_EVENT: Final = b"42/chess,"


def event(*what: Any) -> bytes:
    """A frame that sends an event to the server."""
    return _EVENT + msgspec.json.encode(what)


class BoardgameTable(RematchTable):
    """A match of boardgame.io."""

    text = True

    async def connect(self) -> None:
        api = f"{self.url}/games/chess"
        self.room = (await post(f"{api}/create", {"numPlayers": len(self.players)}))["matchID"]
        self._credentials = []
        self._states = [0 for _ in self.players]
        for player in self.players:
            seat = str(player.seat)
            joined = await post(f"{api}/{self.room}/join", {"playerID": seat, "playerName": seat})
            self._credentials.append(joined["playerCredentials"])
            await player.connect(f"{self.url}{_PATH}")
            player.wire.send(_OPEN)
            await asyncio.wait_for(player.greeted.wait(), PATIENCE)

    def write(self, player: PeerPlayer, move: str) -> bytes:
        seat = str(player.seat)
        squares = [move[:2], move[2:4], *move[4:]]
        made = {"type": "play", "args": squares, "playerID": seat, "credentials": self._credentials[player.seat]}
        action = {"type": "MAKE_MOVE", "payload": made}
        return event("update", action, self._states[player.seat], self.room, seat)

    def heard(self, player: PeerPlayer, data: bytes) -> None:
        if data.startswith(_EVENT):
            name, *arguments = msgspec.json.decode(data[len(_EVENT) :])
            if name == "update":
                state = arguments[1]
                self._states[player.seat] = state["_stateID"]
                self.moved(player, state["G"]["move"], state["G"]["over"])
            elif name == "sync":
                self._states[player.seat] = arguments[1]["state"]["_stateID"]
                player.greeted.set()
        elif not data.startswith(_HELLO):
            self._greet(player.wire, data, player.seat)

    def _greet(self, wire: Wire, data: bytes, seat: int) -> None:
        """Request the match when the connection is open, and answer pings."""
        if data.startswith(_OPEN):
            wire.send(event("sync", self.room, str(seat), self._credentials[seat], len(self.players)))
        elif data == _PING:
            wire.send(_PONG)

    async def standing(self, url: str) -> int:
        shown: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def hear(data: bytes) -> None:
            if not data.startswith(_EVENT):
                if not data.startswith(_HELLO):
                    self._greet(wire, data, 0)
                return
            name, *arguments = msgspec.json.decode(data[len(_EVENT) :])
            if name == "sync" and not shown.done():
                shown.set_result(plies(arguments[1]["state"]["G"]["fen"]))

        wire = await Wire.dial(f"{url}{_PATH}", hear, lambda: None, text=True)
        wire.send(_OPEN)
        try:
            return await asyncio.wait_for(shown, _SILENCE)
        except TimeoutError:
            return 0  # a file that was being written is empty, and the server does not answer about that match
        finally:
            wire.cut()
