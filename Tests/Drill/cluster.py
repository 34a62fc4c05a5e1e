"""Two PostgreSQL under Patroni, with etcd to agree in."""
import json
import os
import pathlib
import pwd
import signal
import subprocess

from clock import Clock
from machine import Process, free_ports, get, wait

# The least that Patroni takes for each; a leader that is gone is replaced after the first.
LEASE, LOOP, RETRY = 20, 1, 3


class Cluster:
    def __init__(self, folder, lossy):
        self.folder, self.lossy = folder, lossy
        self.programs = newest_programs()
        client, peer = free_ports(2)
        self.etcd = Process("etcd", folder, [
            "etcd", "--enable-v2", "--name", "drill", "--data-dir", str(folder / "etcd"),
            "--listen-client-urls", f"http://127.0.0.1:{client}",
            "--advertise-client-urls", f"http://127.0.0.1:{client}",
            "--listen-peer-urls", f"http://127.0.0.1:{peer}",
            "--initial-advertise-peer-urls", f"http://127.0.0.1:{peer}",
            "--initial-cluster", f"drill=http://127.0.0.1:{peer}", "--unsafe-no-fsync"],
            account=account())
        self.nodes = [Node(self, name, client) for name in ("north", "south")]

    def start(self):
        self.etcd.start()
        for node in self.nodes:
            node.patroni.start()
        wait("both PostgreSQL are there", self.is_whole, 120)

    def stop(self):
        for node in self.nodes:
            node.thaw()
            node.patroni.stop(signal.SIGTERM)
        self.etcd.stop(signal.SIGTERM)

    def is_whole(self):
        """Whether one leads, the other one follows, and where nothing may be lost, at once."""
        states = [node.state() for node in self.nodes]
        if sorted(state.get("role", "") for state in states) not in (
                ["primary", "replica"], ["master", "replica"]):
            return False
        leader = next(state for state in states if state["role"] != "replica")
        streaming = [each for each in leader.get("replication", []) if each["state"] == "streaming"]
        return bool(streaming) and (self.lossy or streaming[0]["sync_state"] == "sync")

    def primary(self):
        return next((node for node in self.nodes if node.leads()), None)

    def leader(self):
        """The primary, where a busy machine may need more than one question to say which it is."""
        return wait("one of the servers leads", self.primary, 30)

    def switch_over(self):
        leader = self.leader()
        self.control("switchover", "--master", leader.name, "--force")

    def control(self, command, *arguments):
        subprocess.run(["patronictl", "-c", str(self.nodes[0].file), command, "drill", *arguments],
                       check=False, capture_output=True, timeout=60)


class Node:
    def __init__(self, cluster, name, etcd):
        self.cluster, self.name = cluster, name
        self.postgres, self.rest = free_ports(2)
        self.clock = Clock(cluster.folder / f"{name}.clock")
        self.file = cluster.folder / f"{name}.json"
        self.file.write_text(json.dumps(self.settings(etcd), indent=1))
        self.file.chmod(0o644)
        self.patroni = Process(name, cluster.folder, ["patroni", str(self.file)], account=account())

    def programs(self):
        """Those of PostgreSQL, of which the server alone has a clock of its own."""
        folder = self.cluster.folder / f"{self.name}-programs"
        folder.mkdir()
        for program in self.cluster.programs.iterdir():
            if program.name != "postgres":
                (folder / program.name).symlink_to(program)
        settings = " ".join(f"{name}='{value}'" for name, value in self.clock.environment().items())
        server = folder / "postgres"
        server.write_text(f'#!/bin/sh\n{settings} exec {self.cluster.programs}/postgres "$@"\n')
        server.chmod(0o755)
        return folder

    def settings(self, etcd):
        folder = self.cluster.folder / self.name
        login = {"username": "postgres"}
        return {
            "scope": "drill", "name": self.name, "namespace": "/plimsoll/",
            "restapi": {"listen": f"127.0.0.1:{self.rest}",
                        "connect_address": f"127.0.0.1:{self.rest}"},
            # Over the other one Patroni 3.0.2 gives a leader that was frozen its place back, and what
            # its successor acknowledged is lost: https://github.com/patroni/patroni/pull/2689
            "etcd": {"host": f"127.0.0.1:{etcd}"},
            "bootstrap": {
                "dcs": {"ttl": LEASE, "loop_wait": LOOP, "retry_timeout": RETRY,
                        "master_start_timeout": 0, "maximum_lag_on_failover": 1 << 30,
                        "synchronous_mode": not self.cluster.lossy,
                        "postgresql": {"use_pg_rewind": True}},
                "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "data-checksums"],
                "pg_hba": ["local all all trust", "host all all 127.0.0.1/32 trust",
                           "host replication all 127.0.0.1/32 trust"],
            },
            "postgresql": {
                "listen": f"127.0.0.1:{self.postgres}",
                "connect_address": f"127.0.0.1:{self.postgres}",
                "data_dir": str(folder), "bin_dir": str(self.programs()),
                "authentication": {"superuser": login, "replication": login, "rewind": login},
                "parameters": {"unix_socket_directories": str(self.cluster.folder),
                               "max_connections": 200, "wal_log_hints": "on"},
                "pgpass": str(self.cluster.folder / f"{self.name}.pgpass"),
            },
        }

    def state(self):
        try:
            return json.loads(get(self.rest, "/patroni", timeout=2)[2])
        except (OSError, ValueError):
            return {}

    def entries(self):
        """The log as the database itself has it, for where no instance may show it."""
        rows = subprocess.run(
            [str(self.cluster.programs / "psql"), "-h", "127.0.0.1", "-p", str(self.postgres),
             "-U", "postgres", "-Atc",
             "SELECT position || ' ' || encode(entry, 'hex') FROM log.event ORDER BY position"],
            check=True, capture_output=True, text=True).stdout.splitlines()
        for position, entry in map(str.split, rows):
            yield {"position": int(position), "type": "",
                   "data": bytes.fromhex(entry).decode("utf-8", "replace")}

    def leads(self):
        return self.state().get("role") in ("primary", "master")

    def processes(self, named=""):
        """Patroni's own, the server's, and those of what it started; or of these by a name."""
        found = [self.patroni.process.pid] if self.patroni.process else []
        try:
            file = self.cluster.folder / self.name / "postmaster.pid"
            postmaster = int(file.read_text().split()[0])
            children = pathlib.Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text()
        except (OSError, IndexError, ValueError):
            return [] if named else found
        found += [postmaster] + [int(each) for each in children.split()]
        return [each for each in found if named in command(each)]

    def send(self, number):
        for process in self.processes():
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass

    def freeze(self):
        self.send(signal.SIGSTOP)

    def thaw(self):
        self.send(signal.SIGCONT)

    def kill_postgres(self):
        """The server and all that it started, at once, as when its machine loses power."""
        for process in self.processes()[1:]:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def kill(self):
        self.send(signal.SIGKILL)
        self.patroni.wait()

    def start(self):
        self.patroni.start()


def command(process):
    try:
        return pathlib.Path(f"/proc/{process}/cmdline").read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""


def account():
    """PostgreSQL refuses root."""
    return pwd.getpwnam("postgres") if os.getuid() == 0 else None


def newest_programs():
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    if not found:
        raise SystemExit("ha-drill: PostgreSQL is missing")
    return found[-1].parent
