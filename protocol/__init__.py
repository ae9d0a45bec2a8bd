"""The messages between a Fourfold server and any client.

Read in this order: `errors` (codes and close codes), `from_client` (requests), `from_server` (replies and pushed
frames; `variants` is a part of it), `events` (what an update tells), `codec` (frames of bytes to messages and back).
The other modules make what is published of these (`python -m fourfold.protocol`): `examples` of every message,
`schema` (JSON Schema and AsyncAPI), `typescript` (declarations for browsers), `vectors` (for the tests of clients),
`page` (the lists in README.md).

The package knows shapes and limits of messages. It does not know the rules of chess, who may do what, or sockets: a
move is a short string here, a seat is a name. Only `projection`, which nothing here imports, knows the engine: it
translates a match to these messages, for the server and for play without one.
"""
