"""Every command in every spelling; all other lines get an explanation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.clients.games.game import Opening, Sought, Wish
from fourfold.clients.terminal.controller.controller import HANDLERS
from fourfold.clients.terminal.parser import commands as c
from fourfold.clients.terminal.parser.commands import Unclear
from fourfold.clients.terminal.parser.language import LOBBY, PLAY, SETUP, STUDY, Language
from fourfold.clients.terminal.parser.phrases import clock
from fourfold.protocol.from_client import Clock
from tests.each import each

PLAYED = [
    *((text, c.Move(text)) for text in ("e2e4", "e2;e4", "e2 e4", "E2-E4", "B2b4", "b7b8q", "b7a8rQ", "d10d11")),
    *((text, c.Move(text)) for text in ("Nf3", "nf3", "e4", "exd5", "O-O", "0-0-0", "o-o", "e8=Q+", "Nj1-i3")),
    *((text, c.Move(text)) for text in ("z9e4", "e2z9", "44e4", "b4", "i2i4", "r1e4")),
    ("move e2 e4", c.Move("e2 e4")),
    ("MOVE e2e4", c.Move("e2e4")),
    ("m e2 e4", c.Move("e2 e4")),
    ("e2?", c.Targets("e2")),
    ("E2 ?", c.Targets("e2")),
    ("d10?", c.Targets("d10")),
    ("help e2", c.Targets("e2")),
    ("moves", c.Targets(None)),
    ("moves e2", c.Targets("e2")),
    ("?", c.Help(None)),
    ("help", c.Help(None)),
    ("help undo", c.Help("undo")),
    ("help 2", c.Help("2")),
    ("claim", c.Act("claim")),
    ("withdraw", c.Act("withdraw")),
    ("kick blue", c.Kick("blue")),
    ("report Black insults in chat", c.Report("black", "insults in chat")),
    ("close", c.Act("close")),
    ("undo", c.Propose("undo", None)),
    ("undo 3", c.Propose("undo", 3)),
    ("undo3", c.Propose("undo", 3)),
    ("redo 2", c.Propose("redo", 2)),
    ("draw", c.Propose("draw")),
    ("rematch", c.Propose("rematch")),
    ("remove blue", c.Propose("remove", seat="blue")),
    *((text, c.Answer(True)) for text in ("yes", "y", "Yes", "ok", "agree", "accept")),
    *((text, c.Answer(False)) for text in ("no", "n", "NO", "refuse", "decline")),
    ("resign", c.Resign(None)),
    ("resign black", c.Resign("black")),
    ("abort", c.Act("abort")),
    ("score", c.Show("score")),
    ("clocks", c.Show("clocks")),
    ("board", c.Show("board")),
    ("fen", c.Show("fen")),
    ("who", c.Show("who")),
    ("watchers", c.Show("who")),
    ("link", c.Show("link")),
    ("history", c.History()),
    ("history 12", c.GoTo("ply", 12)),
    ("history 0", c.GoTo("first")),
    ("first", c.GoTo("first")),
    ("back", c.GoTo("back", 1)),
    ("back 3", c.GoTo("back", 3)),
    ("<", c.GoTo("back", 1)),
    ("forward", c.GoTo("forward", 1)),
    ("> 2", c.GoTo("forward", 2)),
    ("last", c.GoTo("last")),
    ("explore", c.Explore()),
    ("analyse", c.Analyse()),
    ("review", c.Review()),
    ("puzzle", c.Puzzle()),
    ("flip", c.Flip(None)),
    ("flip green", c.Flip("green")),
    ("zoom", c.Zoom(0)),
    ("zoom in", c.Zoom(1)),
    ("zoom out", c.Zoom(-1)),
    ("say  well  played", c.Say("well played", "all")),
    ("react Good move!", c.React("good_move")),
    ("react oops", c.React("oops")),
    ("pause", c.Propose("pause")),
    ("resume", c.Propose("resume")),
    ("give blue", c.Give("blue")),
    ("give", c.Give(None)),
    ("berserk", c.Act("berserk")),
    ("table watch blue", c.Say("watch blue", "table")),
    ("bot 3", c.Bot(None, 3)),
    ("bot black 3", c.Bot("black", 3)),
    ("bot 3 black", c.Bot("black", 3)),
    ("add black level 3", c.Bot("black", 3)),
    ("bot black=3", c.Bot("black", 3)),
    ("invite", c.InviteBot()),
    ("invite Deep  Blue", c.InviteBot(None, "Deep Blue")),
    ("invite blue=Deep Blue", c.InviteBot("blue", "Deep Blue")),
    ("invite Deep Blue to red", c.InviteBot("red", "Deep Blue")),
    ("invite b=3", c.InviteBot("b", 3)),
    ("sit", c.Sit(None)),
    ("sit black", c.Sit("black")),
    ("save", c.Save(None)),
    ("save My Game.pgn", c.Save("My Game.pgn")),
    ("read x.smith", c.Read("x.smith")),
    ("r x.smith", c.Read("x.smith")),
    ("r", c.Read(None)),
    ("export", c.Export(None)),
    ("export smith", c.Export("smith")),
    ("leave", c.Leave()),
    ("quit", c.Quit()),
    ("  quit  ", c.Quit()),
]

ELSEWHERE = [
    ("rooms", c.Rooms(None)),
    ("rooms 4", c.Rooms("survivor")),
    ("games", c.Games(None, True)),
    ("games all", c.Games(None, False)),
    ("games all 4", c.Games("survivor", False)),
    ("games teams", c.Games("teams", True)),
    ("games Ada", c.Games(None, False, "Ada")),
    ("games Ann Arbor FFA", c.Games("ffa", False, "Ann Arbor")),
    ("rating", c.Rating(None)),
    ("rating Ann Arbor", c.Rating("Ann Arbor")),
    ("leaderboard", c.Leaderboard("standard", "blitz")),
    ("leaderboard rapid", c.Leaderboard("standard", "rapid")),
    ("leaderboard 4", c.Leaderboard("survivor", None)),
    ("leaders chess960 bullet", c.Leaderboard("chess960", "bullet")),
    ("leaderboard bots", c.Leaderboard("standard", "blitz", bots=True)),
    ("leaderboard 4 bots", c.Leaderboard("survivor", None, bots=True)),
    ("create 2 casual", c.Create(Opening(rated=False))),
    ("account", c.Account("show")),
    ("account new Ann Arbor", c.Account("new", "Ann Arbor")),
    ("account NAME Bea", c.Account("rename", "Bea")),
    ("account login k3vq-7m2d", c.Account("login", "k3vq-7m2d")),
    ("account code", c.Account("code")),
    ("account out", c.Account("out")),
    ("account out 2", c.Account("out", "2")),
    ("create", c.Create(Opening())),
    ("begin", c.Begin()),
    ("create 4", c.Create(Opening("survivor"))),
    ("create ffa 5d3 private", c.Create(Opening("ffa", clock=Clock(300_000, delay=3000), visibility="private"))),
    ("create 2 10", c.Create(Opening(clock=Clock(600_000)))),
    ("create 10+5 black=3", c.Create(Opening(clock=Clock(600_000, increment=5000), levels={"black": 3}))),
    ("create 4 b=2 bots=1", c.Create(Opening("survivor", levels={"blue": 2, "yellow": 1, "green": 1}))),
    ("create seat=b bots=2", c.Create(Opening(levels={"white": 2}, seat="black"))),
    ("create selfpartner bots=3", c.Create(Opening("selfpartner", levels={"blue": 3}))),
    ("create selfpartner yellow=2", c.Create(Opening("selfpartner", levels={"red": 2}))),
    ("create selfpartner seat=green bots=1", c.Create(Opening("selfpartner", levels={"red": 1}, seat="blue"))),
    ("create password=open", c.Create(Opening(password="open"))),
    ("join ab12", c.Join("ab12")),
    ("join http://127.0.0.1:8080/r/ab12 black", c.Join("ab12", "black")),
    ("join ab12 password=Open", c.Join("ab12", None, "Open")),
    ("watch ab12", c.Watch("ab12")),
    ("seek 4 5+3", c.Seek(Sought("survivor", Clock(300_000, increment=3000)))),
    ("seek pool=Class-7b 2", c.Seek(Sought(pool="Class-7b"))),
    ("seek casual Range=200", c.Seek(Sought(rated=False, range=200))),
    ("people", c.People()),
    ("follow", c.Follow()),
    ("follow Ann Arbor", c.Follow("Ann Arbor")),
    ("unfollow Ann", c.Follow("Ann", on=False)),
    ("challenge again", c.PlayAgain()),
    ("challenge", c.Challenge()),
    ("challenge Ann Arbor 5+3", c.Challenge(Wish("standard", "Ann Arbor", clock=Clock(300_000, increment=3000)))),
    (
        "challenge Bob seat=b private casual",
        c.Challenge(Wish(player="Bob", seat="black", visibility="private", rated=False)),
    ),
    ("challenge ffa r=Bob y=3 g=Di Da", c.Challenge(Wish("ffa", seats={"red": "Bob", "yellow": 3, "green": "Di Da"}))),
    ("moderate", c.Moderation()),
    ("moderate ban Bob Smith 7d; spam; again", c.Moderate("ban", "Bob Smith", why="spam; again", seconds=604_800)),
    ("moderate ban 2001:db8::/64 30m", c.Moderate("ban", "2001:db8::/64", seconds=1800)),
    ("mod mute 8dHqLw2_mVxE", c.Moderate("mute", "8dHqLw2_mVxE")),
    ("moderate silence 12h; for the night", c.Moderate("silence", why="for the night", seconds=43_200)),
    ("moderate silence", c.Moderate("silence")),
    ("moderate lift 2; a mistake", c.Moderate("lift", "2", why="a mistake")),
    ("moderate settle 1; warned", c.Moderate("settle", "1", why="warned")),
    ("moderate kick kx7m2q9d blue", c.Moderate("kick", "kx7m2q9d", "blue")),
    ("moderate close kx7m2q9d", c.Moderate("close", "kx7m2q9d")),
    ("moderate rename Bob Smith = Bob S.", c.Moderate("rename", "Bob Smith", "Bob S.")),
    ("moderate announce Noon restart.", c.Moderate("announce", text="Noon restart.")),
    ("moderate appoint Ann Arbor moderator", c.Moderate("appoint", "Ann Arbor", "moderator")),
    ("moderate appoint Ann none", c.Moderate("appoint", "Ann", "")),
    ("challenge yes", c.Respond("yes")),
    ("challenge no 2 in an hour", c.Respond("no", 2, "in an hour")),
    ("challenge no in an hour", c.Respond("no", None, "in an hour")),
    ("challenge cancel", c.Respond("cancel")),
    ("setup", c.Edit(None)),
    ("setup 4", c.Edit("survivor")),
    ("studies", c.Studies("mine")),
    ("studies public", c.Studies("public")),
    ("study", c.Studies("mine")),
    ("study tfr2n49xva28fs", c.OpenStudy("tfr2n49xva28fs")),
    ("study http://127.0.0.1:8080/s/tfr2n49xva28fs", c.OpenStudy("tfr2n49xva28fs")),
    ("study new", c.NewStudy("start", "standard")),
    ("study new 4 Four at once", c.NewStudy("start", "survivor", "Four at once")),
    ("study new The Najdorf", c.NewStudy("start", "standard", "The Najdorf")),
    ("study file My Games.pgn", c.NewStudy("file", "My Games.pgn")),
    ("study game http://127.0.0.1:8080/r/ab12", c.NewStudy("game", "ab12")),
    ("study game", c.NewStudy("game")),
]

STUDIED = [
    *((text, c.Move(text)) for text in ("e2e4", "Nf3", "O-O", "h2-h4", "--", "R", "Rb", "Tg")),
    ("e2?", c.Targets("e2")),
    ("back 2", c.GoTo("back", 2)),
    (">", c.GoTo("forward", 1)),
    ("first", c.GoTo("first")),
    ("last", c.GoTo("last")),
    ("up", c.Sibling(-1)),
    ("down", c.Sibling(1)),
    ("node 17", c.ToNode(17)),
    ("node 0", c.ToNode(0)),
    ("comment It holds, I think.", c.Comment("It holds, I think.")),
    ("uncomment", c.Comment("")),
    ("glyph !? += $140", c.Glyph((5, 14, 140))),
    ("glyph none", c.Glyph(())),
    ("mark !?", c.Glyph((5,))),
    ("mark e4", c.Draw("e4")),
    ("mark M10 red", c.Draw("m10", None, "red")),
    ("arrow e2 e4", c.Draw("e2", "e4")),
    ("draw e2e4 green", c.Draw("e2", "e4", "green")),
    ("arrow a10-n11 blue", c.Draw("a10", "n11", "blue")),
    (f"comment {'x' * 5000}", c.Comment("x" * 5000)),
    ("promote", c.Promote()),
    ("promote all", c.Promote(whole=True)),
    ("remove", c.Prune()),
    ("tree", c.Tree()),
    ("chapter", c.ToChapter()),
    ("chapter 2", c.ToChapter(2)),
    ("add new ffa", c.AddChapters("start", "ffa")),
    ("add", c.AddChapters("start", "standard")),
    ("add file a.pgn", c.AddChapters("file", "a.pgn")),
    ("add game ab12", c.AddChapters("game", "ab12")),
    ("title The Najdorf", c.Entitle("The Najdorf")),
    ("title study Openings", c.Entitle("Openings", study=True)),
    ("drop", c.DropChapter()),
    ("share link", c.Share("link")),
    ("allow owner", c.Allow("owner")),
    ("allow everybody", c.Allow("everybody")),
    ("allow Ann Arbor, Bob", c.Allow("named", ("Ann Arbor", "Bob"))),
    ("destroy", c.DeleteStudy()),
    ("save a.pgn", c.Save("a.pgn")),
    ("export pgn4", c.Export("pgn4")),
    ("link", c.Show("link")),
    ("analyse", c.Analyse()),
    ("explore", c.Explore()),
    ("leave", c.Leave()),
]

SET_UP = [
    ("+ wK e1", c.Put("w", "k", "e1")),
    ("+wKe1", c.Put("w", "k", "e1")),
    ("+ white king e1", c.Put("white", "king", "e1")),
    ("put bQ d8", c.Put("b", "q", "d8")),
    ("- e1", c.Take("e1")),
    ("-e1", c.Take("e1")),
    ("remove e1", c.Take("e1")),
    ("= black", c.Turn("black")),
    ("=black", c.Turn("black")),
    ("castling", c.Castling(None)),
    ("castling none", c.Castling(())),
    ("castling white short black long", c.Castling((("white", True), ("black", False)))),
    ("clear", c.Lay(None)),
    ("fen start", c.Lay("start")),
    ("done", c.Done()),
    ("cancel", c.Cancel()),
    ("e2?", c.Targets("e2")),
]


@each(("line", "command"), [*PLAYED, *ELSEWHERE])
def test_at_a_game(line: str, command: c.Command) -> None:
    assert PLAY.read(line) == command


@each(("line", "command"), ELSEWHERE)
def test_in_the_lobby(line: str, command: c.Command) -> None:
    assert LOBBY.read(line) == command


@pytest.mark.parametrize(("line", "command"), SET_UP, ids=lambda value: str(value)[:40])
def test_over_a_board_that_is_set_up(line: str, command: c.Command) -> None:
    assert SETUP.read(line) == command


@each(("line", "command"), STUDIED)
def test_in_a_study(line: str, command: c.Command) -> None:
    assert STUDY.read(line) == command


@each(
    ("line", "said"),
    [
        ("comment", "Add the comment"),
        ("glyph", "Add a glyph"),
        ("glyph bad", "Unknown glyph 'bad'"),
        ("arrow e2 e4 mauve", "a colour: green"),
        ("arrow", "Write 'arrow e2 e4'"),
        ("read games1.pgn", "There is no command 'read'."),
        ("paint e2e4", "There is no command 'paint'."),
        ("glyph $0", "Unknown glyph '$0'"),
        ("glyph $999", "Unknown glyph '$999'"),
        ("promote much", "'promote all'"),
        ("node", "To which move?"),
        ("add everything", "'add file FILE'"),
        ("add file", "Add a file name"),
        ("title", "Add a title"),
        ("share all", "'share public'"),
        ("allow", "Choose writers"),
        ("study a b", "'study ID'"),
        ("studies theirs", "'studies public'"),
    ],
)
def test_what_is_unclear_in_a_study(line: str, said: str) -> None:
    with pytest.raises(Unclear) as caught:
        STUDY.read(line)
    assert said in str(caught.value)


@each(
    ("line", "said"),
    [
        ("", "Type a move or a command"),
        ("udno", "Did you mean 'undo'?"),
        ("xyzzy", "There is no command 'xyzzy'. 'help' lists them."),
        ("undo many", "'many' is not a number of moves"),
        ("undo 0", "whole number from 1"),
        ("undo 1.5", "'1.5' is not"),
        ("undo " + "9" * 300, "is not a number of moves"),
        ("draw please", "Unexpected text: 'please'"),
        ("bot", "Write a seat and a level"),
        ("bot black 9", "levels 1 to 5"),
        ("bot black white 3", "Write a seat and a level"),
        ("say", "Say what?"),
        ("react", "Write 'react' and one of: hello, good luck,"),
        ("react gloat", "Write 'react' and one of: hello, good luck,"),
        ("kick", "Free which seat? Name it: 'kick blue'."),
        ("join", "Which room?"),
        ("report", "Report whom, and why?"),
        ("report black", "Report whom, and why?"),
        ("moderate bann Bob", "Moderators write 'moderate' and one of: ban WHO [TIME], mute"),
        ("moderate ban", "Write 'moderate ban WHO [TIME]', and add '; WHY'"),
        ("moderate silence Bob", "Write 'moderate silence [TIME]'"),
        ("moderate kick kx7m2q9d", "Write 'moderate kick ROOM SEAT'"),
        ("moderate rename Bob", "Write 'moderate rename WHO = NAME'"),
        ("moderate announce", "Write 'moderate announce TEXT'"),
        ("zoom enormous", "'zoom in' or 'zoom out'"),
        ("create bughouse", "'bughouse' is not a variant"),
        ("create purple=3", "There is no seat 'purple' in standard"),
        ("create seat=red", "There is no seat 'red' in standard"),
        ("create seat=black black=2", "beside a computer player"),
        ("create selfpartner seat=red yellow=2", "beside a computer player"),
        ("create 0+0", "at least a little time"),
        ("create 0d0", "0d30 gives each move 30 seconds"),
        ("create 5", "There is no game for 5; there are games for two, three and four ('create 4')."),
        ("seek 5", "Write a time with its seconds: 5+0."),
        ("seek range=wide", "A range is a number of points, such as range=200, not range=wide."),
        ("create 5+", "'5+' is not a time control"),
        ("help xyzzy", None),
        ("e" * 6000, "the limit is 5100"),
    ],
)
def test_what_is_unclear_is_explained(line: str, said: str | None) -> None:
    if said is None:
        assert PLAY.read(line) == c.Help("xyzzy")
        with pytest.raises(Unclear, match="no command 'xyzzy'"):
            PLAY.help("xyzzy")
        return
    with pytest.raises(Unclear) as caught:
        PLAY.read(line)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "line", ["+", "+ e1", "+ wK", "+ wKx e1", "-", "- 1e", "=", "castling white", "fen", "+ a b c d"]
)
def test_what_is_unclear_over_a_board(line: str) -> None:
    with pytest.raises(Unclear):
        SETUP.read(line)


def words(language: Language) -> list[str]:
    """Every word that starts a command."""
    return sorted({word for entry in language.entries for word in entry.words})


@pytest.mark.parametrize("language", [LOBBY, PLAY, SETUP, STUDY], ids=["lobby", "play", "setup", "study"])
def test_help_names_every_command_and_fits_a_terminal(language: Language) -> None:
    overview = language.help()
    assert len(overview) == len(language.groups)
    for number, group in enumerate(language.groups, start=1):
        lines = language.help(str(number))
        assert lines == language.help(group.name) and len(lines) == len(group.entries) <= 10
        assert max(map(len, lines)) <= 110
        for entry in group.entries:
            assert entry.usage.split()[0] in overview[number - 1]
    for word in words(language):
        assert language.help(word)


def test_everything_that_can_be_read_is_carried_out() -> None:
    read = {type(command) for _, command in [*PLAYED, *ELSEWHERE, *SET_UP, *STUDIED]}
    assert read == set(HANDLERS)


def test_times() -> None:
    assert clock("5") == Clock(300_000)
    assert clock("0.5+1.5") == Clock(30_000, increment=1500)
    assert clock("untimed") is None
    assert clock("0d30") == Clock(0, delay=30_000)


WORDS = st.one_of(
    st.text(max_size=12),
    st.sampled_from([word for language in (LOBBY, PLAY, SETUP, STUDY) for word in words(language)]),
    st.from_regex(r"[a-z]\d{1,2}", fullmatch=True),
    st.sampled_from(["white", "3", "5+3", "bots=3", "password=", "=", "/r/", "wK", "short", "e2?", "\x1b[0m", "٣"]),
)


@given(st.lists(WORDS, max_size=5).map(" ".join) | st.text(max_size=60), st.sampled_from([LOBBY, PLAY, SETUP, STUDY]))
def test_any_line_is_a_command_or_unclear(line: str, language: Language) -> None:
    try:
        command = language.read(line)
    except Unclear as unclear:
        assert str(unclear).endswith((".", "?", "…")) or "." in str(unclear)
        return
    assert type(command) in HANDLERS
