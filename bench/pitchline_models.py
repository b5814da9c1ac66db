"""The benchmark mechanisms in pitchline."""

import numpy as np
from cases import (
    BAR_LENGTH,
    BAR_MASS,
    BAR_WIDTH,
    CHAIN_AXES,
    CHAIN_DURATION,
    CHAIN_GRAVITY,
    FOUR_BAR_DURATION,
    FOUR_BAR_GRAVITY,
    ROD_INERTIA,
    ROD_INERTIA_ALONG,
    ROD_LENGTH,
    ROD_MASS,
    STEP,
    TIP_SPEED,
    Run,
)

import pitchline as pl


def chain(n: int, *, step: float = STEP) -> Run:
    """The chain of n bars in space."""
    m = pl.Model("chain", gravity=CHAIN_GRAVITY)
    bar = pl.bar(BAR_LENGTH, BAR_WIDTH, BAR_WIDTH, mass=BAR_MASS)
    previous = m.ground
    names = []
    for i in range(n):
        body = m.body(f"b{i}", solid=bar, position=((i + 0.5) * BAR_LENGTH, 0, 0))
        m.revolute(f"j{i}", previous, body, at=(i * BAR_LENGTH, 0, 0), axis=CHAIN_AXES[i % 2])
        names.append(body.name)
        previous = body
    return _solve(m, names, CHAIN_DURATION, step)


def four_bar_planar(windows: int, *, step: float = STEP) -> Run:
    """The N-four-bar told to be planar: couplers on planar joints to ground, pinned to the cranks."""
    return _four_bar(windows, step, planar=True)


def four_bar_spatial(windows: int, *, step: float = STEP) -> Run:
    """The N-four-bar as one writes it down: revolute joints everywhere, 3 redundant constraints a window."""
    return _four_bar(windows, step, planar=False)


def _four_bar(windows: int, step: float, *, planar: bool) -> Run:
    m = pl.Model("four-bar", gravity=FOUR_BAR_GRAVITY)
    normal = (0, 0, 1)
    upright = (ROD_INERTIA, ROD_INERTIA_ALONG, ROD_INERTIA)
    level = (ROD_INERTIA_ALONG, ROD_INERTIA, ROD_INERTIA)
    pin = m.point_on_line if planar else m.revolute
    names = []
    previous = None
    for i in range(windows + 1):
        x = i * ROD_LENGTH
        crank = m.body(
            f"crank{i}",
            mass=ROD_MASS,
            inertia=upright,
            position=(x, ROD_LENGTH / 2, 0),
            velocity=(TIP_SPEED / 2, 0, 0),
            angular_velocity=(0, 0, -TIP_SPEED / ROD_LENGTH),
        )
        m.revolute(f"foot{i}", m.ground, crank, at=(x, 0, 0), axis=normal)
        names.append(crank.name)
        if previous is not None:
            coupler = m.body(
                f"coupler{i}",
                mass=ROD_MASS,
                inertia=level,
                position=(x - ROD_LENGTH / 2, ROD_LENGTH, 0),
                velocity=(TIP_SPEED, 0, 0),
            )
            if planar:
                m.planar(f"plane{i}", m.ground, coupler, axis=normal)
            pin(f"left{i}", previous, coupler, at=(x - ROD_LENGTH, ROD_LENGTH, 0), axis=normal)
            pin(f"right{i}", crank, coupler, at=(x, ROD_LENGTH, 0), axis=normal)
            names.append(coupler.name)
        previous = crank
    return _solve(m, names, FOUR_BAR_DURATION, step)


def _solve(m: pl.Model, names: list[str], duration: float, step: float) -> Run:
    # Two output points, start and end: nothing but the time loop is measured.
    run = pl.dynamics(m, duration=duration, step=step, output_step=duration)
    positions = np.array([run[f"{name}.position"].values[-1] for name in names])
    return Run(run.statistics["wall_time"], positions, run.statistics["steps"], run.statistics["iterations"])
