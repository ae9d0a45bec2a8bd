"""Requests about studies: create, follow, edit, list and export them, read their boards, and share positions in
them."""

from collections.abc import Callable
from typing import Any, Final

import structlog
from msgspec import UNSET

from fourfold.engine.decisions import Rejection, refused
from fourfold.engine.notation.resume import format_of
from fourfold.engine.study import commands as c
from fourfold.engine.study import steps
from fourfold.engine.study.events import ChapterAdded
from fourfold.engine.study.evolve import ENTRY, added_chapter, weight_of
from fourfold.engine.study.shapes import Shape
from fourfold.engine.variants import rules_of
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.protocol import studies as parts
from fourfold.protocol import study_projection
from fourfold.server.limits.admission import EDIT, EXPORT, IMPORT, READ, STUDY
from fourfold.server.limits.prices import CHAPTER, ENCODED, MISSED, MOVE, PLAYED, SENT
from fourfold.server.limits.refused import RequestRefused, RequestRejected
from fourfold.server.replication.holding import NoSuchRoom
from fourfold.server.rooms import imported
from fourfold.server.rooms.room_limits import LATER
from fourfold.server.sessions.chat import clean, clean_lines
from fourfold.server.sessions.refusals import accepted, refusing
from fourfold.server.sessions.session import Session
from fourfold.server.storage.event_log import LogUnavailable, OtherLineage, UnreadableEntry
from fourfold.server.studies import sources
from fourfold.server.studies.room import StudyRoom
from fourfold.server.studies.sources import Made

OWNED: Final = 50
"""How many studies a player with an account may own."""

OWNED_BY_GUEST: Final = 10
"""How many studies a guest may own."""

BOARDS: Final = 1500
"""How many moves of a text get a board, at most."""

NO_CHAPTER: Final = "no_such_chapter", "This study has no such chapter; perhaps it was removed just now."

MISSING_PIECES: Final = "missing_pieces", "Earlier pieces of this text are missing. Send all pieces again."

_log = structlog.get_logger(__name__)


# -- opening and following ----------------------------------------------------------------------


async def create(session: Session, request: ask.Study) -> None:
    """Open a study."""
    services, player = session.services, session.greeted
    services.admission.do(STUDY, session.peer.address)
    if (why := services.rooms.crowded) is not None:
        raise RequestRefused("store_full", f"No new studies for now: {why}.", LATER)
    title = None if request.title is None else _said(session, request.title)
    made = accepted(await _made(session, request.source))
    _write(session, weight_of(made.chapters))
    id = services.studies.name(player.id, request.key)
    most = OWNED if services.accounts.identities.roll.has(player.id) else OWNED_BY_GUEST
    if not await services.catalogue.claim(player.id, id, most):
        raise RequestRefused("too_many_studies", f"You own {most} studies, the most allowed. Delete one first.")
    create = c.Create(title if title is not None else made.study or "Study", request.visibility, "owner", made.chapters)
    command = c.Edit(player.name, create)
    study = await services.studies.open(id, command, player.id, request.key)
    if isinstance(study, Rejection):
        if study.code != "room_exists":
            await services.catalogue.forget(player.id, id)
        raise RequestRejected(study)
    if request.write != "owner" or request.writers:
        allow = c.Edit(player.name, _allow(session, request.write, request.writers))
        accepted(await study.judge(allow, player.id, f"allow {request.key}" if request.key else ""))
    _log.info("study opened", room=study.id, player=player.id)
    session.reply(wire.Created(study.id, list(made.notes) or UNSET), request.id)


def piece(session: Session, request: ask.Piece) -> None:
    """Keep a piece of a text. It costs as much as a whole text, because reading it takes as long."""
    session.services.admission.do(READ, session.peer.address)
    if request.number > len(session.pieces):
        raise RequestRefused(*MISSING_PIECES)
    session.pieces = (*session.pieces[: request.number], request.text)
    session.reply(wire.Ok(), request.id)


async def read_chapters(session: Session, request: ask.Chapters) -> None:
    """Send a game of a text, to read it."""
    made = accepted(await _made(session, request.source))
    if request.chapter > len(made.chapters):
        raise RequestRefused("no_such_chapter", f"This text has {len(made.chapters)} games.")
    title, draft = made.chapters[request.chapter - 1]

    def shown() -> tuple[parts.Chapter, list[parts.NodeBoard]]:
        chapter = added_chapter(ChapterAdded(request.chapter, title, draft), session.player_id)
        return study_projection.chapter(chapter), study_projection.boards(chapter, BOARDS)

    chapter, boards = await session.services.converter.apart(shown)
    session.due += MOVE * len(boards)
    session.reply(wire.Chapters([one for one, _ in made.chapters], chapter, boards, list(made.notes)), request.id)


