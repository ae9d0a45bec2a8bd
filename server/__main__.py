"""`fourfold-server`: creates the parts of a server, starts them in order, and stops them in reverse order."""

import sys

from fourfold import __version__, extras, network

try:
    extras.need("server", "fourfold-server")
except extras.MissingExtra as error:
    print(error, file=sys.stderr)
    sys.exit(2)

import asyncio
import gc
import os
import resource
import secrets
import signal
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Final

import structlog
from structlog.contextvars import bind_contextvars

from fourfold.server import logs
from fourfold.server.archive.archive import Archive
from fourfold.server.archive.witness import Witness
from fourfold.server.bots import dispatch
from fourfold.server.bots.analysts import Analysts
from fourfold.server.bots.dispatch import BotDispatch
from fourfold.server.bots.reviews import Reviews
from fourfold.server.bots.supervisor import keep_hosting
from fourfold.server.checks import BadSetting, check
from fourfold.server.clock import DAY, Ticks, monotonic, ticks
from fourfold.server.config_file import BadConfig, Start, beneath, named
from fourfold.server.config_file import chosen as set_up
from fourfold.server.console import Console
from fourfold.server.limits.admission import Admission
from fourfold.server.lobby.challenges import Challenges
from fourfold.server.lobby.exhibition import Exhibition
from fourfold.server.lobby.leavers import Leavers
from fourfold.server.lobby.listing_store import ListingStore
from fourfold.server.lobby.lobby import Lobby
from fourfold.server.lobby.matchmaking import Matchmaking
from fourfold.server.lobby.neighbours import Neighbours
from fourfold.server.lobby.online import Online
from fourfold.server.lobby.player_rooms import PlayerRooms
from fourfold.server.lobby.seating import Seating
from fourfold.server.lobby.strengths import Strengths
from fourfold.server.maintenance.backups import Backups, folder_of, make, variables
from fourfold.server.maintenance.doctor import chosen, examine
from fourfold.server.maintenance.setup import SetupFile
from fourfold.server.metrics import Gauge, Metrics, Page, watch_lag
from fourfold.server.players.accounts import Accounts
from fourfold.server.players.first_admin import FirstAdmin
from fourfold.server.players.identity import key_of
from fourfold.server.players.moderation import Moderation
from fourfold.server.players.oidc import Provider
from fourfold.server.players.orders import InForce
from fourfold.server.rooms.export import GameConverter
from fourfold.server.rooms.filing import Filing
from fourfold.server.rooms.hand_over import HandOver
from fourfold.server.rooms.interventions import Interventions
from fourfold.server.rooms.registry import RoomRegistry
from fourfold.server.rooms.retention import Retention
from fourfold.server.rooms.room import Room
from fourfold.server.rooms.room_limits import RoomLimits
from fourfold.server.rooms.vacancy import AwayLimits
from fourfold.server.rooms.watched import WatchedRoom
from fourfold.server.sessions.chat import Chat
from fourfold.server.sessions.passwords import PasswordVault
from fourfold.server.sessions.session import Services, Session
from fourfold.server.settings import Settings, read
from fourfold.server.storage.disk import Disk
from fourfold.server.storage.embedded import EmbeddedStore, StoreError
from fourfold.server.storage.event_log import LogUnavailable
from fourfold.server.storage.memory import default_limit
from fourfold.server.storage.redis_log import ARCHIVE, RedisLog
from fourfold.server.studies.catalogue import Catalogue
from fourfold.server.studies.registry import StudyRegistry
from fourfold.server.studies.writer import GUEST
from fourfold.server.supervision import end, supervise
from fourfold.server.transport import cutoff
from fourfold.server.transport.gateway import Gateway
from fourfold.server.transport.http import HttpEndpoints, Readiness
from fourfold.server.transport.pictures import Pictures
from fourfold.server.transport.raster import Rasteriser
from fourfold.server.transport.static_files import load
from fourfold.server.transport.turning_away import TurningAway
from fourfold.server.vitals import Vitals
from fourfold.server.workers.entrance import Entrance
from fourfold.server.workers.supervisor import Supervisor, WorkerFailed, command
from fourfold.server.workers.worker import Worker
from fourfold.server.yielding_lock import YieldingLock

PATIENCE: Final = 2.0
"""Seconds for which `/readyz` waits for the store."""

