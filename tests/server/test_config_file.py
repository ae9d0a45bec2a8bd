"""Settings in a file: overridden by environment and flags, refused with a suggestion; and the template."""

import tomllib
from pathlib import Path

import pytest

from fourfold.server.config_file import BadConfig, beneath, load, template
from fourfold.server.maintenance import command
from fourfold.server.settings import Settings, read, table
from tests import forked
from tests.server.maintenance.conftest import status


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "fourfold.toml"


def test_flags_go_over_the_environment_and_that_over_the_file(file: Path) -> None:
    file.write_text('port = 1\nmax_rooms = 2\nmax_open = 3\nunsafe_store = true\nlog_level = "DEBUG"\n')
    arguments = ["--port", "9", "--config", str(file)]
    settings = read(arguments, beneath(arguments, {"MAX_ROOMS": "8"}))
    assert (settings.port, settings.max_rooms, settings.max_open) == (9, 8, 3)
    assert settings.unsafe_store and settings.log_level == "debug"


def test_a_list_is_written_as_a_list(file: Path) -> None:
    file.write_text('allowed_origins = ["https://a.example.org", "https://b.example.org"]\n')
    assert read([], load(file)).allowed_origins == ("https://a.example.org", "https://b.example.org")


def test_without_the_flag_the_environment_stays_as_it_is() -> None:
    assert beneath(["--port", "1"], {"PORT": "2"}) == {"PORT": "2"}


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("max_room = 1", r"there is no setting max_room. Call it max_rooms"),
        ("MAX_ROOMS = 1", r"there is no setting MAX_ROOMS. Call it max_rooms"),
        ("colour = 1", r"there is no setting colour; `fourfold-server config` prints all there are"),
        ("[server]\nport = 1", r"there is no setting server"),
        ("port = 1.5", r"port is a text, a whole number, true, false or a list of texts, not 1.5"),
        ("port = ", r"is not TOML: Invalid value"),
    ],
)
def test_a_mistake_is_named_with_the_cure(file: Path, text: str, cure: str) -> None:
    file.write_text(text)
    with pytest.raises(BadConfig, match=cure) as caught:
        load(file)
    assert str(file) in str(caught.value)


def test_a_file_that_is_none_is_named(tmp_path: Path) -> None:
    for missing in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(BadConfig, match="can't be read"):
            load(missing)


def test_the_template_has_every_setting_and_changes_none(file: Path) -> None:
    file.write_text(template())
    assert load(file) == {}
    bare = "\n".join(line.removeprefix("# ") for line in template().splitlines() if " = " in line)
    written = tomllib.loads(bare)
    assert list(written) == list(table())
    given = "\n".join(line for line in bare.splitlines() if not line.endswith('""'))
    file.write_text(given)
    assert read([], load(file)) == Settings()
    assert max(map(len, template().splitlines())) <= 120


def test_commands_beside_the_servers_read_it_too(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text('data_dir = "/no/such/folder"\n')
    assert status("audit", "--config", str(file)) == 2
    assert "There is no folder /no/such/folder" in capsys.readouterr().err
    file.write_text("port = ")
    assert command.main("audit", ["--config", str(file)], {}) == 2
    assert "is not TOML" in capsys.readouterr().err
    assert status("config") == 0
    assert capsys.readouterr().out == template()


def test_the_server_says_what_is_wrong_with_it(file: Path) -> None:
    file.write_text("prt = 1\n")
    ended = forked.run("--config", str(file))
    assert ended.returncode == 2
    assert ended.stderr == f"fourfold-server: error: {file}: there is no setting prt. Call it port, or remove it.\n"
