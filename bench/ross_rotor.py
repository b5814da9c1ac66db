"""Campbell diagram of the stepped rotor with ROSS: run by itself, prints one line of JSON. Needs `ross-rotordynamics` alone."""

import json
import os
import sys
import time

for _library in ("OPENBLAS", "OMP", "MKL"):
    os.environ[f"{_library}_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402
import ross as rs  # type: ignore[import-not-found]  # noqa: E402


def rotor(sections: list[list[float]], cuts: int) -> rs.Rotor:
    """sections: length, outer, inner diameter [m]; each of them cut into `cuts` elements."""
    steel = rs.Material(name="steel", rho=7806.0, E=207.8e9, Poisson=0.3)
    full = {"shear_effects": True, "rotary_inertia": True, "gyroscopic": True}
    shaft = [
        rs.ShaftElement(L=length / cuts, idl=inner, odl=outer, material=steel, **full)
        for length, outer, inner in sections
        for _ in range(cuts)
    ]
    disc = rs.DiskElement(n=4 * cuts, m=1.401, Id=0.00136, Ip=0.00203)
    bearings = [rs.BearingElement(n=n * cuts, kxx=4.378e7, kyy=4.378e7, cxx=0.0, cyy=0.0) for n in (10, 14)]
    return rs.Rotor(shaft, [disc], bearings)


def main() -> None:
    given = json.loads(sys.argv[1])
    speeds = np.array(given["speeds"])
    rotor(given["sections"], given["cuts"]).run_campbell(speeds[:2], frequencies=8)
    times, builds = [], []
    for _ in range(given["repeats"]):
        began = time.perf_counter()
        made = rotor(given["sections"], given["cuts"])  # anew: it remembers the modes of speeds that it has seen
        built = time.perf_counter()
        found = made.run_campbell(speeds, frequencies=8)
        builds.append(built - began)
        times.append(time.perf_counter() - built)
    last = np.sort(np.abs(np.array(found.wd)[-1]))[:8].tolist()
    said = {
        "build": min(builds),
        "time": min(times),
        "coordinates": int(made.ndof),
        "last": last,
        "version": rs.__version__,
    }
    print(json.dumps(said))


if __name__ == "__main__":
    main()
