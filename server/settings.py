"""Server settings: environment variables, overridden by flags."""

import argparse
import math
import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Any, Final, get_args, get_type_hints

from fourfold import __version__
from fourfold.server.archive.address import check_address
from fourfold.server.storage.redis_node import check_url

SHORTEST_SECRET: Final = 16
"""The fewest characters of a secret."""

MOST_WORKERS: Final = 256
"""The most workers of one server, and the most processes for computer players."""

ABSENCE: Final = 60
"""The default of `absence`, in seconds."""

DESERTED: Final = 300
"""The default of `deserted`, in seconds."""

_WORDS: Final = {**dict.fromkeys(("1", "yes", "true", "on"), True), **dict.fromkeys(("0", "no", "false", "off"), False)}

ARCHIVE_AFTER: Final = 600
"""The default of `archive_after`, in seconds."""

LEAST_MEMORY: Final = 16 * 2**20
"""The lowest memory limit of the embedded store, in bytes. An empty store uses 1 MiB."""

CONFIG: Final = "--config"
"""The flag that names a file with settings: see `config_file`."""


def expanded(text: str | Path) -> Path:
    """A path with `~` replaced by the user's home folder, if the user has one."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


DATA_DIR: Final = expanded("~/.local/share/fourfold")


@dataclass(frozen=True, slots=True)
class Setting:
    """The meaning of a setting, the parser of its text, and its flag if that differs from its name."""

    meaning: str
    parse: Callable[[str], Any] = str
    flag: str | None = None
    metavar: str = "N"
    switch: bool = False
    """Whether the flag alone means yes."""


def _number(meaning: str, most: float = math.inf, least: int = 0) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{meaning}, not {text!r}")
        return int(text)

    return parse


_port: Final = _number("a port is a number from 0 to 65535", 65535)
_count: Final = _number("this is a whole number, 0 or more")
_days: Final = _number("the days are a whole number from 0 to 36500", 36_500)
_bots: Final = _number(f"the number of processes for computer players is 0 to {MOST_WORKERS}", MOST_WORKERS)
_some: Final = _number(f"the number of workers is 1 to {MOST_WORKERS}, or auto", MOST_WORKERS, 1)


def _workers(text: str) -> int:
    if text.lower() == "auto":
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return _some(text)


_UNITS: Final = {"": 1, "k": 1000, "kb": 2**10, "m": 10**6, "mb": 2**20, "g": 10**9, "gb": 2**30}
"""Units of memory, as Redis writes them."""


def _memory(text: str) -> int:
    found = re.fullmatch(r"([0-9]+)([kmg]?b?)", text.lower())
    size = -1 if found is None or found[2] not in _UNITS else int(found[1]) * _UNITS[found[2]]
    if size != 0 and size < LEAST_MEMORY:
        raise argparse.ArgumentTypeError(f"write memory as 512mb or 4gb, at least 16mb, or 0, not {text!r}")
    return size


_PERIODS: Final = {"s": 1, "m": 60, "h": 60 * 60, "d": 24 * 60 * 60}

SHORTEST_PERIOD: Final = 60
"""The shortest period between backups, in seconds."""


def _period(text: str) -> int:
    found = re.fullmatch(r"([0-9]+)([smhd])", text.lower())
    seconds = 0 if found is None else int(found[1]) * _PERIODS[found[2]]
    if seconds < SHORTEST_PERIOD:
        raise argparse.ArgumentTypeError(f"a period is written 90m, 12h or 1d, at least 1m, not {text!r}")
    return seconds


def _folder(text: str) -> Path:
    path = expanded(text)
    if path.parts[:1] == Path(text).parts[:1] and text.startswith("~"):
        raise argparse.ArgumentTypeError(f"there is no home folder {path.parts[0]}, in {text!r}")
    return path.absolute()


def _origins(text: str) -> tuple[str, ...] | None:
    """Origins as browsers write them; None for no restriction."""
    origins = text.lower().replace(",", " ").split()
    for origin in origins:
        scheme, separator, host = origin.partition("://")
        if not (scheme and separator and host) or "/" in host:
            raise argparse.ArgumentTypeError(f"write an origin as https://chess.example.org, not {origin!r}")
    return tuple(origins) or None


_NETWORKS: Final = {"loopback": "127.0.0.0/8 ::1/128", "all": "0.0.0.0/0 ::/0", "off": ""}
"""Words for lists of networks."""


def networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """The networks of a word or of a list of addresses and networks. Raises `ValueError` for an invalid one."""
    return tuple(map(ip_network, _NETWORKS.get(text, text).replace(",", " ").split()))


def _readers(text: str) -> str:
    try:
        networks(text.lower())
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"this is loopback, all, off, or a list such as 10.0.0.7,192.168.0.0/16, not {text!r}: {error}"
        ) from error
    return text.lower()


def _address(check: Callable[[str], object], meaning: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        try:
            check(text)
        except ValueError as error:
            shown = "this" if "@" in text else repr(text)  # it may have a password
            raise argparse.ArgumentTypeError(f"{meaning}, not {shown}: {error}") from error
        return text

    return parse


_store: Final = _address(
    check_url, "write a store as redis://HOST:PORT/DATABASE, rediss://… or unix:///path/of/its.sock"
)
_database: Final = _address(
    check_address, "write a database as postgresql://USER:PASSWORD@HOST/DATABASE, or sqlite:///FILE"
)


def _issuer(text: str) -> str:
    if not re.fullmatch(r"https?://[^/?#\s]+[^?#\s]*", text):
        raise argparse.ArgumentTypeError(f"write an issuer as https://id.example.org, not {text!r}")
    return text


LONGEST_NAME: Final = 40
"""The most characters of a service's name."""


