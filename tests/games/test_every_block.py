"""Every block of every page, carried out in a fresh clone with an environment of its own, in the order of the page.

`README.md` comes first: its first command makes the environment and starts the server that all pages speak to.
`REPLACED` puts this machine's addresses, ports and small sizes in place of those on the page. `ELSEWHERE` has the few
lines that no test machine can run, and those that `.ci/run` runs by itself.
"""

import asyncio
import configparser
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Final, NamedTuple

import pytest
import yaml

from fourfold.clients.connection import Connection
from fourfold.protocol.events import Moved
from fourfold.protocol.from_server import Turn, Update
from tests import conftest
from tests.games.test_printed_bots import interpreter
from tests.ports import free_port
from tests.postgres import PostgresProcess
from tests.test_pages import PAGES, ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(3500),
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs a checkout"),
]

README: Final = ROOT / "README.md"
ORDER: Final = [README, *(page for page in PAGES if page != README)]
INSTALLING: Final = 1200.0
"""Seconds for a command: the longest installs packages."""

HANG: Final = conftest.HANG

OURS: Final = re.compile(
    r"(\w+=(\$\([^)]*\)|\S*) )*"
    r"(export |\. |curl |docker |sudo |bash |echo |node |pdoc |python3? |\.venv/bin/|fourfold(-server)?\b)"
)
"""The beginning of a line to type into a shell."""

TEXTS: Final = {
    "clients/environments/README.md": "import pyspiel",  # OpenSpiel has no wheel everywhere: see ELSEWHERE of .ci/run
    "engine/README.md": "move 59: green is out by checkmate",
    "engine/RECIPES.md": "red 31 (0, 0, 0, 0)",
    "server/MODERATION.md": "admin http://HOST:PORT",
    "server/OPERATING.md": "appendonly yes",
}
"""The beginnings of blocks without a language that are not typed. Those of engine/TUTORIAL.md are output."""

REPLACED: Final = (
    (r"http://(127\.0\.0\.1:8080|192\.168\.1\.20:8080)|https://chess\.example\.org(?=$|/)", "{url}"),
    (r"http://127\.0\.0\.1:8081", "{gateway}"),
    (r"https://(discord\.com/\S+|example\.org/hook)", "{nowhere}"),
    (r"redis://127\.0\.0\.1:6379/0", "{store}"),
    (r"postgresql://fourfold:PASSWORD@127\.0\.0\.1/fourfold", "{database}"),
    (r"FOURFOLD_TOKEN=…", "FOURFOLD_TOKEN={token}"),
    (r"--host 0\.0\.0\.0", "--host 127.0.0.1"),
    (r"--port \d+", "--port 0"),
    (r"--without-pip \.venv", "--without-pip other"),
    (r"--python \.venv/", "--python other/"),
    (r"--schedules \d+", "--schedules 1"),
    (r"--seeds \d+", "--seeds 1"),
    (r"--seconds 60", "--seconds 1"),
    (r"--minutes 2\b", "--minutes 0.005 --games 20"),
    (r"perft 4 ", "perft 2 "),
    (r"\bSTUDY\b", "{study}"),
)
"""Texts of the pages, and their replacements in the test."""

SHORTENED: Final = {
    r"\.venv/bin/pytest$": ".venv/bin/pytest --version",
    r"python -m tests\.(abuse$|bench(\.capacity)?$|.* --plants$|world\.mutants .*$)": r"\g<0> --help",
    r"python -m fourfold\.clients\.bots\.(arena|ratinglist)\b.*$": r"\g<0> --help",
    r"\bpdoc fourfold\.engine .*$": "pdoc fourfold.engine.errors --output-directory pages",
}
"""Commands that run for many minutes or for ever, and the commands to try instead. `.ci/run` and other slow tests run
them whole."""

ELSEWHERE: Final = (
    r"docker ",  # no engine: .ci/image builds the image, and plays on it as docker-compose.yml says
    r"sudo caddy ",  # a public host name
    r"bash \.ci/run",  # this test is a part of it
    r"\.venv/bin/pytest (tests/|-)",  # .ci/run runs these tests
    r"\.venv/bin/ruff ",  # .ci/run lints
    r"curl -X POST .*/challenge/",  # a program that streams its events: tests/games/test_gateway.py
)

STAYS: Final = re.compile(r"fourfold (bots|ladder|webhook)\b|fourfold uci (?!ROOM)")
"""Programs that go on until they are stopped."""

CONNECTED: Final = re.compile(r" http://")
"""Their output once they are connected: a sentence with the server's address."""

