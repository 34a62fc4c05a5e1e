"""A clock for one process, which a file sets; what it measures time with stays true."""
import ctypes
import os
import pathlib


class Clock:
    def __init__(self, file):
        self.file = file
        # The library makes these two otherwise, and moves the environment for it, which is how a
        # Swift program finds its arguments.
        self.names = [f"/plimsoll-drill-{os.getpid()}-{file.stem}-{kind}" for kind in ("sem", "shm")]
        self.step("+0")

    def step(self, offset):
        """`offset` such as +3600 or -60, in seconds beside the machine's clock."""
        self.file.write_text(offset)

    def environment(self):
        library = next(iter(pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")), None)
        if library is None:
            raise SystemExit("ha-drill: libfaketime is missing; scripts/set-up drill installs it")
        self.share()
        return {"LD_PRELOAD": str(library), "FAKETIME_TIMESTAMP_FILE": str(self.file),
                "FAKETIME_CACHE_DURATION": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
                "NO_FAKE_STAT": "1", "FAKETIME_SHARED": " ".join(self.names)}

    def share(self):
        system = ctypes.CDLL(None, use_errno=True)
        semaphore, memory = self.names
        system.sem_open.restype = ctypes.c_void_p
        if not system.sem_open(semaphore.encode(), os.O_CREAT, 0o600, 1):
            raise OSError(ctypes.get_errno(), "sem_open")
        pathlib.Path("/dev/shm" + memory).write_bytes(bytes(24) + b"\xff" * 8 + bytes(4064))

    def forget(self):
        semaphore, memory = self.names
        for path in (f"/dev/shm/sem.{semaphore[1:]}", "/dev/shm" + memory):
            pathlib.Path(path).unlink(missing_ok=True)
