"""Elastic gears in motion: the models of Do, Ziegler and Eberhard's runs, and what is read off them."""

from __future__ import annotations

from functools import cache

import numpy as np

import pitchline as pl
from pitchline.fem.gear_properties import mass_and_inertia
from pitchline.gears.teeth import Teeth

from .do_ziegler_eberhard import STEEL, PublishedPair, table1_pair, table3_pair

__all__ = ["MODES", "RELIEF", "STEP", "contacts", "pair_model", "published", "tooth_pairs"]

MODES = "80 kHz"
STEP, OUTPUT = "2.5 us", "12.5 us"
RELIEF = pl.TipRelief("18 um", length="1.8 mm")
"""Of both gears; the published shape is a sketch."""


def published(pair: str) -> PublishedPair:
    """The "spur" or "helical" pair of Table 1, or the "beveloid" pair of Table 3."""
    return table3_pair() if pair == "beveloid" else table1_pair(helical=pair == "helical")


@cache
def _inertia(teeth: Teeth) -> tuple[float, tuple[float, float, float]]:
    """Mass [kg] and moments of inertia [kg m²] of the finite element gear."""
    mass, moments, _ = mass_and_inertia(pl.sector_grid(teeth), STEEL)
    return mass, (float(moments[0]), float(moments[1]), float(moments[2]))


def pair_model(
    name: str,
    pair: PublishedPair,
    mesh: pl.Flank,
    *,
    phase: float = 0.0,
    pinion_speed: float = 0.0,
    gear_speed: float = 0.0,
    modifications: pl.Modification | None = None,
) -> tuple[pl.Model, pl.Joint, pl.Joint]:
    """Both gears on rigid bearings: the model, the bearings "in" of the pinion and "out" of the gear.

    phase: of the pinion, in pitches past the place where its tooth 0 points to the gear. modifications: of all flanks.
    """
    m = pl.Model(name, gravity=(0, 0, 0))
    gear_a, gear_b = (teeth.gear.with_(modifications=modifications) for teeth in (pair.pinion, pair.gear))
    axis = pl.GearPair(gear_a, gear_b).place(towards=np.array([1.0, 0.0, 0.0])).rotation[:, 2]
    (mass_a, moments_a), (mass_b, moments_b) = _inertia(pair.pinion), _inertia(pair.gear)
    a = m.gear_body(
        "pinion", gear_a, orientation={"axis": "z", "angle": phase * gear_a.angular_pitch}, mass=mass_a, inertia=moments_a,
        angular_velocity=(0, 0, pinion_speed),
    )  # fmt: skip
    b = m.gear_body(
        "gear", gear_b, mesh_with=a, towards=(1, 0, 0), mass=mass_b, inertia=moments_b,
        angular_velocity=tuple(gear_speed * axis),
    )  # fmt: skip
    bearing_a, bearing_b = m.revolute("in", m.ground, a, axis="z"), m.revolute("out", m.ground, b, axis=tuple(axis))
    m.gear_pair("mesh", a, b, mesh=mesh)
    return m, bearing_a, bearing_b


def contacts(run: pl.Result) -> list[list[float]]:
    """Start [s], duration [s] and greatest force [N] of each time the teeth touched and parted again."""
    force, time = run["mesh.contact_force"].values, run.time
    touching = np.concatenate([[False], force > 0.0, [False]])
    begins, ends = np.flatnonzero(touching[1:] & ~touching[:-1]), np.flatnonzero(touching[:-1] & ~touching[1:])
    rows = []
    for begin, end in zip(begins, ends, strict=True):
        if end < len(time):  # else still in contact when the run ended
            rows.append([float(time[begin]), float(time[end] - time[begin]), float(force[begin:end].max())])
    return rows


def tooth_pairs(run: pl.Result) -> list[tuple[np.ndarray, np.ndarray]]:
    """(time, normal force) of each tooth pair while it was in contact, in the order of their first touch.

    The forces of tooth k are at place k modulo 8; a pair that leaves the mesh frees its place long before it is used again.
    """
    forces, time = run["mesh.pair_forces"].values, run.time
    found = []
    for slot in forces.T:
        loaded = np.concatenate([[False], slot != 0.0, [False]])
        # bounces within a few samples belong to the same passage
        edges = np.flatnonzero(loaded[1:] != loaded[:-1]).reshape(-1, 2)
        joined: list[list[int]] = []
        for begin, end in edges:
            if joined and begin - joined[-1][1] < 0.05 * len(time):
                joined[-1][1] = int(end)
            else:
                joined.append([int(begin), int(end)])
        found += [(time[max(b - 1, 0) : e + 1], slot[max(b - 1, 0) : e + 1]) for b, e in joined]
    return sorted(found, key=lambda item: item[0][0])
