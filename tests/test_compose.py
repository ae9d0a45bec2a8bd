"""`docker-compose.yml` says what Compose understands, and passes all settings to the server."""

import os
import re
import subprocess
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from fourfold.server.settings import Settings, read, table
from fourfold.server.storage.memory import default_limit

ROOT = Path(__file__).parents[1]
FILE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = FILE["services"]
KNOWN = {
    "build", "command", "depends_on", "environment", "healthcheck", "image", "ports", "profiles", "restart",
    "stop_grace_period", "volumes",
}  # fmt: skip
"""The keys of a service that are in use."""

FIXED = {"host": "0.0.0.0", "port": "8080", "data_dir": "/data"}
"""Settings that the image has."""


def test_it_has_three_services_of_known_keys() -> None:
    assert FILE.keys() == {"services", "volumes"}
    assert SERVICES.keys() == {"server", "redis", "caddy"}
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
    assert re.fullmatch(r"redis://redis:6379/\d", server["environment"]["REDIS_URL"])


def test_every_setting_is_passed_through() -> None:
    """But for those of the image, and of the store: unset ones are empty, which the server takes for its default."""
    passed = SERVICES["server"]["environment"]
    image = (ROOT / "server" / "Dockerfile").read_text()
    for name, (variable, _, default) in table().items():
        if name in FIXED:
            assert f"{variable}={FIXED[name]}" in image
        elif name not in ("redis_url", "store_memory"):
            assert passed.pop(variable) == f"${{{variable}:-{default if name == 'metrics' else ''}}}"
    assert passed.keys() == {"REDIS_URL"}
    assert read([], dict.fromkeys((field.name.upper() for field in fields(Settings)), "")) == Settings()


def test_caddy_has_tls_for_a_domain_and_is_started_only_if_asked_for() -> None:
    assert {name for name, service in SERVICES.items() if "profiles" in service} == {"caddy"}
    caddy = SERVICES["caddy"]
    assert caddy["profiles"] == ["tls"]
    assert caddy["command"] == ["caddy", "reverse-proxy", "--from", "${DOMAIN:-localhost}", "--to", "server:8080"]
    assert caddy["ports"] == ["80:80", "443:443"]


def test_the_page_has_a_file_of_settings_for_it() -> None:
    """Each name in the page's `.env` is one that the file reads, or Compose itself."""
    page = (ROOT / "server" / "HOSTING.md").read_text()
    names = re.findall(r"^(\w+)=", re.findall(r"```ini\n(DOMAIN=.*?)```", page, re.DOTALL)[0], re.MULTILINE)
    assert "COMPOSE_PROFILES" in names
    known = re.findall(r"\$\{(\w+):-", (ROOT / "docker-compose.yml").read_text())
    assert set(names) <= {*known, "COMPOSE_PROFILES"}


@pytest.mark.parametrize(("file", "extras"), [("requirements.txt", "server"), ("requirements-oidc.txt", "server,oidc")])
def test_the_image_pins_what_the_project_asks_for(file: str, extras: str) -> None:
    """The lock file has a version and hashes for each package, and the versions are among those of pyproject.toml."""
    assert f'"server/{file.removesuffix(".txt").removesuffix("-oidc")}' in (ROOT / "server" / "Dockerfile").read_text()
    pinned = {}
    for line in (ROOT / "server" / file).read_text().replace(" \\\n", " ").splitlines():
        if not line.startswith("#"):
            requirement, *hashes = line.split(" --hash=")
            assert hashes
            assert all(re.fullmatch("sha256:[0-9a-f]{64}", each.strip()) for each in hashes)
            parsed = Requirement(requirement)
            [version] = parsed.specifier
            assert version.operator == "=="
            pinned[canonicalize_name(parsed.name)] = version.version
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"]]
    for extra in ("terminal", *extras.split(",")):
        wanted += [text for text in project["optional-dependencies"][extra] if not text.startswith("fourfold")]
    for text in wanted:
        requirement = Requirement(text)
        assert requirement.specifier.contains(pinned[canonicalize_name(requirement.name)]), text


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
