"""Processes, ports and requests."""
import http.client
import os
import pathlib
import signal
import socket
import subprocess
import time


class Process:
    """A program that is started, killed and started again; what it says is in a file."""

    def __init__(self, name, folder, command, account=None, environment=None):
        self.name, self.command, self.account = name, command, account
        self.output = folder / f"{name}.log"
        self.environment = {**os.environ, **(environment or {})}
        self.process, self.started = None, None

    def start(self):
        identity = {}
        if self.account is not None:
            identity = {"user": self.account.pw_uid, "group": self.account.pw_gid, "extra_groups": []}
        with open(self.output, "ab") as output:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd="/",
                env=self.environment, start_new_session=True, **identity)
        self.started = time.monotonic()

    def send(self, number):
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(number)

    def size(self):
        """How long it has run, and what it takes: memory in MB, in all and its own, and open files."""
        place = pathlib.Path("/proc") / str(self.process.pid)
        memory = dict(line.split(":", 1) for line in (place / "status").read_text().splitlines())
        megabytes = {name: int(memory[name].split()[0]) // 1024 for name in ("VmRSS", "RssAnon")}
        return {"minutes": round((time.monotonic() - self.started) / 60, 1),
                "MB": megabytes["VmRSS"], "own MB": megabytes["RssAnon"],
                "files": sum(1 for _ in (place / "fd").iterdir())}

    def wait(self, seconds=60):
        if self.process is not None:
            self.process.wait(seconds)

    def stop(self, number=signal.SIGINT):
        self.send(signal.SIGCONT)
        self.send(number)
        try:
            self.wait()
        except subprocess.TimeoutExpired:
            self.send(signal.SIGKILL)
            self.wait()


HELD = []


def free_ports(count):
    """Ports that nobody else is given while this process lasts: all that listens here reuses addresses,
    and may do so beside a socket that is only bound."""
    for _ in range(count):
        each = socket.socket()
        each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        each.bind(("127.0.0.1", 0))
        HELD.append(each)
    return [each.getsockname()[1] for each in HELD[-count:]]


def wait(what, condition, seconds):
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise SystemExit(f"ha-drill: {what}: not within {seconds} s")
        time.sleep(0.1)
    return found


def get(port, path, headers=None, timeout=10):
    return ask(port, "GET", path, None, headers, timeout)


def ask(port, method, path, body, headers=None, timeout=10):
    """Status, fields with small letters, and bytes of one answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request(method, path, body=body, headers=headers or {})
        answer = connection.getresponse()
        content = answer.read()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, content
    except http.client.HTTPException as problem:
        raise OSError(str(problem)) from problem
    finally:
        connection.close()
