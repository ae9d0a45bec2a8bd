"""`fourfold`: the clients from the command line."""

import argparse
import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, get_args

from fourfold import __version__, extras
from fourfold.clients import invite, play, signals, study_command
from fourfold.clients.bots.hosting.host import Hosting, host
from fourfold.clients.bots.hosting.ladder import Ladder, keep_ladder
from fourfold.clients.bots.hosting.online import Seating
from fourfold.clients.bots.hosting.seating import seat_engine, seat_level
from fourfold.clients.bots.levels import LEVELS
from fourfold.clients.bots.levels.strength import STRONGEST, WEAKEST, elo
from fourfold.clients.bots.profile import BadProfile, Profile, profile, profiles
from fourfold.clients.bots.uci.driver import EngineFault
from fourfold.clients.bots.uci.engine import speak
from fourfold.clients.bots.uci.engine_lines import check
from fourfold.clients.connection import Connection
from fourfold.clients.demo import demo, export, watch
from fourfold.clients.errors import ConnectionFault, RequestError
from fourfold.clients.first_steps import FirstSteps
from fourfold.clients.terminal.parser import phrases
from fourfold.clients.terminal.text.ink import Ink
from fourfold.engine.variants import seats
from fourfold.protocol.from_client import Clock, Plays, Speed
from fourfold.protocol.from_server import Listing

DEFAULT_URL: Final = "http://127.0.0.1:8080"

SPEEDS: Final = get_args(Speed)

SPECTATOR_PACE: Final = 0.1
"""Seconds between the moves of a demo that is shown on a terminal."""

FAILED, UNREACHABLE, MISSING, INTERRUPTED = 1, 2, 2, 130
"""Exit codes: the server refused; no server answered; an extra is not installed; Ctrl-C (128 + SIGINT)."""