MAINTENANCE: Final = (
    "backup", "restore", "verify", "inspect", "erase", "audit", "account", "moderate", "ratings", "config",
    "doctor", "upgrade-check", "systemd",
)  # fmt: skip
"""The maintenance commands, which run beside servers."""

SWITCH: Final = 0.0002
"""Seconds for which a thread with long work (see `GameConverter`) computes before the event loop gets its turn. A move
takes several turns; Python's own value is 5 ms for each."""

GARBAGE: Final = (50_000, 20, 20)
"""The thresholds of the garbage collector (see `gc.set_threshold`). Games are immutable values and leave almost no
cycles."""

STARTED: Final = Start()
"""The start of a server without files, which can't restart itself."""

_log = structlog.get_logger(logs.OURS)  # because the name of this module is __main__


def name() -> str:
    """The server's name and version."""
    return f"fourfold {__version__}"


def _ignore(*_: object) -> None:
    """Does nothing: the default listener or step."""


async def serve(
    settings: Settings,
    stop: asyncio.Event,
    announce: Callable[[str], None],
    at_once: asyncio.Event | None = None,
    worker: Worker | None = None,
    tell: Callable[[str, str], None] = _ignore,
    ticks: Ticks = ticks,
    start: Start = STARTED,
) -> None:
    """Run a server until `stop` is set. `announce` is called with its address once it accepts connections. Then, while
    there is no admin, `tell` is called with the address and the code that makes an account the first admin.

    At the end it drains, for a bounded time, or until `at_once` is set too. A `worker` does not listen: its supervisor
    passes connections to it. `ticks` carry the store's clock on between its answers. `start` says how it was
    started. Raises `StoreError`, `LogUnavailable` or `OSError` if it cannot start.
    """
    async with AsyncExitStack() as listening, AsyncExitStack() as stack:
        url = await _store(settings, stack)
        # as a worker, this server knows the embedded store only by its address
        disk = Disk(settings.data_dir) if EmbeddedStore(settings.data_dir, "").url == url else None
        log = await RedisLog.open(
            url, unsafe=settings.unsafe_store, replicas=settings.replicas, disk=disk, ticks=ticks
        )
        stack.push_async_callback(log.close)
        secret = await log.secret() if settings.secret is None else key_of(settings.secret)
        listings = ListingStore(log)
        lobby = Lobby(listings, log, log.now)
        metrics = Metrics()
        archive = Archive(settings.database_url, settings.data_dir, partial(log.agree, ARCHIVE), metrics)
        stack.push_async_callback(archive.close)
        witness = Witness(archive, log, log.now, metrics)
        if not settings.watchers_only:
            log.witness = witness
            stack.push_async_callback(witness.close)
        in_force, provider = InForce(log.now), await _provider(settings, log)
        accounts = Accounts(
            settings.accounts, secret, log, archive, log.now, provider, in_force.unwanted, settings.admin
        )
        moderation = Moderation(in_force, log, archive, log.now, accounts)
        for part in (accounts, moderation):
            await part.open()
            stack.push_async_callback(part.close)
        if disk is not None:
            disk.tell = moderation.tell
        first_admin = FirstAdmin(settings.admin, log, archive, log.now)
        stack.push_async_callback(first_admin.close)
        strengths = Strengths(archive, log.now, accounts.identities.roll.has)
        has_account = accounts.identities.roll.has
        seating = Seating(secret, has_account, same_address=settings.same_address_rated)
        matchmaking = Matchmaking(listings, strengths, seating, log.now)
        bots_key = settings.bots_key or dispatch.key_of(secret)
        bots = BotDispatch(log, accounts.identities, bots_key)
        exhibition = Exhibition(lobby, bots, log, log.now)
        player_rooms, online = PlayerRooms(log), Online(log, accounts.identities.roll.has)
        by_address = settings.fair_play == "address"
        neighbours = Neighbours(log, player_rooms.of, seating.digest, log.now, kept=by_address)
        challenges = Challenges(log, log.now, seating, online.send)
        leavers = Leavers(archive, log, log.now)
        stack.push_async_callback(leavers.close)
        all_notices = (
            lobby.notice, matchmaking.notice, bots.notice, exhibition.notice, player_rooms.notice, online.notice
        )  # fmt: skip
        notices = (lobby.notice, online.notice) if settings.watchers_only else all_notices
        log.archive = archive.left
        after, kept = settings.archive_after * 1000, settings.retention_days * DAY or None
        after = 0 if settings.watchers_only else after
        hand_over = HandOver(archive, log, log.now, after, kept, metrics) if after else None
        filing = Filing(archive, log)
        stack.push_async_callback(filing.close)
        departed = (leavers.departed, filing.departed) if after else (leavers.departed,)
        retention, away_limits = Retention.of(settings), AwayLimits.of(settings)
        holds = _ignore if worker is None else worker.holds
        make_room = WatchedRoom if settings.watchers_only else Room
        rooms = RoomRegistry(
            log,
            log.now,
            secret,
            retention,
            notices,
            metrics,
            away_limits,
            holds,
            hand_over,
            make_room,
            (online.notice,),
            departed,
        )
        keeps = lambda owner: None if accounts.identities.roll.knows(owner) else GUEST  # noqa: E731 - it is one rule
        catalogue = Catalogue(log, log.now, keeps)
        studies = StudyRegistry(
            log, log.now, secret, metrics, catalogue.changed, keeps, watchers_only=settings.watchers_only
        )
        rooms.tell(studies)
        catalogue.open()
        stack.push_async_callback(catalogue.close)
        stack.push_async_callback(studies.close)
        take_over = _ignore if settings.watchers_only else rooms.start
        stack.push_async_callback(rooms.close)
        await lobby.open(rooms.find, rooms.take_moved)
        stack.push_async_callback(lobby.close)
        player_rooms.open()
        stack.push_async_callback(player_rooms.close)
        neighbours.open()
        stack.push_async_callback(neighbours.close)
        matchmaking.open(rooms)
        stack.push_async_callback(matchmaking.close)
        await bots.open(rooms)
        stack.push_async_callback(bots.close)
        if settings.exhibition and not settings.watchers_only:
            await exhibition.open(rooms)
            stack.push_async_callback(exhibition.close)
        if not settings.watchers_only:
            interventions = Interventions(log, rooms)
            await interventions.open()
            stack.push_async_callback(interventions.close)
        analysts = Analysts(log, secrets.token_hex(8))
        await analysts.open()
        stack.push_async_callback(analysts.close)
        await online.open()
        stack.push_async_callback(online.close)
        await challenges.open(rooms)
        stack.push_async_callback(challenges.close)
        copying = None if settings.watchers_only else _backups(settings, url, log, disk)
        vitals = Vitals(metrics, log.now, lambda: len(gateway), rooms.census)
        given = os.environ, start.files
        console = Console(
            vitals,
            lambda: examine(settings, *given, ready),
            lambda: [*chosen(settings, *given)],
            copying,
            SetupFile(settings, os.environ, start) if settings.setup and start.restart is not None else None,
            settings.service_name,
        )
        admission = Admission(settings, log.now, moderation.turned_away)
        pages = load()
        services = Services(
            name(),
            pages.build,
            rooms,
            accounts,
            PasswordVault(log.now),
            GameConverter(),
            Chat(log.now),
            lobby,
            player_rooms,
            neighbours,
            archive,
            matchmaking,
            seating,
            online,
            challenges,
            moderation,
            first_admin,
            leavers,
            strengths,
            bots,
            analysts,
            Reviews(analysts, archive, settings.review_ms),
            studies,
            catalogue,
            admission,
            RoomLimits(settings, admission, rooms, log.now),
            metrics,
            console,
            log.now,
            YieldingLock(),
        )

        async def ready() -> Readiness:
            why = "the server is going away" if stop.is_set() else await _why_not(log)
            doubted = rooms.doubted + studies.doubted
            if doubted:
                why = why or f"the store has lost data; {doubted} rooms are still to be compared with it"
            warnings = (
                f"{log.crowded}: no new rooms" if log.crowded else None,
                "the archive does not answer: finished games wait in the store" if archive.away else None,
                witness.warning,
            )
            return Readiness(why, "; ".join(filter(None, warnings)) or None)

        if copying is not None:
            copying.start()
            stack.push_async_callback(copying.close)
        tasks, gauges = (lambda: len(asyncio.all_tasks())), [
            *_gauges(log, rooms), *_disk_gauges(disk), *_backup_gauges(settings, copying)
        ]  # fmt: skip
        page = Page(metrics, lambda: len(gateway), rooms.census, tasks, lambda: log.errors, gauges)
        stack.push_async_callback(end, [supervise("lag", lambda: watch_lag(metrics))])
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
                Pictures(rooms, studies, admission, moderation.enter, services.long_work, rasteriser),
                admission,
                settings.allowed_origins or (),
            ),
            admission,
            metrics,
            lambda socket, codec: Session(socket, codec, services),
        )
        if worker is None:
            address = network.address_of(*await gateway.open(settings.host, settings.port))
            take_over()
        else:
            gateway.take_from(worker.accept(gateway.make))
            address = f"worker {worker.number}"
        (listening if worker is None else stack).push_async_callback(gateway.close)  # clients get an answer until then
        vitals.start()
        stack.push_async_callback(vitals.close)
        _log.info("ready", address=address, server=name(), store="embedded" if settings.redis_url is None else "redis")
        announce(address)
        archive.open()
        if not settings.watchers_only:
            witness.open()
            if settings.accounts != "off":
                first_admin.open(partial(tell, address) if settings.setup else _ignore)
        if hand_over is not None:
            hand_over.open()

        def cut_off() -> None:
            gateway.send_away(elsewhere=log.accompanied)

        watching = supervise("cut-off", lambda: cutoff.watch(lambda: log.heard, cut_off, gateway.take_in))
        stack.push_async_callback(end, [watching])
        if settings.bots and not settings.watchers_only and worker is None:  # else the supervisor hosts them
            engine = settings.analysis_engine
            hosting = supervise("bot host", lambda: keep_hosting(address, bots_key, settings.bots, stop, engine))
            stack.push_async_callback(end, [hosting])
        await stop.wait()
        _log.info("draining", connections=len(gateway))

        async def settled() -> None:
            await asyncio.gather(rooms.settled(), studies.settled())

        await gateway.drain(settled, at_once or asyncio.Event())
    _log.info("stopped")


