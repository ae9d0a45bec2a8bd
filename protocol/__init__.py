"""The messages between a Fourfold server and its clients.

Read the modules in this order: `errors` (codes and close codes), `from_client` (requests, by subject in `requests`),
`from_server` (replies and pushed frames, in `frames`, with `variants`), `events` (the content of an update), `codec`
(bytes to messages and back). The other modules generate the published files (`python -m fourfold.protocol`): `examples`
of every message, `schema` (JSON Schema and AsyncAPI), `typescript` (declarations for browsers), `vectors` (for the
tests of clients), and `page` (the lists in README.md).

The package defines the forms and limits of messages. It knows nothing about the rules of chess, permissions or sockets:
a move is a short string, and a seat is a name. The exceptions are `projection` and `study_projection`, which no other
module here imports. They translate matches and studies of the engine to these messages, for the server and for local
play.
"""
