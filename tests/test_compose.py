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

from fourfold.server.maintenance.systemd import STOPPING
from fourfold.server.settings import Settings, read, table
from fourfold.server.storage.memory import default_limit
from fourfold.server.workers import supervisor

ROOT = Path(__file__).parents[1]
FILE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = FILE["services"]
KNOWN = {
    "build", "cap_drop", "command", "depends_on", "environment", "healthcheck", "image", "networks", "ports",
    "profiles", "read_only", "restart", "scale", "security_opt", "stop_grace_period", "tmpfs", "volumes",
}  # fmt: skip
"""The keys of a service that are in use."""

MONITORING = ROOT / "server" / "monitoring"

FIXED = {"host": "0.0.0.0", "port": "8080", "data_dir": "/data"}
"""Settings that the image has."""


PROFILES = {
    "caddy": ["caddy", "tls"], "postgres": ["postgres"], "prometheus": ["metrics"], "grafana": ["metrics"]
}  # fmt: skip
"""The services that start only if asked for."""

FOLDERS = {
    "archive": "/data", "certificates": "/data", "redis-data": "/data", "postgres-data": "/var/lib/postgresql/data",
    "prometheus-data": "/prometheus", "grafana-data": "/var/lib/grafana",
}  # fmt: skip
"""The folder of each volume, where its image keeps its data."""


def mounted() -> list[tuple[str, list[str]]]:
    """Each mount: its service, and its parts."""
    return [(name, mount.split(":")) for name, service in SERVICES.items() for mount in service.get("volumes", ())]


def test_it_has_services_of_known_keys() -> None:
    assert FILE.keys() == {"services", "networks", "volumes"}
    assert SERVICES.keys() == {"server", "redis", *PROFILES}
    for service in SERVICES.values():
        assert service.keys() <= KNOWN
        assert None not in service.values()
    assert {name: service["profiles"] for name, service in SERVICES.items() if "profiles" in service} == PROFILES


def test_each_volume_is_declared_and_used_at_the_folder_of_data() -> None:
    used = {parts[0]: parts[1] for _, parts in mounted() if not parts[0].startswith(".")}
    assert used == FOLDERS and used.keys() == FILE["volumes"].keys()
    assert "DATA_DIR=/data" in (ROOT / "server" / "Dockerfile").read_text()


def test_each_file_that_is_mounted_exists_and_is_only_read() -> None:
    files = [(name, parts) for name, parts in mounted() if parts[0].startswith(".")]
    assert {name for name, _ in files} == {"prometheus", "grafana"}
    for _, (source, _, mode) in files:
        assert (ROOT / source).is_file() and mode == "ro", source


def test_the_server_can_write_to_its_volume_alone() -> None:
    server = SERVICES["server"]
    assert server["read_only"] and server["tmpfs"] == ["/tmp"]
    assert (server["cap_drop"], server["security_opt"]) == (["ALL"], ["no-new-privileges:true"])


def test_the_server_has_the_time_to_drain() -> None:
    """As much as under systemd: workers end one after the other, and then the store."""
    assert SERVICES["server"]["stop_grace_period"] == f"{STOPPING}s"
    assert STOPPING > supervisor.DRAIN + supervisor.END + supervisor.HURRY
    assert f"--stop-timeout {STOPPING}" in (ROOT / "server" / "HOSTING.md").read_text()


def test_prometheus_scrapes_the_server_by_the_only_network_that_may_read_its_metrics() -> None:
    network = FILE["networks"]["metrics"]
    (subnet,) = [config["subnet"] for config in network["ipam"]["config"]]
    readers = SERVICES["server"]["environment"]["METRICS"].removeprefix("${METRICS:-").removesuffix("}")
    assert network["internal"] and readers == f"127.0.0.0/8,{subnet}"
    assert read([], {"METRICS": readers}).metrics == readers
    assert {name for name, one in SERVICES.items() if "metrics" in one.get("networks", ())} == {
        "server", "prometheus", "grafana"
    }  # fmt: skip
    prometheus = yaml.safe_load((MONITORING / "prometheus.yml").read_text())
    (job,) = prometheus["scrape_configs"]
    assert (job["job_name"], job["static_configs"]) == ("fourfold", [{"targets": ["server:8080"]}])
    assert 'job="fourfold"' in (ROOT / "server" / "alerts.yml").read_text()
    targets = {target for _, (_, target, *_) in mounted()}
    assert set(prometheus["rule_files"]) <= targets


