"""The robot arm of the gallery: how many times faster than real time, at a step of 1 ms on one core.

The time is that of the time loop, the best of several runs; what comes before the first step and the making of the signals
afterwards are given beside it.
"""

import pitchline as pl
from pitchline.gallery import robot_arm
from pitchline.gallery import robot_arm as robot_control


def bench(repeats: int) -> None:
    """As CAD delivers it, and without redundant joints."""
    print(f"\nRobot arm, 43 bodies, {robot_control.DURATION:g} s at h = {robot_arm.STEP * 1e3:g} ms, no output")
    header = f"{'joints':<12}{'unknowns':>9}{'a step':>12}{'iter/step':>11}{'factorised':>12}{'real time':>14}{'before, after':>15}"
    print(header)
    print("-" * len(header))
    models = {"as CAD": robot_arm.build(), "lean": robot_arm.build(redundant=False)}
    runs: dict[str, list[pl.Result]] = {name: [] for name in models}
    for _ in range(repeats + 1):
        for name, model in models.items():
            runs[name].append(
                pl.dynamics(
                    model,
                    duration=robot_control.DURATION,
                    step=robot_arm.STEP,
                    output_step=robot_control.DURATION,
                    newton_tolerance=robot_arm.NEWTON_TOLERANCE,
                )
            )
    for name, done in runs.items():
        # the first one loads the machine code
        s = min((run.statistics for run in done[1:]), key=lambda s: s["wall_time"])
        other = s["total_time"] - s["wall_time"]
        print(
            f"{name:<12}{s['unknowns']:>9}{s['wall_time'] / s['steps'] * 1e3:>9.4f} ms{s['iterations'] / s['steps']:>11.2f}"
            f"{s['factorisations']:>12}{robot_control.DURATION / s['wall_time']:>12.1f} ×{other:>13.2f} s"
        )
