"""What the one who runs the server may set: by environment variable, and by flag over it."""

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from server.retention import DAY, USUAL, Retention


@dataclass(frozen=True, slots=True)
class Settings:
    """See the table in README.md. `redis_url` None means the embedded store in `data_dir`."""

    host: str
    port: int
    redis_url: str | None
    data_dir: Path
    allowed_origins: tuple[str, ...] | None
    log_level: str
    retention: Retention = USUAL


def read(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings from flags and environment. Prints usage and exits with 2 on a bad one."""
    parser = argparse.ArgumentParser(
        prog="fourfold-server",
        description="A real-time chess server for two and four players. Prints 'ready http://HOST:PORT' when it is.",
    )
    parser.add_argument(
        "--host",
        default=environment.get("HOST") or "127.0.0.1",
        help="address to listen at (env HOST; default 127.0.0.1; 0.0.0.0 for every network)",
    )
    parser.add_argument(
        "--port",
        type=_port,
        default=environment.get("PORT") or "8080",
        help="port; 0 takes a free one (env PORT; 8080)",
    )
    parser.add_argument(
        "--redis",
        metavar="URL",
        default=environment.get("REDIS_URL") or None,
        help="a Redis or Valkey server of yours: redis://, rediss:// or unix:// (env REDIS_URL; default: embedded)",
    )
    parser.add_argument(
        "--data",
        metavar="DIR",
        type=Path,
        default=environment.get("DATA_DIR") or _default_data_dir(environment),
        help="where the embedded store keeps its files (env DATA_DIR; default ~/.local/share/fourfold)",
    )
    parser.add_argument(
        "--retention-days",
        metavar="DAYS",
        type=_days,
        default=environment.get("RETENTION_DAYS") or "30",
        help="how long finished games can be replayed; 0 for ever (env RETENTION_DAYS; 30)",
    )
    parser.add_argument(
        "--log-level",
        choices=("debug", "info", "warning", "error"),
        type=str.lower,
        default=environment.get("LOG_LEVEL") or "info",
        help="how much to log, on standard error (env LOG_LEVEL; info)",
    )
    values = parser.parse_args(arguments)
    origins = environment.get("ALLOWED_ORIGINS", "")
    return Settings(
        host=values.host,
        port=values.port,
        redis_url=values.redis,
        data_dir=values.data.expanduser().absolute(),
        allowed_origins=tuple(origin.strip() for origin in origins.split(",") if origin.strip()) or None,
        log_level=values.log_level,
        retention=Retention(finished=values.retention_days * DAY or None),
    )


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError("a port is a number from 0 to 65535")
    return port


def _days(text: str) -> int:
    days = int(text)
    if not 0 <= days <= 36_500:
        raise argparse.ArgumentTypeError("the days are a whole number from 0 to 36500")
    return days


def _default_data_dir(environment: Mapping[str, str]) -> Path:
    """The XDG base directory for state that must survive."""
    home = environment.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(home) / "fourfold"
