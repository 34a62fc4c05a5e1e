"""S3 APIs on ports of the loopback address, one for each who asks, in behaviors that tests set.

They are moto's, which is asked through a real socket, with what moto leaves out: every signature is
checked with botocore's own code, and a request is done in one step. S3 writes at once what it has looked
at for a condition, with its metadata; between moto's steps another request would come in.

Who connects to the Unix socket (first argument) gets a store in a process of its own, is told its port,
and keeps it until the connection ends. All are forked from one process, since loading moto takes a
second; it ends with the process whose id is the second argument.
"""

import hashlib
import io
import os
import select
import signal
import socket
import sys
import threading
import time

from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from moto.core import DEFAULT_ACCOUNT_ID
from moto.moto_api._internal import mock_random
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from moto.s3.models import s3_backends
from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.test import Client

ACCESS_KEY, SECRET_KEY, REGION = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "us-east-1"


BUCKET = "config"


def answer(start_response, status, text):
    body = text.encode()
    start_response(status, [("Content-Type", "application/xml"), ("Content-Length", str(len(body)))])
    return [body]


def error(start_response, status, code):
    return answer(start_response, status, f"<Error><Code>{code}</Code></Error>")


def fields(environ):
    named = {key[5:].replace("_", "-").lower(): value for key, value in environ.items() if key.startswith("HTTP_")}
    if environ.get("CONTENT_TYPE"):
        named["content-type"] = environ["CONTENT_TYPE"]
    return named


def is_authentic(environ, body):
    named = fields(environ)
    authorization = named.get("authorization", "")
    parts = dict(part.split("=", 1) for part in authorization.partition(" ")[2].split(", ") if "=" in part)
    if parts.get("Credential", "").split("/")[0] != ACCESS_KEY:
        return False
    if named.get("x-amz-content-sha256") != hashlib.sha256(body).hexdigest():
        return False
    request = AWSRequest(
        method=environ["REQUEST_METHOD"],
        url=f"http://{named['host']}{environ['RAW_URI']}",
        headers={name: named[name] for name in parts["SignedHeaders"].split(";") if name != "host"},
        data=body,
    )
    request.context["timestamp"] = named["x-amz-date"]
    signer = S3SigV4Auth(Credentials(ACCESS_KEY, SECRET_KEY), "s3", REGION)
    text = signer.string_to_sign(request, signer.canonical_request(request))
    return signer.signature(text, request) == parts["Signature"]


class Misbehaving:
    """What is done to a request: `well`, `away`, `slow`, `lost`, `refusing`, `keeping`, `holding` or
    `heedless`.

    `lost` does what a write asks and says nothing of it, as often as it is told; `keeping` deletes as
    often as it is told, and refuses then. `holding` has the write of that number wait on its way until
    the behavior is another one, and `heedless` also forgets under what condition it was to be done.
    """

    def __init__(self, app):
        self.app, self.behavior, self.left, self.writes = app, "well", 0, []
        self.lock, self.held, self.released = threading.Lock(), threading.Event(), threading.Event()
        self.step = threading.Lock()

    def __call__(self, environ, start_response):
        path = environ["PATH_INFO"]
        if path.startswith("/.behavior/"):
            self.released.set()
            self.held, self.released = threading.Event(), threading.Event()
            self.behavior, self.left = path.split("/")[2], int(path.split("/")[3])
            return answer(start_response, "200 OK", self.behavior)
        if path == "/.writes":
            return answer(start_response, "200 OK", "\n".join(self.writes))
        if path == "/.held":
            return answer(start_response, "200 OK", str(self.held.wait(20)))
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        environ["wsgi.input"] = io.BytesIO(body)
        if not is_authentic(environ, body):
            return error(start_response, "403 Forbidden", "SignatureDoesNotMatch")
        if self.behavior == "away":
            return error(start_response, "503 Slow Down", "SlowDown")
        if self.behavior == "refusing":
            return error(start_response, "403 Forbidden", "AccessDenied")
        if self.behavior == "slow":
            time.sleep(30)
        if self.behavior == "keeping" and environ["REQUEST_METHOD"] == "DELETE":
            self.left -= 1
            if self.left < 0:
                return error(start_response, "403 Forbidden", "AccessDenied")
        if environ["REQUEST_METHOD"] == "PUT":
            self.writes.append(path)
            self.hold(environ)
        if self.behavior == "lost" and environ["REQUEST_METHOD"] == "PUT" and self.left > 0:
            self.left -= 1
            list(self.done(environ, lambda *_: None))
            environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
            return []
        return self.done(environ, start_response)

    def done(self, environ, start_response):
        with self.step:
            return self.app(environ, start_response)

    def hold(self, environ):
        with self.lock:
            behavior, released = self.behavior, self.released
            if behavior not in ("holding", "heedless") or self.left == 0:
                return
            self.left -= 1
            if self.left > 0:
                return
        self.held.set()
        released.wait()
        if behavior == "heedless":
            for condition in ("HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH"):
                environ.pop(condition, None)


class Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, *_):
        pass


def end_with(connection):
    try:
        connection.recv(1)
    finally:
        os._exit(0)


def serve(connection):
    threading.Thread(target=end_with, args=[connection], daemon=True).start()
    mock_random.seed()
    s3_backends[DEFAULT_ACCOUNT_ID]["aws"].create_bucket(BUCKET, REGION)
    app = Misbehaving(DomainDispatcherApplication(create_backend_app))
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
    connection.sendall(str(server.port).encode())
    server.serve_forever()


def load():
    """Has moto load what it loads only when it is asked."""
    Client(DomainDispatcherApplication(create_backend_app)).get("/", base_url="http://s3.amazonaws.com")


def fork(listener, parent):
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while parent not in select.select([listener, parent], [], [])[0]:
        connection, _ = listener.accept()
        if os.fork() == 0:
            try:
                listener.close()
                serve(connection)
            finally:
                os._exit(1)
        connection.close()


def main():
    """Returns to whoever started this once it may be connected to."""
    place, parent = sys.argv[1], os.pidfd_open(int(sys.argv[2]))
    load()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(place)
    listener.listen()
    if os.fork() != 0:
        return
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    try:
        fork(listener, parent)
    finally:
        os.unlink(place)


main()
