"""Reads what a marketplace answered devices, as it stood on the wire, with nothing but a public key.

Every file of a folder is an HTTP answer, and is named after its place in the walk and what was asked
(`07-updates`). Tokens are checked by `verify.py`, documents with cryptography and the list of keys that
was answered as well. For each answer it writes what a device makes of it.
"""

import base64
import email.parser
import json
import pathlib
import sys
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from verify import Verifier

OFFERED = {"appleItemId", "appleVersionId", "alternativeDistributionPackage",
           "installVerificationToken"}
MEMBERS = {"restores": OFFERED, "updates": OFFERED | {"bundleVersion", "shortVersionString"}}


class Answer:
    def __init__(self, file):
        head, self.body = file.read_bytes().split(b"\r\n\r\n", 1)
        line, fields = head.decode("ascii").split("\r\n", 1)
        version, status = line.split(" ")[:2]
        assert version == "HTTP/1.1", line
        self.status = int(status)
        self.fields = email.parser.HeaderParser().parsestr(fields)
        assert len(self.body) == int(self.fields["Content-Length"]), file.name

    def json(self):
        return json.loads(self.body)


class Reader:
    def __init__(self, folder, verifier):
        self.folder, self.verifier = folder, verifier
        self.nonces = set()
        self.hosts = set()
        self.keys = {}

    def read(self, name):
        answer = Answer(self.folder / name)
        kind = name.split("-")[1]
        if answer.status != 200:
            return f"{answer.status}"
        if kind == "keys":
            self.keys = {key["id"]: key["publicKey"] for key in answer.json()["keys"]}
            return "keys"
        if kind == "kit":
            return self.configuration(answer)
        return self.devices(answer, "restores" if kind == "restore" else "updates")

    def configuration(self, answer):
        """Believes it where one of the keys has signed it, as any other document."""
        parts = dict(part.split("=", 1) for part in
                     answer.fields["x-amz-meta-signature"].split(","))
        pem = self.keys[parts["keyId"].strip('"')]
        signature = base64.b64decode(parts["signature"].strip('"'))
        date = answer.fields["x-amz-meta-signature-date"].encode()
        key = serialization.load_pem_public_key(pem.encode())
        key.verify(signature, date + b":" + answer.body, ec.ECDSA(hashes.SHA256()))
        kit = answer.json()
        assert set(kit) == {"restore", "updates", "license"}, kit
        assert type(kit["updates"]["pollingInterval"]) is int, kit
        self.hosts = {urlsplit(kit["restore"]).hostname, urlsplit(kit["updates"]["url"]).hostname}
        return "configured"

    def devices(self, answer, member):
        assert answer.fields["Content-Type"] == "application/json", answer.fields["Content-Type"]
        assert answer.fields["Cache-Control"] == "no-store", answer.fields["Cache-Control"]
        body = answer.json()
        assert set(body) == {member, "failures"}, body
        told = [self.offered(app, member) for app in body[member]]
        for app in body["failures"]:
            assert set(app) == {"appleItemId", "appleVersionId", "failure"}, app
            assert app["failure"].keys() == {"code", "description"}, app
            assert type(app["failure"]["code"]) is int, app
            told.append(f"{app['failure']['code']}")
        return " ".join(told) or "nothing"

    def offered(self, app, member):
        assert set(app) == MEMBERS[member], app
        assert all(type(value) is str for value in app.values()), app
        package = urlsplit(app["alternativeDistributionPackage"])
        assert package.scheme == "https" and package.path.endswith("/"), app
        assert package.hostname in self.hosts, app
        claims = self.verifier.claims(app["installVerificationToken"])
        assert claims["iid"] == app["appleItemId"] and claims["vid"] == app["appleVersionId"], app
        assert claims["nonce"] not in self.nonces, claims
        self.nonces.add(claims["nonce"])
        return app["appleVersionId"]


def main(folder, public_key, key_id, issuer):
    folder = pathlib.Path(folder)
    reader = Reader(folder, Verifier(public_key, key_id, issuer))
    print(json.dumps({name: reader.read(name)
                      for name in sorted(file.name for file in folder.iterdir())}))


main(*sys.argv[1:])
