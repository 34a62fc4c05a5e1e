"""What is done to the machine, and undone again."""
import itertools
import os
import signal
import time

from machine import get

BLOCK = bytes(1 << 20)
LEADS = "plimsoll_exporter_active 1"


def leader(service):
    """The instance that publishes, and the other one."""
    for index, instance in enumerate(service.instances):
        try:
            if LEADS in get(instance.port, "/metrics", timeout=2)[2].decode():
                return instance, service.instances[1 - index]
        except OSError:
            continue
    return service.instances


class Fault:
    """One kind of harm; `strike` does it, `mend` undoes it."""

    lasting = 6.0
    # Faults on one thing are not done to it at the same time.
    on = "service"

    def __init__(self, drill):
        self.drill, self.service, self.cluster = drill, drill.service, drill.cluster

    def strike(self):
        self.victim, _ = leader(self.service)

    def mend(self):
        raise NotImplementedError


class LeaderKilled(Fault):
    def strike(self):
        super().strike()
        self.victim.process.send(signal.SIGKILL)
        self.victim.process.wait()

    def mend(self):
        self.victim.process.start()


class LeaderFrozen(Fault):
    def strike(self):
        super().strike()
        self.victim.process.send(signal.SIGSTOP)

    def mend(self):
        self.victim.process.send(signal.SIGCONT)


class LeaderCutOff(Fault):
    def strike(self):
        super().strike()
        self.victim.cut()

    def mend(self):
        self.victim.heal()


class LeaderSlowed(Fault):
    def strike(self):
        super().strike()
        self.victim.slow(0.5)

    def mend(self):
        self.victim.heal()


class FollowerFrozen(LeaderFrozen):
    def strike(self):
        _, self.victim = leader(self.service)
        self.victim.process.send(signal.SIGSTOP)


class LeaderStopped(Fault):
    """As an operator stops it, for an update."""

    def strike(self):
        super().strike()
        self.victim.process.stop(signal.SIGTERM)

    def mend(self):
        self.victim.process.start()


class PrimaryKilled(Fault):
    """PostgreSQL alone: whoever minds it starts it again."""

    on = "database"

    def strike(self):
        self.cluster.leader().kill_postgres()

    def mend(self):
        pass


class PrimaryLost(Fault):
    """Its whole machine, for good: the other one has to take over."""

    lasting = 30.0
    on = "database"

    def strike(self):
        self.victim = self.cluster.leader()
        self.victim.kill()

    def mend(self):
        self.victim.start()


class PrimaryFrozen(Fault):
    lasting = 30.0
    on = "database"

    def strike(self):
        self.victim = self.cluster.leader()
        self.victim.freeze()

    def mend(self):
        self.victim.thaw()


class StandbyFrozen(PrimaryFrozen):
    """Nothing is confirmed until whoever minds the two gives it up."""

    def strike(self):
        self.victim = next(node for node in self.cluster.nodes if not node.leads())
        self.victim.freeze()


class StandbyLost(PrimaryLost):
    def strike(self):
        self.victim = next(node for node in self.cluster.nodes if not node.leads())
        self.victim.kill()


class PrimaryLostBehind(PrimaryLost):
    """As PrimaryLost, where the standby has not heard of the last three seconds."""

    behind = 3.0

    def strike(self):
        successor = next(node for node in self.cluster.nodes if not node.leads())
        receivers = successor.processes("walreceiver")
        for receiver in receivers:
            os.kill(receiver, signal.SIGSTOP)
        time.sleep(self.behind)
        super().strike()
        # What had arrived for it goes with it.
        for receiver in receivers:
            os.kill(receiver, signal.SIGKILL)

    def successor(self):
        return next((node for node in self.cluster.nodes
                     if node is not self.victim and node.leads()), None)


class SwitchedOver(Fault):
    """As a database administrator does it."""

    on = "database"

    def strike(self):
        self.cluster.switch_over()

    def mend(self):
        pass


class DiskFull(Fault):
    """Of the directory that everything is published in."""

    on = "disk"

    def strike(self):
        self.filler = self.drill.folder / "data" / "filler"
        room = os.statvfs(self.filler.parent)
        with open(self.filler, "wb") as file:
            try:
                for _ in range(room.f_bavail * room.f_bsize // len(BLOCK) + 1):
                    file.write(BLOCK)
                    file.flush()
            except OSError:
                pass

    def mend(self):
        self.filler.unlink()


class ClockStepped(Fault):
    """Of one instance, forward; what it measures time with goes on. By a minute, an hour, ten years
    in turn."""

    STEPS = (60, 3600, 10 * 365 * 86400)
    forward, steps = 1, itertools.cycle(STEPS)

    def strike(self):
        self.victim = self.choose()
        self.victim.clock.step(self.forward * next(self.steps))

    def choose(self):
        return leader(self.service)[0]

    def mend(self):
        self.victim.clock.step(0)


class ClockSteppedBack(ClockStepped):
    forward, steps = -1, itertools.cycle(ClockStepped.STEPS)


class DatabaseClockStepped(ClockStepped):
    """The same of the server that leads."""

    on = "database"
    steps = itertools.cycle(ClockStepped.STEPS)

    def choose(self):
        return self.cluster.leader()


class DatabaseClockSteppedBack(DatabaseClockStepped):
    forward, steps = -1, itertools.cycle(ClockStepped.STEPS)


KINDS = [LeaderKilled, LeaderFrozen, LeaderCutOff, LeaderSlowed, FollowerFrozen, LeaderStopped,
         PrimaryKilled, SwitchedOver, DiskFull, ClockStepped, ClockSteppedBack,
         DatabaseClockStepped, DatabaseClockSteppedBack, PrimaryFrozen, PrimaryLost, StandbyFrozen,
         StandbyLost]