SERVES: Final = re.compile(r"fourfold-server( --(?!version)|$)|fourfold gateway")
"""Those that print `ready` first."""

PLAYS: Final = re.compile(r"(bot\.py|bot\.mjs) \S+ ROOM$|fourfold (bot|uci) ROOM")
"""Programs that play a game."""

GAME: Final = '[Event "A game"]\n\n1. e4 e5 1-0\n'
"""A file that pages speak of as games.pgn."""

STOPPED: Final = (0, 143, -signal.SIGTERM)
"""The exit codes of a command at SIGTERM: its shell gets the signal too."""


class Block(NamedTuple):
    page: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page: Path) -> list[Block]:
    """The blocks of a page, in order."""
    text = page.read_text()
    return [
        Block(page, text.count("\n", 0, found.start()) + 1, found[1], found[2])
        for found in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    ]


class Place:
    """A fresh clone: its environment, the server of its README, and the names in commands."""

    def __init__(self, folder: Path) -> None:
        self.clone = folder / "fourfold"
        self.home = folder / "home"
        self.home.mkdir()
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for name in filter(None, listed.split("\0")):
            if (ROOT / name).exists():
                (self.clone / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.clone / name, follow_symlinks=False)
        (self.clone / "games.pgn").write_text(GAME)
        self.port = free_port()
        self.named = {
            "url": f"http://127.0.0.1:{self.port}", "gateway": "http://127.0.0.1:9", "study": "", "token": "",
            "nowhere": f"http://127.0.0.1:{free_port()}",
        }  # fmt: skip
        self.variables: dict[str, str] = {}
        self.servers = 0
        self.installed: set[str] = set()
        self.stack = ExitStack()

    @property
    def url(self) -> str:
        return self.named["url"]

    def environment(self, **more: str) -> dict[str, str]:
        """The environment of commands: of the tests' own, only the path of programs and a few variables."""
        path = f"{os.environ['PATH']}:/usr/games"
        kept = {name: os.environ[name] for name in ("LANG", "TMPDIR") if name in os.environ}
        kept |= {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_", "NODE_EXTRA"))}
        own = {"PATH": path, "HOME": str(self.home), "FOURFOLD_URL": self.url, "DATA_DIR": str(self.home / "data")}
        return kept | own | self.variables | {"PIP_COMPILE": "0"} | more  # few modules are imported

    def written(self, line: str) -> str:
        """A line, with the page's names replaced."""
        for pattern, text in REPLACED:
            line = re.sub(pattern, text, line)
        for pattern, text in SHORTENED.items():
            line = re.sub(pattern, text, line)
        for name, value in self.named.items():
            line = line.replace(f"{{{name}}}", value)
        return line

    def run(self, line: str, keys: str = "", **more: str) -> str:
        """Carry a command out to its end; its output. Raises `AssertionError` if it fails."""
        done = subprocess.run(
            ["bash", "-c", line], cwd=self.clone, env=self.environment(**more), input=keys, capture_output=True,
            text=True, check=False, timeout=INSTALLING,
        )  # fmt: skip
        said = f"{done.stdout[-2000:]}{done.stderr[-2000:]}"
        assert done.returncode == 0, f"{line}\nexits with {done.returncode}:\n{said}"
        return done.stdout

    @contextmanager
    def started(self, line: str, codes: tuple[int, ...], **more: str) -> Iterator[IO[str]]:
        """A command that runs until the context ends it by SIGTERM; gives its output. Raises `AssertionError` if
        it then ends with another code."""
        with (self.home / "errors").open("w+") as errors:
            process = subprocess.Popen(
                ["bash", "-c", line], cwd=self.clone, env=self.environment(**more), stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True,
            )  # fmt: skip
            assert process.stdout is not None
            try:
                yield process.stdout
            finally:
                os.killpg(process.pid, signal.SIGTERM)
                process.communicate(timeout=HANG)
                errors.seek(0)
                assert process.returncode in codes, f"{line}\nends with {process.returncode}:\n{errors.read()[-2000:]}"


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    one = Place(tmp_path)
    with one.stack:
        yield one


def serve(place: Place, line: str, stack: ExitStack, **more: str) -> str:
    """Start a program that prints `ready URL`, until the stack ends; the URL."""
    out = stack.enter_context(place.started(line, STOPPED, **more))
    said = ""
    for said in out:  # the environment is made first
        if found := re.match(r"ready (http://\S+)", said):
            return found[1]
    raise AssertionError(f"{line}\ndoes not get ready: {said}")


def stay(place: Place, line: str) -> None:
    """Run a program until it says that it is connected, and stop it."""
    with place.started(f"{{ {line}; }} 2>&1", STOPPED) as out:
        said = ""
        for said in out:
            if CONNECTED.search(said):
                return
        raise AssertionError(f"{line}\ndoes not connect: {said}")


async def play(place: Place, line: str) -> None:
    """Run a program that plays until it has made a move in a game against us."""
    async with asyncio.timeout(HANG), Connection(place.url, name="Host") as host:
        room = await host.create("standard")
        mine = "white" if "--seat black" in line else "black"
        await host.join(room, mine)
        with place.started(re.sub(r"\bROOM\b", room, line), STOPPED):
            async for frame in host.follow(room):
                if isinstance(frame, Turn) and frame.seat == mine:
                    await host.move(room, frame.legal[0], frame.seq)
                if isinstance(frame, Update):
                    for event in frame.events:
                        if isinstance(event, Moved) and event.seat != mine:
                            await host.resign(room)
                            return


async def room_for(place: Place, line: str) -> str:
    """A room for a command: an open one, one with a guest, or one with a finished game."""
    async with Connection(place.url, name="Host") as host, Connection(place.url, name="Guest") as guest:
        room = await host.create("survivor" if "kick" in line else "standard")
        if "kick" in line:
            await guest.join(room, "blue")
        elif not any(word in line for word in ("close", "play")):
            await host.join(room)
            await guest.join(room)
            await host.abort(room)
            assert guest.player is not None
            place.named["player"] = guest.player
        return room


async def carry_out(place: Place, page: Path, line: str, stack: ExitStack) -> None:
    """Carry out one line of a block."""
    shown = line.partition(" # ")[0].rstrip()
    command = place.written(shown)
    if any(re.match(pattern, shown) for pattern in ELSEWHERE):
        return
    if shown.startswith("node "):
        command = f"{shlex.join(interpreter('js'))} {command.removeprefix('node ')}"
    if PLAYS.search(shown):
        await play(place, command)
        return
    if re.search(r"\bROOM\b", command):
        command = re.sub(r"\bROOM\b", await room_for(place, command), command)
    if re.search(r"\bID\b", command):
        command = re.sub(r"\bID\b", await identifier(place, command), command)
    await asyncio.to_thread(type_in, place, page, shown, command, stack)


def type_in(place: Place, page: Path, shown: str, command: str, stack: ExitStack) -> None:
    """Type a line into a shell. Servers run until the stack ends, that of README.md until the test ends."""
    if shown.startswith("export "):
        name, _, value = command.removeprefix("export ").partition("=")
        place.variables[name] = place.run(f'echo -n "{value}"')
    elif shown.startswith(". "):
        environment = place.run(f"{command} && echo -n $VIRTUAL_ENV")
        place.variables["PATH"] = f"{environment}/bin:{os.environ['PATH']}:/usr/games"
    elif SERVES.search(shown):
        place.servers += 1
        if page == README and place.servers == 1:
            serve(place, command, place.stack, PORT=str(place.port))
            return
        url = serve(place, command, stack, PORT="0", DATA_DIR=str(place.home / f"data{place.servers}"))
        place.named["gateway" if "gateway" in shown else "url"] = url
    elif STAYS.search(shown):
        stay(place, command)
    elif "pip install" in shown:
        if command not in place.installed:  # several pages begin with the same installation
            place.run(command)
            place.installed.add(command)
    else:
        more = {"DATA_DIR": str(place.home / "restored")} if " restore " in shown else {}
        place.run(command, "quit\n\n", **more)


async def identifier(place: Place, line: str) -> str:
    """The ID that a command of the operator is about: of an order, of a report, or of a player."""
    if "settle" in line:
        async with Connection(place.url, name="A") as ann, Connection(place.url, name="B") as bob:
            room = await ann.create("standard")
            await ann.join(room)
            await bob.join(room)
            assert bob.player is not None
            await ann.report(room, bob.player, "insults")
    if "--player" in line:
        await room_for(place, line)
        return place.named["player"]
    command = f"fourfold-server moderate {'reports' if 'settle' in line else 'list'}"
    listed = await asyncio.to_thread(place.run, command)
    return listed.split()[0]


def prepare(place: Place, page: Path) -> None:
    """Prepare what a page presumes: accounts, files."""
    match page.relative_to(ROOT).as_posix():
        case "server/MODERATION.md":
            place.variables["XDG_STATE_HOME"] = str(place.home / "ann")
            place.run('fourfold play --plain <<< "account new Ann"')
            place.run('fourfold play --plain <<< "account new Bob"', XDG_STATE_HOME=str(place.home / "bob"))
        case "clients/bots/README.md":
            place.variables["XDG_STATE_HOME"] = str(place.home / "bots")
            place.run('fourfold play --plain <<< "account new Carl"')
            place.run("fourfold-server account role Carl admin")
            place.named["token"] = place.run("fourfold token play Hook").strip()
        case "server/OPERATING.md":
            four = place.run("fourfold demo --players 4 --delay 0 --seed 3").split()[1]  # "room ROOM URL"
            (place.clone / "more.pgn4").write_text(place.run(f"fourfold export {four}"))


def read(block: Block, folder: Path) -> None:
    """Parse a block in a language that is not run, as its program would."""
    match block.language:
        case "json":
            json.loads(block.text)
        case "yaml":
            yaml.safe_load(block.text)
        case "toml":
            tomllib.loads(block.text)
        case "ini":
            head = "" if block.text.startswith("[") else "[file]\n"
            configparser.ConfigParser(interpolation=None).read_string(head + block.text)
        case "js":
            (folder / "block.mjs").write_text(block.text)
            subprocess.run([*interpreter("js"), "--check", folder / "block.mjs"], check=True)
        case "caddyfile" | "nginx":
            assert block.text.count("{") == block.text.count("}")
            assert not [line for line in block.text.splitlines() if block.language == "nginx" and line[-1] not in "{};"]
        case language:
            assert language == "mermaid", f"{block} is in a language that is unknown here"


def is_program(block: Block) -> bool:
    """Whether a block is a whole program, which plays."""
    return block.language == "python" and "sys.argv" in block.text


def is_typed(block: Block) -> bool:
    """Whether a block without a language is typed into a shell. Otherwise it must be a known text."""
    if OURS.match(block.text):
        return True
    name = block.page.relative_to(ROOT).as_posix()
    assert name == "engine/TUTORIAL.md" or block.text.startswith(TEXTS[name]), f"{block} begins with nothing known"
    return False


async def try_block(place: Place, block: Block) -> None:
    """Carry out a block that is typed, or is a whole program. Read any other."""
    if is_program(block):
        (place.clone / "bot.py").write_text(block.text)  # as README.md says
        await play(place, f"python bot.py {place.url} ROOM")
    elif block.language == "python":
        pass  # the examples of a page are run together: see `try_page`
    elif block.language:
        read(block, place.home)
    elif is_typed(block):
        with ExitStack() as stack:
            for line in block.text.splitlines():
                await carry_out(place, block.page, line, stack)


async def try_page(place: Place, page: Path) -> list[str]:
    """Try the blocks of a page in order, and then its examples in Python as one program. What has failed."""
    url, failed = place.url, []
    for block in blocks(page):
        print(block)  # pytest shows it if the test fails
        try:
            await try_block(place, block)
        except Exception as error:  # noqa: BLE001 - the next block is tried all the same
            failed.append(f"{block}\n{type(error).__name__}: {error}")
        place.named["url"] = url
    examples = [block.text for block in blocks(page) if block.language == "python" and not is_program(block)]
    (place.clone / "page.py").write_text("\n".join(examples))
    try:
        await asyncio.to_thread(place.run, "python page.py")
    except AssertionError as error:
        failed.append(f"{page.relative_to(ROOT)}, its examples\n{error}")
    return failed


async def test_every_block_of_every_page(
    place: Place, redis_server: str, postgres: PostgresProcess, debian_url: str
) -> None:
    place.named |= {"store": debian_url, "database": postgres.database()}
    failed = await try_page(place, README)
    assert not failed, "\n\n".join(failed)
    variables = dict(place.variables)
    for page in ORDER[1:]:
        place.variables = dict(variables)
        await asyncio.to_thread(prepare, place, page)
        async with Connection(place.url, name="Ada") as ada:
            place.named["study"] = await ada.open_study(visibility="public")
        failed += await try_page(place, page)
    assert not failed, "\n\n".join(failed)


def test_what_is_left_to_others_stands_on_a_page() -> None:
    lines = [line for page in ORDER for block in blocks(page) for line in block.text.splitlines()]
    for pattern in ELSEWHERE:
        assert any(re.match(pattern, line) for line in lines), pattern
    for pattern in (*(pattern for pattern, _ in REPLACED), *SHORTENED):
        assert any(re.search(pattern, line.partition(" # ")[0].rstrip()) for line in lines), pattern
