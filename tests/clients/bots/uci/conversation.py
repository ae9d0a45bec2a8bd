"""Recorded conversations between our UCI driver and engines for four, as text files.

The first character of each line in `conversations` tells its kind: `#` the engine and its version; `?` a question to
the driver, with variant, position and seconds; `>` a line of the driver; `<` a line of the engine; `=` the resulting
move; `!` the resulting error.

`python -m tests.clients.bots.uci.conversation NAME "VERSION" COMMAND...` records an engine's conversation again. NAME
is its profile, and COMMAND runs the engine.
"""

import asyncio
import os
import signal
import sys
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from fourfold.clients.bots.profile import Profile, profile
from fourfold.clients.bots.uci.driver import Engine, EngineFault
from fourfold.engine.variants import opening

FOLDER: Final = Path(__file__).parent / "conversations"

STAND_IN: Final = Path(__file__).parent / "stand_in.py"

_START: Final = (
    "R-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-x,x,x,yR,yN,yB,yK,yQ,yB,yN,yR,x,x,x/x,x,x,yP,yP,yP,yP,yP,yP,yP,yP,x,x,x/"
    "x,x,x,8,x,x,x/bR,bP,10,gP,gR/bN,bP,10,gP,gN/bB,bP,10,gP,gB/bQ,bP,10,gP,gK/bK,bP,10,gP,gQ/bB,bP,10,gP,gB/"
    "bN,bP,10,gP,gN/bR,bP,10,gP,gR/x,x,x,8,x,x,x/x,x,x,rP,rP,rP,rP,rP,rP,rP,rP,x,x,x/"
    "x,x,x,rR,rN,rB,rQ,rK,rB,rN,rR,x,x,x"
)
_THIRD: Final = (  # h2h4 b7c7: a double step, and the number of plies
    "Y-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-{'enPassant':('h3:h4','','',''),'ply':2}-"
    "x,x,x,yR,yN,yB,yK,yQ,yB,yN,yR,x,x,x/x,x,x,yP,yP,yP,yP,yP,yP,yP,yP,x,x,x/x,x,x,8,x,x,x/bR,bP,10,gP,gR/"
    "bN,bP,10,gP,gN/bB,bP,10,gP,gB/bQ,bP,10,gP,gK/bK,1,bP,9,gP,gQ/bB,bP,10,gP,gB/bN,bP,10,gP,gN/bR,bP,5,rP,4,gP,gR/"
    "x,x,x,8,x,x,x/x,x,x,rP,rP,rP,rP,1,rP,rP,rP,x,x,x/x,x,x,rR,rN,rB,rQ,rK,rB,rN,rR,x,x,x"
)
_TWO_OUT: Final = (  # two seats are out, in this order, with grey pieces; blue has promoted
    "B-1,0,1,0-0,0,0,0-0,0,0,0-36,94,13,50-0-{'enPassant':('','','','l10:k10'),'out':('y','r'),'ply':467}-"
    "x,x,x,8,x,x,x/x,x,x,5,dyK,2,x,x,x/x,x,x,3,drN,4,x,x,x/1,bK,12/dyR,8,gP,gP,3/13,gK/3,bP,10/14/8,gP,5/11,bD,2/"
    "1,drK,12/x,x,x,8,x,x,x/x,x,x,8,x,x,x/x,x,x,8,x,x,x"
)
_MATED: Final = (  # blue is mated
    "B-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-{'ply':41}-x,x,x,4,yK,3,x,x,x/x,x,x,8,x,x,x/x,x,x,8,x,x,x/bK,8,rR,4/"
    "14/rR,13/1,rR,12/13,gK/14/14/14/x,x,x,8,x,x,x/x,x,x,8,x,x,x/x,x,x,3,rK,4,x,x,x"
)

Question = tuple[str, str, float]
"""A variant, a position in our notation, and the seconds for a move."""

TOO_SHORT: Final = 0.051
"""Seconds in which 4pchess finds no move."""

QUESTIONS: Final[dict[str, list[Question]]] = {
    "4pchess": [("teams", _START, 0.3), ("teams", _THIRD, 0.3), ("teams", _THIRD, TOO_SHORT), ("teams", _MATED, 0.3)],
    "tetrarch": [("teams", _START, 0.1), ("teams", _THIRD, 0.1), ("ffa", _TWO_OUT, 0.1), ("teams", _MATED, 0.1)],
    "hornet": [("ffa", _START, 10), ("ffa", _THIRD, 10), ("ffa", _TWO_OUT, 10), ("ffa", _MATED, 10)],
}
"""The questions for each engine. For the engine, the game is over in the last position."""


async def ask(known: Profile, questions: list[Question]) -> list[str]:
    """The answers of an engine, as lines. After an error there are no more questions."""
    answers = []
    async with Engine(known) as engine:
        for variant, fen, seconds in questions:
            try:
                answers.append(f"= {await engine.think(opening(variant, position=fen), seconds)}")
            except EngineFault as fault:
                answers.append(f"! {fault}")
                break
    return answers


def _record(name: str, version: str, command: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        us = (sys.executable, str(STAND_IN), "record", str(log))
        answers = asyncio.run(ask(replace(profile(name), command=(*us, *command)), QUESTIONS[name]))
        said = log.read_text()
        for pid in log.with_suffix(".pids").read_text().split():
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
    asked = [f"? {variant} {seconds:g} {fen}" for variant, fen, seconds in QUESTIONS[name]]
    (FOLDER / f"{name}.txt").write_text("\n".join([f"# {name} {version}", *asked, *answers]) + "\n" + said)


if __name__ == "__main__":
    _record(sys.argv[1], sys.argv[2], sys.argv[3:])
