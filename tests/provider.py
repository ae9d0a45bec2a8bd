"""A real OpenID provider, as a separate process on loopback."""

import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.ports import free_port

PEOPLE = ({"sub": "ann-1", "preferred_username": "Ann of School"}, {"sub": "bob-2", "name": "bob@school.example"})


@contextmanager
def provider(*options: str, people: tuple[dict[str, Any], ...] = PEOPLE) -> Iterator[str]:
    """A provider that knows some people; yields its issuer."""
    port = free_port()
    known = [part for person in people for part in ("--user-claims", json.dumps(person))]
    command = [sys.executable, "-m", "oidc_provider_mock", "--port", str(port), "--require-nonce", *known, *options]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    issuer = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + 240
        while True:
            try:
                urllib.request.urlopen(f"{issuer}/.well-known/openid-configuration", timeout=240).close()
                break
            except OSError:
                assert time.monotonic() < until and process.poll() is None, "the provider did not start"
                time.sleep(0.1)
        yield issuer
    finally:
        process.kill()
        process.wait()
