"""`fourfold-server`: a maintenance command, or a server."""

import os
import sys
from typing import Final

from fourfold import extras

MAINTENANCE: Final = (
    "backup", "restore", "verify", "inspect", "erase", "audit", "account", "moderate", "ratings", "config",
    "doctor", "upgrade-check", "systemd",
)  # fmt: skip
"""The maintenance commands, which run beside servers."""


def main() -> None:
    """The console script. What only a server needs is loaded once it is clear that one starts."""
    try:
        extras.need("server", "fourfold-server")
    except extras.MissingExtra as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    name, *rest = sys.argv[1:] or [""]
    if name in MAINTENANCE:
        from fourfold.server.maintenance import command

        sys.exit(command.main(name, rest))
    from fourfold.server.config_file import BadConfig, Start, beneath, chosen, named
    from fourfold.server.settings import read

    given = sys.argv[1:]
    try:
        start, settings = Start(named(given), chosen(given, os.environ)), read(given, beneath(given, os.environ))
    except BadConfig as error:
        print(f"fourfold-server: error: {error}", file=sys.stderr)
        sys.exit(2)
    from fourfold.server import process

    process.begin(settings, start)


if __name__ == "__main__":
    main()
