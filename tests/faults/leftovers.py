"""What a process holds: tasks, descriptors, memory."""

import gc
import os
from pathlib import Path

import attrs

from tests.faults.harness import living_tasks


@attrs.frozen(kw_only=True)
class Holdings:
    """What this process holds at one moment.

    Attributes:
        tasks: Of the running event loop.
        descriptors: Open file descriptors, sockets included.
        resident: Bytes of resident memory.
        objects: What the garbage collector tracks.
    """

    tasks: int
    descriptors: int
    resident: int
    objects: int

    @classmethod
    def now(cls) -> "Holdings":
        """Count, after collecting garbage."""
        gc.collect()
        return cls(
            tasks=living_tasks(),
            descriptors=sum(1 for _ in Path("/proc/self/fd").iterdir()),
            resident=_resident(),
            objects=len(gc.get_objects()),
        )


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
