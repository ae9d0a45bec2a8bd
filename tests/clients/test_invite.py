"""What `fourfold invite` shows: the link, the QR code, the code of the table."""

from io import StringIO

import numpy as np
import pytest
import segno

from fourfold import network
from fourfold.clients import invite
from fourfold.clients.__main__ import main
from fourfold.clients.terminal.text.ink import Ink

LINK = "http://192.168.1.20:8080/r/abc"
OWN = "http://127.0.0.1:8080/r/abc"


def shown(link: str | None) -> str:
    out = StringIO()
    invite.show(out, Ink(), link, OWN)
    return out.getvalue()


def test_a_friend_gets_the_link_and_the_code() -> None:
    text = shown(LINK)
    assert f"    {LINK}\n" in text
    assert f"fourfold play {LINK}" in text
    assert "The code of the table is abc." in text
    assert "127.0.0.1" not in text


def test_where_only_this_machine_connects_the_cure_is_named() -> None:
    text = shown(None)
    assert f"    {OWN}\n" in text
    assert "--host 0.0.0.0" in text


def test_the_qr_code_is_that_of_the_link() -> None:
    """Each character is two modules: full blocks are light."""
    rows = invite.qr(LINK).splitlines()
    modules = [[dark for mark in row for dark in [(mark in " ▄") if upper else (mark in " ▀")]]
               for row in rows for upper in (True, False)]  # fmt: skip
    wanted = np.array([list(row) for row in segno.make_qr(LINK, error="l").matrix_iter(border=2)], dtype=bool)
    assert (np.array(modules)[: len(wanted)] == wanted).all()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--players", "2", "--variant", "ffa"], "ffa is for 4 players, not 2"),
        (["--clock", "soon"], "'soon' is not a time control"),
        (["--variant", "checkers"], "There is no variant 'checkers'"),
    ],
)
def test_a_command_line_that_cannot_be(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["invite", *arguments])
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_who_reaches_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "own_address", lambda: "192.168.1.20")
    assert network.shared("http://127.0.0.1:8080") is None
    assert network.shared("http://[::1]:8080") is None
    assert network.shared("http://0.0.0.0:8080") == "http://192.168.1.20:8080"
    assert network.shared("http://10.0.0.7:8080") == "http://10.0.0.7:8080"
    assert network.reach("http://127.0.0.1:8080") == "Only this machine can connect; --host 0.0.0.0 lets others in."
    assert network.reach("http://[::]:8080") == "A friend in your network opens http://192.168.1.20:8080"
    monkeypatch.setattr(network, "own_address", lambda: None)
    assert network.reach("http://0.0.0.0:8080") == "This machine has no network now."


def test_the_own_address_is_no_loopback() -> None:
    address = network.own_address()
    assert address is None or not address.startswith(("127.", "0."))
