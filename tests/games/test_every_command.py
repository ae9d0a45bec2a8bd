"""Every command in the terminal's help, typed at terminals of several sizes, while the server is
killed and started again. It is typed by its first word and as the help shows it. In the campaign every place of the
program is at every size, and at the smallest a command is typed by all its words."""

import itertools
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

from fourfold.clients.terminal.parser.language import LOBBY, PLAY, SETUP, Entry, Language
from tests.games.conftest import ServerProcess, running
from tests.games.tmux import Tmux, named, nonsense, terminal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("tmux"),
]

SIZES: Final = ((40, 12), (80, 24), (200, 60))
LANGUAGES: Final = {"lobby": LOBBY, "play": PLAY, "setup": SETUP}

SAMPLES: Final = {
    "SEAT": "white", "SIDE": "short", "LEVEL": "1", "N": "1", "ACT": "ban Ada", "NAME": "Ada", "ROOM": "nowhere",
    "VARIANT": "survivor", "SPEED": "blitz", "TEXT": "hello", "WHY": "insults", "FILE": "game.pgn", "FORMAT": "pgn",
    "FEN": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
}  # fmt: skip
"""The text typed for a capitalised word of the help."""

ELSEWHERE: Final = re.compile(r"(Lobby|Setup|Waiting for players|The game is over|Looking at move \d+): ")
"""A prompt outside a running game."""

PLAYING: Final = re.compile(r"(\w+ (to move|plays)|Waiting for .* to answer): |.*\(yes or no\)\? |Yes or no: ")
"""A prompt in a game, also in a vote."""

PROMPT: Final = re.compile(r".*[?:)] ")
"""Any prompt with nothing typed after it yet."""

GAME: Final = itertools.cycle(("create 2 bots=1", "create 4 bots=1"))
"""The commands that open a game: for two and for four in turn."""


def lines(language: Language, *, every: bool) -> list[str]:
    """The typed lines: each command by every word or its first, and as the help shows it."""
    words = slice(None if every else 1)
    found = [line for entry in language.entries for line in (*entry.words[words], *_shown(entry))]
    return [line for line in dict.fromkeys(found) if line not in _ends(language)]


def _shown(entry: Entry) -> list[str]:
    """A command as the help shows it, with samples for a person's choices: the first or the last of several."""
    usages = [re.sub(r"[][]|\.\.\.", "", usage).split() for usage in entry.usage.split(" or ")]
    chosen = [" ".join(word.split("|")[which] for word in usage) for usage in usages for which in (0, -1)]
    return [re.sub(r"\b[A-Z]+\b", lambda word: SAMPLES.get(word[0], word[0]), text) for text in chosen]


def _ends(language: Language) -> tuple[str, ...]:
    """The command that ends the program: typed last."""
    return language.spellings("quit")