def _gauges(log: RedisLog, rooms: RoomRegistry) -> tuple[Gauge, ...]:
    """The gauges of the store and the rooms, read when the metrics are requested."""

    def silence() -> float | None:
        return None if rooms.looked is None else monotonic() - rooms.looked

    return (
        Gauge("fourfold_store_up", "Whether the store answers and takes writes.", lambda: log.up),
        Gauge("fourfold_store_memory_bytes", "The memory that the store uses.", lambda: log.memory[0]),
        Gauge("fourfold_store_fullness", "The store's fullness, from 0 to 1 (0: no limit).", lambda: log.memory[1]),
        Gauge("fourfold_nodes", "Live servers that share the store.", lambda: log.servers),
        Gauge("fourfold_takeover_seconds", "Seconds since the last search for games of dead servers.", silence),
        Gauge("fourfold_archive_overdue", "Rooms held here that should have been archived by now.", rooms.overdue),
        Gauge("fourfold_archive_waiting", "Rooms known here that wait to be archived.", rooms.waiting),
    )


def _disk_gauges(disk: Disk | None) -> Sequence[Gauge]:
    if disk is None:
        return ()
    return (
        Gauge("fourfold_disk_free_bytes", "Free space on the disk of the embedded store.", lambda: disk.free),
        Gauge("fourfold_disk_low_bytes", "Free space below which no rooms are opened.", lambda: disk.limits.low),
        Gauge("fourfold_disk_full_bytes", "Free space below which no moves are taken.", lambda: disk.limits.full),
    )


