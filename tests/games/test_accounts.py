"""Accounts from the terminal and from the client library."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from fourfold.clients.connection import Connection
from fourfold.clients.errors import ConnectionFault
from fourfold.protocol.events import Started
from fourfold.protocol.from_client import Watch
from fourfold.protocol.from_server import Room, Turn, Update
from tests.faults.link import Link

from .conftest import ROOT, ServerProcess, known
from .test_plain import environment, piped


def test_an_account_from_the_terminal_stays_and_is_signed_in_to_elsewhere(
    server: ServerProcess, tmp_path: Path
) -> None:
    here, there = ["--url", server.url, "--plain", "--name", "Ada"], ["--url", server.url, "--plain"]
    made = piped(tmp_path, "account\naccount new Ada of Term\nquit\n", *here).stdout
    code = re.search(r"Your recovery code: (\S+)", made)
    assert code is not None, made
    assert "You are a guest" in made and "You are Ada of Term, by your recovery code" in made
    again = piped(tmp_path, "account\naccount name Ada Two\nquit\n", *here).stdout
    assert "You are Ada of Term," in again and "You are Ada Two," in again
    other = tmp_path / "other"
    signed = piped(other, f"account login wrong\naccount login {code[1]}\naccount out 2\nquit\n", *there).stdout
    assert "Unknown recovery code" in signed and "You are Ada Two," in signed and "Signed out." in signed
    assert "You are Ada Two," in piped(other, "account\nquit\n", *there).stdout
    assert "You are a guest" in piped(tmp_path, "account\nquit\n", *here).stdout


async def test_an_answer_that_is_lost_costs_neither_account_nor_game(server: ServerProcess) -> None:
    """The line loses all answers until the deeds are done."""
    parts = urlsplit(server.url)
    assert parts.hostname is not None and parts.port is not None
    link = await Link(lambda: (str(parts.hostname), int(parts.port or 0))).start()
    try:
        async with (
            Connection(f"http://127.0.0.1:{link.port}", name="Ann") as ann,
            Connection(server.url, name="Bob") as bob,
        ):
            before = ann.player
            link.rob("from")
            registering = asyncio.create_task(ann.register("Ann of Link", "Test"))
            await known(bob, "Ann of Link")
            link.heal()
            account = await registering
            assert (ann.player, ann.name) == (before, "Ann of Link")
            assert isinstance(account.code, str)
            assert (await bob.login(account.code)).player == before

            room, seat = await bob.seek(pool="lost-answers", rated=False)
            link.rob("from")
            seeking = asyncio.create_task(ann.seek(pool="lost-answers", rated=False))
            async for frame in bob.follow(room):
                if isinstance(frame, Update) and any(isinstance(event, Started) for event in frame.events):
                    break  # Ann has come
            link.heal()
            found, other = await seeking
            assert found == room and {seat, other} == {"white", "black"}
    finally:
        await link.close()


def test_there_are_no_accounts_without_a_server(tmp_path: Path) -> None:
    assert "without --local you play on a server" in piped(tmp_path, "account\nquit\n", "--local").stdout


async def test_a_guest_of_the_library_becomes_an_account_and_then_another_player(server: ServerProcess) -> None:
    async with Connection(server.url, name="Ann") as ann, Connection(server.url, name="Bob") as bob:
        account = await ann.register("Ann of Lib", "Test")
        assert account.player == ann.player and isinstance(account.code, str)
        signed = await bob.login(account.code)
        assert isinstance(signed.token, str)
        await bob.become(signed.token)
        assert bob.player == ann.player and bob.name == "Ann of Lib"
        room = await ann.create()
        first = next(one.session for one in (await bob.account()).sessions if not one.here)
        await bob.sign_out(first)
        with pytest.raises(ConnectionFault, match="signed out"):
            async for _ in ann.follow(room):
                pass


async def test_a_bot_of_ones_own_plays_by_a_token_from_the_command_line(server: ServerProcess, tmp_path: Path) -> None:
    def fourfold(*arguments: str, **more: str) -> str:
        command = [sys.executable, "-m", "fourfold.clients", *arguments, "--url", server.url]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=240,
            cwd=ROOT,
            env=environment(tmp_path, **more),
            check=True,
        )
        return done.stdout.strip()

    made = piped(tmp_path, "account new Owner of Bots\nquit\n", "--url", server.url, "--plain").stdout
    assert "You are Owner of Bots" in made
    token = fourfold("token", "bot", "Botty")
    async with Connection(server.url, token=token) as bot, Connection(server.url, name="Bea") as bea:
        assert bot.name == "Botty" and bot.player is not None and bot.player.startswith("bot:")
        room = await bea.create()
        command = ("-m", "fourfold.clients", "bot", room, "--level", "1", "--url", server.url)
        more = environment(tmp_path, FOURFOLD_TOKEN=token)
        process = await asyncio.create_subprocess_exec(sys.executable, *command, cwd=ROOT, env=more)
        await bea.join(room, "black")
        async for frame in bea.follow(room):
            if isinstance(frame, Turn):
                assert frame.seat == "black"
                break
        snapshot = await bea.request(Watch(room=room))
        assert isinstance(snapshot, Room) and (snapshot.seats[0].name, snapshot.seats[0].bot) == ("Botty", True)
        await bea.resign(room)
        async with asyncio.timeout(240):
            assert await process.wait() == 0
