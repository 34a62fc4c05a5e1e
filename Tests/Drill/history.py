"""Holds what clients were told against what the record says."""
import heapq
import json
import re
from collections import Counter

MARKER = re.compile(r"drill-\d+-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Record:
    """Where the record has each write, by what each was marked with."""

    def __init__(self, lines):
        self.positions, self.counts, positions = {}, Counter(), []
        for line in lines:
            if "end" in line:
                continue
            positions.append(line["position"])
            for marker in set(MARKER.findall(json.dumps(line["data"]))):
                self.positions.setdefault(marker, line["position"])
                self.counts[marker, line["type"]] += 1
        self.holes = sum(1 for index, each in enumerate(positions) if each != index + 1)
        self.events = len(positions)


def verdict(writes, record):
    """The figures of the drill, by name."""
    acknowledged = [write for write in writes if write.ended is not None]
    unknown = [write for write in writes if write.ended is None]
    sent = {write.marker for write in writes}
    return {
        "events": record.events,
        "acknowledged": len(acknowledged),
        "doubtful": sum(1 for write in acknowledged if write.doubts),
        "unknown": len(unknown),
        "unknown, present": sum(1 for write in unknown if write.marker in record.positions),
        "lost": sum(1 for write in acknowledged if write.marker not in record.positions),
        "doubled": sum(1 for count in record.counts.values() if count > 1),
        "phantoms": len(record.positions.keys() - sent),
        "holes": record.holes,
        "out of order": out_of_order(acknowledged, record.positions),
    }


def out_of_order(acknowledged, positions):
    """How many stand before one that had been acknowledged when they were begun.

    Each write takes effect at its position. So the record is linearizable where no position
    contradicts the order in which clients began and ended.
    """
    known = [write for write in acknowledged if write.marker in positions]
    ended, highest, found = [], 0, 0
    for write in sorted(known, key=lambda write: write.began):
        while ended and ended[0][0] < write.began:
            highest = max(highest, heapq.heappop(ended)[1])
        position = positions[write.marker]
        found += position < highest
        heapq.heappush(ended, (write.ended, position))
    return found


def longest_gap(moments, start, end):
    """The longest time in which nothing happened, in seconds."""
    inside = [start, *sorted(each for each in moments if start < each < end), end]
    return max(after - before for before, after in zip(inside, inside[1:]))
