"""Memory that a process can still use."""

import math
from pathlib import Path

__all__ = ["available_memory"]


def available_memory() -> float:
    """Memory that this process can still use [bytes]; inf if the system does not report it.

    This is the minimum of the free memory of the machine, of its control groups and of the limits of the process.
    """
    found = [math.inf]
    for read in (_machine, _control_group, _process_limit):
        try:
            found.append(read())
        except (OSError, ValueError, IndexError, KeyError, ImportError):
            continue
    return max(0.0, min(found))


def _machine() -> float:
    fields = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines() if ":" in line)
    return 1024.0 * float(fields["MemAvailable"].split()[0])


def _control_group() -> float:
    """Of version 2 and version 1; a page cache can be given back, so it does not count as taken."""
    least = math.inf
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers not in ("", "memory") and "memory" not in controllers.split(","):
            continue
        second = controllers == ""
        root = Path("/sys/fs/cgroup") if second else Path("/sys/fs/cgroup/memory")
        names = ("memory.max", "memory.current") if second else ("memory.limit_in_bytes", "memory.usage_in_bytes")
        folder = root / path.lstrip("/")
        for group in (folder, *folder.parents):
            if group == root.parent:
                break
            try:
                limit, used = ((group / name).read_text().strip() for name in names)
                statistics = dict(entry.split() for entry in (group / "memory.stat").read_text().splitlines())
                cache = float(statistics.get("inactive_file", statistics.get("total_inactive_file", 0.0)))
                if limit != "max":
                    least = min(least, float(limit) - float(used) + cache)
            except (OSError, ValueError):
                continue
    return least


def _process_limit() -> float:
    import resource

    used = 4096.0 * float(Path("/proc/self/statm").read_text().split()[0])
    limits = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    return min((float(limit) - used for limit in limits if limit != resource.RLIM_INFINITY), default=math.inf)
