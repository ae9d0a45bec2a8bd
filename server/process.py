"""A server process: creates the parts of a server, starts them in order, and stops them in reverse order."""

import gc

_collects = gc.isenabled()
gc.disable()  # nearly all that modules make stays: a search for garbage costs a sixth of their loading

import asyncio
import os
import resource
import secrets
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from typing import Final

import structlog
from structlog.contextvars import bind_contextvars

from fourfold import __version__, network
from fourfold.server import composition, logs
from fourfold.server.bots.supervisor import keep_hosting
from fourfold.server.checks import BadSetting, check
from fourfold.server.clock import Ticks, ticks
from fourfold.server.config_file import Start
from fourfold.server.console import Console
from fourfold.server.health import gauges, readiness
from fourfold.server.limits.admission import Admission
from fourfold.server.maintenance.doctor import chosen, examine
from fourfold.server.maintenance.setup import SetupFile
from fourfold.server.metrics import Page, watch_lag
from fourfold.server.sessions.session import Session
from fourfold.server.settings import Settings
from fourfold.server.storage.embedded import StoreError
from fourfold.server.storage.event_log import LogUnavailable
from fourfold.server.supervision import end, supervise
from fourfold.server.transport import cutoff
from fourfold.server.transport.engine_list import EngineList
from fourfold.server.transport.gateway import Gateway
from fourfold.server.transport.http import HttpEndpoints, Readiness
from fourfold.server.transport.listeners import Listeners, bind
from fourfold.server.transport.pictures import Pictures
from fourfold.server.transport.raster import Rasteriser
from fourfold.server.transport.static_files import ENGINES, load
from fourfold.server.transport.turning_away import TurningAway
from fourfold.server.vitals import Vitals
from fourfold.server.workers.entrance import Entrance
from fourfold.server.workers.supervisor import Supervisor, WorkerFailed, command
from fourfold.server.workers.worker import Worker

if _collects:
    gc.enable()

SWITCH: Final = 0.0002
"""Python's switch interval, in seconds: how long a thread with long work (see `GameConverter`) may compute before the
event loop runs again. A move takes several turns of the event loop, and each would wait for Python's default, 5 ms."""

GARBAGE: Final = (5_000, 100, 40)
"""The thresholds of the garbage collector (see `gc.set_threshold`). Games are immutable values and leave almost no
cycles."""

Bind = Callable[[str, int], list[socket.socket]]
"""Returns sockets that are bound to a host and a port: see `listeners.bind`."""

STARTED: Final = Start()
"""How a server was started that has no configuration file and can't restart itself."""

_log = structlog.get_logger(__name__)


def name() -> str:
    """The server's name and version."""
    return f"fourfold {__version__}"


def _ignore(*_: object) -> None:
    """Do nothing: the default of optional callbacks."""


