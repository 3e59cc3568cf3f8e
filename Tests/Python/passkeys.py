"""Passkeys at a running server, with second opinions.

An authenticator made of fido2's own types registers and signs in, with each kind of key that the server asks for. The packages
fido2 and webauthn read the options that the server gives, and judge each answer as well: they accept what the server accepts,
and refuse the forged answers that it refuses. CUMULUS_ORIGIN is the server, which has to be one for development.
"""

import dataclasses
import hashlib
import json
import os
import re
from urllib.parse import urlsplit

import requests
import webauthn
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from fido2 import cbor, cose
from fido2.server import Fido2Server
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import (
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
    PublicKeyCredentialCreationOptions,
    PublicKeyCredentialRequestOptions,
)
from webauthn.helpers import parse_authentication_options_json, parse_registration_options_json

# There are no passkeys on an address, and on localhost without TLS.
ORIGIN = f"http://localhost:{urlsplit(os.environ['CUMULUS_ORIGIN']).port}"
FLAG = AuthenticatorData.FLAG
USUAL = FLAG.UP | FLAG.UV
NAMES = {-7: "ES256", -8: "Ed25519", -257: "RS256"}


class Key:
    """A private key of an authenticator."""

    def __init__(self, algorithm):
        self.algorithm = algorithm
        if algorithm == -7:
            self.secret = ec.generate_private_key(ec.SECP256R1())
        elif algorithm == -8:
            self.secret = ed25519.Ed25519PrivateKey.generate()
        else:
            self.secret = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.public = cose.CoseKey.for_alg(algorithm).from_cryptography_key(self.secret.public_key())

    def sign(self, message):
        if self.algorithm == -7:
            return self.secret.sign(message, ec.ECDSA(hashes.SHA256()))
        if self.algorithm == -8:
            return self.secret.sign(message)
        return self.secret.sign(message, padding.PKCS1v15(), hashes.SHA256())


@dataclasses.dataclass
class Answer:
    """What an authenticator and a browser answer, before it is signed. Forged answers differ in one of these."""

    challenge: bytes
    origin: str = ORIGIN
    party: str = "localhost"
    flags: int = USUAL
    counter: int = 1
    ceremony: str = ""
    cross_origin: bool = False
    more: bytes = b""
    signer: Key | None = None
    spoilt: bool = False
    handle: bytes | None = None


class Passkey:
    def __init__(self, algorithm, handle):
        self.key = Key(algorithm)
        self.id = os.urandom(32)
        self.handle = handle
        self.counter = 0

    @property
    def data(self):
        return AttestedCredentialData.create(b"\0" * 16, self.id, self.key.public)

    def register(self, answer):
        client = client_data(answer, "webauthn.create")
        data = AuthenticatorData.create(party_hash(answer), answer.flags | FLAG.AT, answer.counter, self.data)
        attestation = bytes(AttestationObject.create("none", AuthenticatorData(data), {}))
        if answer.spoilt:
            attestation = attestation.replace(b"authData", b"authdata")
        self.counter = answer.counter
        return self.answer({
            "clientDataJSON": websafe_encode(client),
            "attestationObject": websafe_encode(attestation + answer.more), "transports": ["internal"]})

    def sign_in(self, answer):
        client = client_data(answer, "webauthn.get")
        data = bytes(AuthenticatorData.create(party_hash(answer), answer.flags, answer.counter)) + answer.more
        signature = (answer.signer or self.key).sign(data + hashlib.sha256(client).digest())
        if answer.spoilt:
            signature = signature[:-1] + bytes([signature[-1] ^ 1])
        return self.answer({
            "clientDataJSON": websafe_encode(client), "authenticatorData": websafe_encode(data),
            "signature": websafe_encode(signature), "userHandle": websafe_encode(answer.handle or self.handle)})

    def answer(self, response):
        name = websafe_encode(self.id)
        return {"id": name, "rawId": name, "type": "public-key", "response": response, "clientExtensionResults": {}}


def client_data(answer, ceremony):
    return bytes(CollectedClientData.create(
        answer.ceremony or ceremony, answer.challenge, answer.origin, cross_origin=answer.cross_origin))


def party_hash(answer):
    return hashlib.sha256(answer.party.encode()).digest()


class Browser:
    """Keeps cookies, and says which page a form is on."""

    def __init__(self):
        self.session = requests.Session()
        self.form = ""

    def open(self, path):
        answer = self.session.get(ORIGIN + path, allow_redirects=False, timeout=60)
        assert answer.status_code == 200, f"{path}: {answer.status_code}"
        self.form = re.search(r'name="form" value="([^"]*)"', answer.text).group(1)

    def submit(self, path, **fields):
        return self.session.post(
            ORIGIN + path, data={"form": self.form, **fields}, headers={"Origin": ORIGIN}, allow_redirects=False,
            timeout=60)

    def ask(self, path, **fields):
        answer = self.submit(path, **fields)
        assert answer.status_code == 200, answer.text
        return answer.json()["ticket"], answer.json()["options"]


FIDO2 = Fido2Server({"id": "localhost", "name": "localhost"}, verify_origin=lambda origin: origin == ORIGIN)


def state(challenge):
    return {"challenge": websafe_encode(challenge), "user_verification": "required"}


def opinions_on_registration(answer, challenge):
    """The public key in webauthn's form, and each package's refusal."""
    key, refusals = None, {}
    try:
        FIDO2.register_complete(state(challenge), answer)
    except Exception as error:
        refusals["fido2"] = error
    try:
        key = webauthn.verify_registration_response(
            credential=json.dumps(answer), expected_challenge=challenge, expected_rp_id="localhost",
            expected_origin=ORIGIN, require_user_verification=True).credential_public_key
    except Exception as error:
        refusals["webauthn"] = error
    return key, refusals


