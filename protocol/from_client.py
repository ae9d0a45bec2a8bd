"""The requests of clients, one Struct each.

A request with an unknown field is refused, so that a misspelt field is an error and not a silent default. Every request
may have an `id`, the client's own counter. Its one reply repeats the `id`.

A request that changes a room has a `key`, a string that is unique among the client's commands in this room. After a
lost reply, the client can send the command again with the same key, to any node. It is not carried out twice, and gets
its first answer. A request whose outcome depends on what the client has seen also has a `seq`, the version of the room
that the client saw.
"""

from typing import get_args

from fourfold.protocol.requests.account import *
from fourfold.protocol.requests.administration import *
from fourfold.protocol.requests.analysis import *
from fourfold.protocol.requests.archive import *
from fourfold.protocol.requests.base import *
from fourfold.protocol.requests.game import *
from fourfold.protocol.requests.lobby import *
from fourfold.protocol.requests.study import *

AnyRequest = (
    Hello | Create | Check | Read | Join | Watch | Leave | Bot | Kick | Close | Move | Propose | Vote | Withdraw
    | Claim | Resign | Abort | Give | Berserk | Legal | Say | React | Chat | Export | Rooms | Pool
    | Games | Download | Results | Ratings | Leaderboard | Strengths
    | Explore | Analyse | Unanalyse | Review | Puzzles | Solve | Seek | Unseek
    | Challenge | Answer | Cancel | People | Follow | Unfollow | Following
    | Serve | Found | Examined | Variants | Account | Passkey | Oidc
    | Register | Login | Enroll | Recovery | Rename | Preferences | Administer | Grant | Revoke
    | Moderate | Moderation | Report | Settle | Ping
    | Status | Doctor | Accounts | Backups | Backup | Operate | SetUp
    | Study | Piece | Chapters | Import | Edit | Look | Stand | Studies
)  # fmt: skip

REQUESTS: dict[str, type[AnyRequest]] = {str(cls.__struct_config__.tag): cls for cls in get_args(AnyRequest)}
"""Every request by its `type`."""