async def _provider(settings: Settings, log: RedisLog) -> Provider | None:
    """The OpenID provider for sign-ins, if there is one. Raises `StoreError` if it can't be used."""
    issuer, client, secret = settings.oidc_issuer, settings.oidc_client_id, settings.oidc_client_secret
    if issuer is None or client is None or secret is None:
        return None
    try:
        await asyncio.to_thread(extras.need, "oidc", "OIDC_ISSUER")
    except extras.MissingExtra as error:
        raise StoreError(str(error)) from error
    return Provider(issuer, client, secret, log)


def _backups(settings: Settings, url: str, log: RedisLog, disk: Disk | None) -> Backups:
    """The automatic backups of the store at a URL."""
    folder, environment = folder_of(settings), variables(settings, url)
    every = None if settings.backup_every is None else settings.backup_every * 1000

    async def making(file: Path) -> str | None:
        if disk is not None and disk.low and disk.holds(folder):
            return "the disk is nearly full"  # a backup might take the space that games need
        return await make(file, environment)

    return Backups(log, log.now, folder, every, settings.backup_keep, making)


def _backup_gauges(settings: Settings, backups: Backups | None) -> Sequence[Gauge]:
    if backups is None or settings.backup_every is None:
        return ()
    return (
        Gauge("fourfold_backup_age_seconds", "Seconds since the last good backup was started.", lambda: backups.age),
        Gauge("fourfold_backup_every_seconds", "The setting BACKUP_EVERY, in seconds.", lambda: settings.backup_every),
    )


