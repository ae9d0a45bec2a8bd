"""Listening sockets: bound to each address of a host, and left by a server to the one after it in its process."""

import errno
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from fourfold.server.transport.listeners import VARIABLE, Listeners, bind
from tests.ports import free_port

HEIR = """
import sys
from fourfold.server.transport.listeners import Listeners

[listener] = Listeners.inherited().bind(sys.argv[1], int(sys.argv[2]))
listener.setblocking(True)
listener.listen()
print(*listener.getsockname(), flush=True)
connection, _ = listener.accept()
connection.sendall(connection.recv(100).upper())
"""
"""A program that listens at an address, prints it, and answers one connection."""


@pytest.fixture
def left() -> Iterator[tuple[str, int]]:
    """The address of sockets that are left to other programs."""
    listeners = Listeners()
    [listener] = listeners.bind("127.0.0.1", port := free_port())
    listener.listen()
    listener.close()  # as a server does at its end
    listeners.leave()
    yield "127.0.0.1", port
    del os.environ[VARIABLE]
    listeners.close()


@contextmanager
def heir(host: str, port: int) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", HEIR, host, str(port)]
    with subprocess.Popen(command, close_fds=False, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_connection_waits_for_the_server_that_inherits(left: tuple[str, int]) -> None:
    with socket.create_connection(left, timeout=240) as connection:  # nobody accepts it yet
        connection.sendall(b"hello")
        with heir(*left) as server:
            assert connection.recv(100) == b"HELLO"
            assert server.communicate(timeout=240)[0].split() == [left[0], str(left[1])]


def test_sockets_of_another_address_are_closed(left: tuple[str, int]) -> None:
    with heir("127.0.0.2", left[1]) as server:
        assert server.stdout is not None
        host, port = server.stdout.readline().split()
        assert (host, int(port)) == ("127.0.0.2", left[1])
        with socket.create_connection((host, int(port)), timeout=240) as connection:
            connection.sendall(b"hello")
            assert connection.recv(100) == b"HELLO"


def test_without_any_left_it_binds() -> None:
    listeners = Listeners.inherited()
    [one] = listeners.bind("127.0.0.1", 0)
    [again] = listeners.bind(*one.getsockname())
    assert one.getsockname() != ("127.0.0.1", 0) and not one.get_inheritable()
    assert again.getsockname() == one.getsockname()
    for each in (one, again, listeners):
        each.close()


def test_an_address_that_is_taken_is_an_error() -> None:
    [one] = bind("127.0.0.1", 0)
    one.listen()
    port = one.getsockname()[1]
    with pytest.raises(OSError, match=f"can't listen at 127.0.0.1, port {port}: address already in use"):
        bind("127.0.0.1", port)
    one.close()


def addresses(monkeypatch: pytest.MonkeyPatch, *hosts: str) -> None:
    """Gives the name `both` these addresses."""
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, 0)) for host in hosts]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)


def test_a_name_of_two_addresses_has_one_port(monkeypatch: pytest.MonkeyPatch) -> None:
    addresses(monkeypatch, "127.0.0.1", "127.0.0.2", "127.0.0.1")
    bound = bind("both", 0)
    assert [one.getsockname()[0] for one in bound] == ["127.0.0.1", "127.0.0.2"]
    assert len({one.getsockname()[1] for one in bound}) == 1
    for one in bound:
        one.close()


def test_an_address_that_the_machine_lacks_is_skipped_beside_others(monkeypatch: pytest.MonkeyPatch) -> None:
    addresses(monkeypatch, "192.0.2.1", "127.0.0.1")
    [one] = bind("both", 0)
    assert one.getsockname()[0] == "127.0.0.1"
    one.close()
    addresses(monkeypatch, "192.0.2.1")
    with pytest.raises(OSError, match="cannot assign requested address") as caught:
        bind("both", 0)
    assert caught.value.errno == errno.EADDRNOTAVAIL