async def serve(
    settings: Settings,
    stop: asyncio.Event,
    announce: Callable[[str], None],
    at_once: asyncio.Event | None = None,
    worker: Worker | None = None,
    tell: Callable[[str, str], None] = _ignore,
    ticks: Ticks = ticks,
    start: Start = STARTED,
    bind: Bind = bind,
) -> None:
    """Run a server until `stop` is set. Once it accepts connections, it calls `announce` with its address. If there is
    no admin yet, it then calls `tell` with the address and a code. The account that enters the code becomes the first
    admin.

    At the end it drains, for a bounded time, or until `at_once` is set too. A `worker` does not listen: its supervisor
    passes connections to it. `ticks` carry the store's clock on between its answers. `start` says how it was
    started; `bind` makes the sockets that it listens at. Raises `StoreError`, `LogUnavailable` or `OSError` if it
    cannot start.
    """
    async with AsyncExitStack() as listening, AsyncExitStack() as stack:
        opened = stack.enter_async_context
        storage = await opened(composition.open_storage(settings, ticks))
        people = await opened(composition.open_people(settings, storage))
        lobby = composition.LobbyParts(settings, storage, people)
        holds = _ignore if worker is None else worker.holds
        games = await opened(composition.open_games(settings, storage, people, lobby, holds))
        await opened(lobby.open(games.rooms))
        await opened(composition.open_interventions(settings, storage, games))
        log, metrics, rooms = storage.log, storage.metrics, games.rooms

        async def ready() -> Readiness:
            return await readiness(storage, games, leaving=stop.is_set())

        backups = composition.backups_of(settings, storage)
        vitals = Vitals(metrics, log.now, lambda: len(gateway), rooms.census, worker)
        given = os.environ, start.files
        console = Console(
            vitals,
            lambda: examine(settings, *given, ready),
            lambda: [*chosen(settings, *given)],
            backups,
            SetupFile(settings, os.environ, start) if settings.setup and start.restart is not None else None,
            settings.service_name,
        )
        admission = Admission(settings, log.now, people.moderation.turned_away)
        engines = None if settings.engine_list is None else EngineList(settings.engine_list)
        pages = load(frozenset() if engines is None else frozenset({ENGINES}))
        shared = composition.services(name(), pages.build, settings, storage, people, lobby, games, admission, console)
        if backups is not None:
            backups.start()
            stack.push_async_callback(backups.close)
        page = Page(
            metrics,
            lambda: len(gateway),
            rooms.census,
            lambda: len(asyncio.all_tasks()),
            lambda: log.errors,
            gauges(settings, storage, rooms, backups),
        )
        stack.push_async_callback(end, [supervise("lag", lambda: watch_lag(metrics))])
        take_over = _ignore if settings.watchers_only else rooms.start
        if worker is not None:
            await worker.open(page.text, take_over, stop.set)
            stack.push_async_callback(worker.close)
        rasteriser = Rasteriser()
        stack.push_async_callback(rasteriser.close)
        gateway = Gateway(
            HttpEndpoints(
                ready,
                page.whole if worker is None else worker.pages,
                pages,
                Pictures(rooms, games.studies, admission, people.moderation.enter, shared.long_work, rasteriser),
                admission,
                settings.allowed_origins or (),
                engines,
            ),
            admission,
            metrics,
            lambda socket, codec: Session(socket, codec, shared),
        )
        if worker is None:
            address = network.address_of(*await gateway.open(bind(settings.host, settings.port)))
            take_over()
        else:
            gateway.take_from(worker.accept(gateway.make))
            address = f"worker {worker.number}"
        (listening if worker is None else stack).push_async_callback(gateway.close)  # clients get an answer until then
        vitals.start()
        stack.push_async_callback(vitals.close)
        _log.info("ready", address=address, server=name(), store="embedded" if settings.redis_url is None else "redis")
        announce(address)
        storage.archive.open()
        if not settings.watchers_only:
            storage.witness.open()
            if settings.accounts != "off":
                people.first_admin.open(partial(tell, public(settings, address)) if settings.setup else _ignore)
        if games.hand_over is not None:
            games.hand_over.open()

        def cut_off() -> None:
            gateway.send_away(elsewhere=log.servers > 1)

        watching = supervise("cut-off", lambda: cutoff.watch(lambda: log.heard, cut_off, gateway.take_in))
        stack.push_async_callback(end, [watching])
        if settings.bots and not settings.watchers_only and worker is None:  # else the supervisor hosts them
            key, engine = lobby.bots_key, settings.analysis_engine
            hosting = supervise("bot host", lambda: keep_hosting(address, key, settings.bots, stop, engine))
            stack.push_async_callback(end, [hosting])
        await stop.wait()
        _log.info("draining", connections=len(gateway))
        await gateway.drain(games.settled, at_once or asyncio.Event())
    _log.info("stopped")


async def supervise_workers(
    settings: Settings,
    stop: asyncio.Event,
    announce: Callable[[str], None],
    at_once: asyncio.Event,
    reload: asyncio.Event,
    bind: Bind,
) -> None:
    """Run several workers on one store and one port until `stop` is set: see `serve`.

    Whenever `reload` is set, the workers are replaced. Raises `WorkerFailed` too.
    """  # fmt: skip
    async with AsyncExitStack() as listening, AsyncExitStack() as stack:
        url = await composition.store_url(settings, stack)
        bots_key = settings.bots_key or secrets.token_urlsafe(18)
        turning_away = TurningAway(stop.is_set)
        shared = os.environ | {"REDIS_URL": url, "BOTS_KEY": bots_key}
        supervisor = Supervisor(settings.workers, command(), turning_away.take, shared)
        entrance = Entrance(bind(settings.host, settings.port), supervisor.route)
        listening.push_async_callback(turning_away.close)
        listening.callback(entrance.close)
        stack.push_async_callback(supervisor.stop, at_once)
        await supervisor.start()
        entrance.open()
        supervisor.begin()
        address = network.address_of(*entrance.address)
        _log.info("ready", address=address, server=name(), workers=settings.workers)
        announce(address)
        loop = asyncio.get_running_loop()

        def toggle() -> None:
            _toggle(settings.log_level)
            supervisor.signal(signal.SIGUSR1)

        loop.add_signal_handler(signal.SIGUSR1, toggle)
        supervisor.admin_code.add_done_callback(lambda code: _tell_code(public(settings, address), code.result()))
        reloading = supervise("reload", lambda: supervisor.reload_whenever(reload))
        stack.push_async_callback(end, [reloading])
        if settings.bots and not settings.watchers_only:
            engine = settings.analysis_engine
            hosting = supervise("bot host", lambda: keep_hosting(address, bots_key, settings.bots, stop, engine))
            stack.push_async_callback(end, [hosting])
        await stop.wait()
        _log.info("draining", workers=settings.workers)
        await supervisor.stop(at_once)
    _log.info("stopped")


