"""Queries on the tables of accounts."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, delete, func, or_, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from fourfold.server.archive import people
from fourfold.server.archive.statements import Statements
from fourfold.server.archive.tables import ACCOUNTS, FOLLOWS, IDENTITIES, PASSKEYS, SESSIONS


class AccountTables(Statements):
    """The accounts of a database. All methods raise `ArchiveUnavailable`."""

    async def names(self) -> dict[str, tuple[int, str]]:
        """All accounts by player: the time of creation, and the name, which is empty for closed accounts."""
        return {one.player: (one.created, "" if one.closed else one.name) for one in await self.all()}

    async def all(self) -> list[people.AccountFacts]:
        """All accounts, oldest first, without passkeys and sessions."""
        return await self._all(true())

    async def search(self, text: str, skeleton: str, most: int) -> list[people.AccountFacts]:
        """The accounts with a player's id, or with a text in their name, in any spelling; the newest come first, with
        their sessions and those of their bots. An empty text finds all."""
        name, looks = func.lower(ACCOUNTS.c.name), ACCOUNTS.c.skeleton
        which = or_(ACCOUNTS.c.player == text, name.contains(text.lower(), autoescape=True))
        if skeleton:
            which = or_(which, looks.contains(skeleton, autoescape=True))
        newest = select(ACCOUNTS).where(which).order_by(ACCOUNTS.c.created.desc(), ACCOUNTS.c.player).limit(most)
        async with self._begin() as connection:
            found = [_facts(row) for row in await connection.execute(newest)]
            players = [one.player for one in found]
            bots = select(ACCOUNTS.c.player, ACCOUNTS.c.owner).where(ACCOUNTS.c.owner.in_(players))
            owners = {row.player: row.owner for row in await connection.execute(bots)}
            theirs = SESSIONS.c.player.in_([*players, *owners])
            sessions: dict[str, list[people.SignedIn]] = {player: [] for player in players}
            for row in await connection.execute(select(SESSIONS).where(theirs).order_by(SESSIONS.c.used.desc())):
                for player in {row.player, owners.get(row.player)} & sessions.keys():
                    sessions[player].append(people.SignedIn(*row))
        return [replace(one, sessions=tuple(sessions[one.player])) for one in found]

    async def _all(self, which: ColumnElement[bool]) -> list[people.AccountFacts]:
        query = select(ACCOUNTS).where(which).order_by(ACCOUNTS.c.created, ACCOUNTS.c.player)
        return [_facts(row) for row in await self._rows(query)]

    async def find(self, player: str) -> people.AccountFacts | None:
        """A player's account; None without one."""
        return await self._find(ACCOUNTS.c.player == player)

    async def find_by_name(self, skeleton: str) -> people.AccountFacts | None:
        """The account whose name has this skeleton."""
        return await self._find(ACCOUNTS.c.skeleton == skeleton)

    async def find_either(self, who: str, skeleton: str) -> people.AccountFacts | None:
        """The account with a player's id, or whose name has this skeleton."""
        return await self.find(who) or await self.find_by_name(skeleton)

    async def players(self, account: people.AccountFacts) -> tuple[str, ...]:
        """The ids of an account's player and their bots."""
        return account.player, *(bot.player for bot in await self.bots(account.player))

    async def bots(self, owner: str) -> list[people.AccountFacts]:
        """The accounts of a player's bots."""
        return await self._all(ACCOUNTS.c.owner == owner)

    async def find_by_code(self, recovery: bytes) -> people.AccountFacts | None:
        """The account of a recovery code, by its digest."""
        return await self._find(ACCOUNTS.c.recovery == recovery)

    async def find_by_passkey(self, credential: bytes) -> people.AccountFacts | None:
        """The account of a passkey, by its credential's id."""
        owner = select(PASSKEYS.c.player).where(PASSKEYS.c.credential == credential).scalar_subquery()
        return await self._find(ACCOUNTS.c.player == owner)

    async def find_by_identity(self, issuer: str, subject: str) -> people.AccountFacts | None:
        """The account of a subject at an OpenID provider."""
        which = and_(IDENTITIES.c.issuer == issuer, IDENTITIES.c.subject == subject)
        return await self._find(ACCOUNTS.c.player == select(IDENTITIES.c.player).where(which).scalar_subquery())

    async def _find(self, which: ColumnElement[bool]) -> people.AccountFacts | None:
        async with self._begin() as connection:
            account = (await connection.execute(select(ACCOUNTS).where(which))).first()
            if account is None:
                return None
            passkeys = select(PASSKEYS).where(PASSKEYS.c.player == account.player).order_by(PASSKEYS.c.created)
            bots = select(ACCOUNTS.c.player).where(ACCOUNTS.c.owner == account.player)
            theirs = or_(SESSIONS.c.player == account.player, SESSIONS.c.player.in_(bots))
            sessions = select(SESSIONS).where(theirs).order_by(SESSIONS.c.used.desc())
            identities = select(IDENTITIES).where(IDENTITIES.c.player == account.player).order_by(IDENTITIES.c.created)
            return replace(
                _facts(account),
                passkeys=tuple(people.Passkey(*row) for row in await connection.execute(passkeys)),
                sessions=tuple(people.SignedIn(*row) for row in await connection.execute(sessions)),
                identities=tuple(people.ProviderIdentity(*row) for row in await connection.execute(identities)),
            )

    async def has_admin(self) -> bool:
        """Whether an open account has the role of an admin."""
        which = and_(ACCOUNTS.c.role == people.ADMIN, ACCOUNTS.c.closed.is_(None))
        async with self._begin() as connection:
            return await connection.scalar(select(ACCOUNTS.c.player).where(which).limit(1)) is not None

    async def find_bot(self, owner: str, skeleton: str) -> people.AccountFacts | None:
        """The owner's bot whose name has this skeleton; None if there is none."""
        return await self._find(and_(ACCOUNTS.c.owner == owner, ACCOUNTS.c.skeleton == skeleton))

    async def add(self, account: people.AccountFacts) -> people.AccountFacts:
        """Add an account with its passkeys and sessions. If the player already has an account of this name, add only
        these. Returns the stored account. Raises `NameTaken`, `HasAccount` or `IdentityTaken`."""
        columns = ("player", "name", "skeleton", "recovery", "created", "owner")
        row = {name: getattr(account, name) for name in columns}
        async with self._begin(write=True) as connection:
            await connection.execute(self._insert(ACCOUNTS).values(**row).on_conflict_do_nothing())
            kept = (await connection.execute(select(ACCOUNTS).where(ACCOUNTS.c.player == account.player))).first()
            if kept is None:
                raise people.NameTaken
            if kept.name != account.name:
                raise people.HasAccount
            if account.recovery is not None:
                await connection.execute(self._of(account.player).values(recovery=account.recovery))
            for passkey in account.passkeys:
                await connection.execute(self._insert(PASSKEYS).values(**asdict(passkey)).on_conflict_do_nothing())
            for session in account.sessions:
                await connection.execute(self._insert(SESSIONS).values(**asdict(session)).on_conflict_do_nothing())
            for identity in account.identities:
                await self._identify(connection, identity)
        return _facts(kept)

    async def follow(self, player: str, followed: str, now: int, most: int) -> bool:
        """Make a player follow another, who has an account. Returns False if they already follow `most` players."""
        mine = FOLLOWS.c.player == player
        row = {"player": player, "followed": followed, "created": now}
        async with self._begin(write=True) as connection:
            count = await connection.scalar(select(func.count()).where(mine, FOLLOWS.c.followed != followed)) or 0
            if count < most:
                await connection.execute(self._insert(FOLLOWS).values(**row).on_conflict_do_nothing())
        return count < most

    async def unfollow(self, player: str, followed: str) -> None:
        """Make a player stop following another."""
        await self._do(delete(FOLLOWS).where(FOLLOWS.c.player == player, FOLLOWS.c.followed == followed))

    async def followed(self, player: str) -> list[tuple[str, str]]:
        """The ids and names of the players that a player follows, ordered by name. Closed accounts are left out."""
        query = (
            select(ACCOUNTS.c.player, ACCOUNTS.c.name)
            .join_from(FOLLOWS, ACCOUNTS, ACCOUNTS.c.player == FOLLOWS.c.followed)
            .where(FOLLOWS.c.player == player, ACCOUNTS.c.closed.is_(None))
            .order_by(ACCOUNTS.c.skeleton)
        )
        return [(row.player, row.name) for row in await self._rows(query)]

    async def add_identity(self, identity: people.ProviderIdentity) -> None:
        """Add an identity to a player's account. Raises `IdentityTaken`."""
        async with self._begin(write=True) as connection:
            await self._identify(connection, identity)

    async def _identify(self, connection: AsyncConnection, identity: people.ProviderIdentity) -> None:
        await connection.execute(self._insert(IDENTITIES).values(**asdict(identity)).on_conflict_do_nothing())
        which = and_(IDENTITIES.c.issuer == identity.issuer, IDENTITIES.c.subject == identity.subject)
        if await connection.scalar(select(IDENTITIES.c.player).where(which)) != identity.player:
            raise people.IdentityTaken

    async def add_passkey(self, passkey: people.Passkey) -> None:
        """Add a passkey; does nothing if it exists."""
        await self._do(self._insert(PASSKEYS).values(**asdict(passkey)).on_conflict_do_nothing())

    async def use_passkey(self, credential: bytes, count: int, now: int) -> None:
        """Record the use of a passkey: its new counter, and the time."""
        which = PASSKEYS.c.credential == credential
        await self._do(update(PASSKEYS).where(which).values(count=count, used=now))

    async def remove_passkey(self, player: str, credential: bytes) -> None:
        """Remove a passkey of a player."""
        which = PASSKEYS.c.credential == credential
        await self._do(delete(PASSKEYS).where(which, PASSKEYS.c.player == player))

    async def set_code(self, player: str, recovery: bytes) -> None:
        """Replace a player's recovery code, given its digest."""
        await self._do(self._of(player).values(recovery=recovery))

    async def rename(self, player: str, name: str, skeleton: str) -> None:
        """Rename a player. Raises `NameTaken`."""
        async with self._begin(write=True) as connection:
            owner = await connection.scalar(select(ACCOUNTS.c.player).where(ACCOUNTS.c.skeleton == skeleton))
            if owner not in (None, player):
                raise people.NameTaken
            await connection.execute(self._of(player).values(name=name, skeleton=skeleton))

    async def preferences(self, player: str, chosen: Mapping[str, str]) -> dict[str, str]:
        """A player's preferences, after changing the chosen ones; empty without an account."""
        query = select(ACCOUNTS.c.preferences).where(ACCOUNTS.c.player == player)
        async with self._begin(write=bool(chosen)) as connection:
            found = await connection.scalar(query.with_for_update() if chosen else query)
            kept: dict[str, str] = json.loads(found or "{}")
            if chosen:
                kept |= chosen
                await connection.execute(self._of(player).values(preferences=json.dumps(kept)))
        return kept

    async def close(self, players: Sequence[str], now: int) -> None:
        """Close accounts, and remove their credentials: sessions, passkeys and recovery codes."""
        async with self._begin(write=True) as connection:
            for table in (PASSKEYS, SESSIONS):
                await connection.execute(delete(table).where(table.c.player.in_(players)))
            which = and_(ACCOUNTS.c.player.in_(players), ACCOUNTS.c.closed.is_(None))
            await connection.execute(update(ACCOUNTS).where(which).values(closed=now, recovery=None))

    async def erase(self, players: Sequence[str]) -> None:
        """Delete accounts, with their sessions and passkeys."""
        await self._do(delete(ACCOUNTS).where(ACCOUNTS.c.player.in_(players)))

    async def add_session(self, session: people.SignedIn, before: int) -> None:
        """Add a session, and remove those of the same player and scope that were last used before a time."""
        async with self._begin(write=True) as connection:
            old = and_(SESSIONS.c.player == session.player, SESSIONS.c.scope == session.scope, SESSIONS.c.used < before)
            await connection.execute(delete(SESSIONS).where(old))
            await connection.execute(self._insert(SESSIONS).values(**asdict(session)))

    async def use_session(self, session: str, now: int) -> None:
        """Record the use of a session."""
        await self._do(update(SESSIONS).where(SESSIONS.c.session == session).values(used=now))

    async def remove_session(self, session: str) -> None:
        """Remove a session."""
        await self._do(delete(SESSIONS).where(SESSIONS.c.session == session))

    @staticmethod
    def _of(player: str) -> Any:
        return update(ACCOUNTS).where(ACCOUNTS.c.player == player)


def _facts(row: Row[Any]) -> people.AccountFacts:
    own = (row.player, row.name, row.skeleton, row.recovery, row.created)
    return people.AccountFacts(*own, owner=row.owner, closed=row.closed, role=row.role)