async def import_game(session: Session, request: ask.Import) -> None:
    """Add a game of a text to the archive."""
    services = session.services
    if not services.accounts.identities.roll.has(session.player_id):
        raise RequestRefused("no_account", "Only players with an account can add games to the archive.")
    services.admission.do(IMPORT, session.peer.address)
    text = _whole(session, request.source)
    _hear(session, text)
    format = request.source.format or format_of(text)
    try:
        if format not in imported.FORMATS:
            raise imported.NoGame("this is neither PGN nor PGN4")
        async with services.long_work:
            game = await imported.of(text, format)
    except imported.NoGame as error:
        raise RequestRejected(Rejection("unreadable", "no_game", f"This game can't be added: {error}.")) from error
    await services.archive.ask(lambda database: database.import_games([game], services.clock()))
    _log.info("game added to the archive", room=game.room, player=session.player_id)
    session.reply(wire.Created(game.room), request.id)


async def study_of(session: Session, request: Any) -> StudyRoom:
    """The study that a request names, if this player may see it.

    Raises `RequestRefused`, `NoSuchRoom`, `UnreadableEntry` or `LogUnavailable`.
    """
    room = session.studies.get(request.room)
    if room is None or room.gone:
        room = await session.services.studies.find(request.room)
    if not room.study.may_see(session.player_id):
        await room.refresh()  # another server may have shared it just now, which has not arrived here yet
        if room.gone or not room.study.may_see(session.player_id):
            raise NoSuchRoom(room.id)
    if session.player_id != room.study.owner and room.id not in session.studies:
        with refusing():
            session.services.moderation.enter(room.id)
    return room


async def watch(session: Session, request: ask.Watch) -> None:
    """Follow a study, from now on or from a version that the client knows."""
    session.may_follow(request.room)
    room = await study_of(session, request)
    since = request.since
    if since is not None and since > room.seq:
        await room.refresh()  # another server may have sent the client a version that has not arrived here yet
        if room.gone or not room.study.may_see(session.player_id):
            raise NoSuchRoom(room.id)
        if since > room.seq:
            raise RequestRefused("ahead", f"The log of this study ends at {room.seq}. Watch it without `since`.")
    if since is None:
        work = await room.encodings.encode(room.study, session.codec, session.services.long_work)
        session.due += CHAPTER * work.chapters + ENCODED * work.moves + SENT * work.size
        if room.gone or not room.study.may_see(session.player_id):
            raise NoSuchRoom(room.id)
    before = session.studies.get(room.id)
    if before is not None and before is not room:
        before.leave(session)
    session.studies[room.id] = room
    name = session.greeted.name
    if since is None:
        room.enter(session, name, request.id)
        return
    missed = room.seq - since
    session.due += MISSED * missed + SENT * room.study.written * missed / room.seq
    try:
        await room.resume(session, name, since, request.id, decided=request.decided)
    except OtherLineage as error:
        _unfollow(session, room.id)
        raise RequestRefused("ahead", f"{error} Watch it without `since`.") from error
    except (LogUnavailable, UnreadableEntry):
        _unfollow(session, room.id)
        raise


def leave(session: Session, request: ask.Leave) -> None:
    """Stop following a study."""
    _unfollow(session, request.room)
    session.reply(wire.Ok(room=request.room), request.id)


def _unfollow(session: Session, id: str) -> None:
    room = session.studies.pop(id, None)
    if room is not None:
        room.leave(session)


# -- changing -----------------------------------------------------------------------------------


async def edit(session: Session, request: ask.Edit) -> None:
    """Change a study."""
    player, change = session.greeted, request.change
    session.services.admission.do(EDIT, session.peer.address)
    room = await study_of(session, request)
    if isinstance(change, parts.Play) and room.study.may_write(player.id):
        session.due += MOVE * await room.prepare(change.chapter, change.after, session.services.long_work)
    notes: tuple[str, ...] = ()
    size = len(session.codec.encode(change))
    if isinstance(change, parts.AddChapters):
        if not room.study.may_write(player.id):
            raise RequestRefused("not_writer", "You may read this study, and not write in it; ask its owner.")
        made = await _made(session, change.source)
        if isinstance(made, Rejection):
            _refuse(session, request, room, made)
            return
        notes, size = made.notes, weight_of(made.chapters)
        command: c.Change = c.AddChapters(made.chapters)
    else:
        command = _CHANGES[type(change)](session, change)
    if room.study.may_write(player.id):
        _write(session, size)

    def answered(answer: int | Rejection) -> None:
        if isinstance(answer, Rejection):
            _refuse(session, request, room, answer)
        else:
            session.reply(wire.Ok(room=room.id, seq=answer, notes=list(notes) or UNSET), request.id)

    room.submit(c.Edit(player.name, command), player.id, answered, request.key or "")


