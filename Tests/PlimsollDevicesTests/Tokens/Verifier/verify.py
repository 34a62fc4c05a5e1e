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


def main(tokens, public_key, key_id, issuer):
    with open(public_key, "rb") as file:
        pem = file.read()
    key = ECKey.import_key(pem)
    bare = serialization.load_pem_public_key(pem)
    nonces, items, lifetime, count = set(), set(), 0, 0
    for line in open(tokens, encoding="ascii"):
        text = line.strip()
        token = jwt.decode(text, key, algorithms=["ES256"])
        claims = token.claims
        assert token.header == {"alg": "ES256", "kid": key_id, "typ": "JWT"}, token.header
        assert set(claims) == CLAIMS, claims
        assert claims["aud"] == "AppleDownloadVerification-v1", claims
        assert claims["iss"] == issuer, claims
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
        bare.verify(encode_dss_signature(*halves), signed, ec.ECDSA(hashes.SHA256()))

        nonces.add(claims["nonce"])
        items.add(claims["vid"])
        lifetime = max(lifetime, claims["exp"] - claims["iat"])
        count += 1
    print(json.dumps({"tokens": count, "nonces": len(nonces), "versions": len(items),
                      "lifetime": lifetime}))


main(*sys.argv[1:])