def begin(settings: Settings, start: Start) -> None:
    """Run a server in this process until a signal stops it. If the settings are unsafe or contradict each other, print
    why and exit with status 2. If the server can't start, print why and exit with status 1."""
    worker = Worker.inherited()
    logs.configure(settings.log_level, settings.log_format)
    _allow_files()
    if worker is None:
        try:
            check(settings)
        except BadSetting as error:
            print(f"fourfold-server: error: {error}", file=sys.stderr)
            sys.exit(2)
    try:
        listeners = Listeners.inherited()
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            again = runner.run(run(settings, worker, start, listeners.bind))
            if not again:
                listeners.close()
    except (StoreError, LogUnavailable, WorkerFailed, OSError) as error:
        sys.exit(f"fourfold-server: {error}")
    if again:
        listeners.leave()
        os.execv(sys.executable, command())  # the process stays the same for its supervisor


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop, if it is installed."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def _allow_files() -> None:
    """Raise the limit of open files, and so of sockets, to the system's maximum."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


async def run(
    settings: Settings, worker: Worker | None = None, start: Start = STARTED, bind: Bind = bind
) -> bool:
    """Serve until SIGTERM or SIGINT; a second of these ends the drain at once. The rest is as in `serve`. Returns
    whether the server should start again.

    SIGHUP replaces the workers. Without workers, and in a worker, it drains the server, unless it is ignored. SIGUSR1
    sets the level of the log to debug; once more, to the one before. SIGUSR2 drains the server, which then starts again
    with the settings that it has then.
    """
    again = False
    stop, at_once, reload = asyncio.Event(), asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def asked() -> None:
        if stop.is_set():
            at_once.set()
        stop.set()

    def asked_again() -> None:
        nonlocal again
        again = True
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, asked)
    if worker is None:
        loop.add_signal_handler(signal.SIGUSR2, asked_again)
    server = os.getpid() if worker is None else os.getppid()
    start = start._replace(restart=lambda: os.kill(server, signal.SIGUSR2))
    loop.add_signal_handler(signal.SIGUSR1, _toggle, settings.log_level)
    gc.collect()
    gc.freeze()  # the modules loaded so far stay until the end
    gc.set_threshold(*GARBAGE)
    sys.setswitchinterval(SWITCH)
    several = worker is None and settings.workers > 1
    if several or signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as under nohup
        # it may come twice, so it does not hurry
        loop.add_signal_handler(signal.SIGHUP, (reload if several else stop).set)
    if worker is not None:
        bind_contextvars(worker=worker.number)
        tell = partial(_pass_on, worker)
        await serve(settings, stop, lambda _: worker.ready(), at_once, worker, tell, start=start)
    elif several:
        await supervise_workers(settings, stop, _announce, at_once, reload, bind)
    else:
        await serve(settings, stop, _announce, at_once, tell=_tell_code, start=start, bind=bind)
    return again


def _toggle(usual: str) -> None:
    """Set the log level to debug. If it is debug, set it back to the usual level."""
    logs.change_level(usual if logs.level() == "debug" else "debug")


def _announce(url: str) -> None:
    print(f"ready {url}", flush=True)
    if sys.stdout.isatty():
        print(network.reach(url), flush=True)


def public(settings: Settings, address: str) -> str:
    """The address at which people open the pages of a server that listens at an address."""
    return settings.allowed_origins[0] if settings.allowed_origins else address


def _pass_on(worker: Worker, _url: str, code: str) -> None:
    worker.tell_code(code)


def _tell_code(url: str, code: str) -> None:
    try:
        print(f"admin {url}/#admin={code}", flush=True)
    except BrokenPipeError:
        _log.warning("nobody reads the link for the first admin; `fourfold-server account role` appoints one too")
