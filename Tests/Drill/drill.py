"""The drill itself: what runs, what is done to it, and what came of it."""
import contextlib
import os
import random
import subprocess
import sys
import threading
import time

import faults
import history
from cluster import Cluster
from load import Phone, Planner, Publisher, ReadinessWatch, Writer
from machine import wait
from proxy import Network
from service import Service

WRITERS = 4
# Enough for 200 writes a second, which are ordinary.
CALM_WRITERS, ORDINARY = 16, 200
PUBLISHERS, PLANNERS = 2, 1
WHOLE_AGAIN = 90
CALM = 2.0
# A change that was to come into force so long before the end is there by then.
COMING = 60.0
# What happens to one instance holds up nobody for so long, however busy the machine is.
LONGEST = 20.0
# An edge, which nothing is done to, is never silent for so long.
SILENCE = 10.0
WARM = 5.0
# What a server that was killed had answered has arrived by then.
LAST_ANSWERS = 1.0
# Room for an hour of a publication four times a second.
DISK = "2g"


class Drill:
    def __init__(self, program, folder, lossy=False):
        self.folder = folder
        self.has_own_disk = os.getuid() == 0
        self.over = threading.Event()
        self.cluster = Cluster(folder, lossy)
        self.service = Service(program, folder, Network(), self.cluster)
        self.told = []
        self.sizes, self.too_long = {}, []

    def run(self, seconds, seed, kinds):
        with self.running():
            self.strike(seconds, random.Random(seed), kinds)
            self.end_load()
            wait("everything is whole at the end", self.is_whole, WHOLE_AGAIN)
            return self.report()

    def run_calm(self, seconds):
        """Nothing is done to anybody: under the load alone each instance stays ready."""
        with self.running(CALM_WRITERS):
            self.over.wait(WARM)
            wait("everything is whole", self.is_whole, WHOLE_AGAIN)
            watches = [ReadinessWatch(each, self.over) for each in self.service.instances]
            for each in watches:
                each.start()
            before = self.answered()
            self.over.wait(seconds)
            writes = self.answered() - before
            self.end_load()
            for each in watches:
                each.join(30)
            return self.report() | {
                "writes a second": round(writes / seconds),
                "too few of them": writes < ORDINARY * seconds,
                "answers about readiness": sum(each.answers for each in watches),
                "slowest of them, s": round(max(each.slowest for each in watches), 3),
                "not ready": [problem for each in watches for problem in each.not_ready][:20],
            }

    def run_lossy(self):
        """A standby that lacks what was acknowledged takes over: nobody may go on from there."""
        with self.running():
            self.over.wait(WARM)
            fault = faults.PrimaryLostBehind(self)
            fault.strike()
            struck = time.monotonic()
            wait("the standby leads", fault.successor, WHOLE_AGAIN)
            led = time.monotonic()
            for instance in self.service.instances:
                wait(f"the {instance.name} instance reads only", instance.reads_only, WHOLE_AGAIN)
            latched = time.monotonic()
            self.over.wait(CALM)
            self.end_load()
            figures = self.report(fault.successor().entries())
            figures["read only within, s"] = round(latched - led, 1)
            figures["went on from the shorter log"] = sum(
                1 for moment in self.moments() if moment > struck + LAST_ANSWERS)
            fault.mend()
            return figures

    @contextlib.contextmanager
    def running(self, writers=WRITERS):
        try:
            self.start(writers)
            yield
        except SystemExit:
            self.tell_logs()
            raise
        finally:
            self.over.set()
            self.service.stop()
            self.cluster.stop()
            if self.has_own_disk:
                subprocess.run(["umount", "-l", str(self.folder / "data")], check=False)

    def tell_logs(self):
        for instance in self.service.instances:
            print(f"-- {instance.name}: {instance.readiness()}", file=sys.stderr)
        for log in sorted(self.folder.glob("*.log")):
            lines = log.read_text("utf-8", "replace").splitlines()
            last = [line for line in lines if "Request answered" not in line][-15:]
            print(f"-- {log.name}", *(line[:400] for line in last), sep="\n", file=sys.stderr)

    def end_load(self):
        self.silent = [each.name for each in [*self.clients, *self.phones] if not each.is_alive()]
        self.silent += [each.name for each in self.phones if each.answers == 0]
        self.ended = time.monotonic()
        self.over.set()
        for each in [*self.clients, *self.phones]:
            each.join(30)

    def writes(self):
        return [write for client in self.clients for write in client.writes]

    def answered(self):
        return sum(client.answered for client in self.clients)

    def start(self, writers):
        data = self.folder / "data"
        data.mkdir()
        if self.has_own_disk:
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK},mode=700", "drill",
                            str(data)], check=True)
        self.cluster.start()
        self.service.start()
        self.clients = [kind(number, self.service, self.over)
                        for kind, count in (
                            (Writer, writers), (Publisher, PUBLISHERS), (Planner, PLANNERS))
                        for number in range(count)]
        keys = self.service.keys()
        places = [*self.service.edges, *self.service.instances]
        self.phones = [Phone(place.name, place.public, keys, self.over) for place in places]
        for each in [*self.clients, *self.phones]:
            each.start()

    def is_whole(self):
        return self.cluster.is_whole() and all(each.is_ready() for each in self.service.instances)

    def strike(self, seconds, chance, kinds):
        """Each fault once, in turn; then, as long as there is time, in any order, and now and then
        two at a time."""
        end = time.monotonic() + seconds
        for kind in kinds:
            self.endure(kind)
        while time.monotonic() < end:
            first = chance.choice(kinds)
            second = chance.choice(kinds)
            both = first.on != second.on and chance.random() < 0.3
            self.endure(first, *([second] if both else []))

    def endure(self, *kinds):
        """Faults at one time, from their beginning until nothing of them is left."""
        struck_with = [kind(self) for kind in kinds]
        name = " and ".join(kind.__name__ for kind in kinds)
        began = time.monotonic()
        for fault in struck_with:
            fault.strike()
        struck = time.monotonic()
        self.over.wait(max(fault.lasting for fault in struck_with))
        for fault in struck_with:
            fault.mend()
        wait(f"after {name} everything is whole", self.is_whole, WHOLE_AGAIN)
        self.over.wait(CALM)
        self.measure()
        now = time.monotonic()
        writes = history.longest_gap(self.moments(), began, now)
        served = history.longest_gap(self.phones[0].seen.values(), began, now)
        self.told.append((name, round(writes, 1), round(served, 1)))
        if all(kind.on == "service" for kind in kinds) and max(writes, served) > LONGEST:
            self.too_long.append(name)
        print(f"{name:18} struck in {struck - began:4.1f} s, "
              f"no write for {writes:4.1f} s, nothing new for phones for {served:4.1f} s, "
              f"whole after {now - began - CALM:5.1f} s", flush=True)

    def measure(self):
        """Notes how large each process is: first, last, and at its largest."""
        for each in [*self.service.instances, *self.service.edges]:
            size = each.process.size()
            noted = self.sizes.setdefault(each.name, {"first": size, "largest": size})
            noted["last"] = size
            noted["largest"] = max(noted["largest"], size, key=lambda noted: noted["own MB"])

    def moments(self):
        return [write.ended for write in self.writes() if write.ended is not None]

    def report(self, events=None):
        record = history.Record(events or self.service.events())
        figures = history.verdict(self.writes(), record)
        figures["refused"] = sum(client.refusals for client in self.clients)
        surprises = [each for client in self.clients for each in client.surprises]
        figures["surprises"], figures["number of them"] = surprises[:20], len(surprises)
        figures["silent"] = self.silent
        figures["answers to phones"] = sum(phone.answers for phone in self.phones)
        figures["wrong answers to phones"] = [each for phone in self.phones for each in phone.wrong][:20]
        figures |= self.appointments() | self.silences()
        figures["held up too long"] = self.too_long
        figures["sizes"], figures["stalls"] = self.sizes, self.stalls()
        return figures

    def appointments(self):
        """Whether what was to come into force at a time did, and reached no phone before."""
        planned = [each for client in self.clients if isinstance(client, Planner)
                   for each in client.planned.items()]
        first = {}
        for phone in self.phones:
            for text, moment in phone.seen.items():
                first[text] = min(moment, first.get(text, moment))
        return {
            "planned": len(planned),
            "too early": [text for text, due in planned if first.get(text, due) < due],
            "never came": [text for text, due in planned
                           if due < self.ended - COMING and text not in first],
            "latest, s": max((round(first[text] - due, 1) for text, due in planned
                              if text in first), default=None),
        }

    def silences(self):
        edges = {each.name for each in self.service.edges}
        return {
            "no answer to phones for, s": {each.place: round(each.longest_silence, 1)
                                           for each in self.phones},
            "edges that were silent": [each.place for each in self.phones if each.place in edges
                                       and each.longest_silence > SILENCE],
        }

    def stalls(self):
        """The longest for each kind of fault, in seconds: without a write, without news for phones."""
        longest = {}
        for name, *now in self.told:
            longest[name] = [max(pair) for pair in zip(now, longest.get(name, now))]
        return longest
