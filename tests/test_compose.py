"""`docker-compose.yml` says what Compose understands, and sets only what the server reads."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import yaml

from fourfold.server.settings import Settings

ROOT = Path(__file__).parents[1]
FILE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = FILE["services"]
KNOWN = {
    "build", "command", "depends_on", "environment", "healthcheck", "image", "ports", "restart", "stop_grace_period",
    "volumes",
}  # fmt: skip
"""Of the keys that a service may have, those in use."""


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
