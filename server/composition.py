"""The parts of a server in groups, each made of the groups before it.

A group is open within its context. Its parts are opened in order, and closed in reverse order.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from fourfold import extras
from fourfold.server.archive.archive import Archive
from fourfold.server.archive.witness import Witness
from fourfold.server.bots import dispatch
from fourfold.server.bots.analysts import Analysts
from fourfold.server.bots.dispatch import BotDispatch
from fourfold.server.bots.reviews import Reviews
from fourfold.server.clock import DAY, Ticks
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
from fourfold.server.lobby.widening import Widening
from fourfold.server.maintenance.backups import Backups, folder_of, make, variables
from fourfold.server.metrics import Metrics
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
from fourfold.server.rooms.room import Notice, Room
from fourfold.server.rooms.room_limits import RoomLimits
from fourfold.server.rooms.vacancy import AwayLimits
from fourfold.server.rooms.watched import WatchedRoom
from fourfold.server.sessions.chat import Chat
from fourfold.server.sessions.passwords import PasswordVault
from fourfold.server.sessions.session import Services
from fourfold.server.settings import Settings
from fourfold.server.storage.disk import Disk
from fourfold.server.storage.embedded import EmbeddedStore, StoreError
from fourfold.server.storage.event_log import Callbacks
from fourfold.server.storage.memory import default_limit
from fourfold.server.storage.redis_log import ARCHIVE, RedisLog
from fourfold.server.studies.catalogue import Catalogue
from fourfold.server.studies.registry import StudyRegistry
from fourfold.server.studies.writer import GUEST
from fourfold.server.yielding_lock import YieldingLock


@dataclass(frozen=True, slots=True)
class Storage:
    """The store with its logs, and the archive. `secret` is known to all servers of the store. `disk` is that of the
    embedded store."""

    url: str
    disk: Disk | None
    log: RedisLog
    secret: bytes
    metrics: Metrics
    archive: Archive
    witness: Witness


@asynccontextmanager
async def open_storage(settings: Settings, ticks: Ticks) -> AsyncIterator[Storage]:
    """`ticks` carry the store's clock on between its answers. Raises `StoreError`, `LogUnavailable`."""
    async with AsyncExitStack() as stack:
        url = await store_url(settings, stack)
        # as a worker, this server knows the embedded store only by its address
        disk = Disk(settings.data_dir) if EmbeddedStore(settings.data_dir, "").url == url else None
        log = await RedisLog.open(url, unsafe=settings.unsafe_store, replicas=settings.replicas, disk=disk, ticks=ticks)
        stack.push_async_callback(log.close)
        secret = await log.secret() if settings.secret is None else key_of(settings.secret)
        metrics = Metrics()
        archive = Archive(settings.database_url, settings.data_dir, partial(log.agree, ARCHIVE), metrics)
        stack.push_async_callback(archive.close)
        log.archive = archive.left
        witness = Witness(archive, log, log.now, metrics)
        if not settings.watchers_only:
            log.witness = witness
            stack.push_async_callback(witness.close)
        yield Storage(url, disk, log, secret, metrics, archive, witness)


async def store_url(settings: Settings, stack: AsyncExitStack) -> str:
    """The URL of the store; the embedded one runs until the stack unwinds. Raises `StoreError`."""
    if settings.redis_url is not None:
        return settings.redis_url
    if settings.replicas:
        raise StoreError("REPLICAS needs your own store (REDIS_URL): the embedded one has no replicas")
    memory = default_limit() if settings.store_memory is None else settings.store_memory
    store = await EmbeddedStore.start(settings.data_dir, memory)
    stack.push_async_callback(store.stop)
    return store.url


@dataclass(frozen=True, slots=True)
class People:
    """Accounts, and the moderators' orders about players."""

    accounts: Accounts
    moderation: Moderation
    first_admin: FirstAdmin

    def has_account(self, player: str) -> bool:
        """Whether a player has an account."""
        return self.accounts.identities.roll.has(player)