def test_grafana_finds_the_dashboard_and_prometheus() -> None:
    (source,) = yaml.safe_load((MONITORING / "datasource.yml").read_text())["datasources"]
    assert (source["type"], source["url"]) == ("prometheus", "http://prometheus:9090")
    (provider,) = yaml.safe_load((MONITORING / "dashboards.yml").read_text())["providers"]
    boards = [parts for name, parts in mounted() if name == "grafana" and parts[0] == "./server/grafana.json"]
    assert [target for _, target, _ in boards] == [f"{provider['options']['path']}/fourfold.json"]
    assert SERVICES["grafana"]["ports"] == ["127.0.0.1:3000:3000"]


def test_promtool_accepts_the_configuration(promtool: str, tmp_path: Path) -> None:
    """With the alert rules where its container has them."""
    text, rules = (MONITORING / "prometheus.yml").read_text(), ROOT / "server" / "alerts.yml"
    file = tmp_path / "prometheus.yml"
    file.write_text(text.replace("/etc/prometheus/alerts.yml", str(rules)))
    done = subprocess.run([promtool, "check", "config", str(file)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_server_waits_for_the_other_service_and_reads_what_is_set() -> None:
    server = SERVICES["server"]
    assert (ROOT / server["build"]["dockerfile"]).exists()
    assert server["depends_on"].keys() <= SERVICES.keys()
    optional = {name for name, how in server["depends_on"].items() if not how.get("required", True)}
    assert optional == server["depends_on"].keys() & PROFILES.keys()
    assert re.fullmatch(r"\$\{REDIS_URL-redis://redis:6379/\d\}", server["environment"]["REDIS_URL"])
    assert SERVICES["redis"]["scale"] == "${REDIS_SCALE:-1}"  # with 0, Compose does not wait for it


def test_every_setting_is_passed_through() -> None:
    """But for those of the image. Unset ones are empty, which the server takes for its default. Only an unset URL of
    the store is that of the Redis beside it."""
    passed = SERVICES["server"]["environment"]
    image = (ROOT / "server" / "Dockerfile").read_text()
    for name, (variable, _, _) in table().items():
        if name in FIXED:
            assert f"{variable}={FIXED[name]}" in image
        elif name not in ("redis_url", "metrics"):
            assert passed.pop(variable) == f"${{{variable}:-}}"
    assert passed.keys() == {"REDIS_URL", "METRICS"}
    assert read([], dict.fromkeys((field.name.upper() for field in fields(Settings)), "")) == Settings()


def test_caddy_has_tls_for_a_domain() -> None:
    caddy = SERVICES["caddy"]
    assert caddy["command"] == ["caddy", "reverse-proxy", "--from", "${DOMAIN:-localhost}", "--to", "server:8080"]
    assert caddy["ports"] == ["80:80", "443:443"]


def test_the_page_has_a_file_of_settings_for_it() -> None:
    """Each name in the page's `.env` is one that the file reads, or Compose itself. It starts all profiles."""
    page = (ROOT / "server" / "HOSTING.md").read_text()
    values = dict(re.findall(r"^(\w+)=(.*)", re.findall(r"```ini\n(DOMAIN=.*?)```", page, re.DOTALL)[0], re.MULTILINE))
    assert set(values.pop("COMPOSE_PROFILES").split(",")) == {profiles[0] for profiles in PROFILES.values()}
    known = re.findall(r"\$\{(\w+):?-", (ROOT / "docker-compose.yml").read_text())
    assert values.keys() <= {*known}
    assert values["DATABASE_URL"] == "postgresql://fourfold:${POSTGRES_PASSWORD}@postgres/fourfold"


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
