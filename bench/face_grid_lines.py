"""Whether loaded contact knows the finite elements along the face: the spectrum of a helical pair over a sweep of face_elements.

A grid that shows puts a line at 2 face_elements/ε_β times the mesh frequency, two lines of nodes to an element. Printed are the
first harmonics, and the amplitude at that order beside the mean of the other grids at the same order; nm and % of the first
harmonic.
"""

from __future__ import annotations

import argparse
import math

import numpy as np

import pitchline as pl
from pitchline.fem.elastic_gear import ElasticGear

TEETH, MODULE, FACE, HELIX = (20, 33), 2e-3, 20e-3, math.radians(20.0)
POSITIONS = 128


def gears(face_elements: int) -> list[ElasticGear]:
    """Default grids, but for the face."""
    found = []
    for teeth, hand in zip(TEETH, (1.0, -1.0), strict=True):
        gear = pl.Gear(
            teeth=teeth, normal_module=MODULE, face_width=FACE, helix_angle=hand * HELIX, bore=0.4 * MODULE * teeth
        )
        found.append(pl.elastic_gear(pl.Teeth(gear), grid={"face_elements": face_elements}))
    return found


def main() -> None:
    """One line a grid and torque."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elements", type=int, nargs="+", default=[4, 6, 8, 12, 16])
    parser.add_argument("--torques", type=float, nargs="+", default=[20.0, 100.0])
    given = parser.parse_args()
    overlap = FACE * math.sin(HELIX) / (math.pi * MODULE)
    lines = {}
    for n in given.elements:
        run = pl.loaded_contact(*gears(n), torque=given.torques, positions=POSITIONS)
        lines[n] = 1e9 * run.spectrum()[1]
    for t, torque in enumerate(given.torques):
        for n in given.elements:
            mine, order = lines[n][t], 2 * n / overlap
            near = [k for k in (math.floor(order), math.ceil(order)) if k <= len(mine)]
            others = np.mean([lines[m][t] for m in given.elements if m != n], axis=0)
            k = max(near, key=lambda k: mine[k - 1] - others[k - 1])
            part = 100.0 * abs(mine[k - 1] - others[k - 1]) / mine[0]
            print(
                f"{torque:6g} N m, face_elements {n:2}: harmonics {mine[0]:6.1f} {mine[1]:5.1f} {mine[2]:5.1f} nm; "
                f"order {order:4.1f}: {mine[k - 1]:6.2f} nm, others {others[k - 1]:6.2f} nm, {part:5.2f} %"
            )


if __name__ == "__main__":
    main()
