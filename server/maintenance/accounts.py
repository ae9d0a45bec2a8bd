"""`fourfold-server account`: lists, shows, renames, closes, erases and exports player accounts.

Servers may run meanwhile: they are notified at once. All actions except listing and showing add a row to the audit log.
"""

import argparse
import base64
import json
from collections.abc import AsyncIterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from fourfold.server.archive.facts import Cursor, GameFacts, Search
from fourfold.server.archive.people import AccountFacts, NameTaken
from fourfold.server.clock import today
from fourfold.server.maintenance import erasure
from fourfold.server.maintenance.form import Command, argument, declare_reason, written
from fourfold.server.maintenance.moderation import actions
from fourfold.server.maintenance.places import NotPossible, Places, in_places
from fourfold.server.players.members import Change, Member, publish
from fourfold.server.players.names import BadName, account_name, skeleton

PAGE: Final = 200
"""How many games are read at once."""


async def find(places: Places, who: str) -> AccountFacts:
    """The account of a player's id or name. Raises `NotPossible`."""
    found = await places.archive.accounts.find_either(who, skeleton(who))
    if found is None:
        raise NotPossible(f"Unknown account {who}. Give the account's name or player id; account list shows them.")
    return found


async def _list(places: Places, _: argparse.Namespace) -> None:
    accounts = await places.archive.accounts.all()
    names = {one.player: one.name for one in accounts}
    for one in accounts:
        role = [one.role] if one.role else []
        owner = [] if one.owner is None else [f"bot of {names.get(one.owner, one.owner)}"]
        closed = [] if one.closed is None else [f"closed {written(one.closed)}"]
        print("  ".join([one.player, written(one.created), one.name, *role, *owner, *closed]))


async def _show(places: Places, arguments: argparse.Namespace) -> None:
    account = await find(places, arguments.who)
    bots = await places.archive.accounts.bots(account.player)
    record = await places.archive.record(account.player, private=True)
    print(f"{account.name}, player {account.player}, since {written(account.created)}")
    if account.role:
        print(account.role)
    if account.owner is not None:
        print(f"a bot that belongs to {account.owner}")
    if account.closed is not None:
        print(f"closed {written(account.closed)}")
    print("a recovery code" if account.recovery else "no recovery code")
    for passkey in account.passkeys:
        print(f"passkey of {passkey.device or 'a device'} for {passkey.site}, used {written(passkey.used)}")
    for session in account.sessions:
        what = f"token to {session.scope}" if session.scope else "signed in on"
        print(f"{what} {session.device or 'a device'}, since {written(session.created)}, used {written(session.used)}")
    for identity in account.identities:
        print(f"identity {identity.subject} at {identity.issuer}, since {written(identity.created)}")
    for bot in bots:
        print(f"bot {bot.name}, player {bot.player}")
    for tally in record.variants:
        print(f"{tally.kind[0]}: {tally.won} won, {tally.drawn} drawn, {tally.lost} lost")


async def _rename(places: Places, arguments: argparse.Namespace) -> None:
    account = await find(places, arguments.who)
    if account.closed is not None:
        raise NotPossible(f"{account.name} is closed.")
    try:
        name = account_name(arguments.name)
        await places.archive.accounts.rename(account.player, name, skeleton(name))
    except BadName as error:
        raise NotPossible(str(error)) from error
    except NameTaken as error:
        raise NotPossible(f"Another account has a name that looks like {arguments.name}.") from error
    await erasure.note(places, arguments.by, "rename account", account.player, arguments.why)
    await publish(places.store, Change({account.player: Member(account.created, name)}))
    print(f"{account.name} is now called {name}")


async def _role(places: Places, arguments: argparse.Namespace) -> None:
    account = await find(places, arguments.who)
    if account.owner is not None or account.closed is not None:
        raise NotPossible(f"{account.name} is a bot or closed, and can't have a role.")
    role = "" if arguments.role == "none" else arguments.role
    await actions(places).appoint(arguments.by, account, role, arguments.why)
    print(f"{account.name} is {f'now {role}' if role else 'no longer a moderator'}")


async def _close(places: Places, arguments: argparse.Namespace) -> None:
    account = await find(places, arguments.who)
    bots = await places.archive.accounts.bots(account.player)
    await erasure.note(places, arguments.by, "close account", account.player, arguments.why)
    closed = [account.player, *(bot.player for bot in bots)]
    await places.archive.accounts.close(closed, today())
    await erasure.shut(places, account)
    print(f"{account.name} is closed, with {len(bots)} bots: nobody can sign in to it")


