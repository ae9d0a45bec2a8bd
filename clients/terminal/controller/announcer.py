"""Reports the news of a game, and has the board shown again when it has changed."""

import asyncio
from collections.abc import Sequence
from typing import Final

from fourfold.clients.games.game import Game, News, Notice
from fourfold.clients.terminal.controller.front_end import FrontEnd
from fourfold.clients.terminal.controller.look import Look
from fourfold.clients.terminal.controller.questions import Questions
from fourfold.clients.terminal.text import answers, words
from fourfold.protocol import events as happened
from fourfold.protocol.from_server import ChatLine, Presence, Reacted, Room, Said, Turn, Update

_CHANGING: Final[set[type[happened.AnyEvent]]] = {
    happened.Started, happened.Moved, happened.Resigned, happened.Flagged, happened.Removed,
    happened.Undone, happened.Redone, happened.Finished, happened.Rematched,
}  # fmt: skip
"""Events that change the board or its view."""


EARLIER: Final = 10
"""How many chat lines from before the user came are reported."""


class Announcer:
    """Reports the news of one game to a front end. Runs timers until closed."""

    def __init__(self, game: Game, look: Look, front: FrontEnd, questions: Questions) -> None:
        self._game = game
        self._look = look
        self._front = front
        self._questions = questions
        self._said: set[tuple[int, str, str]] | None = set()  # the lines reported before `recall`
        self._timers: list[asyncio.TimerHandle] = []  # of the absent players

    def close(self) -> None:
        """Stop the timers."""
        for timer in self._timers:
            timer.cancel()
        self._timers = []

    def hear(self, news: News) -> None:
        """Report and show one piece of news. The front end's own method is called last."""
        game = self._game
        match news:
            case Room():
                self._look.asked = None
                self._front.show()
                self._expect_absences()
            case Update(events=events):
                for event in events:
                    self._front.say(words.sentence(event, game.table.position))
                kinds = {type(event) for event in events}
                if happened.Proposed in kinds:
                    self._questions.drop_offer()
                if kinds & _CHANGING:
                    self._look.asked = None
                    if happened.Rematched in kinds:
                        self._look.live()
                    if self._look.ply is None:
                        self._front.show()
                proposal = game.table.proposal
                if game.voter is not None and proposal is not None and kinds & {happened.Proposed, happened.Voted}:
                    if happened.Proposed in kinds:
                        seconds = max(0, proposal.deadline - game.now()) // 1000
                        self._front.say(f"There are {seconds} seconds to answer.")
                    self._front.bell()
            case Turn(seat=seat):
                claim = game.claimable(seat)
                if claim is not None:
                    self._front.say(answers.claim(seat, claim))
                self._front.bell()
            case Presence(seat=seat, online=online):
                if seat not in game.seats:
                    self._front.say(f"{seat.capitalize()} is {'here' if online else 'away'}.")
                self._expect_absences()
            case Said(time=time, name=name, text=text):
                if self._said is not None:
                    self._said.add((time, name, text))
                self._front.say(_line(news))
            case Reacted(seat=seat, name=name, reaction=reaction):
                self._front.say(f"{words.name(name)} ({seat}) reacts: {words.reaction(reaction)}")
            case Notice(text=text):
                self._front.say(text)
        self._front.heard(news)

    def recall(self, lines: Sequence[ChatLine]) -> None:
        """Report the latest lines of chat from before the user came."""
        for line in lines[-EARLIER:]:
            if (line.time, line.name, line.text) not in (self._said or ()):
                self._front.say(f"Earlier: {_line(line)}")
        self._said = None

    def _expect_absences(self) -> None:
        """Wait until the disconnected players count as absent."""
        self.close()
        loop, game = asyncio.get_running_loop(), self._game
        for seat, since in game.away.items() if game.absentee_votes else ():
            wait = max(0, since + game.absence - game.now()) / 1000
            self._timers.append(loop.call_later(wait, self._tell_absence, seat))

    def _tell_absence(self, seat: str) -> None:
        """Report that a player is absent, so that the others can vote on the seat."""
        game, out = self._game, self._game.table.out
        inside = any(mine not in out for mine in game.seats)
        if game.table.status == "playing" and inside and seat in game.away and seat not in out:
            self._front.say(answers.absent(game, seat))


def _line(said: Said | ChatLine) -> str:
    """A line of chat with its writer."""
    to = ", to the table" if said.to == "table" else ""
    where = f"{'bot, ' if said.bot else ''}{said.seat or 'watching'}{to}"
    return f"{words.name(said.name)} ({where}): {words.shown(said.text)}"