def _write(session: Session, size: int) -> None:
    """Count the size of a player's edit. Raises `RequestRefused` over the daily limit."""
    player, guest = session.player_id, not session.services.accounts.identities.roll.has(session.player_id)
    session.services.admission.write(ENTRY + size, session.peer.address, player if guest else None)


def _refuse(session: Session, request: ask.Request, room: StudyRoom, rejection: Rejection) -> None:
    session.services.metrics.errors[rejection.code] += 1
    error = wire.Error(kind=rejection.kind, code=rejection.code, message=rejection.message, room=room.id, seq=room.seq)
    if rejection.retry is not None:
        error.retry = rejection.retry
    session.reply(error, request.id)


def _said(session: Session, text: str, shown: Callable[[str], str] = clean) -> str:
    """A player's text in a form that is safe to show. Raises `RequestRefused` if they may not write it."""
    if text:
        _hear(session, text)
    return shown(text)


def _hear(session: Session, text: str) -> None:
    with refusing():
        session.services.moderation.hear(session.greeted, text, session.address)


def _allow(session: Session, write: parts.StudyWriting, writers: list[str]) -> c.Allow:
    """The players who may edit. Each is named by the id of an online player or of an account, or by an account's
    name."""
    roll, online = session.services.accounts.identities.roll, session.services.online
    named = []
    for who in dict.fromkeys(writers):
        player = who if roll.has(who) else roll.named(who) or who
        name = roll.name(player)
        if name is None:
            person = online.get(player)
            if person is None:
                why = f"No account is called {clean(who)}, and no guest with this id is online."
                raise RequestRefused("no_such_player", why)
            name = person.name
        named.append((player, name))
    return c.Allow(write, tuple(named))


_CHANGES: Final[dict[type[Any], Callable[[Session, Any], c.Change]]] = {
    parts.Retitle: lambda session, change: c.Title(_said(session, change.title)),
    parts.Share: lambda _, change: c.Share(change.visibility),
    parts.Allow: lambda session, change: _allow(session, change.write, change.writers),
    parts.Delete: lambda _, change: c.Delete(),
    parts.TitleChapter: lambda session, change: c.TitleChapter(change.chapter, _said(session, change.title)),
    parts.OrderChapter: lambda _, change: c.OrderChapter(change.chapter, change.place),
    parts.RemoveChapter: lambda _, change: c.RemoveChapter(change.chapter),
    parts.Play: lambda _, change: c.Play(change.chapter, change.after, change.move),
    parts.Remove: lambda _, change: c.Remove(change.chapter, change.node),
    parts.Promote: lambda _, change: c.Promote(change.chapter, change.node, change.whole),
    parts.Comment: lambda session, change: c.Comment(
        change.chapter, change.node, _said(session, change.text, clean_lines), change.seq
    ),
    parts.Annotate: lambda _, change: c.Annotate(change.chapter, change.node, tuple(change.glyphs)),
    parts.Draw: lambda _, change: c.Draw(
        change.chapter, change.node, tuple(Shape(one.colour, one.square, one.target) for one in change.shapes)
    ),
}
"""The changes of an edit as engine commands, except those that need a source."""


async def _made(session: Session, source: parts.Source) -> Made | Rejection:
    """The chapters made from a source: see `Source`. Raises the errors of `Session.room`."""
    services = session.services
    title = None if source.title is None else _said(session, source.title)
    if source.game is not None:
        return await _of_game(session, source.game, title)
    if source.text is not None:
        services.admission.do(READ, session.peer.address)
        text, format, of, first = _whole(session, source), source.format, source.variant, source.first
        game = sources.game_of(text)
        if game is not None:
            return await _of_game(session, game, title)
        _hear(session, text)
        made = await services.converter.apart(lambda: sources.of_text(text, format, title, clean, of, first))
        if isinstance(made, Made):
            session.due += PLAYED * sum(len(draft.nodes) for _, draft in made.chapters)
        return made
    async with services.long_work:
        return sources.of_position(source.variant, source.position, title)


