"""Examples of every message and event, for README.md, the vectors and the AsyncAPI document.

A new message or event needs an example here; `python -m fourfold.protocol` then writes it to these files. Of several
examples of one type, README.md shows the first.
"""

from typing import Final

from fourfold.protocol import events as happened
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as tell
from fourfold.protocol import lines, studies, variants

_ROOM: Final = "kx7m2q9d"
_FOUR: Final = "w4hf8s3b"
_STUDY: Final = "m3xq7v9kd2hw5t"
_ANN: Final = "Zk3vX0aQp1sT"
_BOB: Final = "8dHqLw2_mVxE"
_BOT: Final = "bot:c5Yt0nJr-KfU"
_TOKEN: Final = f"{_ANN}.QW5u.3f9KuYcTq0ZxWb7dLr1mEaHs"
_REGISTRATION: Final = "nB3vTz0cQk8yLw5sJx1hRg"
_START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
_AFTER_E4: Final = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
_PGN: Final = '[White "Ann"]\n[Black "Bob"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n'
_AFTER_E5: Final = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
_NOW: Final = 1_767_261_600_000

_LINE: Final = lines.Line(
    ["g1f3", "b8c6"], ["Nf3", "Nc6"], ["white", "black"], 34, None, {"white": 0.5488, "black": 0.4512}
)
_JUDGED: Final = lines.JudgedPly(
    {"white": 0.12, "black": 0.88}, "Qh4#", "white", "??", "Black can win by force now: Qh4#."
)
_SUMMARY: Final = lines.Summary({"white": 61.4, "black": 98.0}, {"white": 3, "black": None})
_OPENING: Final = lines.Opening(1, "B00", "King's Pawn Game")
_PUZZLE: Final = lines.Puzzle(
    3, "black", "mate", "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2", ["d8h4"], ["d8h4"]
)
_THREAT: Final = lines.Threat("black", "d8h4", "Qxh4", 9, mate=False)

_CHANGES: Final[tuple[studies.AnyChange, ...]] = (
    studies.Retitle("The Scotch game"),
    studies.Share("public"),
    studies.Allow("named", [_BOB]),
    studies.AddChapters(studies.Source(variant="ffa", position="modern")),
    studies.TitleChapter(1, "Main line"),
    studies.OrderChapter(2, 0),
    studies.RemoveChapter(2),
    studies.Remove(1, 3),
    studies.Promote(1, 3, whole=True),
    studies.Comment(1, 1, "Best by test."),
    studies.Comment(1, 1, "Best by test.", seq=7),
    studies.Annotate(1, 1, [1]),
    studies.Draw(1, 1, [studies.Shape("green", "d2", "d4"), studies.Shape("red", "e5")]),
    studies.Delete(),
)
_NODES: Final = (
    studies.Node(0, 0, "", "", "white", comment="From the start."),
    studies.Node(1, 0, "e2e4", "e4", "white", glyphs=[1], shapes=[studies.Shape("green", "d2", "d4")]),
    studies.Node(2, 1, "e7e5", "e5", "black", lead="Or so:", clock=298_000, by=_BOB),
)
_CHAPTER: Final = studies.Chapter(
    1, "Ann - Bob", "standard", _START, ["white", "black"], _ANN, {"White": "Ann", "Black": "Bob"}, list(_NODES)
)
_CURSOR: Final = studies.Cursor(_ANN, "Ann", 1, 2, True)

