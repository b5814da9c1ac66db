"""Table 2 of Do, Ziegler and Eberhard: time, disk and memory of three impacts of the helical pair, by three methods.

    python bench/table2.py

Each method runs in a process of its own, without stored gears: preparation and run are measured, the files that it stores, and its
largest memory (with Python and all libraries; that of an empty process is the last line). Finite elements run for the first of the
three impacts, 0.14 ms of 0.5 ms; their time is scaled to 0.5 ms.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PUBLISHED = {
    "finite elements": "0 h, 71128 s, 1.7 GB, 1.7 GB",
    "nodes": "20 h, 1678 s, 7 GB, 1 GB",
    "strips": "–",
    "nothing": "–",
}
GRID = {"flank_edge": "0.25 mm", "size": "0.8 mm", "face_elements": 6}


def one(method: str) -> dict[str, float]:
    """Times [s], unknowns, bytes of files and of memory of one method."""
    import pitchline as pl
    from pitchline import gallery
    from pitchline.fem import gear_file as gear_cache
    from pitchline.fem import node_modes
    from pitchline.parts.meshes.compile import flanks_of

    found: dict[str, float] = {"preparation": 0.0, "run": 0.0, "unknowns": 0, "disk": 0, "full_disk": 0}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        gear_cache.cache_folder = node_modes.cache_folder = lambda: folder
        if method != "nothing":
            began = time.perf_counter()
            m = gallery.model("impact-helical").build()
            if method == "strips":
                pl.dynamics(m, duration="2 us", step="1 us")
                found["preparation"] = time.perf_counter() - began
                run = pl.dynamics(m, duration="0.5 ms", step="1 us", output_step="1 us", rho=0.95)
                found["run"] = run.statistics["wall_time"]
                data = flanks_of(m.gear_pairs["mesh"])
                counts = [
                    gear.multiplicities[modes].sum() for gear, modes in ((data.a, data.modes_a), (data.b, data.modes_b))
                ]
                found["unknowns"] = 2 + int(sum(counts))
                found["disk"] = sum(file.stat().st_size for file in folder.glob("*.h5"))
            elif method == "nodes":
                run = pl.node_contact_motion(m, duration="0.5 ms", output_step="1 us")
                found["preparation"], found["run"] = run.statistics["preparation_time"], run.statistics["wall_time"]
                found["unknowns"] = 2 + run.statistics["modes_a"] + run.statistics["modes_b"]
                found["disk"], found["full_disk"] = run.statistics["stored_bytes"], run.statistics["bytes_of_all_nodes"]
            else:
                run = pl.explicit_motion(m, duration="0.14 ms", output_step="1 us", elements_a=GRID, elements_b=GRID)
                found["preparation"] = 0.0
                found["run"] = run.statistics["wall_time"] * 0.5 / 0.14
                found["unknowns"] = 3 * (run.statistics["nodes_a"] + run.statistics["nodes_b"])
    found["memory"] = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return found


def main() -> None:
    """The table in markdown."""
    if len(sys.argv) > 1:
        print(json.dumps(one(sys.argv[1])))
        return
    print(
        "| method | unknowns | preparation / s | run / s | disk / MB | modes of all nodes / MB | memory / MB | published |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for method, published in PUBLISHED.items():
        done = subprocess.run(
            [sys.executable, __file__, method], capture_output=True, text=True, check=True, env=os.environ
        )
        v = json.loads(done.stdout.splitlines()[-1])
        print(
            f"| {method} | {v['unknowns']:.0f} | {v['preparation']:.1f} | {v['run']:.2f} | {v['disk'] / 1e6:.0f} | "
            f"{v['full_disk'] / 1e6:.0f} | {v['memory'] / 1e6:.0f} | {published} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
