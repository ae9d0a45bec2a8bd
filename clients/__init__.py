"""Programs that talk to a Fourfold server, and the parts to write your own with.

`connection` speaks the protocol and survives outages; `table` folds what it hears into the state of
a game; `bots` choose moves; `terminal` draws. They know the rules through `engine` and the wire
through `protocol`, and refuse to know how a server works.
"""