REQUESTS: Final[tuple[ask.AnyRequest, ...]] = (
    ask.Hello(id=1, name="Ann"),
    ask.Create(id=2, clock=ask.Clock(300_000, 2_000), key="c1"),
    ask.Join(id=3, room=_ROOM, seat="white"),
    ask.Watch(id=4, room=_ROOM, since=4, decided=_NOW - 3_000),
    ask.Leave(id=5, room=_ROOM),
    ask.Bot(id=6, room=_ROOM, level=3),
    ask.Kick(id=21, room=_ROOM, seat="black", key="c7"),
    ask.Close(id=22, room=_ROOM, key="c8"),
    ask.Move(id=7, room=_ROOM, move="e2e4", seq=3, key="c2"),
    ask.Propose(id=8, room=_ROOM, kind="undo", plies=1, seq=5, key="c3"),
    ask.Vote(id=9, room=_ROOM, proposal=1, accept=True, key="c4"),
    ask.Resign(id=10, room=_ROOM, key="c5"),
    ask.Abort(id=11, room=_ROOM, key="c6"),
    ask.Give(id=47, room=_ROOM, seat="black", key="c9"),
    ask.Berserk(id=48, room=_ROOM, key="c10"),
    ask.Legal(id=12, room=_ROOM, square="e2"),
    ask.Say(id=13, room=_ROOM, text="Good game!"),
    ask.React(id=45, room=_ROOM, reaction="good_move"),
    ask.Chat(id=46, room=_ROOM),
    ask.Export(id=14, room=_ROOM, format="pgn"),
    ask.Rooms(id=15, variant="survivor", follow=True),
    ask.Games(id=26, player=_ANN, with_=_BOB, variant="standard", result="won", limit=10),
    ask.Download(id=44, format="pgn", with_=_BOB),
    ask.Results(id=27, player=_ANN),
    ask.Ratings(id=37, player=_ANN, points=2),
    ask.Leaderboard(id=38, speed="blitz", limit=10),
    ask.Strengths(id=41, players=[_ANN, _BOB, "bot:level3:5Yt0nJr-KfU1"], clock=ask.Clock(300_000, 2_000)),
    ask.Explore(id=28, moves=["e2e4", "e7e5"]),
    ask.Analyse(id=37, room=_ROOM, ply=2, key="a1", lines=2),
    ask.Unanalyse(id=38),
    ask.Review(id=41, room=_ROOM),
    ask.Puzzles(id=42),
    ask.Solve(id=43, room=_ROOM, game=1, ply=4, moves=["d8h4"]),
    ask.Examined(job="5f0c9be2", looked=12),
    ask.Examined(id=40, job="5f0c9be2", judged=_JUDGED),
    ask.Found(id=39, job="5f0c9be2", depth=3, nodes=1840, lines=[_LINE], threats=[_THREAT], done=False),
    ask.Pool(id=15, code="chess-club-7"),
    ask.Seek(id=16, clock=ask.Clock(300_000, 2_000), key="c41f.3"),
    ask.Unseek(id=17),
    ask.Challenge(id=37, player="Bob", clock=ask.Clock(300_000, 2_000), key="h1"),
    ask.Answer(id=38, challenge="c7m2kx4qd9wz", accept=False, reason="later", text="In an hour?"),
    ask.Cancel(id=39, challenge="c7m2kx4qd9wz"),
    ask.People(id=40, follow=True),
    ask.Follow(id=42, player="Bob"),
    ask.Unfollow(id=43, player=_BOB),
    ask.Following(id=44),
    ask.Serve(id=18, key="9f1c4b7a"),
    ask.Variants(id=25),
    ask.Ping(id=19),
    ask.Check(id=20, position="4k3/8/8/8/8/8/4p3/8 w - - 0 1"),
    ask.Withdraw(id=21, room=_ROOM, proposal=1, key="c7"),
    ask.Claim(id=22, room=_ROOM, key="c8"),
    ask.Read(id=24, text="1. e4 e5 2. Ke3"),
    ask.Account(id=28),
    ask.Passkey(id=29, to="make"),
    ask.Oidc(id=41),
    ask.Register(id=30, name="Ann", device="Firefox on Linux", key=_REGISTRATION),
    ask.Login(id=31, code="k3vq-7m2d-xw5h-p6ra-4t2c-yb6n", device="Terminal"),
    ask.Enroll(id=32, passkey='{"id": "3kW…", "type": "public-key", "response": {}}', device="Phone"),
    ask.Recovery(id=33),
    ask.Rename(id=34, name="Ann Arbor"),
    ask.Preferences(id=34, board="walnut", pieces="letters"),
    ask.Administer(id=34, code="p7gm-ao7z-irp3-lcka-ghyv-4k2q"),
    ask.Grant(id=36, scope="bot", name="Annbot"),
    ask.Revoke(id=35, session="q9Zt2LxVb0fA"),
    ask.Moderate(id=37, act="ban", target="203.0.113.0/24", why="Insults in chat", seconds=86_400),
    ask.Moderation(id=38),
    ask.Report(id=39, room=_ROOM, player=_BOB, why="Insults in chat"),
    ask.Settle(id=40, report="5d41402abc4b", outcome="banned for a day"),
    ask.Status(id=52, since=_NOW - 15_000),
    ask.Doctor(id=53),
    ask.Accounts(id=54, text="ann"),
    ask.Backups(id=55),
    ask.Backup(id=56, name="fourfold-20261125-100000.backup", start=262_144),
    ask.Operate(id=57, act="sign_out", target="Bob", why="lost the phone"),
    ask.SetUp(id=58, service="Chess club", accounts="closed", origin="https://chess.example.org"),
    ask.Study(id=45, title="The Scotch", visibility="link", source=studies.Source(text=_PGN), key="s1"),
    ask.Edit(id=46, room=_STUDY, change=studies.Play(1, 1, "c7c5"), key="s2"),
    ask.Piece(id=51, number=0, text=_PGN),
    ask.Chapters(id=46, source=studies.Source(text=_PGN)),
    ask.Import(id=46, source=studies.Source(text=_PGN)),
    ask.Look(id=47, room=_STUDY, chapter=1, nodes=[0, 1]),
    ask.Stand(id=48, room=_STUDY, chapter=1, node=2),
    ask.Studies(id=49),
    # with every field, or with none
    ask.Status(),
    ask.Accounts(),
    ask.Backup(name="fourfold-20261125-100000.backup"),
    ask.Operate(act="log_level", text="debug"),
    ask.SetUp(service="Chess club", computers=False),
    ask.Study(),
    ask.Study(source=studies.Source(text=_PGN, pieces=1)),
    ask.Study(write="named", writers=["Bob"], source=studies.Source(title="A game", game=_ROOM)),
    *(ask.Edit(room=_STUDY, change=change, key="s3") for change in _CHANGES),
    ask.Export(room=_STUDY, format="pgn", chapter=1),
    ask.Export(room=_ROOM, format="fen", ply=17),
    ask.Studies(whose="public", after=f"{_NOW}.{_STUDY}", limit=10),
    ask.Moderate(id=37, act="kick", target=_ROOM, text="black"),
    ask.Moderate(id=37, act="silence"),
    ask.Settle(id=40, report="5d41402abc4b"),
    ask.Hello(),
    ask.Hello(id=1, token=_TOKEN, name="Ann"),
    ask.Hello(id=1, token=_TOKEN, key=_REGISTRATION),
    ask.Hello(id=1, name="First move", bot=True),
    ask.Ratings(),
    ask.Ratings(id=37, name="Ann"),
    ask.Leaderboard(variant="ffa"),
    ask.Games(room=_ROOM),
    ask.Seek(variant="teams", rated=False),
    ask.Explore(),
    ask.Explore(variant="ffa", position="modern", moves=["h2h3"]),
    ask.Explore(id=28, room=_ROOM, ply=2),
    ask.Analyse(key="a2"),
    ask.Analyse(id=37, variant="ffa", position="modern", moves=["h2h3"], key="a3", lines=5, ms=60_000),
    ask.Found(job="5f0c9be2", depth=0, nodes=0, lines=[], threats=[], done=True),
    ask.Review(room=_ROOM, start=False),
    ask.Review(room=_ROOM, idle=True),
    ask.Examined(job="5f0c9be2", summary=_SUMMARY, puzzles=[_PUZZLE], done=True),
    ask.Create(),
    ask.Create(
        id=2, variant="survivor", position="classic", visibility="private", clock=ask.Clock(60_000, delay=5_000),
        password="open sesame", chat=False, delay=60_000, key="c1", moves=["h2h4", "b7d7"],
    ),
    ask.Join(id=3, room=_ROOM),
    ask.Join(id=3, room=_ROOM, password="open sesame"),
    ask.Watch(id=4, room=_ROOM),
    ask.Watch(id=4, room=_ROOM, password="open sesame"),
    ask.Watch(id=4, room=_FOUR, preview=True),
    ask.Bot(id=6, room=_ROOM, level=1, seat="black"),
    ask.Kick(id=21, room=_FOUR, seat="green"),
    ask.Close(id=22, room=_FOUR),
    ask.Propose(id=8, room=_ROOM, kind="draw", seq=5, key="c3"),
    ask.Propose(id=8, room=_FOUR, kind="stand_in", seat="blue", level=2, seq=9, key="c3"),
    ask.Legal(id=12, room=_FOUR),
    ask.Say(id=13, room=_FOUR, text="Wait for me \U0001f642", to="table"),
    ask.Rooms(),
    ask.Rooms(id=15, status="open", limit=100, follow=False),
    ask.Seek(id=16, variant="teams"),
    ask.Seek(id=16, variant="survivor", pool="class-7b"),
    ask.Seek(id=16, clock=ask.Clock(180_000, 2_000), range=200),
    ask.Login(id=31, oidc=ask.SignedIn("b3Jv5mYq", "SplxlOBeZQQYbYS6WxSbIA"), device="Firefox on Linux"),
    ask.Challenge(id=37, player=_BOB),
    ask.Challenge(
        id=37, variant="ffa", seat="red", seats={"blue": "Bob", "yellow": _BOT, "green": 3}, visibility="private"
    ),
    ask.Challenge(id=37, room=_FOUR, seats={"green": "Annbot"}, key="h2"),
    ask.Answer(id=38, challenge="c7m2kx4qd9wz", accept=True),
    ask.People(id=40, after="1 bob 8dHqLw2_mVxE", limit=20),
    ask.Ping(id=2**53),
)

