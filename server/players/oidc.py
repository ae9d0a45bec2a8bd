"""Sign-in through an OpenID provider: the authorization code flow, with PKCE, a state and a nonce.

The state of a sign-in is in the store for some minutes, so that another server can finish it. The packages `authlib`,
`httpx2` and `joserfc` (the extra `oidc`) are loaded on first use.
"""

import secrets
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
import structlog

from fourfold.server.storage.store import Commands

LIFE: Final = 600_000
"""Milliseconds within which a sign-in must be finished."""

PATIENCE: Final = 8.0
"""Seconds within which the provider must answer."""

CALLBACK: Final = "/signed-in"
"""The path of the page to which the provider sends the browser back."""

_KEY: Final = "fourfold:oidc:"
_SIGNATURES: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
_LEEWAY: Final = 60
"""How many seconds the provider's clock may differ from this one."""

_NAMES: Final = ("preferred_username", "nickname", "name", "given_name")
"""The claims that may serve as a display name, best first. Mail addresses are never shown to others."""

_log = structlog.get_logger(__name__)


class NotProved(Exception):
    """The provider did not prove an identity. The message says why."""


class Away(Exception):
    """The provider does not answer, or not as a provider should."""


class Attempt(msgspec.Struct, array_like=True, frozen=True):
    """A sign-in in progress: its player, its page, and the values that the provider must know or repeat."""

    player: str
    page: str
    nonce: str
    verifier: str


@dataclass(frozen=True, slots=True)
class Identity:
    """An identity at a provider, and its names there."""

    issuer: str
    subject: str
    names: tuple[str, ...]


class Provider:
    """An OpenID provider. Its metadata is loaded on first use."""

    def __init__(self, issuer: str, client: str, secret: str, store: Commands) -> None:
        """`client` and `secret` are this service's credentials at the provider."""
        self.issuer = issuer
        self._client = client
        self._secret = secret
        self._store = store
        self._metadata: dict[str, Any] | None = None

    @property
    def name(self) -> str:
        """The provider's display name: its host."""
        return urlsplit(self.issuer).hostname or self.issuer

    async def begin(self, player: str, page: str) -> str:
        """The URL to which a page sends the browser of a player. Raises `Away` and `LogUnavailable`."""
        metadata = await self._known()
        attempt = Attempt(player, page, secrets.token_urlsafe(18), secrets.token_urlsafe(48))
        state = secrets.token_urlsafe(18)
        key = _KEY + state
        await self._store.execute(key, "SET", key, msgspec.msgpack.encode(attempt), "PX", LIFE)
        async with self._session(attempt) as session:
            url, _ = session.create_authorization_url(
                metadata["authorization_endpoint"],
                state=state,
                nonce=attempt.nonce,
                code_verifier=attempt.verifier,
            )
        return str(url)

    async def end(self, player: str, state: str, code: str) -> Identity:
        """The player's identity, from the parameters with which the browser came back. An attempt can end once. Raises
        `NotProved`, `Away` and `LogUnavailable`."""
        key = _KEY + state
        kept = await self._store.execute(key, "GETDEL", key)
        if kept is None:
            raise NotProved("This sign-in was not started here, has already ended, or took too long. Start again.")
        attempt = msgspec.msgpack.decode(kept, type=Attempt)
        if attempt.player != player:
            raise NotProved("This sign-in was started by another player, or in another browser. Start again here.")
        metadata = await self._known()
        token = await self._exchange(metadata, attempt, code)
        claims = await self._claims(metadata, token, attempt)
        names = tuple(
            str(claims[name]) for name in _NAMES if isinstance(claims.get(name), str) and "@" not in claims[name]
        )
        return Identity(self.issuer, str(claims["sub"]), names)

    # -- the provider --

    def _session(self, attempt: Attempt) -> Any:
        from authlib.integrations.httpx_client import AsyncOAuth2Client

        return AsyncOAuth2Client(
            client_id=self._client,
            client_secret=self._secret,
            scope="openid profile",
            redirect_uri=attempt.page + CALLBACK,
            code_challenge_method="S256",
            timeout=PATIENCE,
        )

    async def _known(self) -> dict[str, Any]:
        """The provider's metadata. Raises `Away`."""
        if self._metadata is None:
            found = await self._get(self.issuer.rstrip("/") + "/.well-known/openid-configuration")
            if found.get("issuer") != self.issuer:
                raise Away(f"The provider calls itself {found.get('issuer')}, but OIDC_ISSUER is {self.issuer}.")
            lacking = {"authorization_endpoint", "token_endpoint", "jwks_uri"} - found.keys()
            if lacking:
                raise Away(f"The provider's metadata lacks {', '.join(sorted(lacking))}.")
            self._metadata = found
        return self._metadata

    async def _get(self, url: str) -> dict[str, Any]:
        import httpx2

        try:
            async with httpx2.AsyncClient(timeout=PATIENCE, follow_redirects=True) as client:
                answer = await client.get(url)
                answer.raise_for_status()
                found: dict[str, Any] = answer.json()
                return found
        except (httpx2.HTTPError, ValueError) as error:
            _log.warning("the OpenID provider does not answer", url=url, error=repr(error))
            raise Away(f"The sign-in of {self.name} does not answer. Try again later.") from error

    async def _exchange(self, metadata: dict[str, Any], attempt: Attempt, code: str) -> str:
        """The id token for a code. Raises `NotProved` and `Away`."""
        import httpx2
        from authlib.integrations.base_client import OAuthError

        try:
            async with self._session(attempt) as session:
                answer = await session.fetch_token(
                    metadata["token_endpoint"],
                    grant_type="authorization_code",
                    code=code,
                    code_verifier=attempt.verifier,
                )
        except OAuthError as error:
            raise NotProved(f"{self.name} refused the sign-in: {error.description or error.error}.") from error
        except (httpx2.HTTPError, ValueError) as error:
            _log.warning("the OpenID provider does not answer", error=repr(error))
            raise Away(f"The sign-in of {self.name} does not answer. Try again later.") from error
        if not isinstance(answer.get("id_token"), str):
            raise NotProved(f"{self.name} did not say who you are: it sent no id token.")
        return str(answer["id_token"])

    async def _claims(self, metadata: dict[str, Any], token: str, attempt: Attempt) -> dict[str, Any]:
        """The claims of an id token, if it comes from the provider, is for this service and this attempt, and is still
        valid. Raises `NotProved` and `Away`."""
        from joserfc import jwk, jwt
        from joserfc.errors import JoseError

        keys = await self._get(metadata["jwks_uri"])
        try:
            read = jwt.decode(token, jwk.KeySet.import_key_set(keys), algorithms=_SIGNATURES)  # type: ignore[arg-type]
            jwt.JWTClaimsRegistry(
                leeway=_LEEWAY,
                iss={"essential": True, "value": self.issuer},
                aud={"essential": True, "value": self._client},
                sub={"essential": True},
                exp={"essential": True},
                nonce={"essential": True, "value": attempt.nonce},
            ).validate(read.claims)
        except (JoseError, ValueError) as error:
            _log.warning("invalid id token", error=repr(error))
            raise NotProved(f"The answer of {self.name} does not prove who you are: {error}.") from error
        claims: dict[str, Any] = read.claims
        if claims.get("azp") not in (None, self._client):
            raise NotProved(f"The answer of {self.name} is for another service.")
        return claims
