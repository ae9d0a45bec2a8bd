"""The server: many rooms, one log, one road for every move.

    frame -> line -> codec -> session -> inbound -> room: decide -> event log -> evolve -> projection -> sessions

Read in this order: `records` and `event_log` (what is kept, and the port it is kept through), `redis_log`,
`room` (the one writer of a room on this node), `rooms`, `inbound`, `session`, `frames`, `line` and `post`
(a connection), `gateway`, `web`; then what carries them: `identity`, `alarms`, `store`, `settings`, `__main__`.
"""
