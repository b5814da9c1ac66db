"""What small motions do not show: natural modes of elastic gears.

The element of elastic flanks keeps the amplitudes of its gears' modes in its memory and integrates them itself. They are no
coordinates of the system: a linearisation holds them still.
"""

import numpy as np

from ..model import Model
from ..model.meshes import Flank


def hidden_modes(model: Model) -> list[str]:
    """One sentence about the gears whose modes move in `dynamics` and are missing in all linear analyses."""
    lowest: dict[str, float] = {}
    for pair in model.gear_pairs.values():
        if not isinstance(pair.mesh, Flank):
            continue
        from ..system.flank_elements import flanks_of

        data = flanks_of(pair)
        for wheel, gear, chosen in ((pair.wheel_a, data.a, data.modes_a), (pair.wheel_b, data.b, data.modes_b)):
            if len(chosen):
                found = float(np.min(gear.frequencies[chosen]))
                lowest[wheel.name] = min(found, lowest.get(wheel.name, np.inf))
    if not lowest:
        return []
    names = ", ".join(f'"{name}" (from {frequency:.4g} Hz on)' for name, frequency in lowest.items())
    return [
        f"natural modes of elastic gears are missing here: {names}. Small motions do not hold the modes of gears with Flank, "
        f"which move in dynamics alone: frequencies from {min(lowest.values()):.4g} Hz on are incomplete, and those near it are "
        "changed by them; see them in a spectrum of a run"
    ]