async def _erase(places: Places, arguments: argparse.Namespace) -> int:
    try:
        player = (await find(places, arguments.who)).player
    except NotPossible:
        player = arguments.who  # some rooms may have been skipped when the account was erased
    erased = await erasure.erase_account(places, player, arguments.by, arguments.why)
    if not (erased.account or erased.rooms or erased.left):
        raise NotPossible(f"Unknown account {player}, and no data of such a player.")
    for room, reason in erased.left.items():
        print(f"{room} is skipped: {reason}; then erase account {player} again")
    print(f"{player} is erased: {erased.rooms} rooms no longer name the player, {len(erased.left)} skipped")
    return 1 if erased.left else 0


async def _export(places: Places, arguments: argparse.Namespace) -> None:
    account = await find(places, arguments.who)
    text = json.dumps(await _stored(places, account), indent=2, ensure_ascii=False)
    await erasure.note(places, arguments.by, "export account", account.player, arguments.why)
    if arguments.output is None:
        print(text)
    else:
        arguments.output.write_text(text + "\n", encoding="utf-8")


async def _stored(places: Places, account: AccountFacts) -> dict[str, Any]:
    """All stored data of an account. Credentials are only named, not included."""
    bots = await places.archive.accounts.bots(account.player)
    ratings = await places.archive.ratings.of(account.player)
    records = [one for one in await places.archive.orders.records() if one.target == account.player]
    return {
        "player": account.player,
        "name": account.name,
        "created": account.created,
        "closed": account.closed,
        "owner": account.owner,
        "role": account.role,
        "recovery": account.recovery is not None,
        "passkeys": [_passkey(asdict(one)) for one in account.passkeys],
        "sessions": [asdict(one) for one in account.sessions],
        "identities": [asdict(one) for one in account.identities],
        "following": [name for _, name in await places.archive.accounts.followed(account.player)],
        "bots": [{"player": bot.player, "name": bot.name, "created": bot.created} for bot in bots],
        "ratings": [kind._asdict() | asdict(standing) for kind, standing in ratings.items()],
        "games": [_game(game) async for game in _games(places, account.player)],
        "rooms_in_the_store": await erasure.rooms_in_store(places, account.player),
        "departures": [one._asdict() for one in await places.archive.orders.departures(account.player)],
        "audit": [record._asdict() for record in records],
    }


def _passkey(found: dict[str, Any]) -> dict[str, Any]:
    shown = {key: value for key, value in found.items() if key not in ("key", "player")}
    return shown | {"credential": base64.urlsafe_b64encode(found["credential"]).decode()}


def _game(game: GameFacts) -> dict[str, Any]:
    found = asdict(game)
    del found["path"]
    return found


async def _games(places: Places, player: str) -> AsyncIterator[GameFacts]:
    search = Search(player=player, private=True, limit=PAGE)
    while found := await places.archive.search(search):
        for game in found:
            yield game
        search = replace(search, after=Cursor.behind(found[-1]))


_WHO: Final = argument("who", metavar="WHO", help="the account's name or player id")
_ROLE: Final = argument("role", choices=["moderator", "admin", "none"], help="the role; none removes it")
_OUTPUT: Final = argument("--output", type=Path, metavar="FILE", help="the file to write; default standard output")

COMMANDS: Final = {
    "list": Command("List all accounts: player's id, since when, and name.", in_places(_list)),
    "show": Command("Show an account.", in_places(_show), (_WHO,)),
    "rename": Command(
        "Give an account another name.",
        in_places(_rename),
        (_WHO, argument("name", metavar="NAME", help="the new name"), declare_reason),
    ),
    "role": Command(
        "Make an account a moderator or an admin, or remove its role.",
        in_places(_role),
        (_WHO, _ROLE, declare_reason),
    ),
    "close": Command(
        "Close an account and its bots, so that nobody can sign in to it.", in_places(_close), (_WHO, declare_reason)
    ),
    "erase": Command(
        "Erase an account with its devices, tokens and bots. Its games stay, without ids and names. The exit status is "
        "1 if games are skipped.",
        in_places(_erase),
        (_WHO, declare_reason),
    ),
    "export": Command(
        "Write all stored data of an account, as JSON.",
        in_places(_export),
        (_WHO, declare_reason, _OUTPUT),
    ),
}
"""The actions by their names."""
