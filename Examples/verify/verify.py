#!/usr/bin/env python3
"""Checks who decided what a phone reads: from its document to the persons who signed.

It needs Python 3.9 and `cryptography`, public files, and two keys that you have from somebody you
trust. It is written from docs/reference/proofs.md and has nothing of the program in it.

    python3 verify.py --key key.pem --log-key log.key FOLDER availability-ios

FOLDER has manifest.json, manifest.json.sig, proof.json and the document, as they were fetched.
"""

import argparse
import base64
import hashlib
import json
import pathlib
import re
import struct
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils
from cryptography.hazmat.primitives.serialization import load_pem_public_key


class Refused(Exception):
    """Something does not fit; says at which link of the chain."""

    def __init__(self, link, sentence):
        super().__init__(f"{link}: {sentence}")


def need(condition, link, sentence):
    if not condition:
        raise Refused(link, sentence)


def canonical(data, link):
    """Reads JSON in its one spelling: members by name, nothing between them."""
    value = read(data, link)
    need(spelled(value) == data, link, "it is not in its canonical form")
    return value


def read(data, link):
    """Reads JSON in which no member stands twice."""
    def once(members):
        need(len(dict(members)) == len(members), link, "a member stands in it twice")
        return dict(members)

    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=once)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise Refused(link, "it is no JSON") from error