_MOVED: Final = happened.Moved(
    "white", "e2e4", 1, happened.Tick(1_850, 40, 2_000, 300_150), happened.Sight("e4", {"e2": None, "e4": "wP"})
)
_RESIGNED: Final = happened.Result("resignation", ["white"], {"white": 1, "black": 2}, None)
_SHARED: Final = happened.Result(
    "agreement", ["red", "yellow"], {"red": 1, "blue": 4, "yellow": 1, "green": 3},
    {"red": 52, "blue": 9, "yellow": 52, "green": 31},
)
_LISTED: Final = tell.Listing(
    _FOUR,
    "survivor",
    tell.Control(60_000, 0, 5_000),
    "open",
    [
        tell.ListedSeat("red", "Ann", player=_ANN),
        tell.ListedSeat("blue", None, bot=True),
        tell.ListedSeat("yellow", None),
        tell.ListedSeat("green", "Bob", player=_BOB),
    ],
    ply=0,
    watchers=2,
    created=_NOW,
)

EVENTS: Final[tuple[happened.AnyEvent, ...]] = (
    happened.Seated("white", _ANN, "Ann"),
    happened.Renamed("white", "Annika"),
    happened.Paused(_NOW + 600_000, {"white": 298_000, "black": 300_000}),
    happened.Resumed(),
    happened.Gave("white", "black", 15_000),
    happened.Berserked("black", 150_000),
    happened.Unseated("white"),
    happened.Unseated("black", kicked=True),
    happened.Invited("black", 3),
    happened.StoodIn("black", _BOT, "Level 3"),
    happened.Returned("black"),
    happened.Started(),
    _MOVED,
    happened.Resigned("black", happened.Sight("", {})),
    happened.Flagged("black", happened.Sight("", {})),
    happened.Removed("black", happened.Sight("", {})),
    happened.Credited("white", 1_500, _NOW),
    happened.Adjourned(_NOW + 86_400_000),
    happened.Eliminated("blue", "checkmate", "red"),
    happened.Proposed(1, "undo", "white", 1, 1, _AFTER_E4, ["white", "black"], _NOW + 30_000),
    happened.Voted(1, "black", True),
    happened.Closed(1, "carried"),
    happened.Closed(2, "withdrawn"),
    happened.Undone(1, 1, _AFTER_E4, {}, {"white": 300_150, "black": 300_000}),
    happened.Redone(1, 2, ["e7e5"], _AFTER_E5, {}, {"white": 300_150, "black": 297_300}),
    happened.Finished(_RESIGNED, {"white": 1.0, "black": 0.0}),
    happened.Finished(_SHARED, {"red": 1.0, "blue": 0.0, "yellow": 1.0, "green": 0.0}),
    happened.Archived(),
    happened.Rematched(2, [happened.Player("white", _BOB, "Bob", 0.0), happened.Player("black", _ANN, "Ann", 1.0)]),
    happened.Opened("The Scotch", "link", "owner", _ANN),
    happened.Named(_BOB, "Bob"),
    happened.Titled("The Scotch game"),
    happened.Shared("public"),
    happened.Allowed("named", [_BOB], {_BOB: "Bob"}),
    happened.Deleted(),
    happened.ChapterAdded(_CHAPTER),
    happened.ChapterTitled(1, "Main line"),
    happened.ChapterOrdered(2, 0),
    happened.ChapterRemoved(2),
    happened.NodeAdded(1, studies.Node(3, 1, "c7c5", "c5", "black")),
    happened.NodeRemoved(1, 3),
    happened.Promoted(1, 3),
    happened.Commented(1, 1, "Best by test."),
    happened.Annotated(1, 1, [1]),
    happened.Drawn(1, 1, [studies.Shape("green", "d2", "d4")]),
)

