"""A client's connection to a Fourfold server, with a method for each request.

    async with Connection("http://127.0.0.1:8080", name="Ada") as connection:
        room = await connection.create("standard")
        seat = await connection.join(room)
        async for frame in connection.follow(room):
            match frame:
                case Turn(seq=seq, legal=legal):
                    await connection.move(room, legal[0], seq)

The connection reconnects and resumes by itself: see `session`. It knows neither the rules of chess nor the state of
games.
"""

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Literal, TypeVar

from msgspec.structs import replace

from fourfold.clients.errors import RequestError
from fourfold.clients.long_text import pieces
from fourfold.clients.session import Session
from fourfold.clients.streams import Stream
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from fourfold.protocol import studies as parts

_Answer = TypeVar("_Answer", bound=told.Reply)
_Made = TypeVar("_Made")


class Connection(Session):
    """A session with a method for each request; `Session` has the constructor's arguments.

    Each method returns when the server has answered. It raises `RequestError` if the server refuses, and
    `ConnectionFault` once the connection is given up or closed. If you cancel a call, the server may still carry out
    the request.
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
        """Open a room, and return its id.

        * `position`: a FEN, a FEN4 or the name of a start array; the default is the variant's own start.
        * `moves`: moves in coordinate notation that have been played from there.
        * `clock`: the time control, in milliseconds; None for an untimed game.
        * `password`: needed to join or watch the room.
        * `chat`: whether people can chat.
        * `rated`: False for a game that changes no ratings.
        """
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
        """Take a seat, by name or the first free one, and follow the room. Return the seat's name."""
        return (await self._ask(ask.Join(room=room, seat=seat, password=password), told.Joined)).seat

    async def seek(
        self,
        variant: str = "standard",
        clock: ask.Clock | None = None,
        pool: str | None = None,
        *,
        rated: bool = True,
        range: int | None = None,
        fill: int | None = None,
    ) -> tuple[str, str]:
        """Find opponents who seek the same game, or in a `pool`, the same game with the same pool code. Return the
        room, which is then followed, and the seat's name. The game starts when all seats are taken.

        With a `range`, opponents have ratings within that many points, and within more the longer you wait. If that
        leads to another room, `heard` gets a `Paired` frame. With `fill`, computer players of this level take the other
        seats at once, and people who seek the same take these seats over in the first rounds.
        """
        seek = ask.Seek(
            variant=variant, clock=clock, pool=pool, rated=rated, range=range, fill=fill, key=self.new_key()
        )
        reply = await self._ask(seek, told.Joined)
        self._sought = reply.room
        return reply.room, reply.seat

    async def unseek(self) -> None:
        """Stop seeking, and stop following the room of the seek. Refused (`already_started`) once its game has
        started."""
        await self.request(ask.Unseek())
        if self._sought is not None:
            self._rooms.drop(self._sought)
            self._sought = None

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
        """Challenge a player, by id or name.

        For four players, `seats` maps seats to players, or to levels of computer players. If it names all seats, the
        challenge arranges a game between others; only moderators can do this. With your own open `room`, `seats` maps
        one of its seats to a player or level. `heard` gets all later changes of the challenge.
        """
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
        """Accept or decline a challenge. Once it is `accepted`, `join` its `room`."""
        return await self._ask(ask.Answer(challenge=challenge, accept=accept, reason=reason, text=text), told.Challenge)

    async def cancel(self, challenge: str) -> told.Challenge:
        """Take back your own challenge."""
        return await self._ask(ask.Cancel(challenge=challenge), told.Challenge)

    async def people(self, after: str | None = None, limit: int = 50) -> told.People:
        """The players who are online. Those who wait for a game come first. Pass `next` of a page as `after` to get the
        next page."""
        return await self._ask(ask.People(after=after, limit=limit), told.People)

    async def everybody(self) -> AsyncIterator[told.Person]:
        """All players who are online, in the order of `people`."""
        after: str | None = None
        while True:
            page = await self.people(after, 100)
            for person in page.people:
                yield person
            after = page.next
            if after is None:
                return

    async def bots(self, room: str) -> list[told.Person]:
        """The bots that are online and play games like this room's."""
        return (await self._ask(ask.People(room=room), told.People)).people

    async def report(self, room: str, player: str, why: str) -> None:
        """Report a player to the moderators, from a room that you follow."""
        await self.request(ask.Report(room=room, player=player, why=why))

    async def moderation(self) -> told.Moderation:
        """The orders in force, the open reports, and the latest acts of moderators. Only moderators can ask for
        them."""
        return await self._ask(ask.Moderation(), told.Moderation)

    async def follow_player(self, player: str) -> None:
        """Follow a player who has an account, by id or name."""
        await self.request(ask.Follow(player=player))

    async def unfollow_player(self, player: str) -> None:
        """Stop following a player."""
        await self.request(ask.Unfollow(player=player))

    async def following(self) -> list[told.Followed]:
        """The players that you follow, online ones first."""
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
        """The games of a player (by id or name), or all public games, newest first. Running games come before finished
        ones. Pass `next` of a page as `after` to get the next page."""
        request = ask.Games(player=player, name=name, variant=variant, after=after, limit=limit)
        return await self._ask(request, told.Games)

    async def ratings(self, player: str | None = None, *, name: str | None = None, points: int = 50) -> told.Ratings:
        """The ratings of a player, by id or by the name of an account; without either, your own."""
        return await self._ask(ask.Ratings(player=player, name=name, points=points), told.Ratings)

    async def strengths(
        self, players: Sequence[str], variant: str = "standard", clock: ask.Clock | None = None
    ) -> list[told.Strength]:
        """The ratings of players (at most 100) in one kind of game. Players without a rating are left out."""
        request = ask.Strengths(players=list(players), variant=variant, clock=clock)
        return (await self._ask(request, told.Strengths)).strengths

    async def leaderboard(
        self, variant: str = "standard", speed: ask.Speed | None = None, limit: int = 50, *, bots: bool = False
    ) -> told.Leaderboard:
        """The highest ratings in a variant, and for two players at a speed. With `bots`, only those of bots."""
        request = ask.Leaderboard(variant=variant, speed=speed, limit=limit, bots=bots)
        return await self._ask(request, told.Leaderboard)

    async def explore(self, variant: str = "standard", position: str | None = None) -> told.Explored:
        """The moves played from a position in archived games, the most frequent first."""
        return await self._ask(ask.Explore(variant=variant, position=position), told.Explored)

    async def analyse(
        self, variant: str = "standard", position: str | None = None, *, lines: int = 3, ms: int = 10_000
    ) -> AsyncIterator[told.Lines]:
        """The best lines of a position, with increasing depth. A new analysis ends the one before. The iteration ends
        with the analysis, or when the connection is lost."""
        key = self.new_key()
        self._analysis[1].end()
        self._analysis = key, Stream()
        await self.request(ask.Analyse(variant=variant, position=position, key=key, lines=lines, ms=ms))
        return self._analysis[1]

    async def review(self, room: str) -> told.Reviewed:
        """The review of a room's finished game. Ask again until it is complete; `looked` shows its progress."""
        return await self._ask(ask.Review(room=room), told.Reviewed)

    async def puzzles(self, room: str | None = None) -> told.Puzzles:
        """The puzzles of a room's reviewed game, or of your own latest games."""
        return await self._ask(ask.Puzzles(room=room), told.Puzzles)

    async def solve(self, puzzle: told.Posed, moves: Sequence[str] = (), *, show: bool = False) -> told.Solved:
        """Try a solution of a puzzle. Without moves, the answer has its start; with `show`, its solution."""
        asked = ask.Solve(room=puzzle.room, game=puzzle.game, ply=puzzle.ply, moves=list(moves), show=show)
        return await self._ask(asked, told.Solved)

    async def unanalyse(self) -> None:
        """End your latest analysis, if it still runs."""
        self._analysis[1].end()
        await self.request(ask.Unanalyse())

    async def say(self, room: str, text: str, to: Literal["table", "all"] = "all") -> None:
        """Send a chat message to a followed room: to all, or to the players (`table`)."""
        await self.request(ask.Say(room=room, text=text, to=to))

    async def react(self, room: str, reaction: ask.Reaction) -> None:
        """Show a quick reaction to everybody in a room where you have a seat."""
        await self.request(ask.React(room=room, reaction=reaction))

    async def chat(self, room: str) -> list[told.ChatLine]:
        """The latest chat lines of a followed room, oldest first."""
        return (await self._ask(ask.Chat(room=room), told.Chat)).lines

    async def move(self, room: str, move: str, seq: int, *, key: str | None = None) -> int:
        """Play a move on the position at version `seq`, and return the version of the move. A repetition with the same
        key is not played again, and returns the first answer."""
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
        """Open a vote on the game at version `seq`, and return the version of the vote."""
        proposal = ask.Propose(room=room, kind=kind, seq=seq, plies=plies, seat=seat, level=level, key=self.new_key())
        return await self._command(proposal)

    async def vote(self, room: str, proposal: int, accept: bool) -> int:
        """Vote on an open proposal, and return the version of the vote."""
        return await self._command(ask.Vote(room=room, proposal=proposal, accept=accept, key=self.new_key()))

    async def withdraw(self, room: str, proposal: int) -> int:
        """Take back your own open proposal, and return the version at which it was closed."""
        return await self._command(ask.Withdraw(room=room, proposal=proposal, key=self.new_key()))

    async def claim(self, room: str) -> int:
        """Claim the end of the game, as the rules allow this player, and return the version at which it ended."""
        return await self._command(ask.Claim(room=room, key=self.new_key()))

    async def resign(self, room: str) -> int:
        """Resign, and return the version of the resignation."""
        return await self._command(ask.Resign(room=room, key=self.new_key()))

    async def abort(self, room: str) -> int:
        """Abort the game before everybody has moved, and return the version of the end."""
        return await self._command(ask.Abort(room=room, key=self.new_key()))

    async def give(self, room: str, seat: str) -> int:
        """Give the opponent at a seat 15 seconds, and return the version of the gift."""
        return await self._command(ask.Give(room=room, seat=seat, key=self.new_key()))

    async def berserk(self, room: str) -> int:
        """Give up half of your time and the increment, and return the version of that."""
        return await self._command(ask.Berserk(room=room, key=self.new_key()))

    async def invite(self, room: str, level: int, seat: str | None = None) -> int:
        """Invite a computer player to a free seat; returns the version at which it was invited."""
        return await self._command(ask.Bot(room=room, level=level, seat=seat))

    async def kick(self, room: str, seat: str) -> int:
        """Remove a player before the start, as the host, and return the version of the removal. The player cannot sit
        down in this room again."""
        return await self._command(ask.Kick(room=room, seat=seat, key=self.new_key()))

    async def close_room(self, room: str) -> int:
        """Close a room whose game has not started, as the host, and return the version of the end."""
        return await self._command(ask.Close(room=room, key=self.new_key()))

    async def legal(self, room: str, square: str | None = None) -> list[str]:
        """The legal moves of the player to move, or those from one square."""
        return (await self._ask(ask.Legal(room=room, square=square), told.Legal)).moves

    async def export(self, room: str, format: str, chapter: int | None = None, ply: int | None = None) -> str:
        """The game as text: `pgn` (two players), `pgn4` (four), `smith`, `fen` or `json`. `fen` can be the position
        after `ply` moves. A study has `pgn` or `pgn4`: all chapters of that format, or one `chapter`."""
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
        """Open a study and return its id; `follow` yields its snapshot. The default title is that of the text, or
        "Study"."""
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
        """Open a study, as `open_study` does. The answer also has `notes` about parts of a text that were not read."""
        opening = ask.Study(
            title=title, visibility=visibility, write=write, writers=list(writers), key=self.new_key()
        )
        return await self._with_text(
            source or parts.Source(), lambda made: self._ask(replace(opening, source=made), told.Created)
        )

    async def edit(self, room: str, change: parts.AnyChange) -> int:
        """Change a study, and return the version of the change. If the study was already in that state, nothing
        changes."""
        if isinstance(change, parts.AddChapters):
            seq = (await self.add_chapters(room, change.source)).seq
            assert isinstance(seq, int)  # the request was about a room
            return seq
        return await self._command(ask.Edit(room=room, change=change, key=self.new_key()))

    async def add_chapters(self, room: str, source: parts.Source) -> told.Ok:
        """Add chapters to a study. The answer has the version, and `notes` about parts of a text that were not read."""
        request = ask.Edit(room=room, change=parts.AddChapters(), key=self.new_key())
        return await self._with_text(
            source, lambda made: self._ask(replace(request, change=parts.AddChapters(made)), told.Ok)
        )

    async def _with_text(self, source: parts.Source, send: Callable[[parts.Source], Awaitable[_Made]]) -> _Made:
        """Send a request whose text may be too long for one frame. Its first pieces go ahead."""
        *ahead, last = pieces(source.text or "")
        if not ahead:
            return await send(source)
        while True:
            for number, text in enumerate(ahead):
                await self.request(ask.Piece(number=number, text=text))
            try:
                return await send(replace(source, text=last, pieces=len(ahead)))
            except RequestError as error:
                if error.code != "missing_pieces":  # the connection that took them has ended
                    raise

    async def look(self, room: str, chapter: int, nodes: Sequence[int]) -> list[parts.NodePosition]:
        """The boards after moves of a study's chapter, at most 40. Removed moves are left out."""
        return (await self._ask(ask.Look(room=room, chapter=chapter, nodes=list(nodes)), told.Looked)).positions

    async def stand(self, room: str, chapter: int, node: int) -> None:
        """Show other readers your current move in a followed study."""
        await self.request(ask.Stand(room=room, chapter=chapter, node=node))

    async def studies(
        self, whose: Literal["mine", "public"] = "mine", after: str | None = None, limit: int = 30
    ) -> told.Studies:
        """Your own studies, or the public ones, latest changes first. Pass `after` of a page to get the next page."""
        return await self._ask(ask.Studies(whose=whose, after=after, limit=limit), told.Studies)

    async def account(self) -> told.Account:
        """This player's account: its name, passkeys and devices. Refused (`no_account`) to guests."""
        return await self._ask(ask.Account(), told.Account)

    async def register(self, name: str, device: str = "") -> told.Account:
        """Turn this guest into an account with its own name. The answer has the account's recovery code. `token`
        changes. After an error other than a refusal, repeat the call: it gets the first answer."""
        self._registration = self._registration or secrets.token_urlsafe(24)
        account = await self._ask(ask.Register(name=name, device=device, key=self._registration), told.Account)
        self._registration = None
        return self._renewed(account)

    async def login(self, code: str, device: str = "") -> told.Account:
        """Sign in by a recovery code. Pass the token in the answer to `become`."""
        return await self._ask(ask.Login(code=code, device=device), told.Account)

    async def grant(self, scope: Literal["play", "bot", "organize"], name: str) -> told.Granted:
        """Make an access token: to play as this player, for a bot with that name which belongs to this account, or for
        moderators, to arrange games between others."""
        return await self._ask(ask.Grant(scope=scope, name=name), told.Granted)

    async def new_code(self) -> told.Account:
        """Make a new recovery code, which the answer has. The one before becomes invalid."""
        return await self._ask(ask.Recovery(), told.Account)

    async def become_admin(self, code: str) -> told.Account:
        """Make this account the server's first admin, with the code that the server printed."""
        return await self._ask(ask.Administer(code=code), told.Account)

    async def rename(self, name: str) -> told.Account:
        """Rename this player's account. `token` changes."""
        return self._renewed(await self._ask(ask.Rename(name=name), told.Account))

    async def preferences(self, **chosen: str) -> told.Preferences:
        """The preferences kept with this account, after changing the given ones, such as `board="walnut"`."""
        request = ask.Preferences()
        for name, value in chosen.items():
            setattr(request, name, value)
        return await self._ask(request, told.Preferences)

    async def sign_out(self, session: str) -> None:
        """Sign out a device of this player's account. If it is this one, the connection ends."""
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
