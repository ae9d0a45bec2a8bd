"""Players who act at random and quickly. The seed decides their actions.

Moves, proposals, votes, resignations, rematches, pauses, gifts of time, arrivals, departures and returns. Some commands
are sent twice, some by a second connection of the same player to another node. Now and then they write and react.
"""

import asyncio
from contextlib import suppress
from typing import Any, get_args

from fourfold.clients.connection import Connection
from fourfold.clients.errors import RequestError
from fourfold.clients.table import Table
from fourfold.protocol import from_client as ask
from fourfold.protocol.events import Invited
from fourfold.protocol.from_server import Update
from fourfold.server.players.identity import Identities, key_of
from tests.faults.cluster import SECRET
from tests.faults.guests import Guest, World

BERSERK = 0.1
"""The chance that a player who has not moved yet gives up half of the time, at each look at the game."""

GIVE = 0.02
"""The chance that a player gives an opponent time."""

NOWHERE = "purple"
"""A seat that no table has."""

PAUSE = 0.1
"""The share of proposals to pause, in a game with clocks."""

WRONG = 0.03
"""The chance that a player sends something that the rules do not allow, or only now and then, at each look."""

WRITE = 0.02
"""The chance that a player writes or reacts before a command."""


class Player(Guest):
    """Plays at random, and quickly."""

    def __init__(self, world: World, kind: str, pace: float, again: float = 0.3, **options: Any) -> None:
        super().__init__(world, kind, **options)
        self.pace = pace
        self._again = again
        self.acknowledged: list[ask.Request] = []
        self._answered: set[tuple[int, int]] = set()

    @property
    def seat(self) -> str | None:
        """The seat of this player, or where it stands in."""
        if self.table is None:
            return None
        me = self.connection
        seats = self.table.seats.items()
        return next((name for name, one in seats if one.player == me.player or one.stand_in == me.name), None)

    async def sit(self, room: str) -> None:
        """Take a seat; sometimes give it up again and take another."""
        await self.connection.join(room)
        if self.chance.random() < 0.1:
            with suppress(RequestError):
                await self.connection.leave(room)
            with suppress(RequestError):
                await self.connection.join(room)
        self.start(room)

    def saw(self, update: Update) -> None:
        """A bot comes to every seat that asks for a stand-in."""
        asked = next((event.level for event in update.events if isinstance(event, Invited)), None)
        playing = self.table is not None and self.table.status == "playing"
        if asked and playing and (self.room, update.seq) not in self.world.invited and not self.world.stopped:
            self.world.invited.add((self.room, update.seq))
            self.world.run(_stand_in(self.world, self.room, asked))

    async def act(self) -> None:
        """See `Guest`."""
        while not self.world.stopped:
            request = self.choose()
            if request is None:
                await self.changed(self.chance.uniform(0.05, 0.3))
            else:
                if self.chance.random() < WRITE:
                    self.world.run(self._write())
                await asyncio.sleep((0.5 if self.world.leisure else self.pace) * self.chance.random())
                await self.command(request)

    def choose(self) -> ask.Request | None:
        """What the player would do now; None for nothing."""
        table, chance, seat = self.table, self.chance, self.seat
        if table is None or seat is None:
            return None
        if table.status != "open" and chance.random() < WRONG:
            return self._err(table)
        proposal = table.proposal
        if proposal is not None and seat in proposal.electorate and seat not in proposal.votes:
            name = table.game, proposal.proposal
            if name not in self._answered:
                self._answered.add(name)
                if chance.random() < 0.9:
                    accept = chance.random() < (0.65 if proposal.kind == "draw" else 0.85)
                    return ask.Vote(room=self.room, proposal=proposal.proposal, accept=accept, key=self._key())
        if proposal is not None and proposal.seat == seat and chance.random() < 0.03:
            return ask.Withdraw(room=self.room, proposal=proposal.proposal, key=self._key())
        if table.status == "finished":
            return self._propose("rematch") if proposal is None and chance.random() < self._again else None
        if table.status != "playing" or seat in table.out:
            return None
        what = chance.random()
        if table.paused is not None:
            return self._wait(table, what)
        timed = table.clocks is not None and table.clocks.base > 0
        if timed and not table.moves and not table.seats[seat].berserk and chance.random() < BERSERK:
            return ask.Berserk(room=self.room, key=self._key())
        if timed and chance.random() < GIVE:
            to = chance.choice([name for name in table.seats if name != seat])
            return ask.Give(room=self.room, seat=to, key=self._key())
        missing = self.away - {seat} - table.out.keys()
        dissent = 0.5 if missing or table.redo else 0.04
        if proposal is None and what < dissent:
            return self._dissent(table, seat, what / dissent)
        if table.turn == seat and self.turn is not None:
            if proposal is not None and table.votes_on_line and what < 0.7:
                return None
            if self.turn.claims and what < 0.5:
                return ask.Claim(room=self.room, key=self._key())
            turn, move = self.turn, chance.choice(self.turn.legal)
            if chance.random() < 0.9:  # otherwise a second move may be on its way before the first is known to be done
                self.turn = None
            return ask.Move(room=self.room, move=move, seq=turn.seq, key=self._key())
        return None

    def _err(self, table: Table) -> ask.Request:
        """A command that the server mostly refuses."""
        room, key, chance = self.room, self._key(), self.chance
        number = 1 if table.proposal is None else table.proposal.proposal
        kind, other = chance.choice(get_args(ask.VoteKind)), chance.choice([*table.seats, NOWHERE])
        fields = chance.choice([{}, {"plies": 99}, {"seat": other}, {"seat": other, "level": 1}])
        move = chance.choice(["e2e4", "g8g9", *(() if self.turn is None else self.turn.legal)])
        wrong = (
            self._propose(kind, **fields),
            ask.Vote(room=room, proposal=number, accept=chance.random() < 0.5, key=key),
            ask.Withdraw(room=room, proposal=number, key=key),
            ask.Move(room=room, move=move, seq=table.seq, key=key),
            ask.Give(room=room, seat=other, key=key),
            ask.Berserk(room=room, key=key),
            ask.Claim(room=room, key=key),
            ask.Join(room=room, seat=other),
            ask.Bot(room=room, level=1, seat=other),
            ask.Kick(room=room, seat=other, key=key),
            ask.Close(room=room, key=key),
        )  # fmt: skip
        return chance.choice(wrong)

    def _wait(self, table: Table, what: float) -> ask.Request | None:
        """An action in a pause: to end it, or against its rules."""
        if table.proposal is None and what < 0.5:
            return self._propose("resume")
        if self.turn is not None and what < 0.55:
            turn, move = self.turn, self.chance.choice(self.turn.legal)
            return ask.Move(room=self.room, move=move, seq=turn.seq, key=self._key())
        return ask.Resign(room=self.room, key=self._key()) if what > 0.98 else None

    async def _write(self) -> None:
        chance = self.chance
        with suppress(RequestError):
            if chance.random() < 0.5:
                await self.connection.react(self.room, chance.choice(get_args(ask.Reaction)))
            else:
                await self.connection.say(self.room, self.world.name("line"), chance.choice(["table", "all"]))

    def _dissent(self, table: Table, seat: str, what: float) -> ask.Request:
        """An action other than a move."""
        missing = sorted(self.away - {seat} - table.out.keys())
        if table.clocks is not None and self.chance.random() < PAUSE:
            return self._propose("pause")
        if missing and what < 0.75:
            kind = "remove" if what < 0.15 else "stand_in"
            level = 1 if kind == "stand_in" else None
            return self._propose(kind, seat=missing[0], level=level)
        if table.redo and what < 0.5:
            return self._propose("redo", plies=self.chance.randint(1, table.redo))
        if table.moves and what < 0.8:
            return self._propose("undo", plies=self.chance.randint(1, min(4, len(table.moves))))
        if what < 0.9:
            return self._propose("draw")
        if what < 0.97:
            return ask.Resign(room=self.room, key=self._key())
        return ask.Abort(room=self.room, key=self._key())

    def _propose(self, kind: Any, **fields: Any) -> ask.Request:
        assert self.table is not None
        return ask.Propose(room=self.room, kind=kind, seq=self.table.seq, key=self._key(), **fields)

    def _key(self) -> str:
        return self.connection.new_key()

    async def command(self, request: ask.Request) -> None:
        """Send it. Sometimes send it twice, or again to another node, or as the last frame before the line breaks."""
        what = self.chance.random()
        if what < 0.05:
            self.world.run(self.send(self.connection, request))
        elif what < 0.1:
            self.world.run(self.ask_elsewhere(request, self.chance.choice([0, 0, 0.05, 0.3])))
        elif what < 0.13:
            asyncio.get_running_loop().call_later(self.chance.choice([0, 0.001, 0.005]), self.link.break_off)
        await self.send(self.connection, request)

    async def send(self, connection: Connection, request: ask.Request) -> None:
        """Send a command by a connection of this player. It may be refused."""
        with suppress(RequestError):  # the game went on meanwhile, or it was refused: the checker decides
            await connection.request(request)
            self.acknowledged.append(request)

    async def repeat(self, url: str, times: int) -> None:
        """Repeat a command that was acknowledged long ago, at any node."""
        old = self.chance.sample(self.acknowledged, min(times, len(self.acknowledged)))
        if not old:
            return
        async with self.visit(f"{self.who}+{self.world.name('')}", url, self.connection.token) as again:
            for request in old:
                await self.send(again, request)


async def _stand_in(world: World, room: str, level: int) -> None:
    called = Identities(key_of(SECRET)).house_bot(level)  # as for a bot host
    bot = Player(world, "bot", 0.02, bot=True, token=called.token)
    await bot.come()
    with suppress(RequestError):  # the missing player may be back
        await bot.sit(room)
