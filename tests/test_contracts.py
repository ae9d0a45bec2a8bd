"""Each core module of the server has a test file of its name."""

from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).parent
SERVER: Final = TESTS.parent / "server"

CORE: Final = ("limits", "lobby", "replication", "rooms", "sessions", "storage", "studies", "transport")
"""The folders of the server whose modules each have a test file `tests/server/FOLDER/test_MODULE.py`."""

ELSEWHERE: Final = {
    "limits/refused": "server/sessions/test_session.py",
    "lobby/widening": "server/lobby/test_ranges.py",
    "replication/rejections": "server/replication/test_log_writer.py",
    "sessions/bots": "server/test_conversation.py",
    "sessions/identity": "server/test_conversation.py",
    "sessions/lobby": "server/lobby/test_matchmaking.py",
    "sessions/refusals": "server/sessions/test_positions.py",
    "sessions/seeking": "server/lobby/test_ranges.py",
    "storage/reminders": "server/storage/test_event_log.py",
    "storage/store": "server/lobby/test_neighbours.py",
    "storage/survey": "server/maintenance/test_doctor.py",
    "studies/catalogue": "server/sessions/test_studies.py",
    "studies/registry": "server/sessions/test_studies.py",
    "studies/room": "server/sessions/test_studies.py",
    "studies/sources": "server/sessions/test_studies.py",
    "studies/writer": "server/sessions/test_studies.py",
    "transport/gateway": "server/transport/test_http.py",
    "transport/qr": "server/transport/test_http.py",
    "transport/raster": "server/transport/test_pictures.py",
    "transport/static_files": "web/test_static_files.py",
}
"""Modules that are tested together with others, and the test file."""


def test_each_core_module_has_a_test_file_of_its_name() -> None:
    paths = [path for folder in CORE for path in (SERVER / folder).glob("*.py") if path.stem != "__init__"]
    files = {path: TESTS / "server" / path.parent.name / f"test_{path.name}" for path in paths}
    lacking = {f"{path.parent.name}/{path.stem}" for path, file in files.items() if not file.exists()}
    assert {path.parent.name for path in paths} == set(CORE), "the folders are there"
    assert lacking == set(ELSEWHERE), "each has a file of its name, or is listed here, and not both"
    assert [file for file in ELSEWHERE.values() if not (TESTS / file).exists()] == []
