"""Accounts: registration in place, sign-in on other devices, sign-out.

The archive's database holds the credentials of accounts. The list of accounts and signed-out sessions is also in the
store (`members`). So players with a token can play while the database is away.
"""

import asyncio
import contextlib
import secrets
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import Final, Protocol

import structlog

from fourfold.server.archive import people
from fourfold.server.archive.archive import Archive
from fourfold.server.clock import Clock
from fourfold.server.players import passkeys
from fourfold.server.players.codes import digest, new_code
from fourfold.server.players.identity import (
    LIFE,
    BadToken,
    Identities,
    Player,
    Registration,
    is_bot,
    life_of,
    new_bot,
    new_session,
)
from fourfold.server.players.members import Change, Member, Members, Roll
from fourfold.server.players.names import MAX_NAME, BadName, account_name, clean_name, skeleton
from fourfold.server.players.oidc import Away, NotProved, Provider
from fourfold.server.players.passkeys import BadPasskey, Ceremony
from fourfold.server.players.sanitize import shown
from fourfold.server.storage.event_log import unless_unavailable, until_available
from fourfold.server.storage.store import SharedData
from fourfold.server.supervision import Tasks, end

MOST_TOKENS: Final = 50
"""How many access tokens an account may have."""

AGAIN: Final = 5.0
"""Seconds between attempts to read the accounts from the database."""

_log = structlog.get_logger(__name__)