async def _store(settings: Settings, stack: AsyncExitStack) -> str:
    """The URL of the store; the embedded one runs until the stack unwinds. Raises `StoreError`."""
    if settings.redis_url is not None:
        return settings.redis_url
    if settings.replicas:
        raise StoreError("REPLICAS needs your own store (REDIS_URL): the embedded one has no replicas")
    memory = default_limit() if settings.store_memory is None else settings.store_memory
    store = await EmbeddedStore.start(settings.data_dir, memory)
    stack.push_async_callback(store.stop)
    return store.url


async def _why_not(log: RedisLog) -> str | None:
    """Why the store is not ready; None if it is."""
    probe = asyncio.create_task(log.why_not())
    # marks the exception as retrieved, even if it is late
    probe.add_done_callback(lambda probe: probe.cancelled() or probe.exception())
    try:
        return await asyncio.wait_for(asyncio.shield(probe), PATIENCE)
    except TimeoutError:
        return f"the store has not answered for {PATIENCE:.0f} s"


async def supervise_workers(
    settings: Settings,
    stop: asyncio.Event,
    announce: Callable[[str], None],
    at_once: asyncio.Event,
    reload: asyncio.Event,
) -> None:
    """Run several workers on one store and one port until `stop` is set: see `serve`.

    Whenever `reload` is set, the workers are replaced. Raises `WorkerFailed` too.
    """  # fmt: skip
    async with AsyncExitStack() as listening, AsyncExitStack() as stack:
        url = await _store(settings, stack)
        bots_key = settings.bots_key or secrets.token_urlsafe(18)
        turning_away = TurningAway(stop.is_set)
        shared = os.environ | {"REDIS_URL": url, "BOTS_KEY": bots_key}
        supervisor = Supervisor(settings.workers, command(), turning_away.take, shared)
        entrance = Entrance(settings.host, settings.port, supervisor.route)
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
        supervisor.admin_code.add_done_callback(lambda code: _tell_code(address, code.result()))
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


def main() -> None:
    """The console script: a maintenance command, or a server."""
    if sys.argv[1:] and sys.argv[1] in MAINTENANCE:
        from fourfold.server.maintenance import command as maintenance  # a server need not load it

        sys.exit(maintenance.main(sys.argv[1], sys.argv[2:]))
    try:
        start = Start(named(sys.argv[1:]), set_up(sys.argv[1:], os.environ))
        settings = read(sys.argv[1:], beneath(sys.argv[1:], os.environ))
    except BadConfig as error:
        print(f"fourfold-server: error: {error}", file=sys.stderr)
        sys.exit(2)
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
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            again = runner.run(run(settings, worker, start))
    except (StoreError, LogUnavailable, WorkerFailed, OSError) as error:
        sys.exit(f"fourfold-server: {error}")
    if again:
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


async def run(settings: Settings, worker: Worker | None = None, start: Start = STARTED) -> bool:
    """Serve until SIGTERM or SIGINT; a second of these ends the drain at once. `start` is as in `serve`. Returns
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
        await supervise_workers(settings, stop, _announce, at_once, reload)
    else:
        await serve(settings, stop, _announce, at_once, tell=_tell_code, start=start)
    return again


def _toggle(usual: str) -> None:
    """Change the level of the log to debug, or back to the usual one."""
    logs.change_level(usual if logs.level() == "debug" else "debug")


def _announce(url: str) -> None:
    print(f"ready {url}", flush=True)
    if sys.stdout.isatty():
        print(network.reach(url), flush=True)


def _pass_on(worker: Worker, _url: str, code: str) -> None:
    worker.tell_code(code)


def _tell_code(url: str, code: str) -> None:
    try:
        print(f"admin {url}/#admin={code}", flush=True)
    except BrokenPipeError:
        _log.warning("nobody reads the link for the first admin; `fourfold-server account role` appoints one too")


if __name__ == "__main__":
    main()
