"""Passkeys: the WebAuthn ceremonies that create or use one, on a page of this service.

A passkey belongs to the host of the page that created it; browsers offer it only there. The package `webauthn` checks
the answers of browsers. It is loaded on first use, so all functions but `named` run in a thread.
"""

import json
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

TITLE: Final = "Fourfold"
"""The name of this service in lists of passkeys."""


class BadPasskey(ValueError):
    """A browser's answer does not prove a passkey. The message says why."""


@dataclass(frozen=True, slots=True)
class Ceremony:
    """A ceremony in progress: its page, and the challenge to answer."""

    making: bool
    """Whether it creates a passkey; otherwise it uses one."""
    page: str
    """The origin of the page, such as https://chess.example.org."""
    challenge: bytes
    options: str
    """The options that the page passes to the browser, as JSON."""

    @property
    def site(self) -> str:
        """The host to which the passkey belongs."""
        return _host(self.page)


@dataclass(frozen=True, slots=True)
class Made:
    """A new passkey: its credential's id, its public key, its signature counter, and its host."""

    credential: bytes
    key: bytes
    count: int
    site: str


def _host(page: str) -> str:
    return urlsplit(page).hostname or ""


def begin_making(page: str, player: str, name: str, known: list[bytes]) -> Ceremony:
    """Begin to create a passkey for a player, other than the `known` ones."""
    import webauthn
    from webauthn.helpers import structs

    options = webauthn.generate_registration_options(
        rp_id=_host(page),
        rp_name=TITLE,
        user_name=name,
        user_id=player.encode(),
        exclude_credentials=[structs.PublicKeyCredentialDescriptor(id=credential) for credential in known],
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,
            user_verification=structs.UserVerificationRequirement.PREFERRED,
        ),
    )
    return Ceremony(True, page, options.challenge, webauthn.options_to_json(options))


def begin_using(page: str) -> Ceremony:
    """Begin to use any passkey that the browser offers for the page."""
    import webauthn

    options = webauthn.generate_authentication_options(rp_id=_host(page))
    return Ceremony(False, page, options.challenge, webauthn.options_to_json(options))


def made(ceremony: Ceremony, answer: str) -> Made:
    """The passkey that a browser has created. Raises `BadPasskey`."""
    import webauthn
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        proved = webauthn.verify_registration_response(
            credential=_object(answer),
            expected_challenge=ceremony.challenge,
            expected_rp_id=ceremony.site,
            expected_origin=ceremony.page,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as error:  # for JSON of a different shape
        raise BadPasskey(f"The browser's answer contains no new passkey: {error}") from error
    return Made(proved.credential_id, proved.credential_public_key, proved.sign_count, ceremony.site)


def named(answer: str) -> bytes:
    """The credential id in a browser's answer. Raises `BadPasskey`."""
    from base64 import urlsafe_b64decode

    try:
        id = _object(answer)["id"]
        return urlsafe_b64decode(id + "=" * (-len(id) % 4))
    except (ValueError, KeyError, TypeError) as error:
        raise BadPasskey("The browser's answer names no passkey.") from error


def used(ceremony: Ceremony, answer: str, key: bytes, count: int) -> int:
    """The new signature counter of a passkey that a browser has used, given its public key and its last counter. Raises
    `BadPasskey`."""
    import webauthn
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        proved = webauthn.verify_authentication_response(
            credential=_object(answer),
            expected_challenge=ceremony.challenge,
            expected_rp_id=ceremony.site,
            expected_origin=ceremony.page,
            credential_public_key=key,
            credential_current_sign_count=count,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as error:
        raise BadPasskey(f"The browser's answer proves no passkey: {error}") from error
    return proved.new_sign_count


def _object(answer: str) -> dict[str, Any]:
    """The JSON object of an answer. Raises ValueError."""
    found = json.loads(answer)
    if not isinstance(found, dict):
        raise ValueError("this is not a JSON object")
    return found