class AccountRefused(Exception):
    """An account request is refused: a code of the protocol, a sentence, and the milliseconds after which a retry can
    succeed, if time is the only obstacle."""

    def __init__(self, code: str, message: str, retry: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retry = retry


class Connected(Protocol):
    """A connection of a player. `sessions.session.Session` implements it, in a folder above."""

    @property
    def player_id(self) -> str:
        """The player's id."""

    @property
    def address(self) -> str:
        """The client's address, as `Admission.address` writes it."""

    def sign_out(self) -> None:
        """Close the connection, because its session was signed out."""

    def banish(self, why: str) -> None:
        """Close the connection, because its player or address is banned."""

    def announce(self, text: str) -> None:
        """Send the client an announcement to everyone."""


class Accounts:
    """Runs from `open` to `close`. The methods raise `AccountRefused`, and `LogUnavailable` while the database or the
    store is away."""

    def __init__(
        self,
        policy: str,
        secret: bytes,
        store: SharedData,
        archive: Archive,
        clock: Clock,
        provider: Provider | None = None,
        unwanted: Callable[[str], object] = lambda _: None,
        reserved: str | None = None,
    ) -> None:
        """`policy` is the setting ACCOUNTS. `secret` signs tokens. `provider` is an OpenID provider. `unwanted` returns
        whether a name contains a banned word. `reserved` is a name for admins only."""
        self.policy = policy
        """Who may have an account."""
        self.provider = provider
        """The OpenID provider for sign-ins."""
        self._unwanted = unwanted
        self._archive = archive
        self._clock = clock
        self._reserved = None if reserved is None else skeleton(reserved)
        self._members = Members(store, clock, self._changed, self._reserved)
        self.identities = Identities(secret, self._members.roll)
        """Identifies players by their tokens."""
        self._connected: dict[str, set[Connected]] = defaultdict(set)  # by session
        self._tasks = Tasks()

    async def open(self) -> None:
        """Load the list of accounts. Raises `LogUnavailable`."""
        if self.policy != "off":
            await self._members.start()
            self._tasks.start(until_available(AGAIN, self._compare, _log, "accounts not compared"))

    async def close(self) -> None:
        """Stop."""
        await end(self._tasks)
        if self.policy != "off":
            await self._members.stop()

    async def _compare(self) -> None:
        """Copy to the store the accounts that only the database has, and to the database the closures that only the
        store has. A server may have been killed, or the store may have lost data."""
        known = await self._archive.people(lambda tables: tables.names())
        there, here = Roll(), self._members.roll
        there.take(Change({player: Member(*one) for player, one in known.items()}))
        if lacking := there.lacking(here).members:
            await self._members.put(Change(lacking))

    def name(self, player: str) -> str | None:
        """The name of a player's account; None without an account."""
        return self._members.roll.name(player)

    # -- connections --

    def greet(self, connection: Connected, token: str | None, name: str | None, *, bot: bool) -> Player:
        """The player of a connection that says hello: see `Identities.greet`. Raises `BadToken`."""
        if name is not None and self._unwanted(name):
            name = None
        player = self.identities.greet(token, name, bot=bot, now=self._clock())
        if self.policy == "off" and player.session != player.id:
            raise BadToken("This server has no accounts. Say hello without a token to become a new guest.")
        self._connected[player.session].add(connection)
        if token is not None and player.token != token and player.session != player.id:
            self._tasks.start(self._note_use(player.session))
        return player

    def become(self, connection: Connected, before: Player, player: Player) -> None:
        """A connection's player has a different session from now on."""
        self.leave(connection, before)
        self._connected[player.session].add(connection)

    def connections(self) -> list[Connected]:
        """All connections that have said hello."""
        return [one for some in self._connected.values() for one in some]

    def leave(self, connection: Connected, player: Player) -> None:
        """A connection has ended, or should stay open when its session is signed out."""
        mine = self._connected[player.session]
        mine.discard(connection)
        if not mine:
            del self._connected[player.session]

    async def _note_use(self, session: str) -> None:
        with unless_unavailable(_log, "session use not recorded"):
            await self._archive.people(lambda tables: tables.use_session(session, self._clock()))

    def _changed(self, change: Change) -> None:
        """Close the connections of signed-out sessions."""
        for session in change.void:
            for connection in list(self._connected.get(session, ())):
                connection.sign_out()

    # -- credentials --

    def require(self, *, new: bool = False) -> None:
        """Raises `AccountRefused` if this server has no accounts, or creates no `new` ones."""
        if self.policy == "off":
            raise AccountRefused("accounts_off", "This server has no accounts: everybody is a guest.")
        if new and self.policy == "oidc":
            raise AccountRefused("accounts_closed", "This server creates accounts only by its sign-in: see `oidc`.")
        if new and self.policy != "open":
            raise AccountRefused("accounts_closed", "This server creates no new accounts. Ask its operator.")

    async def begin_passkey(self, player: Player, page: str, *, making: bool) -> Ceremony:
        """Begin to create or use a passkey of a player, on a page."""
        self.require()
        if not page.startswith(("https://", "http://localhost")):
            message = "Passkeys need a browser page that is served by https or from localhost."
            raise AccountRefused("no_passkeys", f"{message} Use a recovery code.")
        if not making:
            return await asyncio.to_thread(passkeys.begin_using, page)
        facts = await self._archive.people(lambda tables: tables.find(player.id))
        known = [] if facts is None else [passkey.credential for passkey in facts.passkeys]
        return await asyncio.to_thread(passkeys.begin_making, page, player.id, player.name, known)

    async def _made(self, player: str, ceremony: Ceremony | None, answer: str, device: str) -> people.Passkey:
        if ceremony is None or not ceremony.making:
            raise AccountRefused("no_ceremony", "First request a `passkey` to make, on this connection.")
        try:
            made = await asyncio.to_thread(passkeys.made, ceremony, answer)
        except BadPasskey as error:
            raise AccountRefused("bad_passkey", str(error)) from error
        now = self._clock()
        return people.Passkey(made.credential, player, made.key, made.count, made.site, device, now, now)

    # -- accounts --

    def _name(self, name: str, *, admin: bool = False) -> str:
        """A name in the form that accounts use. Only an `admin` gets the reserved one."""
        if not admin and skeleton(name) == self._reserved:
            raise AccountRefused("bad_name", f"The name {clean_name(name)} is reserved for admins of this server.")
        if self._unwanted(name):
            raise AccountRefused("bad_name", "This name contains a word that is not allowed here. Choose another name.")
        try:
            return account_name(name)
        except BadName as error:
            raise AccountRefused("bad_name", str(error)) from error

    def _candidates(self, names: tuple[str, ...]) -> Iterator[str]:
        """Possible account names from those of a provider: first as they are, then with a number."""
        good = []
        for name in names:
            with contextlib.suppress(AccountRefused):
                good.append(self._name(name))
        yield from good
        stem = good[0] if good else "Player"
        for _ in range(20):
            yield clean_name(f"{stem[: MAX_NAME - 5]} {secrets.randbelow(9000) + 1000}")

    async def find(self, player: Player) -> people.AccountFacts:
        """The stored data of a player's account."""
        self.require()
        facts = await self._archive.people(lambda tables: tables.find(player.id))
        if facts is None:
            raise AccountRefused("no_account", "You are a guest and have no account.")
        now, roll = self._clock(), self._members.roll
        here = (
            one for one in facts.sessions if one.used + life_of(one.session) > now and not roll.is_void(one.session)
        )
        return replace(facts, sessions=tuple(here))

    async def register(
        self, player: Player, name: str, device: str, ceremony: Ceremony | None, answer: str | None, key: str | None
    ) -> tuple[Player, str | None]:
        """Turn a guest into an account, with a passkey (the `answer` to a ceremony) or a recovery code as credential.

        Returns the player with the token of this device, and the code. The guest's token becomes void, because anyone
        with a copy of it would own the account. A repetition with the same `key` gets the first answer again.
        """
        self.require()
        new = Registration(new_session(), new_code()) if key is None else self.identities.registration(player.id, key)
        if key is not None and (again := await self._registered(player.id, new)) is not None:
            return again
        self.require(new=True)
        if is_bot(player.id):
            raise AccountRefused("is_bot", "A bot can't register an account.")
        if player.session != player.id:
            raise AccountRefused("has_account", "You already have an account; `rename` changes its name.")
        name = self._name(name)
        made = () if answer is None else (await self._made(player.id, ceremony, answer, device),)
        code = None if made else new.code
        now = self._clock()
        session = people.SignedIn(new.session, player.id, device, now, now)
        recovery = None if code is None else digest(code)
        account = people.AccountFacts(player.id, name, skeleton(name), recovery, now, made, (session,))
        try:
            return await self._keep(account, session), code
        except people.NameTaken as error:
            raise _taken(name) from error

    async def _registered(self, player: str, made: Registration) -> tuple[Player, str | None] | None:
        """The answer to a player's earlier registration; None if this registration has made no account, or if its
        device is signed out. A recovery code that has been replaced is left out."""
        if not self._members.roll.has(player) or self._members.roll.is_void(made.session):
            return None
        facts = await self._archive.people(lambda tables: tables.find(player))
        now = self._clock()
        if facts is None or not any(one.session == made.session and one.used + LIFE > now for one in facts.sessions):
            return None
        code = made.code if facts.recovery == digest(made.code) else None
        return self.identities.member(player, facts.name, made.session, now), code

    async def renewed(self, token: str, key: str) -> str:
        """The token with which to greet a client that may have registered under a key: that of its account, or else the
        guest's. Raises `BadToken`."""
        guest = self.identities.guest_of(token)
        if guest is None or self.policy == "off":
            return token
        again = await self._registered(guest, self.identities.registration(guest, key))
        return token if again is None else again[0].token

    async def sign_in(self, device: str, ceremony: Ceremony | None, answer: str | None, code: str | None) -> Player:
        """The player of a passkey or recovery code, with the token of a new session."""
        self.require()
        if answer is not None:
            facts = await self._proved(ceremony, answer)
        else:
            known = digest(code or "")
            found = await self._archive.people(lambda tables: tables.find_by_code(known))
            if found is None:
                raise AccountRefused("wrong_code", "Unknown recovery code.")
            facts = found
        return await self._new_session(facts, device)

    async def _new_session(self, facts: people.AccountFacts, device: str) -> Player:
        now = self._clock()
        session = people.SignedIn(new_session(), facts.player, device, now, now)
        await self._archive.people(lambda tables: tables.add_session(session, now - LIFE))
        if not self._members.roll.knows(facts.player):
            await self._members.put(Change({facts.player: Member(facts.created, facts.name)}))
        return self.identities.member(facts.player, facts.name, session.session, now)

    async def _proved(self, ceremony: Ceremony | None, answer: str) -> people.AccountFacts:
        if ceremony is None or ceremony.making:
            raise AccountRefused("no_ceremony", "First request a `passkey` to use, on this connection.")
        try:
            credential = passkeys.named(answer)
            facts = await self._archive.people(lambda tables: tables.find_by_passkey(credential))
            if facts is None:
                raise BadPasskey("This passkey belongs to no account here. It may have been removed.")
            passkey = next(one for one in facts.passkeys if one.credential == credential)
            if passkey.site != ceremony.site:
                raise BadPasskey(f"This passkey is for {passkey.site}.")
            count = await asyncio.to_thread(passkeys.used, ceremony, answer, passkey.key, passkey.count)
        except BadPasskey as error:
            raise AccountRefused("bad_passkey", str(error)) from error
        await self._archive.people(lambda tables: tables.use_passkey(credential, count, self._clock()))
        return facts

    # -- an OpenID provider --

    async def begin_sign_in(self, player: Player, page: str) -> str:
        """Begin a sign-in at the provider; returns the URL to which the page sends the browser."""
        provider = self._require_provider()
        if not page:
            raise AccountRefused("provider_refused", "This sign-in needs a browser. Use a recovery code here.")
        with _asking():
            return await provider.begin(player.id, page)

    async def end_sign_in(self, player: Player, state: str, code: str, device: str) -> Player:
        """The account that the provider identifies, with the token of a new session. If there is none, the player here
        gets the identity: a guest becomes an account in place, and an account can sign in this way from now on."""
        provider = self._require_provider()
        with _asking():
            found = await provider.end(player.id, state, code)
        while True:
            facts = await self._archive.people(lambda tables: tables.find_by_identity(found.issuer, found.subject))
            if facts is not None and facts.closed is not None:
                raise AccountRefused("provider_refused", "The account of this identity is closed for good.")
            if facts is not None:
                return await self._new_session(facts, device)
            proof = people.ProviderIdentity(found.issuer, found.subject, player.id, self._clock())
            try:
                if player.session == player.id:
                    return await self._register_by(player, found.names, proof, device)
                return await self._link(player, proof)
            except people.IdentityTaken:
                continue  # by another device, at the same moment

    def _require_provider(self) -> Provider:
        self.require()
        if self.provider is None:
            raise AccountRefused("no_provider", "This server has no OpenID provider.")
        return self.provider

    async def _link(self, player: Player, proof: people.ProviderIdentity) -> Player:
        """Add an identity to an account as a way to sign in."""
        await self.find(player)
        await self._archive.people(lambda tables: tables.add_identity(proof))
        return self.identities.member(player.id, player.name, player.session, self._clock())

    async def _register_by(
        self, player: Player, names: tuple[str, ...], proof: people.ProviderIdentity, device: str
    ) -> Player:
        """Turn a guest into an account that signs in with an identity. The account gets the first free name."""
        if self.policy not in ("open", "oidc"):
            raise AccountRefused("accounts_closed", "This server creates no new accounts. Ask its operator.")
        if is_bot(player.id):
            raise AccountRefused("is_bot", "A bot can't register an account.")
        for name in self._candidates(names):
            session = people.SignedIn(new_session(), player.id, device, proof.created, proof.created)
            account = people.AccountFacts(
                player.id, name, skeleton(name), None, proof.created, (), (session,), identities=(proof,)
            )
            with contextlib.suppress(people.NameTaken):
                return await self._keep(account, session)
        raise AccountRefused("name_taken", "All names from the provider are taken. `register` another name.")

    async def _keep(self, account: people.AccountFacts, session: people.SignedIn) -> Player:
        """Store a new account with its first session. Raises `NameTaken`."""
        if self._members.roll.knows(account.player):  # else a copy of the guest's token would add a session to it
            raise AccountRefused("has_account", "This player already has an account. Sign in to it.")
        try:
            kept = await self._archive.people(lambda tables: tables.add(account))
        except people.HasAccount as error:
            raise AccountRefused("has_account", "This player already has an account. Sign in to it.") from error
        await self._members.put(Change({account.player: Member(kept.created, account.name)}))
        _log.info("account made", player=account.player, name=account.name)
        return self.identities.member(account.player, account.name, session.session, session.created)

    async def add_passkey(self, player: Player, device: str, ceremony: Ceremony | None, answer: str) -> None:
        """Add a passkey to a player's account."""
        await self.find(player)
        passkey = await self._made(player.id, ceremony, answer, device)
        await self._archive.people(lambda tables: tables.add_passkey(passkey))

    async def remove_passkey(self, player: Player, credential: bytes) -> None:
        """Remove a passkey from a player's account."""
        facts = await self.find(player)
        others = [passkey for passkey in facts.passkeys if passkey.credential != credential]
        if len(others) == len(facts.passkeys):
            raise AccountRefused("no_such_passkey", "Your account doesn't have this passkey.")
        if not others and facts.recovery is None and not facts.identities:
            message = "This passkey is the only way to sign in. Create a recovery code first."
            raise AccountRefused("last_proof", message)
        await self._archive.people(lambda tables: tables.remove_passkey(player.id, credential))

    async def new_code(self, player: Player) -> str:
        """A new recovery code for a player's account. The old one becomes void."""
        await self.find(player)
        code = new_code()
        await self._archive.people(lambda tables: tables.set_code(player.id, digest(code)))
        return code

    async def rename(self, player: Player, name: str) -> Player:
        """Rename a player's account; returns the player with a new token."""
        name = await self.give_name(await self.find(player), name)
        return self.identities.member(player.id, name, player.session, self._clock())

    async def give_name(self, account: people.AccountFacts, name: str) -> str:
        """Rename an account; returns the new name."""
        name = self._name(name, admin=account.role == people.ADMIN)
        try:
            await self._archive.people(lambda tables: tables.rename(account.player, name, skeleton(name)))
        except people.NameTaken as error:
            raise _taken(name) from error
        await self._members.put(Change({account.player: Member(account.created, name)}))
        return name

    async def preferences(self, player: Player, chosen: Mapping[str, str]) -> dict[str, str]:
        """The preferences kept with a player's account, after changing the chosen ones."""
        await self.find(player)  # the list in memory may not have a new account yet
        return await self._archive.people(lambda tables: tables.preferences(player.id, chosen))

    async def grant(self, player: Player, scope: str, name: str) -> Player:
        """An access token of a player's account: to `play` as this player, or for a `bot` of that name. The bot belongs
        to this player, and is created if there is none."""
        facts = await self.find(player)
        if sum(bool(one.scope) for one in facts.sessions) >= MOST_TOKENS:
            raise AccountRefused("too_many_tokens", f"An account has at most {MOST_TOKENS} access tokens. Revoke one.")
        now = self._clock()
        if scope != "bot":
            session = people.SignedIn(new_session(scope), player.id, shown(name), now, now, scope)
            await self._archive.people(lambda tables: tables.add_session(session, now - life_of(session.session)))
            return self.identities.member(player.id, facts.name, session.session, now)
        name = self._name(name)
        known = await self._archive.people(lambda tables: tables.find_bot(player.id, skeleton(name)))
        id, called = (new_bot(), name) if known is None else (known.player, known.name)
        session = people.SignedIn(new_session(scope), id, called, now, now, scope)
        bot = people.AccountFacts(id, called, skeleton(called), None, now, (), (session,), player.id)
        try:
            kept = await self._archive.people(lambda tables: tables.add(bot))
        except people.NameTaken as error:
            raise _taken(name) from error
        await self._members.put(Change({id: Member(kept.created, called)}))
        return self.identities.member(id, called, session.session, now)

    async def sign_out(self, player: Player, session: str) -> None:
        """Sign out a session of a player's account on all servers; its connections are closed."""
        if session != player.session:
            facts = await self.find(player)
            if all(one.session != session for one in facts.sessions):
                raise AccountRefused("no_such_session", "Your account is not signed in there.")
        await self.void([session])

    async def void(self, sessions: Collection[str]) -> None:
        """Sign out sessions on all servers; their connections are closed."""
        if sessions:
            await self._members.put(Change(void={one: self._clock() + life_of(one) for one in sessions}))
        for one in sessions:
            self._tasks.start(self._forget(one))

    async def _forget(self, session: str) -> None:
        with unless_unavailable(_log, "session not removed"):  # it is void anyway
            await self._archive.people(lambda tables: tables.remove_session(session))


@contextlib.contextmanager
def _asking() -> Iterator[None]:
    """Turns errors of the provider into refusals."""
    try:
        yield
    except NotProved as error:
        raise AccountRefused("provider_refused", str(error)) from error
    except Away as error:
        raise AccountRefused("provider_away", str(error)) from error


def _taken(name: str) -> AccountRefused:
    return AccountRefused("name_taken", f"The name {name}, or one that looks like it, is taken. Choose another.")
