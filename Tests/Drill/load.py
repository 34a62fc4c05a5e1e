"""Writers that are told what became of each write, and phones that believe nothing."""
import base64
import contextlib
import datetime
import itertools
import json
import re
import threading
import time
import uuid

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from machine import ask, get
from service import APP

SIGNATURE = re.compile(r'keyId="([^"]+)",signature="([^"]+)"')


class Write:
    """One write, and when it was begun and acknowledged, by the clock of this machine."""

    def __init__(self, number):
        self.marker = f"drill-{number}-{uuid.uuid4()}"
        self.began = time.monotonic()
        self.ended = None
        self.doubts = 0


class Client(threading.Thread):
    """Writes one thing after another, and asks with the same key until it is told what became of each."""

    def __init__(self, number, service, over):
        super().__init__(name=f"client {number}", daemon=True)
        self.number, self.service, self.over = number, service, over
        self.writes, self.answered, self.refusals, self.surprises = [], 0, 0, []

    def run(self):
        """Asks an instance of its own first, so that some ask the one that nothing is done to."""
        ports = [each.port for each in self.service.instances]
        own = self.number % len(ports)
        while not self.over.is_set():
            write = Write(self.number)
            if self.is_marking():
                self.writes.append(write)
            turn = itertools.cycle(ports[own:] + ports[:own])
            while not self.attempt(write, next(turn)) and not self.over.is_set():
                self.over.wait(0.05)

    def is_marking(self):
        """Whether the record will have the next write's own mark."""
        return True

    def attempt(self, write, port):
        path, body, by, tag = self.request(write)
        headers = {"Authorization": f"Bearer {self.service.tokens[by]}",
                   "Content-Type": "application/json", "Idempotency-Key": write.marker, **tag}
        try:
            status, fields, content = ask(port, "POST", path, json.dumps(body), headers, timeout=5)
        except OSError:
            write.doubts += 1
            return False
        if 200 <= status < 300:
            write.ended = time.monotonic()
            self.answered += 1
            self.acknowledged(fields, json.loads(content))
            return True
        if status in (429, 503):
            self.refusals += 1
        else:
            told = content.decode("utf-8", "replace")[:300]
            self.surprises.append(f"{status} {path} {told}")
        return False


def operation(threshold, text):
    return {"op": "setText", "platform": "ios", "threshold": threshold, "part": "description",
            "language": "en-GB", "text": text}


class Writer(Client):
    """Proposes, and takes back what it proposed."""

    change = None

    def is_marking(self):
        return self.change is None

    def request(self, write):
        if self.change is None:
            body = {"title": write.marker, "reason": "A drill", "base": self.service.base,
                    "operations": [operation("recommendedApp", "Something else")]}
            return f"/v1/apps/{APP}/changes", body, "writer", {}
        number, tag = self.change
        return f"/v1/changes/{number}/withdraw", {}, "writer", {"If-Match": tag}

    def acknowledged(self, fields, answer):
        self.change = (answer["id"], fields["etag"]) if self.change is None else None


class Publisher(Client):
    """Changes at once what phones are served, a few times a second."""

    def request(self, write):
        body = {"title": write.marker, "reason": "A drill", "incident": "DRILL-1",
                "operations": [operation("minimumApp", write.marker)]}
        return f"/v1/apps/{APP}/emergency", body, "responder", {}

    def acknowledged(self, fields, answer):
        self.over.wait(0.3)


