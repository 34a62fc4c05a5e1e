"""Two instances of the service on one data directory, and two edges: what the drill is about."""
import contextlib
import json
import shutil
import signal

from clock import Clock
from machine import Process, ask, free_ports, get, wait

APP = "harbour"
PEOPLE = {"writer": "proposer", "planner": "proposer", "approver": "approver",
          "responder": "responder", "auditor": "auditor"}


class Instance:
    def __init__(self, name, program, folder, network, cluster):
        self.name = name
        self.port, self.public, *doors = free_ports(2 + len(cluster.nodes))
        self.links = [network.link(door, node.postgres)
                      for door, node in zip(doors, cluster.nodes)]
        ports = ",".join(map(str, doors))
        self.clock = Clock(folder / f"{name}.clock")
        hosts = ",".join(["127.0.0.1"] * len(doors))
        self.process = Process(name, folder, [
            program, "serve", "--data", str(folder / "data"), "--log-format", "json",
            "--listen", f"127.0.0.1:{self.port}", "--public-listen", f"127.0.0.1:{self.public}"],
            environment={
                "PLIMSOLL_DATABASE_URL":
                    f"host={hosts} port={ports} user=postgres dbname=postgres "
                    "target_session_attrs=read-write connect_timeout=2",
                **self.clock.environment()})

    def readiness(self):
        """What it says of itself, with its status; status 0 where nothing comes."""
        try:
            status, _, content = get(self.port, "/readyz", timeout=2)
            return status, content.decode("utf-8", "replace")
        except OSError as problem:
            return 0, str(problem)

    def is_ready(self):
        return self.readiness()[0] == 200

    def reads_only(self):
        """Whether it says that its log lacks what it knows."""
        return any(problem in self.readiness()[1] for problem in ("log-behind", "log-forked"))

    def cut(self):
        for link in self.links:
            link.cut()

    def slow(self, seconds):
        for link in self.links:
            link.slow(seconds)

    def heal(self):
        for link in self.links:
            link.heal()


class Edge:
    def __init__(self, name, program, folder, origin):
        self.name = name
        (self.public,) = free_ports(1)
        self.process = Process(name, folder, [
            program, "edge", "--from", origin, "--keys", str(folder / "keys.json"),
            "--listen", f"127.0.0.1:{self.public}", "--memory", str(folder / f"{name}-memory")])

    def is_ready(self):
        try:
            return get(self.public, f"/distribution/{APP}/manifest.json", timeout=2)[0] == 200
        except OSError:
            return False


class Service:
    def __init__(self, program, folder, network, cluster):
        self.folder = folder
        self.instances = [Instance(name, program, folder, network, cluster)
                          for name in ("first", "second")]
        self.edges = [Edge("near", program, folder, str(folder / "data" / "export")),
                      Edge("far", program, folder,
                           f"http://127.0.0.1:{self.instances[1].public}")]
        self.tokens = {}

    def start(self):
        first = self.instances[0]
        first.process.start()
        wait("the first instance is ready", first.is_ready, 60)
        self.tokens["administrator"] = (self.folder / "data" / "admin-token").read_text().strip()
        self.set_up()
        self.instances[1].process.start()
        wait("the second instance is ready", self.instances[1].is_ready, 60)
        wait("the first snapshot is there", lambda: self.keys() is not None, 30)
        shutil.copy(self.folder / "data" / "export" / "keys.json", self.folder / "keys.json")
        for edge in self.edges:
            edge.process.start()
            wait(f"the edge {edge.name} serves", edge.is_ready, 30)

    def stop(self):
        for each in [*self.edges, *self.instances]:
            each.process.stop(signal.SIGTERM)

    def keys(self):
        path = self.folder / "data" / "export" / "keys.json"
        if not path.exists():
            return None
        return json.loads(path.read_text()).get("keys") or None

    def set_up(self):
        self.send("POST", "/v1/apps", {
            "slug": APP, "name": "Harbour", "platforms": ["ios"], "languages": ["en-GB"],
            "fallbackLanguage": "en-GB", "default": True})
        for name, role in PEOPLE.items():
            app = {} if role == "auditor" else {"app": APP}
            token = self.send("POST", "/v1/tokens", {"name": name, "roles": [{"role": role, **app}]})
            self.tokens[name] = token["token"]
        self.base = self.send("GET", f"/v1/apps/{APP}", None)["position"]

    def send(self, method, path, body, by="administrator"):
        status, _, content = ask(
            self.instances[0].port, method, path, body and json.dumps(body),
            {"Authorization": f"Bearer {self.tokens[by]}", "Content-Type": "application/json"})
        if not 200 <= status < 300:
            raise SystemExit(f"ha-drill: {method} {path}: {status} {content!r}")
        return json.loads(content)

    def events(self):
        """The whole record, from whoever answers."""
        headers = {"Authorization": f"Bearer {self.tokens['auditor']}",
                   "Accept": "application/x-ndjson"}
        for instance in self.instances:
            with contextlib.suppress(OSError):
                path = "/v1/events?order=oldest"
                status, _, content = get(instance.port, path, headers, timeout=300)
                if status == 200:
                    return [json.loads(line) for line in content.splitlines()]
        raise SystemExit("ha-drill: no instance gives the record")