@asynccontextmanager
async def open_people(settings: Settings, storage: Storage) -> AsyncIterator[People]:
    """Raises `StoreError`, `LogUnavailable`."""
    log, archive = storage.log, storage.archive
    async with AsyncExitStack() as stack:
        in_force, provider = InForce(log.now), await _provider(settings, log)
        accounts = Accounts(
            settings.accounts, storage.secret, log, archive, log.now, provider, in_force.unwanted, settings.admin
        )
        moderation = Moderation(in_force, log, archive, log.now, accounts)
        for part in (accounts, moderation):
            await part.open()
            stack.push_async_callback(part.close)
        if storage.disk is not None:
            storage.disk.tell = moderation.tell
        first_admin = FirstAdmin(settings.admin, log, archive, log.now)
        stack.push_async_callback(first_admin.close)
        yield People(accounts, moderation, first_admin)


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


class LobbyParts:
    """Where players and bots find each other: the lobby, seeks, challenges. It gets the notices of the rooms, so it is
    made before them, and opened after them."""

    def __init__(self, settings: Settings, storage: Storage, people: People) -> None:
        log, has_account = storage.log, people.has_account
        listings = ListingStore(log)
        self.lobby = Lobby(listings, log, log.now)
        self.strengths = Strengths(storage.archive, log.now, has_account)
        self.seating = Seating(storage.secret, has_account, same_address=settings.same_address_rated)
        self.matchmaking = Matchmaking(listings, self.strengths, self.seating, log.now)
        self.widening = Widening(self.matchmaking, listings)
        self.bots_key = settings.bots_key or dispatch.key_of(storage.secret)
        self.bots = BotDispatch(log, people.accounts.identities, self.bots_key)
        self.analysts = Analysts(log, secrets.token_hex(8))
        self.player_rooms = PlayerRooms(log)
        self.online = Online(log, has_account)
        log.watch(Callbacks(lost=self.online.lose, back=self.online.missed))
        by_address = settings.fair_play == "address"
        self.neighbours = Neighbours(log, self.player_rooms.of, self.seating.digest, log.now, kept=by_address)
        self.challenges = Challenges(log, log.now, self.seating, self.online.send)
        self._exhibition = Exhibition(self.lobby, self.bots, log, log.now)
        self._plays = not settings.watchers_only
        self._exhibits = settings.exhibition and self._plays

    @property
    def notices(self) -> Sequence[Notice]:
        """Those that hear of the changes that this server makes."""
        shown = (self.lobby.notice, self.online.notice)
        playing = (self.matchmaking.notice, self.bots.notice, self._exhibition.notice, self.player_rooms.notice)
        return (*shown, *playing) if self._plays else shown

    @asynccontextmanager
    async def open(self, rooms: RoomRegistry) -> AsyncIterator[None]:
        """Raises `LogUnavailable`."""
        async with AsyncExitStack() as stack:
            await self.lobby.open(rooms.find, rooms.take_moved)
            stack.push_async_callback(self.lobby.close)
            self.player_rooms.open()
            stack.push_async_callback(self.player_rooms.close)
            self.neighbours.open()
            stack.push_async_callback(self.neighbours.close)
            self.matchmaking.open(rooms)
            stack.push_async_callback(self.matchmaking.close)
            self.widening.open()
            stack.push_async_callback(self.widening.close)
            await self.bots.open(rooms)
            stack.push_async_callback(self.bots.close)
            if self._exhibits:
                await self._exhibition.open(rooms)
                stack.push_async_callback(self._exhibition.close)
            await self.analysts.open()
            stack.push_async_callback(self.analysts.close)
            await self.online.open()
            stack.push_async_callback(self.online.close)
            await self.challenges.open(rooms)
            stack.push_async_callback(self.challenges.close)
            yield


@dataclass(frozen=True, slots=True)
class Games:
    """Rooms and studies, and the way of a game into the archive."""

    rooms: RoomRegistry
    studies: StudyRegistry
    catalogue: Catalogue
    leavers: Leavers
    hand_over: HandOver | None

    @property
    def doubted(self) -> int:
        """How many rooms and studies have not been compared with the log since the store lost data."""
        return self.rooms.doubted + self.studies.doubted

    async def settled(self) -> None:
        """Wait until all submitted commands have been answered."""
        await asyncio.gather(self.rooms.settled(), self.studies.settled())