def spelled(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def unbase64(text, link):
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise Refused(link, "it has base64 that is none") from error
    need(base64.b64encode(data).decode() == text, link, "it has base64 in another spelling")
    return data


def is_signed(key, signature, data):
    try:
        if isinstance(key, ed25519.Ed25519PublicKey):
            key.verify(signature, data)
        else:
            key.verify(signature, data, ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        return False
    return True


def load(folder, name):
    try:
        return (folder / name).read_bytes()
    except FileNotFoundError as error:
        hint = "; it follows within seconds of a publication" if name == "proof.json" else ""
        raise Refused(name, "it is missing" + hint) from error


# The manifest, and the document that it names.


def verified_manifest(folder, key):
    data = load(folder, "manifest.json")
    lines = load(folder, "manifest.json.sig").decode("utf-8").splitlines()
    signatures = [re.fullmatch(r'keyId="([0-9a-f-]{36})",signature="([A-Za-z0-9+/=]+)"', line)
                  for line in lines]
    need(lines and all(signatures), "manifest.json.sig", "it is no list of signatures")
    signed = b"plimsoll-manifest/v1\n" + data
    good = [line.group(1) for line in signatures
            if is_signed(key, unbase64(line.group(2), "manifest.json.sig"), signed)]
    need(good, "manifest.json.sig", "the content key has not signed the manifest")
    manifest = canonical(data, "manifest.json")
    named = {entry["keyId"] for file in manifest["files"] for entry in file["signatures"]}
    need(named.intersection(good), "manifest.json.sig", "it names another key than the manifest")
    return data, manifest


def document(folder, name, manifest, key):
    file = next((file for file in manifest["files"] if file["name"] == name), None)
    need(file, "manifest.json", f"it has no {name}")
    body = load(folder, name)
    need(hashlib.sha256(body).hexdigest() == file["sha256"] and len(body) == file["length"],
         name, "it is not the one that the manifest names")
    signatures = [(entry["date"].encode() + b":" + body, unbase64(entry["signature"], name))
                  for entry in file["signatures"]]
    need(any(is_signed(key, signature, signed) for signed, signature in signatures),
         name, "the content key has not signed it")
    return read(body, name)


# The log: the entry of the publication, the way to a root, and who signed that.


def verified_record(proof, manifest_data, manifest, log_key, witnesses):
    entry = unbase64(proof["entry"], "proof.json")
    record = canonical(entry, "proof.json (entry)")
    need(record["type"] == "SnapshotPublished" and record["actor"] == "system"
         and record["stream"] == "export/" + manifest["app"] and "reason" not in record
         and record["data"]["sequence"] == manifest["sequence"]
         and record["data"]["manifestDigest"] == hashlib.sha256(manifest_data).hexdigest(),
         "proof.json (entry)", "it records another publication")
    size, root, note = checkpoint(proof["checkpoint"], log_key)
    path = [unbase64(text, "proof.json (path)") for text in proof["path"]]
    leaf = hashlib.sha256(b"\0" + entry).digest()
    need(climb(proof["index"], size, leaf, path) == root,
         "proof.json (path)", "it does not lead to the root that was signed")
    seen = sum(cosigned(note, witness) for witness in witnesses)
    return record, size, seen


def climb(index, size, node, path):
    """The root that the hashes lead to, as RFC 9162 says in 2.1.3.2."""
    if not 0 <= index < size:
        return None
    last = size - 1
    for sibling in path:
        if last == 0:
            return None
        if index & 1 or index == last:
            node = hashlib.sha256(b"\1" + sibling + node).digest()
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            node = hashlib.sha256(b"\1" + node + sibling).digest()
        index, last = index >> 1, last >> 1
    return node if last == 0 else None


def verifier_key(text, kind):
    name, identifier, key = text.strip().split("+", 2)
    data = base64.b64decode(key)
    need(data[:1] == bytes([kind]) and len(data) == 33, name, "it is a key of another kind")
    digest = hashlib.sha256(name.encode() + b"\n" + data).digest()
    need(identifier == digest[:4].hex(), name, "the id is not that of the key")
    return name, digest[:4], ed25519.Ed25519PublicKey.from_public_bytes(data[1:])


def note_lines(text):
    head, _, tail = text.partition("\n\n")
    lines = [re.fullmatch("— (\\S+) ([A-Za-z0-9+/=]+)", line) for line in tail.splitlines()]
    need(tail.endswith("\n") and lines and all(lines), "checkpoint", "it is no signed note")
    return head + "\n", [(line.group(1), unbase64(line.group(2), "checkpoint")) for line in lines]


def checkpoint(text, log_key):
    name, identifier, key = log_key
    head, lines = note_lines(text)
    rows = head.splitlines()
    need(len(rows) == 3 and rows[0] == name and str(int(rows[1])) == rows[1],
         "checkpoint", "it is of another log")
    good = any(line_name == name and line[:4] == identifier
               and is_signed(key, line[4:], head.encode()) for line_name, line in lines)
    need(good, "checkpoint", "the log's key has not signed it")
    return int(rows[1]), unbase64(rows[2], "checkpoint"), (head, lines)


def cosigned(note, witness):
    name, identifier, key = witness
    head, lines = note
    for line_name, line in lines:
        if line_name == name and line[:4] == identifier and len(line) == 76:
            seconds = struct.unpack(">Q", line[4:12])[0]
            signed = f"cosignature/v1\ntime {seconds}\n{head}".encode()
            if is_signed(key, line[12:], signed):
                return True
    return False


# What persons signed of a change.


def verified_change(change, app):
    """What persons signed that the fields hold which nothing wrote since."""
    need(re.fullmatch("[1-9][0-9]{0,18}", change["id"]), "proof.json", "a change has no number")
    link = f"change {change['id']}"
    need(change["content"]["app"] == app, link, "it is of another app")
    digest = hashlib.sha256(spelled(change["content"])).hexdigest()
    need(change["approvals"], link, "nobody signed it")
    for approval in change["approvals"]:
        # What is put into lines has none of its own.
        need(re.fullmatch("[0-9a-f-]{36}", approval["by"])
             and re.fullmatch("[0-9TZ:.-]{20,30}", approval["signedAt"]),
             link, "an approval has another form")
        statement = (f"plimsoll-approval 1\napp {app}\nchange {change['id']}\ndigest {digest}\n"
                     f"approver {approval['by']}\nat {approval['signedAt']}\n")
        check_ssh_signature(approval, statement.encode(), link)
    effect = change["content"]["effect"]
    after = {entry["field"]: entry["after"] for entry in effect}
    need(len(after) == len(effect), link, "a field stands in it twice")
    need(set(change["fields"]) <= set(after), link, "it is said to have written what it did not")
    return {field: after[field] for field in change["fields"]}


def check_ssh_signature(approval, statement, link):
    """OpenSSH's PROTOCOL.sshsig; `ssh-keygen -Y verify` comes to the same."""
    algorithm, blob = approval["key"].split(" ")
    blob = unbase64(blob, link)
    data = unbase64(approval["value"], link)
    need(data[:10] == b"SSHSIG\0\0\0\1", link, "a signature is none of OpenSSH")
    fields = strings(data[10:], link)
    need(len(fields) == 5 and fields[0] == blob, link, "a signature names another key")
    need(fields[1] == b"plimsoll-approval", link, "a signature is for something else")
    hashed = {b"sha512": hashlib.sha512, b"sha256": hashlib.sha256}.get(fields[3])
    need(hashed, link, "a signature hashes in an unknown way")
    digest = hashed(statement).digest()
    signed = b"SSHSIG" + b"".join(map(string, [fields[1], fields[2], fields[3], digest]))
    kind, raw = pair(fields[4], link)
    need(kind.decode() == algorithm, link, "a signature is of another kind")
    need(is_signed(*ssh_key(algorithm, blob, raw, link), signed), link,
         f"{fingerprint(blob)} has not signed the approval that is shown")


def ssh_key(algorithm, blob, raw, link):
    # One key has one blob: whoever could write it in two ways would be two persons.
    *names, key = strings(blob, link)
    if names == [b"ssh-ed25519"] and algorithm == "ssh-ed25519":
        return ed25519.Ed25519PublicKey.from_public_bytes(key), raw
    need(names == [b"ecdsa-sha2-nistp256", b"nistp256"] and algorithm == "ecdsa-sha2-nistp256"
         and len(key) == 65, link, "a key is of an unknown kind")
    numbers = [int.from_bytes(number, "big") for number in pair(raw, link)]
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
    return point, utils.encode_dss_signature(*numbers)


def pair(data, link):
    found = strings(data, link)
    need(len(found) == 2, link, "a signature is none of OpenSSH")
    return found


def strings(data, link):
    found = []
    while data:
        need(len(data) >= 4, link, "a signature ends too early")
        length = struct.unpack(">I", data[:4])[0]
        need(len(data) >= 4 + length, link, "a signature ends too early")
        found.append(data[4:4 + length])
        data = data[4 + length:]
    return found


def string(data):
    return struct.pack(">I", len(data)) + data


def fingerprint(blob):
    return "SHA256:" + base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")


# From what the document says to who signed it.


MEMBERS = {"minimumOSVersion": "minimumOS", "minimumSDKVersion": "minimumOS",
           "recommendedOSVersion": "recommendedOS", "minimumAppVersion": "minimumApp",
           "recommendedAppVersion": "recommendedApp"}


def fields(body, platform, link):
    """Each value and text, by the name that changes have for it."""
    for member, threshold in body.items():
        if member == "plimsoll":
            continue
        need(member in MEMBERS, link, f"it has a member {json.dumps(member)}")
        value = threshold["value"]
        need(type(value) in (int, str), link, "a value is neither a number nor a text")
        if value in (0, "0"):
            continue
        name = f"{platform}.{MEMBERS[member]}"
        yield f"{name}.value", value
        for part in ("title", "description"):
            for language, text in threshold.get(part, {}).items():
                # The first app on Android needs one that says nothing.
                if text:
                    yield f"{name}.{part}.{language}", text


def report(body, document, changes, written, persons):
    claimed = [field for values in written for field in values]
    need(len(set(claimed)) == len(claimed), "proof.json", "it has two changes for one field")
    shown = few = 0
    platform = document.removeprefix("availability-")
    for field, value in fields(body, platform, document):
        change = next((change for change, values in zip(changes, written)
                       if field in values and values[field] == value), None)
        signers = change["approvals"] if change else []
        count = min(len({signer["by"] for signer in signers}),
                    len({signer["key"] for signer in signers}))
        shown, few = shown + 1, few + (count < persons)
        who = f"change {change['id']}, signed by {count} persons" if change else "no signature"
        # What the document says is quoted, so that its words cannot pass for these.
        quoted = json.dumps(value)
        quoted = quoted if len(quoted) <= 60 else quoted[:59] + "…"
        print(f"{json.dumps(field)} = {quoted}: {who}")
    for change in changes:
        for signer in change["approvals"]:
            blob = base64.b64decode(signer["key"].split(" ")[1])
            print(f"change {change['id']}: {fingerprint(blob)}, {signer['by']},"
                  f" at {signer['signedAt']}")
    need(shown > 0, document, "it says nothing that anybody could have signed")
    need(few == 0, "approvals", f"{few} of {shown} fields are signed by fewer persons than {persons}")
    print(f"each of {shown} fields is signed by {persons} or more;"
          " that nothing was taken away is the service's word")


def check(arguments):
    folder = pathlib.Path(arguments.folder)
    key = load_pem_public_key(pathlib.Path(arguments.key).read_bytes())
    log_key = verifier_key(pathlib.Path(arguments.log_key).read_text(), 1)
    witnesses = [verifier_key(pathlib.Path(path).read_text(), 4) for path in arguments.witness_key]
    distinct = {witness[2].public_bytes_raw() for witness in witnesses}
    need(len(distinct) == len(witnesses), "--witness-key", "one is given twice")
    manifest_data, manifest = verified_manifest(folder, key)
    body = document(folder, arguments.document, manifest, key)
    print(f"{arguments.document} is that of {manifest['app']}, sequence {manifest['sequence']}")
    proof = canonical(load(folder, "proof.json"), "proof.json")
    record, size, seen = verified_record(proof, manifest_data, manifest, log_key, witnesses)
    print(f"the log recorded it as event {proof['index'] + 1} of {size},"
          f" at {record['recordedAt']}; {seen} of {len(witnesses)} witnesses saw that")
    need(seen >= arguments.quorum, "checkpoint", "too few witnesses have cosigned it")
    changes = proof.get("changes", [])
    written = [verified_change(change, manifest["app"]) for change in changes]
    report(body, arguments.document, changes, written, arguments.persons)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--key", required=True, help="the app's content key, in PEM")
    parser.add_argument("--log-key", required=True, help="the log's verifier key, in a file")
    parser.add_argument("--witness-key", action="append", default=[], help="a witness's, in a file")
    parser.add_argument("--quorum", type=int, default=0, help="how many witnesses have to have seen it")
    parser.add_argument("--persons", type=int, default=1, help="how many persons have to have signed (1)")
    parser.add_argument("folder")
    parser.add_argument("document")
    try:
        check(parser.parse_args())
    except Refused as refusal:
        sys.exit(f"refused at {refusal}")
    except Exception as error:  # Whatever else is wrong with a file is no reason to believe it.
        sys.exit(f"refused: a file is not what it should be ({type(error).__name__}: {error})")


if __name__ == "__main__":
    main()