class Person:
    """A user at a terminal, who stays in one place of the program: lobby, game or setup mode."""

    def __init__(self, at: Tmux, server: ServerProcess, place: str, *, plain: bool) -> None:
        self.at = at
        self.server = server
        self.place = place
        self.plain = plain
        self._words = nonsense()

    def start(self) -> None:
        """Start the program, and go to the place."""
        plain = ["--plain"] if self.plain else []
        command = [sys.executable, "-m", "fourfold.clients", "play", "--url", self.server.url, "--name", "Ada", *plain]
        self.at.run(command)
        self.at.until(lambda rows: "Lobby: " in self.prompt(rows), "the lobby")
        self.come()

    def prompt(self, rows: Sequence[str]) -> str:
        """The text before the cursor: in plain at the end, in full screen above the keys."""
        shown = "\n".join(rows).rstrip("\n").split("\n")
        row = shown[-1] if self.plain or len(shown) < 2 else shown[-2]
        return f"{row.strip()} "

    def expected(self, rows: Sequence[str]) -> bool:
        """Whether the program expects a line, and nothing is typed yet."""
        return PROMPT.fullmatch(self.prompt(rows)) is not None

    def asks(self, rows: Sequence[str]) -> bool:
        """Whether it asks a question. A vote doesn't count: it allows other lines."""
        prompt = self.prompt(rows)
        return self.expected(rows) and not (ELSEWHERE.match(prompt) or PLAYING.match(prompt))

    def here(self, rows: Sequence[str]) -> bool:
        """Whether the prompt is that of the place."""
        prompt = self.prompt(rows)
        if self.place == "play":
            return PLAYING.match(prompt) is not None
        return prompt.startswith("Lobby: " if self.place == "lobby" else "Setup: ")

    def come(self) -> None:
        """Go to the place, from wherever the last command has led."""
        for _ in range(12):
            rows = self.at.until(self.expected, "a prompt")
            if self.here(rows):
                return
            if self.asks(rows):
                self.give_up()
                continue
            prompt = self.prompt(rows)
            where = ELSEWHERE.match(prompt)
            way = self._way(where[1] if where else "a game")
            self.at.type(way)
            if way.startswith("create"):
                self.at.holds(self.here, 15)
            else:
                self.at.holds(lambda rows, prompt=prompt: self.expected(rows) and self.prompt(rows) != prompt, 5)  # type: ignore[misc]
        pytest.fail(f"there is no way to {self.place}; the screen:\n{self.at}")

    def _way(self, where: str) -> str:
        """The command that leads to the place, or nearer."""
        if where == "Setup":
            return "cancel"
        if self.place == "setup":
            return "setup"
        if self.place == "lobby":
            return "leave"
        return "last" if where.startswith("Looking") else next(GAME)

    def give_up(self) -> None:
        """Leave no question open."""
        prompt = self.prompt(self.at.screen())
        if self.plain:
            self.at.type("")
            self.at.type("no")
        else:
            self.at.press("Escape")
        self.at.holds(lambda rows: self.prompt(rows) != prompt, 5)

    def says(self, line: str) -> None:
        """Type a command, then nonsense. The answer to it shows that the program has survived the command."""
        for _ in range(3):
            self.at.type(line)
            if not self.plain and line in ("?", "help", "h"):
                self.at.until(lambda rows: "Esc: close" in "".join(rows), f"the help, after {line!r},")
                self.at.press("Escape")
                self.at.until(lambda rows: "Esc: close" not in "".join(rows), "its end")
            if not named(self.lives(line), line.split(" ")[0]):
                return
            self.at_a_server(self.server.runs)
        pytest.fail(f"{line!r} was taken for no command; the screen:\n{self.at}")

    def lives(self, after: str) -> list[str]:
        """Nonsense is answered by its name, unless a question takes it as an answer, which is then cancelled. Returns
        the screen."""
        for patience in (1, 5, 5, 5, 20):
            word = next(self._words)
            self.at.type(word)
            rows = self.at.holds(lambda rows, word=word: named(rows, word) or self.asks(rows), patience)  # type: ignore[misc]
            if rows is not None and named(rows, word):
                return rows
            if rows is not None:
                self.give_up()
            elif not self.plain and "f7 Panel" in self.at.screen()[-2]:
                self.at.press("F7")  # there is no room for messages beside the board
        pytest.fail(f"nonsense was not answered after {after!r}; the screen:\n{self.at}")

    def at_a_server(self, there: bool) -> None:
        """Start the server, or kill it; then go to the place."""
        rows = self.at.until(self.expected, "a prompt")
        if not self.server.runs and (there or not self.here(rows)):
            self.server.start()
        if self.server.runs:
            self.come()
            if not there:
                self.server.kill()

    def goes(self, word: str) -> None:
        """End the program, without saving."""
        self.at.type(word)

        def over(rows: Sequence[str]) -> bool:
            if self.at.status is None and "To save the game" in "".join(rows[-12:]):
                self.at.type("")
            return self.at.status is not None

        self.at.until(over, f"the end after {word!r}")
        assert self.at.status == 0, f"{word!r} ended it with {self.at.status}:\n{self.at}"


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    """A server with computer players, which may be killed, and without limits for players."""
    with running(None, 1, "--max-open", "0", "--max-rooms", "0") as server:
        yield server


QUICK: Final = [
    *(("lobby", True, 0), ("lobby", False, 1)), *(("play", True, 1), ("play", False, 0)),
    *(("setup", True, 2), ("setup", False, 2)),
]  # fmt: skip
"""Each place, plain and in full screen, at one size."""

ALL: Final = [(place, plain, size) for size in range(len(SIZES)) for plain in (True, False) for place in LANGUAGES]


def _title(place: str, plain: bool, size: int) -> str:
    return f"{place}-{'plain' if plain else 'full'}-{SIZES[size][0]}x{SIZES[size][1]}"


@pytest.mark.parametrize(
    ("case", "every"),
    [
        pytest.param(case, every, marks=marks, id=_title(*case) + "-campaign" * every)
        for cases, every, marks in ((QUICK, False, ()), (ALL, True, pytest.mark.campaign))
        for case in cases
    ],
)
def test_every_command_is_answered(
    server: ServerProcess, tmp_path: Path, case: tuple[str, bool, int], every: bool
) -> None:
    """A part of the commands is typed while the server is away: a different part in each case of a place."""
    place, plain, size = case
    typed = lines(LANGUAGES[place], every=every and size == 0)
    part, parts = (2 * size + plain, 2 * len(SIZES)) if every else (plain, 2)
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "LANG": "C.UTF-8", "COLORTERM": "truecolor"}
    for name in ("NO_COLOR", "COLUMNS", "LINES"):  # they would describe another terminal
        environment.pop(name, None)
    if not server.runs:  # a test before has failed
        server.start()
    with terminal(tmp_path, *SIZES[size], environment) as at:
        person = Person(at, server, place, plain=plain)
        person.start()
        for number, line in enumerate(typed):
            away = number * parts // len(typed) == part
            person.at_a_server(not away)
            person.says(line)
        person.at_a_server(True)
        for word in _ends(LANGUAGES[place]):
            person.goes(word)
            person.start()
        server.kill()
        try:
            person.goes("quit")
        finally:
            server.start()