class Planner(Client):
    """Has changes come into force at a time, which is this machine's, one behind the other."""

    ahead = 20.0

    def __init__(self, number, service, over):
        super().__init__(number, service, over)
        self.change, self.form, self.due, self.planned = None, None, None, {}
        self.base = service.base

    def is_marking(self):
        return self.change is None

    def request(self, write):
        if self.change is None:
            # Asked again it is the same.
            self.form = self.form or self.new_form(write)
            return f"/v1/apps/{APP}/changes", self.form, "planner", {}
        number, tag, _ = self.change
        return f"/v1/changes/{number}/approve", {}, "approver", {"If-Match": tag}

    def new_form(self, write):
        self.due = time.monotonic() + self.ahead
        at = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=self.ahead)
        return {"title": write.marker, "reason": "A drill", "base": self.base,
                "schedule": {"at": at.isoformat()},
                "operations": [operation("minimumOS", write.marker)]}

    def acknowledged(self, fields, answer):
        if self.change is None:
            self.change = (answer["id"], fields["etag"], answer["title"])
            return
        self.planned[self.change[2]] = self.due
        number, self.change, self.form = self.change[0], None, None
        while not self.has_ended(number) and not self.over.wait(0.5):
            pass

    def has_ended(self, number):
        """Whether the change came into force; the next one is based on that."""
        headers = {"Authorization": f"Bearer {self.service.tokens['auditor']}"}
        for instance in self.service.instances:
            with contextlib.suppress(OSError, ValueError, KeyError):
                change = json.loads(get(instance.port, f"/v1/changes/{number}", headers)[2])
                if change["state"] == "applied":
                    self.base = change["position"]
                    return True
        return False


class Phone(threading.Thread):
    """Polls one place, and checks each answer as a phone does, and that nothing ever goes back."""

    def __init__(self, name, port, keys, over):
        super().__init__(name=f"phone {name}", daemon=True)
        self.place, self.port, self.over = name, port, over
        self.keys = {key["id"]: load_pem_public_key(key["publicKey"].encode()) for key in keys}
        self.answers, self.wrong, self.seen, self.tag = 0, [], {}, None
        self.sequence, self.issued = 0, ""
        self.answered_at, self.longest_silence = None, 0.0

    def run(self):
        path = f"/distribution/{APP}/availability-ios"
        while not self.over.wait(0.05):
            headers = {"If-None-Match": self.tag} if self.tag else {}
            try:
                status, fields, content = get(self.port, path, headers, timeout=5)
            except OSError:
                continue
            self.answers += 1
            self.note_answer(time.monotonic())
            try:
                problem = self.problem(status, fields, content)
            except (KeyError, AttributeError, ValueError) as fault:
                problem = f"{self.place}: {fault!r} in {fields} {content[:200]!r}"
            if problem:
                self.wrong.append(problem)

    def note_answer(self, now):
        self.longest_silence = max(self.longest_silence, now - (self.answered_at or now))
        self.answered_at = now

    def problem(self, status, fields, content):
        if status == 304:
            return None
        if status != 200:
            return f"{self.place}: {status} {content[:200]!r}"
        key, signature = SIGNATURE.fullmatch(fields["x-amz-meta-signature"]).groups()
        signed = fields["x-amz-meta-signature-date"].encode() + b":" + content
        try:
            self.keys[key].verify(base64.b64decode(signature), signed, ec.ECDSA(hashes.SHA256()))
        except (InvalidSignature, KeyError):
            return f"{self.place}: the signature by {key} is wrong"
        self.tag = fields["etag"]
        document = json.loads(content)
        sequence = document["plimsoll"]["sequence"]
        if sequence < self.sequence:
            return f"{self.place}: sequence {sequence} after {self.sequence}"
        issued = document["plimsoll"]["issuedAt"]
        if issued < self.issued:
            return f"{self.place}: issued at {issued} after {self.issued}"
        self.sequence, self.issued = sequence, issued
        for threshold in ("minimumAppVersion", "minimumOSVersion"):
            text = document[threshold]["description"].get("en-GB", "")
            self.seen.setdefault(text, time.monotonic())
        return None


class ReadinessWatch(threading.Thread):
    """Asks an instance ten times a second whether it is ready."""

    def __init__(self, instance, over):
        super().__init__(name=f"readiness of {instance.name}", daemon=True)
        self.instance, self.over = instance, over
        self.answers, self.slowest, self.not_ready = 0, 0.0, []

    def run(self):
        while not self.over.wait(0.1):
            began = time.monotonic()
            status, content = self.instance.readiness()
            self.slowest = max(self.slowest, time.monotonic() - began)
            self.answers += 1
            if status != 200:
                self.not_ready.append(f"{self.instance.name}: {content}"[:300])
