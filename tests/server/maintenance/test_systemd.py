"""The unit that `fourfold-server systemd` prints: for the given flags, and with strict sandboxing."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.maintenance.conftest import status


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert status("systemd", *arguments) == 0
    return capsys.readouterr().out


def test_the_unit_starts_the_server_with_these_flags(capsys: pytest.CaptureFixture[str]) -> None:
    unit = printed(capsys, "--data", "/var/lib/four fold", "--port", "81", "--backup-every", "1d")
    flags = "--data '/var/lib/four fold' --port 81 --backup-every 1d"
    assert re.search(f"^ExecStart=.*/fourfold-server {flags}$", unit, re.MULTILINE)
    assert "\nReadWritePaths='/var/lib/four fold'\n" in unit and "\nUser=" in unit


def test_it_may_write_where_backups_and_the_archive_are(capsys: pytest.CaptureFixture[str]) -> None:
    elsewhere = "--backup-dir", "/mnt/b", "--database", "sqlite:////mnt/c/d.db"
    unit = printed(capsys, "--data", "/var/lib/a", "--backup-every", "1d", *elsewhere)
    assert "\nReadWritePaths=/var/lib/a /mnt/b /mnt/c\n" in unit
    unit = printed(capsys, "--data", "/var/lib/a", "--backup-every", "1d", "--backup-dir", "/var/lib/a/b")
    assert "\nReadWritePaths=/var/lib/a\n" in unit


def test_it_may_read_a_rating_list_in_a_home(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/opt/fourfold/bin/python")
    for folder, home in (("/home/ann/four", "read-only"), ("/srv/four", "yes")):
        unit = printed(capsys, "--data", "/var/lib/a", "--engine-list", folder)
        assert f"\nProtectHome={home}\n" in unit


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_it_is_closed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "fourfold.service"
    file.write_text(printed(capsys, "--data", str(tmp_path)))
    judge = ["systemd-analyze", "security", "--offline=yes", str(file)]
    judged = subprocess.run(judge, capture_output=True, text=True, check=True, timeout=240)
    level = re.search(r"Overall exposure level for fourfold.service: ([\d.]+)", judged.stdout)
    assert level is not None and float(level[1]) < 3.0
