"""The systemd unit that `fourfold-server systemd` prints: for this machine, this user and these settings."""

import getpass
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from fourfold.server.settings import Settings

STOPPING: Final = 45
"""Seconds that systemd gives the server to drain and to stop its store. A drain takes 20 at most."""

FORM: Final = """\
# Save this as /etc/systemd/system/fourfold.service. Then:
#   install -d -m 700 -o {user} {made}
#   systemctl enable --now fourfold
[Unit]
Description=Fourfold, a chess server for two and four players
After=network-online.target
Wants=network-online.target

[Service]
Type=exec
User={user}
ExecStart={command}
ExecReload=/bin/kill -HUP $MAINPID
KillMode=mixed
TimeoutStopSec={stopping}
Restart=always
LimitNOFILE=65536
UMask=0077
ReadWritePaths={folders}

# What the server does not need, it can't use.
AmbientCapabilities=
CapabilityBoundingSet=
LockPersonality=yes
NoNewPrivileges=yes
PrivateDevices=yes
PrivateTmp=yes
ProcSubset=pid
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome={home}
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
RemoveIPC=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
"""


def unit(settings: Settings, folders: Sequence[Path], arguments: Sequence[str]) -> str:
    """The unit for a server with these arguments, which may write only into these folders."""
    program = Path(sys.executable).with_name("fourfold-server")
    command = shlex.join([str(program), *arguments])
    read = [program, *folders, *([] if settings.engine_list is None else [settings.engine_list])]
    inside = any(Path("/home") in path.parents or Path.home() in path.parents for path in read)
    return FORM.format(
        user=getpass.getuser(),
        command=command.replace("%", "%%"),
        stopping=STOPPING,
        folders=" ".join(shlex.quote(str(folder)).replace("%", "%%") for folder in folders),
        made=shlex.join(map(str, folders)),
        home="read-only" if inside else "yes",
    )
