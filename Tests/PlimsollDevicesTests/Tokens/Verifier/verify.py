"""Checks install verification tokens, one a line of a file, with nothing but a public key.

It is joserfc's, and cryptography's once more over the bytes, so no code of the service takes part.
What it finds it writes as JSON.
"""

import base64
import json
import re
import sys
import uuid

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from joserfc import jwt
from joserfc.jwk import ECKey

CLAIMS = {"iss", "iat", "exp", "aud", "bid", "dtype", "nonce", "iid", "vid"}


def decoded(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


class Verifier:
    """Knows one public key, and what is signed with it by whom."""

    def __init__(self, public_key, key_id, issuer):
        with open(public_key, "rb") as file:
            pem = file.read()
        self.key = ECKey.import_key(pem)
        self.bare = serialization.load_pem_public_key(pem)
        self.key_id = key_id
        self.issuer = issuer

    def claims(self, text):
        """What the token says; fails where anything about it is other than Apple describes it."""
        token = jwt.decode(text, self.key, algorithms=["ES256"])
        claims = token.claims
        assert token.header == {"alg": "ES256", "kid": self.key_id, "typ": "JWT"}, token.header
        assert set(claims) == CLAIMS, claims
        assert claims["aud"] == "AppleDownloadVerification-v1", claims
        assert claims["iss"] == self.issuer, claims
        assert claims["dtype"] in ("download", "redownload"), claims
        for name in ("iat", "exp"):
            assert type(claims[name]) is int, claims
        for name in CLAIMS - {"iat", "exp"}:
            assert type(claims[name]) is str, claims
        assert str(uuid.UUID(claims["nonce"])).upper() == claims["nonce"], claims

        head, body, signature = text.split(".")
        assert re.search(rb'"exp":[0-9]+[,}]', decoded(body)), body
        pair = decoded(signature)
        assert len(pair) == 64, len(pair)
        halves = (int.from_bytes(pair[:32], "big"), int.from_bytes(pair[32:], "big"))
        signed = f"{head}.{body}".encode()
        self.bare.verify(encode_dss_signature(*halves), signed, ec.ECDSA(hashes.SHA256()))
        return claims


def main(tokens, public_key, key_id, issuer):
    verifier = Verifier(public_key, key_id, issuer)
    nonces, items, lifetime, count = set(), set(), 0, 0
    for line in open(tokens, encoding="ascii"):
        claims = verifier.claims(line.strip())
        nonces.add(claims["nonce"])
        items.add(claims["vid"])
        lifetime = max(lifetime, claims["exp"] - claims["iat"])
        count += 1
    print(json.dumps({"tokens": count, "nonces": len(nonces), "versions": len(items),
                      "lifetime": lifetime}))


if __name__ == "__main__":
    main(*sys.argv[1:])
