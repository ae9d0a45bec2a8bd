"""The command line of `fourfold play`, and the tokens it keeps."""

from pathlib import Path

import pytest

from fourfold.clients.__main__ import main
from fourfold.clients.terminal.tokens import StoredToken, folder, names


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["abc", "--local"], "a ROOM is on a server"),
        (["abc", "--players", "4"], "leave out the ROOM"),
        (["ftp://somewhere/r/abc"], "is not a server address"),
        (["--local", "--players", "2", "--variant", "ffa"], "ffa is for 4 players, not 2"),
        (["--local", "--bots", "9"], "levels 1 to 5, not '9'"),
        (["--local", "--bots", "red=1"], "There is no seat 'red' in standard"),
        (["--local", "--clock", "soon"], "'soon' is not a variant"),
        (["--local", "--variant", "checkers"], "There is no variant 'checkers'"),
    ],
)
def test_a_command_line_that_cannot_be(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["play", *arguments])
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "usage"),
    [
        (["play", "abc", "--local"], "usage: fourfold play "),
        (["demo", "--players", "4", "--variant", "standard"], "usage: fourfold demo "),
        (["uci", "abc"], "usage: fourfold uci "),
    ],
)
def test_what_is_found_wrong_late_is_said_with_the_usage_of_its_command(
    arguments: list[str], usage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith(usage)


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("fourfold")


def test_help_says_where_seats_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["play", "--help"])
    assert "$XDG_STATE_HOME/fourfold/tokens" in capsys.readouterr().out


def test_where_tokens_are_kept() -> None:
    assert folder({"XDG_STATE_HOME": "/state"}) == Path("/state/fourfold/tokens")
    assert folder({}) == Path.home() / ".local/state/fourfold/tokens"


def test_a_token_is_kept_for_its_server_and_name(tmp_path: Path) -> None:
    here, there = "http://127.0.0.1:8080", "http://chess.example.org"
    with StoredToken(tmp_path / "tokens", here, None) as token:
        assert token.text is None
        token.keep("me.signed")
    with StoredToken(tmp_path / "tokens", here, None) as token:
        assert token.text == "me.signed"
    for url, name in ((there, None), (here, "Ada")):
        with StoredToken(tmp_path / "tokens", url, name) as token:
            assert token.text is None
    for path in (tmp_path / "tokens").iterdir():
        assert path.stat().st_mode & 0o077 == 0, "nobody else may read it"


def test_the_names_of_which_tokens_are_kept(tmp_path: Path) -> None:
    here = "http://127.0.0.1:8080"
    assert names(tmp_path / "none", here) == []
    for url, name in ((here, "Bo B."), (here, "Ada"), (here, None), ("http://elsewhere", "Cy")):
        with StoredToken(tmp_path, url, name) as token:
            token.keep("signed")
    with StoredToken(tmp_path, here, "Di"):
        assert names(tmp_path, here) == ["Ada", "Bo B."]


def test_two_programs_at_once_are_two_players(tmp_path: Path) -> None:
    url = "http://127.0.0.1:8080"
    with StoredToken(tmp_path, url, None) as one, StoredToken(tmp_path, url, None) as other:
        one.keep("one")
        assert other.text is None
        other.keep("other")
    with StoredToken(tmp_path, url, None) as one:
        assert one.text == "one"
        one.keep(None)
    with StoredToken(tmp_path, url, None) as one:
        assert one.text is None


def test_where_nothing_can_be_kept_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with StoredToken(tmp_path / "file" / "tokens", "http://127.0.0.1:8080", None) as token:
        assert token.trouble is not None and "cannot be kept" in token.trouble
        token.keep("me")
