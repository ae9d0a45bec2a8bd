"""Passkeys, with an authenticator made of a key pair: valid proofs are accepted, all others refused."""

import hashlib
import json
import struct
from base64 import urlsafe_b64encode
from typing import Any

import cbor2
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from fourfold.server.players import passkeys
from fourfold.server.players.passkeys import BadPasskey, Ceremony

PAGE = "https://chess.example.org"
ANOTHER_PAGE = "https://chess.example.com"
HERE, CHECKED, WITH_KEY = 0x01, 0x04, 0x40
"""Flags of an authenticator: user present, user verified, credential included."""


def text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


class Authenticator:
    """Answers like a browser, for one credential on one page."""

    def __init__(self, page: str = PAGE) -> None:
        self.page = page
        self.id = b"credential of a test"
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.count = 0

    def _told(self, flags: int, more: bytes = b"") -> bytes:
        self.count += 1
        host = self.page.removeprefix("https://").encode()
        return hashlib.sha256(host).digest() + struct.pack(">BI", HERE | CHECKED | flags, self.count) + more

    def _client(self, kind: str, ceremony: Ceremony) -> bytes:
        return json.dumps({"type": kind, "challenge": text(ceremony.challenge), "origin": self.page}).encode()

    def _answer(self, **response: bytes) -> str:
        fields = {name: text(data) for name, data in response.items()}
        return json.dumps({"id": text(self.id), "rawId": text(self.id), "type": "public-key", "response": fields})

    def make(self, ceremony: Ceremony) -> str:
        numbers = self.key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}  # RFC 9053
        credential = bytes(16) + struct.pack(">H", len(self.id)) + self.id + cbor2.dumps(cose)
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": self._told(WITH_KEY, credential)})
        return self._answer(clientDataJSON=self._client("webauthn.create", ceremony), attestationObject=attestation)

    def use(self, ceremony: Ceremony) -> str:
        told, client = self._told(0), self._client("webauthn.get", ceremony)
        signature = self.key.sign(told + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._answer(clientDataJSON=client, authenticatorData=told, signature=signature)


def made(authenticator: Authenticator) -> passkeys.Made:
    ceremony = passkeys.begin_making(PAGE, "player", "Ann", [b"another"])
    return passkeys.made(ceremony, authenticator.make(ceremony))


def test_a_passkey_is_made_and_used() -> None:
    authenticator = Authenticator()
    passkey = made(authenticator)
    assert (passkey.credential, passkey.site, passkey.count) == (authenticator.id, "chess.example.org", 1)
    ceremony = passkeys.begin_using(PAGE)
    answer = authenticator.use(ceremony)
    assert passkeys.named(answer) == authenticator.id
    assert passkeys.used(ceremony, answer, passkey.key, passkey.count) == 2


def test_what_the_page_is_asked_for() -> None:
    making: Any = json.loads(passkeys.begin_making(PAGE, "player", "Ann", [b"known"]).options)
    assert making["rp"] == {"name": passkeys.TITLE, "id": "chess.example.org"}
    assert [one["id"] for one in making["excludeCredentials"]] == [text(b"known")]
    using = passkeys.begin_using(PAGE)
    assert json.loads(using.options)["challenge"] == text(using.challenge)
    assert using.challenge != passkeys.begin_using(PAGE).challenge


def test_an_answer_to_another_challenge_proves_nothing() -> None:
    authenticator = Authenticator()
    passkey = made(authenticator)
    before, now = passkeys.begin_using(PAGE), passkeys.begin_using(PAGE)
    with pytest.raises(BadPasskey, match="proves no passkey"):
        passkeys.used(now, authenticator.use(before), passkey.key, passkey.count)


def test_nor_one_for_another_page() -> None:
    with pytest.raises(BadPasskey, match="contains no new passkey"):
        made(Authenticator(ANOTHER_PAGE))
    authenticator = Authenticator()
    passkey = made(authenticator)
    authenticator.page = ANOTHER_PAGE
    ceremony = passkeys.begin_using(PAGE)
    with pytest.raises(BadPasskey, match="proves no passkey"):
        passkeys.used(ceremony, authenticator.use(ceremony), passkey.key, passkey.count)


def test_nor_one_by_another_key_or_of_a_copy() -> None:
    authenticator, thief = Authenticator(), Authenticator()
    passkey = made(authenticator)
    ceremony = passkeys.begin_using(PAGE)
    for answer, count in ((thief.use(ceremony), 0), (authenticator.use(ceremony), 7)):
        with pytest.raises(BadPasskey, match="proves no passkey"):
            passkeys.used(ceremony, answer, passkey.key, count)


@pytest.mark.parametrize("answer", ["", "[]", "{}", '{"id": 1}', '{"id": "€"}', '{"id": "aaaa"}'])
def test_nor_what_no_browser_would_answer(answer: str) -> None:
    making, using = passkeys.begin_making(PAGE, "player", "Ann", []), passkeys.begin_using(PAGE)
    with pytest.raises(BadPasskey):
        passkeys.made(making, answer)
    with pytest.raises(BadPasskey):
        passkeys.used(using, answer, b"", 0)


@pytest.mark.parametrize("answer", ["", "[]", "{}", '{"id": 1}'])
def test_an_answer_names_its_passkey(answer: str) -> None:
    with pytest.raises(BadPasskey, match="names no passkey"):
        passkeys.named(answer)
