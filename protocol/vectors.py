"""Conformance vectors: every example as JSON text, as MessagePack, and as the value of both.

A client in any language can test its own codec with them. The files are in `vectors/`.
"""

from typing import Any

import msgpack
import msgspec
from msgspec import Struct

from fourfold.protocol import examples, schema
from fourfold.protocol.from_server import Update


def messages() -> dict[str, list[dict[str, Any]]]:
    """Examples of every message of either side, and an update with every event."""
    updates = [Update("kx7m2q9d", 4, 1_767_261_600_000, [event]) for event in examples.EVENTS]
    return {
        "from_client": [_vector(message) for message in examples.REQUESTS],
        "from_server": [_vector(message) for message in (*examples.FRAMES, *updates)],
    }


def _vector(message: Struct) -> dict[str, Any]:
    value = schema.example(message)
    return {"json": msgspec.json.encode(value).decode(), "msgpack": msgpack.packb(value).hex(), "value": value}