def opinions_on_sign_in(answer, challenge, passkey, key):
    refusals = {}
    try:
        FIDO2.authenticate_complete(state(challenge), [passkey.data], answer)
    except Exception as error:
        refusals["fido2"] = error
    try:
        webauthn.verify_authentication_response(
            credential=json.dumps(answer), expected_challenge=challenge, expected_rp_id="localhost",
            expected_origin=ORIGIN, credential_public_key=key, credential_current_sign_count=passkey.counter,
            require_user_verification=True)
    except Exception as error:
        refusals["webauthn"] = error
    return refusals


BOTH = {"fido2", "webauthn"}
# Each change, and the packages that refuse it as the server does. Neither looks at frames of other sites, nor at handles.
FORGED = [
    ("another challenge", {"challenge": b"\1" * 32}, BOTH),
    ("another origin", {"origin": "http://localhost:1"}, BOTH),
    ("an origin that begins alike", {"origin": ORIGIN + ".example.com"}, BOTH),
    ("another relying party", {"party": "example.com"}, BOTH),
    ("nobody present", {"flags": FLAG.UV}, BOTH),
    ("nobody verified", {"flags": FLAG.UP}, BOTH),
    ("the other ceremony", {"ceremony": "payment.get"}, BOTH),
    ("backed up and not eligible", {"flags": USUAL | FLAG.BS}, {"webauthn"}),
    ("a frame of another site", {"cross_origin": True}, set()),
    ("a spoilt answer", {"spoilt": True}, BOTH),
]
FORGED_REGISTRATIONS = FORGED + [("bytes at the end", {"more": b"\0"}, {"fido2"})]
FORGED_SIGN_INS = FORGED + [
    ("bytes at the end", {"more": b"\0"}, BOTH),
    ("another key", {"signer": "other"}, BOTH),
    ("a counter that stands still", {"counter": 1}, {"webauthn"}),
    ("another person's handle", {"handle": b"\2" * 32}, set()),
]


def check(algorithm):
    owner = Browser()
    owner.open("/auth/signin?return=/account")
    answer = owner.submit("/auth/signin", person="new", **{"return": "/account"})
    assert answer.status_code == 303, answer.text
    owner.open("/account")
    ticket, options = owner.ask("/account/passkeys/options", do="add")
    parsed = parse_registration_options_json(json.dumps(options))
    told = PublicKeyCredentialCreationOptions.from_dict(options)
    assert parsed.rp.id == told.rp.id == "localhost" and parsed.challenge == told.challenge
    assert [each.alg for each in told.pub_key_cred_params] == [int(each.alg) for each in parsed.pub_key_cred_params]
    assert algorithm in [each.alg for each in told.pub_key_cred_params]
    assert told.authenticator_selection.user_verification == "required" and len(told.user.id) >= 16

    passkey = Passkey(algorithm, told.user.id)
    for what, change, expected in FORGED_REGISTRATIONS:
        forged = passkey.register(dataclasses.replace(Answer(told.challenge), **change))
        refusals = opinions_on_registration(forged, told.challenge)[1]
        assert set(refusals) == expected, f"{what}: refused by {refusals}"
        answer = owner.submit("/account/passkeys", do="add", ticket=ticket, name="x", answer=json.dumps(forged))
        assert answer.status_code == 400, f"{what}: {answer.status_code}"
    good = passkey.register(Answer(told.challenge))
    key, refusals = opinions_on_registration(good, told.challenge)
    assert not refusals, refusals
    answer = owner.submit("/account/passkeys", do="add", ticket=ticket, name="x", answer=json.dumps(good))
    assert answer.status_code == 303, answer.text

    visitor = Browser()
    visitor.open("/auth/signin?return=/account")
    ticket, options = visitor.ask("/auth/passkey/options")
    challenge = parse_authentication_options_json(json.dumps(options)).challenge
    told = PublicKeyCredentialRequestOptions.from_dict(options)
    assert challenge == told.challenge and told.rp_id == "localhost" and told.user_verification == "required"
    other = Key(algorithm)
    for what, change, expected in FORGED_SIGN_INS:
        change = {name: other if value == "other" else value for name, value in change.items()}
        forged = passkey.sign_in(dataclasses.replace(Answer(told.challenge, counter=2), **change))
        refusals = opinions_on_sign_in(forged, told.challenge, passkey, key)
        assert set(refusals) == expected, f"{what}: refused by {refusals}"
        answer = visitor.submit(
            "/auth/passkey", ticket=ticket, answer=json.dumps(forged), **{"return": "/account"})
        assert answer.status_code == 401, f"{what}: {answer.status_code}"
    # The same challenge is good still, so each refusal was for the forgery.
    good = passkey.sign_in(Answer(told.challenge, counter=2))
    assert not opinions_on_sign_in(good, told.challenge, passkey, key)
    fields = {"ticket": ticket, "answer": json.dumps(good), "return": "/account"}
    answer = visitor.submit("/auth/passkey", **fields)
    assert answer.status_code == 303 and answer.headers["Location"] == "/account", answer.text
    visitor.open("/account")
    assert visitor.submit("/auth/passkey", **fields).status_code == 401


for algorithm, name in NAMES.items():
    check(algorithm)
    print(f"passed: a passkey of {name}, {len(FORGED_REGISTRATIONS)} forged registrations, {len(FORGED_SIGN_INS)} forged sign-ins")
