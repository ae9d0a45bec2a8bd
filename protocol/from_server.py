"""The frames of servers: replies, pushed frames, and (from `events`) the events of an `update`.

Clients ignore unknown fields and types, so that a newer server can serve older clients. Seats go by name (`white`,
`red`). Times are milliseconds since 1970 by the server's clock. `seq` is the version of a room's log. It grows by one
with each decision and never goes back, not even on an undo.
"""

from fourfold.protocol.frames.account import *
from fourfold.protocol.frames.administration import *
from fourfold.protocol.frames.analysis import *
from fourfold.protocol.frames.archive import *
from fourfold.protocol.frames.base import *
from fourfold.protocol.frames.game import *
from fourfold.protocol.frames.lobby import *
from fourfold.protocol.frames.study import *

AnyFrame = (
    Welcome | Account | Preferences | Granted | Passkey | Oidc
    | Created | Variants | Checked | Parsed | Joined | Ok | Error | Pong | Legal
    | Exported | Room | Update | Turn | Presence | Watchers | Said | Reacted | Chat | Rooms | Games | Downloaded
    | Results | Ratings | Leaderboard | Strengths | Explored | Reviewed | Puzzles | Solved | Lines | Lobby
    | Paired | Challenge | People | Following | Online
    | Summon | Consult | Examine | Dismiss
    | Moderation | Announced | Closing
    | Status | Findings | Accounts | Backups | Backup
    | Study | Chapters | Looked | Studies | Cursors
)  # fmt: skip