def parser(environ: Mapping[str, str]) -> argparse.ArgumentParser:
    about = "Play and watch chess for two and four players. Without a COMMAND, on a terminal: first steps."
    top = argparse.ArgumentParser(prog="fourfold", description=about)
    top.add_argument("--version", action="version", version=f"fourfold {__version__}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    server = argparse.ArgumentParser(add_help=False)
    server.add_argument(
        "--url",
        type=play.argument(play.server),
        default=environ.get("FOURFOLD_URL") or DEFAULT_URL,
        help=f"the server (env FOURFOLD_URL; default {DEFAULT_URL})",
    )
    common = argparse.ArgumentParser(add_help=False, parents=[server])
    common.add_argument("--record", type=Path, metavar="DIR", help="write a transcript of every client")
    room = argparse.ArgumentParser(add_help=False)
    room.add_argument("room", metavar="ROOM", help="the room's id, or its URL")
    seat = argparse.ArgumentParser(add_help=False, parents=[server])
    about = "the room's id or URL; without it, be online and accept challenges"
    seat.add_argument("room", metavar="ROOM", nargs="?", help=about)
    seat.add_argument("--seat", help="white, red, ... (default the first free seat)")
    seat.add_argument("--games", type=_positive, default=1, help="without a ROOM, the most games at once (default 1)")
    about = "without a ROOM, the variants to play, such as standard,survivor (default all)"
    seat.add_argument("--variants", type=_variants, default=[], metavar="NAMES", help=about)
    about = f"without a ROOM, the speeds to play: some of {', '.join(SPEEDS)} (default all)"
    seat.add_argument("--speeds", type=_speeds, default=[], metavar="NAMES", help=about)
    rating = seat.add_mutually_exclusive_group()
    about = "without a ROOM, play only rated games"
    rating.add_argument("--rated", action="store_const", const=True, default=None, help=about)
    about = "without a ROOM, play only unrated games"
    rating.add_argument("--casual", dest="rated", action="store_const", const=False, help=about)
    seat.set_defaults(token=environ.get("FOURFOLD_TOKEN"))

    playing = commands.add_parser(
        "play", parents=[server], help="play in the terminal", description=play.ABOUT, epilog=play.KEPT
    )
    play.add_arguments(playing)

    inviting = commands.add_parser(
        "invite", parents=[server], help="open a table for a friend", description=invite.ABOUT, epilog=play.KEPT
    )
    invite.add_arguments(inviting)

    about = (
        "Make an access token of your account, and print it. With it, a program plays as you, or as a bot with its own "
        "name that belongs to you. play, bot, uci and ladder read it from FOURFOLD_TOKEN."
    )
    granting = commands.add_parser("token", parents=[server], help="make an access token", description=about)
    granting.add_argument(
        "scope",
        choices=("play", "bot", "organize"),
        help="play: as you; bot: as a bot of yours; organize: to arrange games between others, as a moderator",
    )
    granting.add_argument("called", metavar="NAME", help="the token's name in your account, or the bot's name")
    granting.add_argument("--name", help="the --name that you play with, if any; it selects your identity")
    granting.set_defaults(run=lambda values: play.grant(values.url, values.name, values.scope, values.called))

    about = "Show a game between bots."
    playing = commands.add_parser("demo", parents=[common], help="watch bots play a game", description=about)
    playing.add_argument("--players", type=int, choices=(2, 4), help="the number of players (default 2)")
    playing.add_argument("--variant", help="the variant (default standard, or survivor for four)")
    playing.add_argument("--seed", type=int, help="a number that makes the game reproducible")
    about = "milliseconds before each move (default 100; 0 in a pipe)"
    playing.add_argument("--delay", type=_amount("milliseconds"), metavar="MS", help=about)
    about = "the bots' levels by seat, such as 1,2,3,4 (default 1)"
    playing.add_argument("--levels", type=_levels, default=(1,), help=about)
    playing.set_defaults(run=_demo)

    about = "Show a game to its end."
    watching = commands.add_parser("watch", parents=[common, room], help="watch a game", description=about)
    watching.set_defaults(run=lambda values: watch(*_room(values), values.record))

    about = "Seat a computer player in a room until the game is over; or without a ROOM, wait for challenges."
    single = commands.add_parser("bot", parents=[seat], help="seat a computer player", description=about)
    single.add_argument("--level", type=_level, help="1 to 5 (default 3; with --elo, 5)")
    about = f"the strength of level 5 for two players, from {WEAKEST} to {STRONGEST} (default its full strength)"
    single.add_argument("--elo", type=play.argument(elo), metavar="N", help=about)
    _add_times(single)
    single.set_defaults(run=_bot)

    about = "Seat a UCI engine in a room until the game is over; or without a ROOM, wait for challenges."
    foreign = commands.add_parser("uci", parents=[seat], help="seat a UCI engine", description=about)
    about = f"{', '.join(profiles())}, or a .toml file"
    foreign.add_argument("--profile", type=play.argument(profile), metavar="NAME", help=about)
    foreign.add_argument("--engine", metavar="PATH", help="the engine's program (default that of the profile)")
    about = "an option of the engine; repeat for several"
    foreign.add_argument("--option", type=_option, action="append", default=[], metavar="NAME=VALUE", help=about)
    _add_times(foreign, budget=None)
    foreign.set_defaults(run=_uci)

    about = "Run as a UCI engine: read commands from standard input, and answer on standard output."
    engine = commands.add_parser("engine", help="run as a UCI engine for other programs", description=about)
    engine.add_argument("--level", type=_level, default=5, help="1 to 5 (default 5); the UCI option Level changes it")
    engine.add_argument("--variant", default="standard", help="the variant until UCI_Variant is set")
    engine.set_defaults(run=_engine)

    about = "Host computer players for a server. fourfold-server starts its own host by default."
    hosting = commands.add_parser("bots", parents=[server], help="host computer players", description=about)
    hosting.add_argument("--workers", type=_positive, default=1, help="the number of thinking processes (default 1)")
    about = f"a UCI engine for analyses, instead of level 5: {', '.join(profiles())}, or a .toml file"
    hosting.add_argument("--analysis-engine", metavar="PROFILE", help=about)
    hosting.add_argument("--check", action="store_true", help="check whether that engine runs, and exit")
    hosting.add_argument("--until-eof", action="store_true", help="exit at the end of standard input")
    _add_times(hosting)
    hosting.set_defaults(run=_bots, key=environ.get("FOURFOLD_BOTS_KEY"))

    about = (
        "Keep a ladder: arrange rated games between idle bots that are online, until stopped. FOURFOLD_TOKEN must have "
        "a moderator's token: fourfold token organize NAME."
    )
    standing = commands.add_parser("ladder", parents=[server], help="arrange games between bots", description=about)
    about = "the variants, played in turn (default standard,ffa)"
    standing.add_argument("--variants", type=_variants, default=["standard", "ffa"], metavar="NAMES", help=about)
    about = "the time control (default 3+2)"
    standing.add_argument("--clock", type=play.argument(_clock), default="3+2", metavar="MIN+SEC", help=about)
    about = "seconds between two looks for idle bots (default 5)"
    standing.add_argument("--pause", type=_amount("seconds"), default=5.0, metavar="S", help=about)
    standing.set_defaults(run=_ladder, token=environ.get("FOURFOLD_TOKEN"))

    about = "Let programs for the Bot or Board API of Lichess, such as lichess-bot, play games for two on a server."
    gateway = commands.add_parser("gateway", parents=[server], help="let Lichess bots play", description=about)
    gateway.add_argument("--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
    gateway.add_argument("--port", type=_port, default=8081, help="port to listen on; 0 for a free one (default 8081)")
    told = "the number of your proxies in front of it, for X-Forwarded-For (default 0)"
    gateway.add_argument("--trust-proxy", type=int, default=0, metavar="N", help=told)
    gateway.set_defaults(run=_gateway)

    about = (
        "Send reports to a URL when public games begin and end; or with an access token in FOURFOLD_TOKEN, when your "
        "games do, and when it is your move. FOURFOLD_WEBHOOK_SECRET signs reports. Failed reports are sent again."
    )
    hook = commands.add_parser("webhook", parents=[server], help="send reports about games to a URL", description=about)
    hook.add_argument("target", metavar="TARGET", help="the URL, such as that of a Discord webhook")
    hook.add_argument("--discord", action="store_true", default=None, help="Discord's format (default for its URLs)")
    secret, token = environ.get("FOURFOLD_WEBHOOK_SECRET"), environ.get("FOURFOLD_TOKEN")
    hook.set_defaults(run=_webhook, secret=secret or None, token=token or None)

    reading = commands.add_parser(
        "study", parents=[server], help="read and write studies", description=study_command.ABOUT, epilog=play.KEPT
    )
    study_command.add_arguments(reading)

    about = "Print a game or a study as text, with variations. Undone moves of a game appear as variations."
    exporting = commands.add_parser("export", parents=[server], help="print a game or a study", description=about)
    exporting.add_argument("room", metavar="ROOM", help="the id or URL of the room or study")
    exporting.add_argument(
        "--format",
        choices=("pgn", "pgn4", "smith", "fen", "json"),
        help="default pgn, or pgn4 for a game of four",
    )
    exporting.add_argument("--name", help="the --name that you study with, for a private study")
    exporting.set_defaults(run=_export)
    about = "import games into your server's archive, or export them"
    archive = commands.add_parser("archive", help=about, add_help=False)
    archive.set_defaults(run=None)
    for command in commands.choices.values():
        command.set_defaults(parser=command)  # for the usage text of later errors
    return top


def _add_times(command: argparse.ArgumentParser, budget: float | None = 1.0) -> None:
    about = "the most seconds for a move (default 1)"
    command.add_argument("--budget", type=_amount("seconds"), default=budget, metavar="S", help=about)
    about = "the least seconds for a move (default 0.6)"
    command.add_argument("--pace", type=_amount("seconds"), default=0.6, metavar="S", help=about)


def _variants(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        seats(name)  # raises ValueError for an unknown variant
    return names


def _speeds(text: str) -> list[str]:
    names = text.split(",")
    if not set(names) <= set(SPEEDS):
        raise argparse.ArgumentTypeError(f"the speeds are {', '.join(SPEEDS)}")
    return names


def _amount(unit: str) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            amount = float(text)
        except ValueError:
            amount = -1
        if not 0 <= amount < float("inf"):
            raise argparse.ArgumentTypeError(f"{text!r} is not a number of {unit} from 0")
        return amount

    return read


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port")
    return int(text)


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"write an option as NAME=VALUE, not {text!r}")
    return name, value


def _level(text: str) -> int:
    if text not in map(str, LEVELS):
        raise argparse.ArgumentTypeError(f"levels are {LEVELS[0]} to {LEVELS[-1]}, not {text!r}")
    return int(text)


def _levels(text: str) -> tuple[int, ...]:
    return tuple(map(_level, text.split(",")))


def _demo(values: argparse.Namespace) -> Coroutine[Any, Any, None]:
    variant, delay = play.variant(values), values.delay
    pace = delay / 1000 if delay is not None else SPECTATOR_PACE if sys.stdout.isatty() else 0
    return demo(values.url, variant, values.levels, seed=values.seed, pace=pace, record=values.record)


def _bot(values: argparse.Namespace) -> Coroutine[Any, Any, None]:
    level: int | None = values.level
    if values.elo is not None and level not in (None, 5):
        raise ValueError(f"only level 5 has a strength in Elo, not level {level}")
    return seat_level(_seating(values, values.budget), level or (3 if values.elo is None else 5), values.elo)


def _uci(values: argparse.Namespace) -> Coroutine[Any, Any, None]:
    known: Profile | None = values.profile
    if known is None and values.engine is None:
        raise ValueError("name an engine: --profile NAME or --engine PATH")
    known = known or Profile(("",))
    command = (values.engine, *known.command[1:]) if values.engine else known.command
    engine = replace(known, command=command, options={**known.options, **dict(values.option)})
    budget = next(each for each in (values.budget, known.budget, 1.0) if each is not None)
    return seat_engine(_seating(values, budget), engine)


def _seating(values: argparse.Namespace, budget: float) -> Seating:
    url, room = (values.url, None) if values.room is None else _room(values)
    plays = Plays(values.variants, values.speeds, values.rated, values.games)
    return Seating(url, room, values.seat, budget, values.pace, values.token or None, plays)


def _engine(values: argparse.Namespace) -> Coroutine[Any, Any, None]:
    seats(values.variant)  # raises ValueError for an unknown variant
    return speak(values.level, values.variant)


def _bots(values: argparse.Namespace) -> Coroutine[Any, Any, None]:
    engine = _analysis_engine(values)
    if values.check:
        return asyncio.sleep(0)
    if not values.key:
        raise ValueError("set FOURFOLD_BOTS_KEY to the server's BOTS_KEY")
    options = Hosting(values.url, values.key, values.workers, values.budget, values.pace, engine=engine)
    return host(options, _say, values.until_eof)


def _analysis_engine(values: argparse.Namespace) -> Profile | None:
    """The engine for analyses. With `until_eof`, a missing engine is not an error: the server checked it before, and
    would restart its host again and again."""
    if values.analysis_engine is None:
        return None
    try:
        known = profile(values.analysis_engine)
        if not values.until_eof:
            asyncio.run(check(known))
    except (BadProfile, EngineFault) as error:
        if values.until_eof:
            _say(f"{error}: using level 5 for analyses instead")
            return None
        raise ValueError(f"--analysis-engine: {error}") from error
    return known


def _clock(text: str) -> Clock:
    found = phrases.clock(text)
    if found is None:
        raise ValueError("a ladder needs a clock")
    return found


def _ladder(values: argparse.Namespace) -> Coroutine[Any, Any, None]:
    options = Ladder(values.url, values.token or None, tuple(values.variants), values.clock, values.pause)
    return keep_ladder(options, lambda sentence: print(sentence, flush=True))


def _gateway(values: argparse.Namespace) -> Coroutine[Any, Any, None]:
    extras.need("gateway", "fourfold gateway")
    from fourfold.clients.gateway.service import serve

    return serve(values.url, values.host, values.port, values.trust_proxy)


def _webhook(values: argparse.Namespace) -> Coroutine[Any, Any, None]:
    extras.need("gateway", "fourfold webhook")
    from fourfold.clients.webhooks.delivery import Delivery, report_to

    delivery = Delivery(values.target, values.secret, _say, discord=values.discord)
    return report_to(delivery, values.url, values.token, _say)


def _export(values: argparse.Namespace) -> Coroutine[Any, Any, None]:
    url, _, study = values.room.rpartition("/s/")
    if url or study_command.is_study(study):
        return study_command.export(play.server(url or values.url), study, values.format, values.name)
    return export(*_room(values), values.format)


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def _room(values: argparse.Namespace) -> tuple[str, str]:
    """The server and id of a room, which is given as an id or a URL."""
    url, _, room = values.room.rpartition("/r/")
    return play.server(url) if url else values.url, room


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the console script, and return its exit code."""
    top = parser(os.environ)
    words = sys.argv[1:] if arguments is None else arguments
    if not words and sys.stdin.isatty() and sys.stdout.isatty():
        try:
            words = FirstSteps(input, print, Ink.of(sys.stdout), _played).choose()
        except KeyboardInterrupt:
            return INTERRUPTED
        if not words:
            return 0
    try:
        if words[:1] == ["archive"]:  # a command of the server, which clients do not import
            extras.need("server", "fourfold archive")
            return subprocess.call([sys.executable, "-m", "fourfold.server.maintenance.archive", *words[1:]])
        values = top.parse_args(words)
        work = values.run(values)
    except extras.MissingExtra as error:
        print(error, file=sys.stderr)
        return MISSING
    except ValueError as error:
        values.parser.error(str(error))
    code = number = 0
    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            number = runner.run(signals.stoppable(work))
    except* KeyboardInterrupt:
        code = INTERRUPTED
    except* BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # otherwise Python prints an error at exit
        code = FAILED
    except* ConnectionFault as faults:
        code = _complain(faults, UNREACHABLE)
    except* (RequestError, EngineFault) as refusals:
        code = _complain(refusals, FAILED)
    except* extras.MissingExtra as missing:
        code = _complain(missing, MISSING)
    return signals.die(number) if number else code


def _played() -> list[Listing]:
    """The games that are played now at the usual server. Raises `ConnectionFault`."""

    async def ask() -> list[Listing]:
        async with Connection(os.environ.get("FOURFOLD_URL") or DEFAULT_URL) as connection:
            return await connection.rooms(status="playing")

    return asyncio.run(ask())


def _complain(group: BaseExceptionGroup[Exception], code: int) -> int:
    """Print the first of the errors; the others have the same cause."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    print(f"fourfold: {error}", file=sys.stderr)
    return code


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop, if it is installed."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


if __name__ == "__main__":
    sys.exit(main())
