"""Studies of the gallery with fewer points: folds, load sharing of random trains, lines of planetary trains."""

from functools import lru_cache
from math import comb
from typing import Any

import numpy as np
from references.cases.case import CLOSED_FORM, INDEPENDENT, PUBLISHED, Case, Subject, Value, listed

from pitchline import gallery
from pitchline.gallery.figures import Figure

__all__ = ["SUBJECT", "lines", "ran", "sharing"]

Run = dict[str, Any]


@lru_cache
def ran(name: str, **settings: Any) -> tuple[Run, dict[str, Figure]]:
    """Run and figures of a study, once for all that look at it."""
    one = gallery.model(name, **settings)
    run = one.run()
    return run, {figure.key: figure for figure in one.figures(run)}


def folds() -> list[Value]:
    _, figures = ran("jump", speeds=81)
    return [
        Value(f"{key}, speed divided by the resonance", "", float(figures[key].expected), float(figures[key].value))  # type: ignore[arg-type]
        for key in ("fold.up", "fold.down")
    ]


def sharing(samples: int = 32) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """K_γ of trains with teeth in contact, by the formulas for springs and by statics; with a fixed and with a floating sun."""
    run, _ = ran("planet-tolerances", samples=samples)
    errors = np.stack([run["fixed sun"].points.column(f"pin_{n}") for n in range(1, 5)], axis=1)
    ratio = 2e8 / (1500.0 / (8 * 60e-3))
    fixed = 1 + ratio * (errors - errors.mean(axis=1, keepdims=True))
    floating = 1 + ratio * np.abs(errors @ [1.0, -1.0, 1.0, -1.0]) / 4
    loaded = fixed.min(axis=1) > 0.0
    found = {name: run[f"{name} sun"]["load_sharing_factor"][loaded] for name in ("fixed", "floating")}
    return {"fixed": (fixed.max(axis=1)[loaded], found["fixed"]), "floating": (floating[loaded], found["floating"])}


def load_sharing() -> list[Value]:
    return [
        value
        for name, (closed, found) in sharing().items()
        for value in listed(f"K_γ, {name} sun, train", "", closed, found)
    ]


def lines() -> tuple[np.ndarray, np.ndarray]:
    """(trains, 9) lines of the sensor relative to the first one of each train, by the rule and by dynamics."""
    study = ran("mesh-phasing")[0]["phasings"]
    ring = study.points.column("teeth_sun") + 2 * study.points.column("teeth_planet")
    m = np.arange(-4, 5)
    window = np.array([comb(8, 4 + int(k)) for k in m]) / 256
    rule = np.where((ring[:, None] + m) % 4 == 0, window, 0.0)
    first = np.argmax(rule > 0.0, axis=1)
    rows = np.arange(len(rule))
    found = study["sidebands"]
    return rule / rule[rows, first][:, None], found / found[rows, first][:, None]


def phasing() -> list[Value]:
    rule, found = lines()
    return [
        Value(f"z_r = {z}, order {z + m} divided by the first line", "", float(a), float(b))
        for z, own, theirs in zip((80, 81, 82, 79), rule, found, strict=True)
        for m, a, b in zip(range(-4, 5), own, theirs, strict=True)
    ]


SUBJECT = Subject(
    "Studies",
    [
        Case(
            "jump",
            "gallery model `jump`: folds of the branch of periodic motions of a pair with backlash",
            "Shooting with exact tangents, 1600 steps a cycle, of the scaled equation in the model file",
            INDEPENDENT,
            folds,
            "The reference has five digits.",
        ),
        Case(
            "planet-tolerances",
            "gallery model `planet-tolerances`: load sharing of 32 trains with random pin errors",
            "Linear springs, formulas in the model file",
            CLOSED_FORM,
            load_sharing,
            "The formulas leave out the change of the geometry by the errors.",
        ),
        Case(
            "mesh-phasing",
            "gallery model `mesh-phasing`: orders of a sensor on the ring of planetary trains",
            "P. D. McFadden, J. D. Smith, Proc. IMechE C 199 (1985)",
            PUBLISHED,
            phasing,
            "Time step.",
            only=tuple(
                f"z_r = {z}, order {order} divided by the first line"
                for z, order in ((80, 80), (80, 81), (81, 81), (81, 84), (82, 82), (82, 84), (79, 79), (79, 80))
            ),
        ),
    ],
)