FRAMES: Final[tuple[tell.AnyFrame, ...]] = (
    tell.Welcome(_ANN, "Ann", _TOKEN, "fourfold 0.1.0", _NOW, "1f0c9be2ad53c8aa", id=1),
    tell.Account(
        _ANN, "Ann", _NOW - 86_400_000, True, [tell.OwnPasskey("3kWmE8uQ", "Phone", _NOW - 86_400_000, _NOW)],
        [tell.OwnSession("q9Zt2LxVb0fA", "Firefox on Linux", _NOW - 86_400_000, _NOW, here=True)], id=28,
    ),
    tell.Account(
        _ANN, "Ann", _NOW, True, [], [tell.OwnSession("q9Zt2LxVb0fA", "Terminal", _NOW, _NOW, here=True)],
        token=f"{_ANN}.QW5u.q9Zt2LxVb0fA.1775037600000.3f9KuYcTq0ZxWb7dLr1mEaHs",
        code="k3vq-7m2d-xw5h-p6ra-4t2c-yb6n", id=30,
    ),
    tell.Preferences(board="walnut", pieces="letters", id=34),
    tell.Granted(_BOT, "Annbot", "bot", f"{_BOT}.QW5uYm90.bot~q9Zt2LxVb0fA.2082621600000.3f9KuYcTq0ZxWb7d", id=36),
    tell.Passkey('{"rpId": "chess.example.org", "challenge": "r4nD0m", "timeout": 60000}', id=29),
    tell.Oidc("https://id.example.org/authorize?response_type=code&state=b3Jv5mYq", id=41),
    tell.Created(_ROOM, id=2),
    tell.Created("b8ocs9jz03qkfe", notes=["Game 2 stops at move 5, Qd5: the queen on d1 cannot go to d5."], id=45),
    tell.Variants(
        [
            variants.Variant(
                "standard", "Chess", "Chess for two, by the FIDE laws: checkmate wins.",
                [variants.Side("white", "w", 0, "north"), variants.Side("black", "b", 1, "south")],
                variants.Board(8, 8, []), [variants.Array(["standard"], _START)], promotion_rank=None,
                promotions=[variants.Promotion(letter, letter) for letter in "qrbn"],
                worth={"p": 1, "n": 3, "b": 3, "r": 5, "q": 9}, points=None, en_passant=True, dead_kings_walk=False,
                stalemate="draw", lone_minors_draw=True, moves_without_progress=50,
                claims=["fifty_moves", "threefold"],
            )
        ],
        id=25,
    ),
    tell.Checked([tell.Fault("missing_king", "White has no king: put exactly one on the board.")], id=20),
    tell.Parsed(
        "standard", None, ["e2e4", "e7e5"], None, None, None,
        tell.Stop(1, 3, "Ke3", "no_such_move", "No king of White's can move to e3."), id=24,
    ),
    tell.Joined(_ROOM, "white", 2, id=3),
    tell.Ok(room=_ROOM, seq=4, id=7),
    tell.Ok(id=13),
    tell.Error("illegal", "cannot_move_there", "The pawn on e2 cannot go to e5.", room=_ROOM, seq=3, id=7),
    tell.Error("unreadable", "no_type", 'A message needs a "type", which must be a string.'),
    tell.Error("refused", "too_fast", "You talk faster than the others can read.", retry=2_400, id=13),
    tell.Error(
        "refused", "not_absent", "black has not been away for long enough; propose it again in 48 s.", room=_ROOM,
        seq=6, retry=48_000, id=8,
    ),
    tell.Pong(_NOW, id=18),
    tell.Legal(_ROOM, "white", ["e2e3", "e2e4"], 3, id=12),
    tell.Exported(_ROOM, "fen", _AFTER_E5, 5, id=14),
    tell.Room(
        room=_ROOM,
        variant="standard",
        status="playing",
        seats=[
            tell.Seat("white", _ANN, "Ann", online=True, out=None),
            tell.Seat("black", _BOB, "Bob", online=False, out=None, since=_NOW - 12_000),
        ],
        start=_START,
        position=_AFTER_E5,
        moves=["e2e4", "e7e5"],
        redo=0,
        clocks=tell.Clocks(300_000, 2_000, 0, {"white": 300_150, "black": 297_300}, _NOW - 900),
        turn="white",
        proposal=tell.Proposal(1, "undo", "white", 1, 1, _AFTER_E4, ["white", "black"], {"white": True}, _NOW + 30_000),
        result=None,
        watchers=2,
        seq=6,
        time=_NOW,
        host=_ANN,
        id=4,
    ),
    tell.Update(_ROOM, 4, _NOW, [_MOVED]),
    tell.Turn(_FOUR, 5, "red", ["h2h3", "h2h4", "g1f3", "g1h3"]),
    tell.Turn(_ROOM, 105, "white", ["g1f1", "g1h1"], ["threefold"]),
    tell.Presence(_ROOM, "black", True),
    tell.Presence(_ROOM, "black", False, _NOW - 12_000),
    tell.Watchers(_ROOM, 3),
    tell.Said(_ROOM, "white", "Ann", "Good game!", "all", _NOW),
    tell.Said(_FOUR, None, "王さん", "Who is winning?", "all", _NOW),
    tell.Reacted(_ROOM, "white", "Ann", "good_move", _NOW),
    tell.Chat(_ROOM, [tell.ChatLine("white", "Ann", "Good game!", "all", _NOW)], id=46),
    tell.Rooms([_LISTED], more=False, id=15),
    tell.Games(
        [
            tell.Game(
                _ROOM,
                1,
                "standard",
                tell.Control(300_000, 2_000, 0),
                "finished",
                [
                    tell.PlayedSeat(
                        "white", _ANN, "Ann", result="won", place=1,
                        change=tell.RatingChange(1500, 1512, 61, 0.43, 1.0),
                    ),
                    tell.PlayedSeat(
                        "black", _BOB, "Bob", result="lost", place=2,
                        change=tell.RatingChange(1549, 1538, 58, 0.57, 0.0),
                    ),
                ],
                _AFTER_E5,
                2,
                _NOW - 60_000,
                _NOW,
                "resignation",
                ["white"],
                unrated="",
            )
        ],
        f"{_NOW}.{_ROOM}.1",
        id=26,
    ),
    tell.Downloaded("pgn", _PGN, 1, id=44),
    tell.Results(
        _ANN, "Ann", _NOW - 60_000, [tell.ByVariant(1, 0, 0, "standard", [1, 0])],
        [tell.BySeat(1, 0, 0, "standard", "white")], [tell.Against(1, 0, 0, _BOB, "Bob")], id=27,
    ),
    tell.Ratings(
        _ANN,
        "Ann",
        [
            tell.Rating(
                "standard", "blitz", 1512, 61, 40, _NOW, True,
                [tell.RatingPoint(_NOW - 86_400_000, 1500, 62), tell.RatingPoint(_NOW, 1512, 61)],
            )
        ],
        id=37,
    ),
    tell.Leaderboard(
        "standard", "blitz",
        [tell.Leader("level5", "Level 5", 1840, 48, 310, bot=True), tell.Leader(_ANN, "Ann", 1512, 61, 40)], id=38,
    ),
    tell.Strengths(
        [tell.Strength(_ANN, 1512, 61, True), tell.Strength("bot:level3:5Yt0nJr-KfU1", 990, 1, True)], id=41
    ),
    tell.Explored(
        variant="standard",
        position=_AFTER_E5,
        games=12,
        moves=[
            tell.PlayedMove(
                "g1f3", "Nf3", 12, 4, [tell.SeatResults("white", 5, 1.25), tell.SeatResults("black", 3, 1.417)]
            )
        ],
        id=28,
    ),
    tell.Lobby([_LISTED], [_ROOM]),
    tell.Paired(_ROOM, "black"),
    tell.Challenge(
        "c7m2kx4qd9wz", "open", _ANN,
        [tell.Challenged(None, _ANN, "Ann", answer=True), tell.Challenged(None, _BOB, "Bob")], "standard",
        tell.Control(300_000, 2_000, 0), "public", _NOW, _NOW + 300_000, id=37,
    ),
    tell.Challenge(
        "h4s8w2f7bx6m",
        "declined",
        _ANN,
        [
            tell.Challenged("red", _ANN, "Ann", answer=True),
            tell.Challenged("blue", _BOB, "Bob", answer=False),
            tell.Challenged("yellow", _BOT, "Annbot", bot=True),
            tell.Challenged("green", None, "Level 3", level=3),
        ],
        "ffa",
        None,
        "private",
        _NOW,
        _NOW + 300_000,
        reason="later",
        text="In an hour?",
    ),
    tell.Challenge(
        "k3v9t5yq2gxd", "cancelled", _ANN, [tell.Challenged("green", _BOT, "Annbot", bot=True)], "survivor", None,
        "public", _NOW, _NOW + 300_000, _FOUR, "seat_taken",
    ),
    tell.Following([tell.Followed(_BOB, "Bob", True, room=_FOUR, status="playing")], id=44),
    tell.People([tell.Person(_BOB, "Bob", account=True, room=_FOUR, status="open")], 1, id=40),
    tell.Online([tell.Person(_BOT, "Annbot", bot=True, account=True)], [_BOB], 1),
    tell.Summon(_ROOM, "black", 3, _TOKEN),
    tell.Lines("a1", 3, 1_840, [_LINE], [_THREAT], done=False),
    tell.Lines("a2", 0, 0, [], [], done=True),
    tell.Consult("5f0c9be2", "standard", _AFTER_E5, 3, 10_000),
    tell.Examine("5f0c9be2", "standard", _START, ["f2f3", "e7e5", "g2g4", "white resignation"], 200),
    tell.Dismiss("5f0c9be2"),
    tell.Reviewed(_ROOM, 1, 42, None, [_JUDGED], _SUMMARY, [_OPENING], 1, id=41),
    tell.Puzzles([tell.Posed(_ROOM, 1, 3, "black", "mate", 1, "standard", own=True)], id=42),
    tell.Solved(
        _ROOM,
        1,
        3,
        "standard",
        True,
        True,
        ["d8h4"],
        ["Qh4#"],
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        "white",
        [],
        ["white"],
        [],
        id=43,
    ),
    tell.Reviewed(_ROOM, 1, 42, 17, [], None, id=41),
    tell.Moderation(
        "admin",
        [tell.Order("0cc175b9c0f1", "mute", _BOB, "Bob", "Ann", "Insults in chat", _NOW - 60_000, _NOW + 86_340_000)],
        [
            tell.Reported(
                "5d41402abc4b", _NOW, _ANN, "Ann", _BOB, "Bob", _ROOM, "Insults in chat", ["Bob: You patzer!"], ["e2e4"]
            )
        ],
        [tell.Act(_NOW - 60_000, "Ann", "mute", _BOB, "Bob", "Insults in chat", _NOW + 86_340_000)],
        id=38,
    ),
    tell.Status(
        "fourfold 0.2.0", _NOW - 3_600_000, 15_000, "info",
        [tell.Sample(_NOW, 812, 240, 203, 41.5, 3.2, 187_000_000, 2)], {"not_your_turn": 2}, id=52,
    ),
    tell.Findings(
        [tell.Finding("disk", "warning", "1.9 GB free of 252 at /data", "free some space; no new rooms are opened")],
        [tell.Chosen("PORT", "8080", "default")], "open", ["ACCOUNTS"], id=53,
    ),
    tell.Accounts(
        [
            tell.Listed(
                _ANN, "Ann", _NOW - 60_000, "admin", "", None, [],
                [tell.OwnSession("q9Zt2LxVb0fA", "Firefox on Linux", _NOW - 60_000, _NOW)],
            )
        ],
        id=54,
    ),
    tell.Backups(
        "/data/backups", [tell.BackupFile("fourfold-20261125-100000.backup", 300_000, _NOW)], False, "", id=55
    ),
    tell.Backup("H4sIAAAA", 300_000, id=56),
    tell.Announced("The server restarts at noon.", _NOW),
    tell.Closing("restart", 500),
    tell.Study(
        room=_STUDY, title="The Scotch", visibility="link", write="named", owner=_ANN, writers=[_BOB],
        names={_ANN: "Ann", _BOB: "Bob"}, chapters=[_CHAPTER], role="writer",
        cursors=[_CURSOR, studies.Cursor(_BOB, "Bob", None, None, True)], count=2, seq=7, time=_NOW,
        decided=_NOW - 900, created=_NOW - 60_000, id=4,
    ),
    tell.Chapters(
        ["The Scotch"], _CHAPTER, [studies.NodeBoard(0, _START, [], []), studies.NodeBoard(1, _AFTER_E4, [], [])], id=46
    ),
    tell.Looked(
        _STUDY,
        1,
        [
            studies.NodePosition(1, _AFTER_E4, "black", ["e7e5", "g8f6"], [], [], None, None),
            studies.NodePosition(9, _START, None, [], ["white"], [], None, "checkmate"),
        ],
        id=47,
    ),
    tell.Studies(
        [
            studies.StudyListing(
                _STUDY, "The Scotch", "link", "named", _ANN, "Ann", 1, ["standard"], _NOW - 900, _NOW - 60_000
            )
        ],
        None,
        id=49,
    ),
    tell.Cursors(_STUDY, [_CURSOR], 3),
    tell.Update(_STUDY, 8, _NOW, [happened.NodeAdded(1, studies.Node(3, 1, "c7c5", "c5", "black"))], _BOB),
)
