"""Requests for the best lines of a position, and the answers of bot hosts."""

import secrets
from functools import partial

from fourfold.engine.match import Status
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.server.bots.analysts import Answer
from fourfold.server.limits.admission import ANALYSIS, REVIEW
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.openings.names import openings
from fourfold.server.replication.fanout import Encoded
from fourfold.server.sessions import fair_play
from fourfold.server.sessions.positions import asked
from fourfold.server.sessions.session import Session


async def analyse(session: Session, request: ask.Analyse) -> None:
    """Start the analysis of a position."""
    services = session.services
    services.admission.do(ANALYSIS, session.peer.address)
    position = await asked(session, request)
    if position.outcome is not None:
        raise RequestRefused("game_over", "The game is over in this position.")
    await fair_play.require_no_help(session, [position])
    if session.gone:
        return
    session.reply(wire.Ok(), request.id)
    services.analysts.end(session.analysis)
    session.analysis = secrets.token_hex(8)
    job = wire.Consult(session.analysis, position.variant, position.fen(), request.lines, request.ms)
    services.analysts.begin(job, request.ms / 1000, partial(_tell, session, request.key))


def _tell(session: Session, key: str, found: Answer | None) -> None:
    """Send the lines found so far, or None when there will be no more."""
    if isinstance(found, ask.Found):
        told = wire.Lines(key, found.depth, found.nodes, found.lines, found.threats, found.done)
    else:
        told = wire.Lines(key, 0, 0, [], [], True)
    session.send(Encoded(told))


async def review(session: Session, request: ask.Review) -> None:
    """Send the review of a room's game; start one if there is none."""
    services = session.services
    state = (await session.room(request)).feed.shown_to(session.player_id)
    if state.status is not Status.FINISHED:
        raise RequestRefused("not_finished", "A game can be reviewed once it is over.")
    await fair_play.require_no_help(session, fair_play.line_of(state))
    room, game = request.room, state.game
    found = await services.reviews.find(room, game)
    names = await openings(state, services.long_work)
    if found is None and request.start:
        theory = names[-1].ply if names else 0
        if not request.idle:
            if services.reviews.may_begin(room, game):
                services.admission.do(REVIEW, session.peer.address)
                services.reviews.begin(room, state, theory)
        elif any(seat.player == session.player_id for seat in state.seats):
            services.reviews.begin_idle(room, state, theory)
    looked = None if found is not None else services.reviews.looked(room, game)
    judged = [] if found is None else found.judged
    summary = None if found is None else found.summary
    puzzles = 0 if found is None else len(found.puzzles)
    session.reply(wire.Reviewed(room, game, state.ply, looked, judged, summary, names, puzzles), request.id)


def unanalyse(session: Session, request: ask.Unanalyse) -> None:
    """End the analysis of this connection."""
    session.services.analysts.end(session.analysis)
    session.reply(wire.Ok(), request.id)


def answered(session: Session, request: ask.Found | ask.Examined) -> None:
    """Pass on the answer of a bot host."""
    if not session.services.analysts.answered(session, request):
        raise RequestRefused("no_such_job", "This job has ended, or nobody needs it any more.")
    session.reply(wire.Ok(), request.id)