@asynccontextmanager
async def open_games(
    settings: Settings, storage: Storage, people: People, lobby: LobbyParts, holds: Callable[[str, bool], None]
) -> AsyncIterator[Games]:
    """`holds` is called when this server starts or stops holding a room."""
    log, archive, metrics, watching = storage.log, storage.archive, storage.metrics, settings.watchers_only
    async with AsyncExitStack() as stack:
        leavers = Leavers(archive, log, log.now)
        stack.push_async_callback(leavers.close)
        after, kept = settings.archive_after * 1000, settings.retention_days * DAY or None
        hand_over = HandOver(archive, log, log.now, after, kept, metrics) if after and not watching else None
        filing = Filing(archive, log)
        stack.push_async_callback(filing.close)
        rooms = RoomRegistry(
            log,
            log.now,
            storage.secret,
            Retention.of(settings),
            lobby.notices,
            metrics,
            AwayLimits.of(settings),
            holds,
            hand_over,
            WatchedRoom if watching else Room,
            (lobby.online.notice,),
            (leavers.departed,) if hand_over is None else (leavers.departed, filing.departed),
        )

        def keeps(owner: str) -> int | None:
            """For how many milliseconds a player's idle studies are kept; None for ever."""
            return None if people.accounts.identities.roll.knows(owner) else GUEST

        catalogue = Catalogue(log, log.now, keeps)
        studies = StudyRegistry(log, log.now, storage.secret, metrics, catalogue.changed, keeps, watchers_only=watching)
        catalogue.open()
        stack.push_async_callback(catalogue.close)
        stack.push_async_callback(studies.close)
        stack.push_async_callback(rooms.close)
        yield Games(rooms, studies, catalogue, leavers, hand_over)


@asynccontextmanager
async def open_interventions(settings: Settings, storage: Storage, games: Games) -> AsyncIterator[None]:
    """Carries out operators' commands on rooms, if games are played here. Raises `LogUnavailable`."""
    interventions = Interventions(storage.log, games.rooms)
    async with AsyncExitStack() as stack:
        if not settings.watchers_only:
            await interventions.open()
            stack.push_async_callback(interventions.close)
        yield


def services(
    name: str,
    build: str,
    settings: Settings,
    storage: Storage,
    people: People,
    lobby: LobbyParts,
    games: Games,
    admission: Admission,
    console: Console,
) -> Services:
    """What the sessions share. `name` is the server's, and `build` the version of the browser client's files."""
    now = storage.log.now
    return Services(
        name=name,
        build=build,
        rooms=games.rooms,
        accounts=people.accounts,
        passwords=PasswordVault(now),
        converter=GameConverter(),
        chat=Chat(now),
        lobby=lobby.lobby,
        player_rooms=lobby.player_rooms,
        neighbours=lobby.neighbours,
        archive=storage.archive,
        matchmaking=lobby.matchmaking,
        widening=lobby.widening,
        seating=lobby.seating,
        online=lobby.online,
        challenges=lobby.challenges,
        moderation=people.moderation,
        first_admin=people.first_admin,
        leavers=games.leavers,
        strengths=lobby.strengths,
        bots=lobby.bots,
        analysts=lobby.analysts,
        reviews=Reviews(lobby.analysts, storage.archive, settings.review_ms, settings.idle_reviews),
        studies=games.studies,
        catalogue=games.catalogue,
        admission=admission,
        room_limits=RoomLimits(settings, admission, games.rooms, now),
        metrics=storage.metrics,
        console=console,
        clock=now,
        long_work=YieldingLock(),
    )


def backups_of(settings: Settings, storage: Storage) -> Backups | None:
    """The automatic backups of the store; None on a server for watchers."""
    if settings.watchers_only:
        return None
    folder, environment, disk = folder_of(settings), variables(settings, storage.url), storage.disk
    every = None if settings.backup_every is None else settings.backup_every * 1000

    async def making(file: Path) -> str | None:
        if disk is not None and disk.low and disk.holds(folder):
            return "the disk is nearly full"  # a backup might take the space that games need
        return await make(file, environment)

    return Backups(storage.log, storage.log.now, folder, every, settings.backup_keep, making)