def _service(text: str) -> str:
    name = " ".join(text.split())
    if not name.isprintable() or not 0 < len(name) <= LONGEST_NAME:
        raise argparse.ArgumentTypeError(f"a service's name has 1 to {LONGEST_NAME} visible characters, not {text!r}")
    return name


def _secret(text: str) -> str:
    if len(text) < SHORTEST_SECRET:
        raise argparse.ArgumentTypeError(
            f"the secret needs at least {SHORTEST_SECRET} characters that nobody can guess, not {len(text)}"
        )
    return text


def _yes_or_no(text: str) -> bool:
    if (known := _WORDS.get(text.lower())) is None:
        raise argparse.ArgumentTypeError(f"this is yes or no, not {text!r}")
    return known


def _one_of(*words: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text.lower() not in words:
            raise argparse.ArgumentTypeError(f"this is one of {', '.join(words)}, not {text!r}")
        return text.lower()

    return parse


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings, with their defaults and meanings. The table in HOSTING.md lists the same settings.

    A setting's variable is its name in capitals.
    """

    host: Annotated[str, Setting("address to listen at; 0.0.0.0 for every network", metavar="HOST")] = "127.0.0.1"
    port: Annotated[int, Setting("port; 0 takes a free one", _port)] = 8080
    workers: Annotated[
        int,
        Setting(
            "processes that serve, behind this one port; auto: one for each processor core. With more than one, a "
            "supervisor restarts those that die",
            _workers,
        ),
    ] = 1
    redis_url: Annotated[
        str | None,
        Setting(
            "your own Redis or Valkey server: redis://, rediss:// or unix://; of a cluster, any one server. "
            "Unset: the embedded store",
            _store,
            flag="--redis",
            metavar="URL",
        ),
    ] = None
    unsafe_store: Annotated[
        bool,
        Setting(
            "serve although the store may lose acknowledged moves: it has no append-only file, does not sync "
            "each append to disk, or drops games when its memory is full",
            _yes_or_no,
            metavar="YES",
            switch=True,
        ),
    ] = False
    replicas: Annotated[
        int,
        Setting(
            "acknowledge only after this many replicas have synced to disk too; Redis 7.2 or newer, or Valkey",
            _count,
        ),
    ] = 0
    secret: Annotated[
        str | None,
        Setting(
            "signs players' tokens; the same on every server, at least 16 characters. Unset: one that the store "
            "keeps",
            _secret,
            metavar="SECRET",
        ),
    ] = None
    data_dir: Annotated[
        Path, Setting("folder of the embedded store's and the archive's files", _folder, flag="--data", metavar="DIR")
    ] = DATA_DIR
    store_memory: Annotated[
        int | None,
        Setting(
            "memory limit of the embedded store, such as 512mb or 4gb; 0: unlimited. Unset: half of the memory of the "
            "machine, or of the container. At nine tenths no new rooms are opened",
            _memory,
            metavar="SIZE",
        ),
    ] = None
    database_url: Annotated[
        str | None,
        Setting(
            "the archive of finished games: postgresql:// or sqlite:///, the same on every server. Unset: SQLite "
            "in the data folder",
            _database,
            flag="--database",
            metavar="URL",
        ),
    ] = None
    archive_after: Annotated[
        int,
        Setting(
            "quiet seconds after its end until a game moves from the store to the archive; 0: never, it stays in the "
            "store for RETENTION_DAYS",
            _count,
            metavar="SECONDS",
        ),
    ] = ARCHIVE_AFTER
    backup_every: Annotated[
        int | None,
        Setting(
            "how often one of the servers makes a backup, such as 12h or 1d. Unset: never", _period, metavar="PERIOD"
        ),
    ] = None
    backup_keep: Annotated[
        int,
        Setting("number of these backups to keep", _number("at least one backup stays", least=1)),
    ] = 7
    backup_dir: Annotated[
        Path | None,
        Setting("folder of these backups. Unset: backups in the data folder", _folder, metavar="DIR"),
    ] = None
    accounts: Annotated[
        str,
        Setting(
            "new accounts: open, for everybody; oidc, only by the OpenID provider; closed, none, existing ones "
            "work; off, no accounts, all players are guests",
            _one_of("open", "oidc", "closed", "off"),
            metavar="WHO",
        ),
    ] = "open"
    oidc_issuer: Annotated[
        str | None,
        Setting(
            "an OpenID provider that signs people in, such as https://id.example.org; it sends browsers back to "
            "/signed-in. Needs the extra oidc",
            _issuer,
            metavar="URL",
        ),
    ] = None
    oidc_client_id: Annotated[str | None, Setting("this service's identifier at the provider", metavar="ID")] = (
        None
    )
    oidc_client_secret: Annotated[
        str | None, Setting("the secret that the provider issued to this service", metavar="SECRET")
    ] = None
    admin: Annotated[str | None, Setting("a name that only an admin can take", metavar="NAME")] = None
    setup: Annotated[
        bool,
        Setting(
            "while there is no admin, print a link by which an account becomes one; and offer admins the setup at "
            "/admin",
            _yes_or_no,
            metavar="YES",
        ),
    ] = True
    service_name: Annotated[
        str, Setting("name of this service, at the top of its first page", _service, metavar="NAME")
    ] = "Fourfold"
    same_address_rated: Annotated[
        bool,
        Setting("also rate games of one address, for schools and clubs", _yes_or_no, metavar="YES", switch=True),
    ] = False
    allowed_origins: Annotated[
        tuple[str, ...] | None,
        Setting(
            "comma-separated origins whose pages may open a socket, such as https://chess.example.org. Unset: any",
            _origins,
            metavar="ORIGINS",
        ),
    ] = None
    watchers_only: Annotated[
        bool,
        Setting(
            "serve watchers of games that other servers on the same store play; change no room",
            _yes_or_no,
            metavar="YES",
            switch=True,
        ),
    ] = False
    retention_days: Annotated[
        int, Setting("days that finished games are kept; 0: for ever", _days, metavar="DAYS")
    ] = 0
    absence: Annotated[
        int,
        Setting(
            "seconds that a player must be away from a fast game before the others may vote to remove them or for "
            "a stand-in. Twice that in games of more than 10 minutes a side, five times that without a clock, never "
            "in games of more than an hour. Before the game begins: seconds until the seat is free again",
            _count,
            metavar="SECONDS",
        ),
    ] = ABSENCE
    deserted: Annotated[
        int,
        Setting(
            "seconds until an empty room whose game has not begun is closed; 0: never",
            _count,
            metavar="SECONDS",
        ),
    ] = DESERTED
    trust_proxy: Annotated[
        int,
        Setting(
            "number of your proxies before the server: it takes the client's address that many places from the end of "
            "X-Forwarded-For",
            _count,
        ),
    ] = 0
    max_connections: Annotated[int, Setting("connections from one address; 0: unlimited", _count)] = 200
    max_rooms: Annotated[int, Setting("rooms that one address opens in a minute; 0: unlimited", _count)] = 60
    max_open: Annotated[
        int, Setting("rooms of one address whose game has not begun; 0: unlimited", _count)
    ] = 20
    max_rooms_total: Annotated[
        int, Setting("rooms of a server whose game is not over; 0: unlimited", _count)
    ] = 20_000
    max_rate: Annotated[
        int,
        Setting(
            "requests a second from one connection, and twice as many from one address, after a burst of "
            "two seconds. Costly requests count as several. 0: unlimited",
            _count,
        ),
    ] = 200
    bots: Annotated[
        int,
        Setting("processes for the computer players of this server; 0: it runs none itself", _bots),
    ] = 1
    bots_key: Annotated[
        str | None,
        Setting(
            "key of hosts of computer players on other machines (`fourfold bots`). Unset: only the server's own",
            metavar="KEY",
        ),
    ] = None
    exhibition: Annotated[
        bool,
        Setting(
            "show a game of computer players on the first page, while somebody looks at it and no game of four is "
            "played",
            _yes_or_no,
            metavar="YES",
        ),
    ] = True
    idle_reviews: Annotated[
        bool,
        Setting(
            "review a finished game while a player of it looks at the result and nobody waits for another analysis",
            _yes_or_no,
            metavar="YES",
        ),
    ] = True
    review_ms: Annotated[
        int,
        Setting(
            "milliseconds of a review for each position of a game; at least 50",
            _number("a review takes 50 to 600000 milliseconds for a position", 600_000, 50),
            metavar="MS",
        ),
    ] = 1000
    analysis_engine: Annotated[
        str | None,
        Setting(
            "a UCI engine that analyses and reviews the variants it plays, instead of level 5: the name of a profile, "
            "such as stockfish, or a .toml file. Needs BOTS",
            metavar="PROFILE",
        ),
    ] = None
    engine_list: Annotated[
        Path | None,
        Setting(
            "folder of a rating list of engines, which `python -m fourfold.clients.bots.ratinglist` writes: shown at "
            "/engines. Unset: none",
            _folder,
            metavar="DIR",
        ),
    ] = None
    fair_play: Annotated[
        str,
        Setting(
            "the running games that nobody gets help with: address, those of the player and of all players from "
            "the same address within a day; account, the player's own alone, for schools and clubs whose "
            "players share an address",
            _one_of("address", "account"),
            metavar="WHOSE",
        ),
    ] = "address"
    metrics: Annotated[
        str,
        Setting(
            "who may read /metrics: loopback, all, off, or comma-separated addresses and networks. "
            "Behind a proxy, set TRUST_PROXY as well",
            _readers,
            metavar="WHO",
        ),
    ] = "loopback"
    log_level: Annotated[
        str,
        Setting(
            "debug, info, warning or error; the log goes to standard error",
            _one_of("debug", "info", "warning", "error"),
            metavar="LEVEL",
        ),
    ] = "info"
    log_format: Annotated[
        str | None,
        Setting(
            "console or json. Unset: console on a terminal, json elsewhere",
            _one_of("console", "json"),
            metavar="FORMAT",
        ),
    ] = None


def read(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings from flags and environment. Prints usage and exits with 2 on a bad one.

    What `--config` names is read before, and comes in the environment (see `config_file.beneath`).
    """
    parser = argparse.ArgumentParser(
        prog="fourfold-server",
        description="A real-time chess server for two and four players. Prints 'ready http://HOST:PORT' once it is.",
        epilog="Beside servers: fourfold-server backup, restore, verify, inspect, erase, audit, account, moderate, "
        "ratings, config, doctor, upgrade-check and systemd; each has a --help.",
    )
    parser.add_argument("--version", action="version", version=f"fourfold {__version__}")
    declare(parser, environment)
    parsed = vars(parser.parse_args(arguments))
    settings = Settings(**{name: parsed[name] for name in table()})
    told = settings.oidc_issuer, settings.oidc_client_id, settings.oidc_client_secret
    if None in told and (any(told) or settings.accounts == "oidc"):
        parser.error("OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together; ACCOUNTS=oidc needs all three")
    return settings


def declare(
    parser: argparse.ArgumentParser, environment: Mapping[str, str], only: Collection[str] | None = None
) -> None:
    """Add a flag for each setting, or only for those in `only`, and one for a file with settings."""
    parser.add_argument(CONFIG, metavar="FILE", help="a TOML file with settings, which variables and flags override")
    for name, (variable, setting, default) in table().items():
        if only is not None and name not in only:
            continue
        if name == "data_dir":
            default = data_dir(environment)
        known = variable if default in (None, False) else f"{variable}; {default}"
        bare: dict[str, Any] = {"nargs": "?", "const": True} if setting.switch else {}
        parser.add_argument(
            setting.flag or "--" + name.replace("_", "-"),
            dest=name,
            type=setting.parse,
            default=environment.get(variable) or default,
            metavar=setting.metavar,
            **bare,
            help=f"{setting.meaning} (env {known})".replace("%", "%%"),
        )


def data_dir(environment: Mapping[str, str]) -> Path:
    """The data folder, if no setting names one."""
    home = environment.get("XDG_DATA_HOME")  # the base directory for state that must survive
    return _folder(home) / "fourfold" if home else DATA_DIR


def table() -> dict[str, tuple[str, Setting, Any]]:
    """The variable, the meaning and the default of each setting."""
    hints = get_type_hints(Settings, include_extras=True)
    return {
        field.name: (field.name.upper(), get_args(hints[field.name])[1], field.default) for field in fields(Settings)
    }
