"""The wind turbine gearbox of the gallery: how many times faster than real time, on one core.

Two planetary stages and a helical one, elastic shafts, 24 roller bearings, at rated speed and torque; the step is a tenth of the
period of the third harmonic of the fastest mesh. The time is that of the time loop, the best of several runs; what comes before
the first step and the making of the signals afterwards are given beside it.
"""

from typing import Any

import pitchline as pl
from pitchline import gallery

DURATION = 0.5  # s
NEWTON_TOLERANCE = 1e-5  # as in the gallery
FREQUENCIES = ("100 Hz", "1500 Hz")
"""By which shafts are cut: at their stations alone, and for all frequencies up to the third harmonic."""


def bench(repeats: int) -> None:
    """With shafts cut at their stations, and cut finer."""
    third = 3 * 95 * (12.1 / 60) * (75 / 19) * (111 / 18)
    print(
        f"\nGearbox of a wind turbine at rated power, {DURATION:g} s, third harmonic of stage 3 at {third:.0f} Hz, no output"
    )
    header = (
        f"{'shafts cut for':<16}{'unknowns':>9}{'step':>9}{'a step':>12}{'iter/step':>11}{'factorised':>12}{'real time':>12}"
        f"{'before, after':>15}"
    )
    print(header)
    print("-" * len(header))
    for frequency in FREQUENCIES:
        model = gallery.model("wind-gearbox", frequency=frequency, idle=1).build()
        free = model.replaced(without="grid")
        idling = pl.kinematics(model, times=[0], elastic=True)
        step = DURATION / round(10 * third * DURATION)
        options: dict[str, Any] = {"duration": DURATION, "step": step, "output_step": DURATION}
        runs = [
            pl.dynamics(free, start=idling, newton_tolerance=NEWTON_TOLERANCE, **options) for _ in range(repeats + 1)
        ]
        # the first one loads the machine code
        s = min((run.statistics for run in runs[1:]), key=lambda s: s["wall_time"])
        other = s["total_time"] - s["wall_time"]
        print(
            f"{frequency:<16}{s['unknowns']:>9}{step * 1e6:>6.0f} us{s['wall_time'] / s['steps'] * 1e3:>9.4f} ms"
            f"{s['iterations'] / s['steps']:>11.2f}{s['factorisations']:>12}{DURATION / s['wall_time']:>10.2f} ×{other:>13.2f} s"
        )
