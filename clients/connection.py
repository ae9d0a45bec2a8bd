"""A client's connection to a Fourfold server, with a method for each request.

    async with Connection("http://127.0.0.1:8080", name="Ada") as connection:
        room = await connection.create("standard")
        seat = await connection.join(room)
        async for frame in connection.follow(room):
            match frame:
                case Turn(seq=seq, legal=legal):
                    await connection.move(room, legal[0], seq)

It outlives its sockets: see `session`. It does not know the rules of chess, or what a game looks like.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Literal, TypeVar

from msgspec.structs import replace

from fourfold.clients.errors import RequestError
from fourfold.clients.session import Session
from fourfold.clients.streams import Stream
from fourfold.clients.study import pieces
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from fourfold.protocol import studies as parts

_Answer = TypeVar("_Answer", bound=told.Reply)
_Made = TypeVar("_Made")


class Connection(Session):
    """A session with a method for each request.

    Each returns when the server has answered, and raises `RequestError` if it refuses, or `ConnectionFault` once the
    connection is given up or closed. A request whose caller is cancelled may still be carried out.
    """

    async def create(
        self,
        variant: str = "standard",
        *,
        position: str | None = None,
        visibility: Literal["public", "private"] = "public",
        clock: ask.Clock | None = None,
        password: str | None = None,
        chat: bool = True,
        moves: Sequence[str] = (),
        rated: bool = True,
    ) -> str:
        """Open a room and return its id."""
        opening = ask.Create(
            variant=variant,
            position=position,
            visibility=visibility,
            clock=clock,
            password=password,
            chat=chat,
            moves=list(moves),
            rated=rated,
            key=self.new_key(),
        )
        return (await self._ask(opening, told.Created)).room

    async def join(self, room: str, seat: str | None = None, *, password: str | None = None) -> str:
        """Take a seat, follow the room, and return the seat's name."""
        return (await self._ask(ask.Join(room=room, seat=seat, password=password), told.Joined)).seat

    async def seek(
        self,
        variant: str = "standard",
        clock: ask.Clock | None = None,
        pool: str | None = None,
        *,
        rated: bool = True,
        range: int | None = None,
    ) -> tuple[str, str]:
        """Sit down with others who seek the same game, or with those alone who have the code of the same pool; return
        the room, which is followed, and the seat's name. The game starts when all seats are taken.

        With a `range`, only with those whose rating is within so many points, more as time goes by. If that leads to
        another room, the session's `heard` is told `paired`."""
        seek = ask.Seek(variant=variant, clock=clock, pool=pool, rated=rated, range=range)
        reply = await self._ask(seek, told.Joined)
        return reply.room, reply.seat

    async def unseek(self) -> None:
        """Stop seeking, unless the game has started."""
        await self.request(ask.Unseek())

    async def challenge(
        self,
        player: str | None = None,
        variant: str = "standard",
        clock: ask.Clock | None = None,
        *,
        seats: Mapping[str, str | int] | None = None,
        seat: str | None = None,
        room: str | None = None,
        visibility: Literal["public", "private"] = "public",
        rated: bool = True,
    ) -> told.Challenge:
        """Challenge a player, by id or name; or for four, `seats` says which player or level of computer player is to
        sit where. If it names all seats, a game between others is arranged, which moderators may. With a `room`, which
        is open and one's own, `seats` says who is asked to which one of its seats. What becomes of it, the session's
        `heard` is told."""
        challenge = ask.Challenge(
            player=player,
            seats=dict(seats or {}),
            seat=seat,
            room=room,
            variant=variant,
            clock=clock,
            visibility=visibility,
            rated=rated,
            key=self.new_key(),
        )
        return await self._ask(challenge, told.Challenge)

    async def answer(
        self, challenge: str, accept: bool, reason: ask.Reason | None = None, text: str = ""
    ) -> told.Challenge:
        """Say yes or no to a challenge; once it is `accepted`, its `room` is where to `join`."""
        return await self._ask(ask.Answer(challenge=challenge, accept=accept, reason=reason, text=text), told.Challenge)

    async def cancel(self, challenge: str) -> told.Challenge:
        """Take one's own challenge back."""
        return await self._ask(ask.Cancel(challenge=challenge), told.Challenge)

    async def people(self, after: str | None = None, limit: int = 50) -> told.People:
        """Who is online: first those who wait for a game. `next` of one page is `after` for the next."""
        return await self._ask(ask.People(after=after, limit=limit), told.People)

    async def bots(self, room: str) -> list[told.Person]:
        """The bots that are online and play such games as a room's."""
        return (await self._ask(ask.People(room=room), told.People)).people

    async def report(self, room: str, player: str, why: str) -> None:
        """Report a player to the moderators, from a room that is followed."""
        await self.request(ask.Report(room=room, player=player, why=why))

    async def moderation(self) -> told.Moderation:
        """What moderators have ordered, what is reported and not settled, and what was done lately: for moderators."""
        return await self._ask(ask.Moderation(), told.Moderation)

    async def follow_player(self, player: str) -> None:
        """Follow a player who has an account, by id or name."""
        await self.request(ask.Follow(player=player))

    async def unfollow_player(self, player: str) -> None:
        """Follow a player no longer."""
        await self.request(ask.Unfollow(player=player))

    async def following(self) -> list[told.Followed]:
        """Whom one follows: first those who are online."""
        return (await self._ask(ask.Following(), told.Following)).people

    async def rooms(
        self, variant: str | None = None, status: Literal["open", "playing"] | None = None, limit: int = 50
    ) -> list[told.Listing]:
        """The public rooms that are open or being played, newest first."""
        return (await self._ask(ask.Rooms(variant=variant, status=status, limit=limit), told.Rooms)).rooms

    async def games(
        self,
        player: str | None = None,
        variant: str | None = None,
        *,
        name: str | None = None,
        after: str | None = None,
        limit: int = 20,
    ) -> told.Games:
        """The games of a player (by id or by name), or all public ones, newest first: those that are played, then those
        that are over. `next` of one page is `after` for the next."""
        request = ask.Games(player=player, name=name, variant=variant, after=after, limit=limit)
        return await self._ask(request, told.Games)

    async def ratings(self, player: str | None = None, *, name: str | None = None, points: int = 50) -> told.Ratings:
        """The ratings of a player, by id or by the name of an account; without either one's own."""
        return await self._ask(ask.Ratings(player=player, name=name, points=points), told.Ratings)

    async def strengths(
        self, players: Sequence[str], variant: str = "standard", clock: ask.Clock | None = None
    ) -> list[told.Strength]:
        """The ratings of those players, 100 at most, who have one in this kind of game."""
        request = ask.Strengths(players=list(players), variant=variant, clock=clock)
        return (await self._ask(request, told.Strengths)).strengths

    async def leaderboard(
        self, variant: str = "standard", speed: ask.Speed | None = None, limit: int = 50, *, bots: bool = False
    ) -> told.Leaderboard:
        """Who stands highest in a variant, and in one for two players at a speed; of `bots` alone, if told so."""
        request = ask.Leaderboard(variant=variant, speed=speed, limit=limit, bots=bots)
        return await self._ask(request, told.Leaderboard)

    async def explore(self, variant: str = "standard", position: str | None = None) -> told.Explored:
        """What was played from a position in the games of the archive, most often first."""
        return await self._ask(ask.Explore(variant=variant, position=position), told.Explored)

    async def analyse(
        self, variant: str = "standard", position: str | None = None, *, lines: int = 3, ms: int = 10_000
    ) -> AsyncIterator[told.Lines]:
        """The best lines of a position, deeper and deeper; ends the analysis before. The iteration ends with
        the analysis; an outage ends that too."""
        key = self.new_key()
        self._analysis[1].end()
        self._analysis = key, Stream()
        await self.request(ask.Analyse(variant=variant, position=position, key=key, lines=lines, ms=ms))
        return self._analysis[1]

    async def review(self, room: str) -> told.Reviewed:
        """The review of the game that is over in a room, once it has been made; `looked` says how far it is before."""
        return await self._ask(ask.Review(room=room), told.Reviewed)

    async def puzzles(self, room: str | None = None) -> told.Puzzles:
        """The puzzles of a room's game that was reviewed, or of one's own latest games."""
        return await self._ask(ask.Puzzles(room=room), told.Puzzles)

    async def solve(self, puzzle: told.Posed, moves: Sequence[str] = (), *, show: bool = False) -> told.Solved:
        """How far moves solve a puzzle; without any, where it begins; or its solution."""
        asked = ask.Solve(room=puzzle.room, game=puzzle.game, ply=puzzle.ply, moves=list(moves), show=show)
        return await self._ask(asked, told.Solved)

    async def unanalyse(self) -> None:
        """End the analysis that was asked for last, if it has not ended."""
        self._analysis[1].end()
        await self.request(ask.Unanalyse())

    async def say(self, room: str, text: str, to: Literal["table", "all"] = "all") -> None:
        """Send a chat message to a room that is followed: to all, or to the players (`table`)."""
        await self.request(ask.Say(room=room, text=text, to=to))

    async def move(self, room: str, move: str, seq: int, *, key: str | None = None) -> int:
        """Play a move on the position seen at `seq`; return the version at which it was made. A repetition with the
        same key is not played again: it gets the first answer."""
        return await self._command(ask.Move(room=room, move=move, seq=seq, key=key or self.new_key()))

    async def propose(
        self,
        room: str,
        kind: ask.VoteKind,
        seq: int,
        plies: int | None = None,
        *,
        seat: str | None = None,
        level: int | None = None,
    ) -> int:
        """Open a vote on the game as seen at `seq`; returns the version at which it was opened."""
        proposal = ask.Propose(room=room, kind=kind, seq=seq, plies=plies, seat=seat, level=level, key=self.new_key())
        return await self._command(proposal)

    async def vote(self, room: str, proposal: int, accept: bool) -> int:
        """Answer an open vote; returns the version at which the answer was counted."""
        return await self._command(ask.Vote(room=room, proposal=proposal, accept=accept, key=self.new_key()))

    async def withdraw(self, room: str, proposal: int) -> int:
        """Withdraw one's own open proposal; return the version at which it was closed."""
        return await self._command(ask.Withdraw(room=room, proposal=proposal, key=self.new_key()))

    async def claim(self, room: str) -> int:
        """Claim the end of the game that the rules grant this player; return the version at which it ended."""
        return await self._command(ask.Claim(room=room, key=self.new_key()))

    async def resign(self, room: str) -> int:
        """Resign; return the version at which it was done."""
        return await self._command(ask.Resign(room=room, key=self.new_key()))

    async def abort(self, room: str) -> int:
        """Call the game off before everybody has moved; return the version at which it was done."""
        return await self._command(ask.Abort(room=room, key=self.new_key()))

    async def invite(self, room: str, level: int, seat: str | None = None) -> int:
        """Invite a computer player to a free seat; returns the version at which it was invited."""
        return await self._command(ask.Bot(room=room, level=level, seat=seat))

    async def kick(self, room: str, seat: str) -> int:
        """Free a seat before the start, as host; its player cannot sit down in this room again. Return the version at
        which it was done."""
        return await self._command(ask.Kick(room=room, seat=seat, key=self.new_key()))

    async def close_room(self, room: str) -> int:
        """End a room whose game has not started, as host; return the version at which it was done."""
        return await self._command(ask.Close(room=room, key=self.new_key()))

    async def legal(self, room: str, square: str | None = None) -> list[str]:
        """The legal moves of the player to move, or of one of that player's pieces."""
        return (await self._ask(ask.Legal(room=room, square=square), told.Legal)).moves

    async def export(self, room: str, format: str, chapter: int | None = None, ply: int | None = None) -> str:
        """The game as text: `pgn` (two players), `pgn4` (four), `smith`, `fen` or `json`; the `fen` after `ply` moves,
        or after all. Of a study, `pgn` or `pgn4`: all its chapters that are written so, or one."""
        return (await self._ask(ask.Export(room=room, format=format, chapter=chapter, ply=ply), told.Exported)).text

    async def open_study(
        self,
        title: str | None = None,
        source: parts.Source | None = None,
        *,
        visibility: parts.StudyVisibility = "private",
        write: parts.StudyWriting = "owner",
        writers: Sequence[str] = (),
    ) -> str:
        """Open a study and return its id; `follow` yields its snapshot. Without a title it is called as its text says,
        or "Study"."""
        made = await self.study_of(title, source, visibility=visibility, write=write, writers=writers)
        return made.room

    async def study_of(
        self,
        title: str | None = None,
        source: parts.Source | None = None,
        *,
        visibility: parts.StudyVisibility = "private",
        write: parts.StudyWriting = "owner",
        writers: Sequence[str] = (),
    ) -> told.Created:
        """Open a study, as `open_study`; the answer also has `notes` on what of a text was not read."""
        opening = ask.Study(
            title=title, visibility=visibility, write=write, writers=list(writers), key=self.new_key()
        )
        return await self._with_text(
            source or parts.Source(), lambda made: self._ask(replace(opening, source=made), told.Created)
        )

    async def edit(self, room: str, change: parts.AnyChange) -> int:
        """Change a study; return the version at which it was done, or had been like that already."""
        if isinstance(change, parts.AddChapters):
            seq = (await self.add_chapters(room, change.source)).seq
            assert isinstance(seq, int)  # the request was about a room
            return seq
        return await self._command(ask.Edit(room=room, change=change, key=self.new_key()))

    async def add_chapters(self, room: str, source: parts.Source) -> told.Ok:
        """Add chapters to a study; the answer has the version at which that was done, and `notes` on what of a text was
        not read."""
        request = ask.Edit(room=room, change=parts.AddChapters(), key=self.new_key())
        return await self._with_text(
            source, lambda made: self._ask(replace(request, change=parts.AddChapters(made)), told.Ok)
        )

    async def _with_text(self, source: parts.Source, send: Callable[[parts.Source], Awaitable[_Made]]) -> _Made:
        """Send a request whose text may be too long for one frame: pieces of it go ahead."""
        *ahead, last = pieces(source.text or "")
        if not ahead:
            return await send(source)
        while True:
            for number, text in enumerate(ahead):
                await self.request(ask.Piece(number=number, text=text))
            try:
                return await send(replace(source, text=last, pieces=len(ahead)))
            except RequestError as error:
                if error.code != "missing_pieces":  # they were sent on a connection that has ended since
                    raise

    async def look(self, room: str, chapter: int, nodes: Sequence[int]) -> list[parts.NodePosition]:
        """The boards after some moves of a study's chapter, 40 at most, without those that were removed."""
        return (await self._ask(ask.Look(room=room, chapter=chapter, nodes=list(nodes)), told.Looked)).positions

    async def stand(self, room: str, chapter: int, node: int) -> None:
        """Show the others at which move of a study that is followed one looks."""
        await self.request(ask.Stand(room=room, chapter=chapter, node=node))

    async def studies(
        self, whose: Literal["mine", "public"] = "mine", after: str | None = None, limit: int = 30
    ) -> told.Studies:
        """One's own studies, or the public ones, changed last first. `after` of one page is that of the next."""
        return await self._ask(ask.Studies(whose=whose, after=after, limit=limit), told.Studies)

    async def account(self) -> told.Account:
        """This player's account: its name, passkeys and devices. Refused (`no_account`) to a guest."""
        return await self._ask(ask.Account(), told.Account)

    async def register(self, name: str, device: str = "") -> told.Account:
        """Make this guest an account, with a name of its own; the answer has the recovery code that proves it. `token`
        is another one from now on."""
        return self._renewed(await self._ask(ask.Register(name=name, device=device), told.Account))

    async def login(self, code: str, device: str = "") -> told.Account:
        """Sign in by a recovery code; the answer has a token for `become`."""
        return await self._ask(ask.Login(code=code, device=device), told.Account)

    async def grant(self, scope: Literal["play", "bot", "organize"], name: str) -> told.Granted:
        """Make an access token: to play as this player, for a bot of that name which belongs to this account, or, as a
        moderator, to arrange games between others."""
        return await self._ask(ask.Grant(scope=scope, name=name), told.Granted)

    async def new_code(self) -> told.Account:
        """Make a new recovery code, which the answer has; the one before is no longer good."""
        return await self._ask(ask.Recovery(), told.Account)

    async def become_admin(self, code: str) -> told.Account:
        """Make the account the server's first admin, by the code that the server has printed."""
        return await self._ask(ask.Administer(code=code), told.Account)

    async def rename(self, name: str) -> told.Account:
        """Give this player's account another name. `token` is another one from now on."""
        return self._renewed(await self._ask(ask.Rename(name=name), told.Account))

    async def sign_out(self, session: str) -> None:
        """Sign a device of this player's account out. If it is this one, the connection ends."""
        await self.request(ask.Revoke(session=session))

    def _renewed(self, account: told.Account) -> told.Account:
        assert isinstance(account.token, str)  # there is a new one
        self.token, self.name = account.token, account.name
        return account

    async def ping(self) -> int:
        """The server's time, in milliseconds since 1970."""
        return (await self._ask(ask.Ping(), told.Pong)).time

    async def _command(self, request: ask.Request) -> int:
        seq = (await self._ask(request, told.Ok)).seq
        assert isinstance(seq, int)  # the request was about a room
        return seq

    async def _ask(self, request: ask.Request, answer: type[_Answer]) -> _Answer:
        reply = await self.request(request)
        assert isinstance(reply, answer)
        return reply
