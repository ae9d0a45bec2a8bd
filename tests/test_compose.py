"""`docker-compose.yml` is valid for Compose, and sets only variables that the server reads."""

import os
import re
import subprocess
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from fourfold.server.settings import Settings
from fourfold.server.storage.memory import default_limit

ROOT = Path(__file__).parents[1]
FILE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = FILE["services"]
KNOWN = {
    "build", "command", "depends_on", "environment", "healthcheck", "image", "ports", "restart", "stop_grace_period",
    "volumes",
}  # fmt: skip
"""The keys of a service that are in use."""


def test_it_has_two_services_of_known_keys() -> None:
    assert FILE.keys() == {"services", "volumes"}
    assert SERVICES.keys() == {"server", "redis"}
    for service in SERVICES.values():
        assert service.keys() <= KNOWN
        assert None not in service.values()


def test_each_volume_is_declared_and_used_at_the_folder_of_data() -> None:
    used = [volume.split(":") for service in SERVICES.values() for volume in service["volumes"]]
    assert {name for name, _ in used} == FILE["volumes"].keys()
    assert {folder for _, folder in used} == {"/data"}
    assert "DATA_DIR=/data" in (ROOT / "server" / "Dockerfile").read_text()


def test_the_server_waits_for_the_other_service_and_reads_what_is_set() -> None:
    server = SERVICES["server"]
    assert (ROOT / server["build"]["dockerfile"]).exists()
    assert server["depends_on"].keys() <= SERVICES.keys()
    environment = server["environment"]
    assert {name.lower() for name in environment} <= {field.name for field in fields(Settings)}
    assert re.fullmatch(r"redis://redis:6379/\d", environment["REDIS_URL"])


@pytest.mark.parametrize("wanted", ["", "2gb"])
def test_the_store_has_a_limit_and_drops_nothing(wanted: str, tmp_path: Path) -> None:
    """The command as a shell runs it; the image's own script is replaced by one that prints its arguments."""
    program = tmp_path / "docker-entrypoint.sh"
    program.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    program.chmod(0o755)
    service = SERVICES["redis"]
    command = [part.replace("$$", "$") for part in service["command"]]
    assert service["environment"] == {"STORE_MEMORY": "${STORE_MEMORY:-}"}
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "STORE_MEMORY": wanted}
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    program_name, *options = printed.splitlines()
    limit = wanted or str(default_limit())
    given = dict(zip(options[::2], options[1::2], strict=True))
    assert program_name == "redis-server"
    assert given == {
        "--appendonly": "yes", "--appendfsync": "always", "--save": "", "--maxmemory": limit,
        "--maxmemory-policy": "noeviction",
    }  # fmt: skip