def _whole(session: Session, source: parts.Source) -> str:
    """The text of a source, joined with the pieces sent before it."""
    if source.pieces != len(session.pieces) and source.pieces:
        raise RequestRefused(*MISSING_PIECES)
    pieces, session.pieces = session.pieces, ()
    return "".join((*pieces[: source.pieces], source.text or ""))


async def _of_game(session: Session, id: str, title: str | None) -> Made | Rejection:
    """A chapter made from a room's game, as far as this player may see it."""
    services = session.services
    services.admission.do(READ, session.peer.address)
    try:
        room = await session.room(ask.Watch(room=id))
    except NoSuchRoom:
        return refused("no_such_room", f"There is no game {clean(id)} on this server. {sources.WANTED}")
    decisions = await room.decisions()
    if not decisions:
        raise NoSuchRoom(id)
    state = room.feed.shown_to(session.player_id)
    format = state.position.rules.records
    attendance = room.attendance()
    text = await services.converter.write(id, decisions[: state.seq], attendance, format)
    return await services.converter.apart(lambda: sources.of_text(text, format, title, clean))


# -- positions -----------------------------------------------------------------------------------


async def look(session: Session, request: ask.Look) -> None:
    """Send the boards after some moves, and the legal moves there."""
    room = await study_of(session, request)
    long_work = session.services.long_work
    positions: list[parts.NodePosition] = []
    for node in dict.fromkeys(request.nodes):
        session.due += MOVE * await room.prepare(request.chapter, node, long_work)
        async with long_work:
            chapter = room.study.chapter(request.chapter)
            if chapter is None:
                raise RequestRefused(*NO_CHAPTER)
            if node in chapter.nodes:
                position = steps.position_at(room.study, chapter, node)
                positions.append(study_projection.board(node, position, attacks=request.attacks))
    session.reply(wire.Looked(room.id, request.chapter, positions), request.id)


async def stand(session: Session, request: ask.Stand) -> None:
    """Show the others which move a player looks at."""
    room = await study_of(session, request)
    if session.studies.get(room.id) is not room or not room.is_followed_by(session):
        raise RequestRefused("not_following", "Watch this study first, to show your position in it.")
    chapter = room.study.chapter(request.chapter)
    if chapter is None or request.node not in chapter.nodes:
        raise RequestRefused("no_such_node", "This study has no such move; perhaps it was removed just now.")
    room.cursors.stand(session, request.chapter, request.node)
    session.reply(wire.Ok(room=room.id, seq=room.seq), request.id)


async def export(session: Session, request: ask.Export) -> None:
    """Write a study's chapters as text."""
    room = await study_of(session, request)
    session.services.admission.do(EXPORT, session.peer.address)
    study = room.study
    chapters = [one for one in study.chapters if request.chapter in (None, one.number)]
    if request.chapter is not None and not chapters:
        raise RequestRefused(*NO_CHAPTER)
    written = [one for one in chapters if rules_of(one.variant).records == request.format]
    if not written:
        formats = sorted({rules_of(one.variant).records for one in chapters}) or ["pgn"]
        raise RequestRefused("no_such_format", f"This is written as {' or '.join(formats)}, not as {request.format!r}.")
    text, work = await room.encodings.write(study, written, session.services.converter.apart)
    session.due += PLAYED * work.moves + SENT * work.size
    session.reply(wire.Exported(room.id, request.format, text, study.seq), request.id)


async def list_studies(session: Session, request: ask.Studies) -> None:
    """List studies: the player's own, or the public ones."""
    catalogue, player = session.services.catalogue, session.player_id
    after = None if request.after is None else _mark(request.after)
    if request.whose == "public":
        found = await catalogue.public(after, request.limit + 1)
    else:
        found, unopened = await catalogue.of(player)
        for id in unopened:
            await _look_again(session, id)
        found = [one for one in found if after is None or (one.changed, one.room) < after]
    page = found[: request.limit]
    more = f"{page[-1].changed}.{page[-1].room}" if len(found) > len(page) else None
    session.reply(wire.Studies(page, more), request.id)


async def _look_again(session: Session, id: str) -> None:
    """Check a study that failed while it was opened: if it exists, list it now; else nothing was listed."""
    try:
        session.services.catalogue.changed(await session.services.studies.find(id))
    except UnreadableEntry:
        return
    except NoSuchRoom:
        await session.services.catalogue.forget(session.player_id, id)


def _mark(text: str) -> tuple[int, str]:
    changed, _, id = text.partition(".")
    return int(changed), id
