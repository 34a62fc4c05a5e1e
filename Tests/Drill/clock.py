"""A clock for one process, which a file sets; what it measures time with stays true."""
import pathlib
import struct
import subprocess

SOURCE = pathlib.Path(__file__).with_name("clock.c")


class Clock:
    def __init__(self, file):
        self.file, self.library = file, file.with_suffix(".so")
        file.write_bytes(bytes(8))
        subprocess.run(["cc", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", str(SOURCE),
                        "-o", str(self.library)], check=True)

    def step(self, seconds):
        """To so many seconds beside the machine's clock."""
        with open(self.file, "r+b") as file:
            file.write(struct.pack("=q", seconds))

    def environment(self):
        return {"LD_PRELOAD": str(self.library), "DRILL_CLOCK": str(self.file)}
