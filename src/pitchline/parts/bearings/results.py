"""Loads and lives of rolling bearings: equivalent load, L10 of ISO 281, L10r of ISO 16281, static safety, pressure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, PitchlineError, near_names
from pitchline.results.interactions import BEARING, Interaction, Record, supports
from pitchline.results.tables_results import ResultTable, TableColumn, TableRow, statistics_of, table_of
from pitchline.units.quantity import quantity

from .life import (
    LIFE_EXPONENTS,
    LoadBin,
    basic_life,
    dynamic_loads,
    equivalent_spectrum_load,
    fatigue_load_limit,
    hours,
    life_factor,
    mean_speed,
    reference_viscosity,
    reliability_factor,
    spectrum_life,
    static_factors,
)
from .mounting import MountedBearing, mounted_as_described

if TYPE_CHECKING:
    from pitchline.results.result import Result

__all__ = ["RollingLoads", "rolling_loads", "_COLUMNS", "bearing_lives", "bearing_lives_over", "bearing_loads"]


# ---- rolling loads

# Loads of the rolling elements of a bearing, from the deflections in a result.


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class RollingLoads:
    """Rolling elements of one bearing over the samples of a result.

    Attributes
    ----------
    name : str
        Of the bearing.
    time : (n,)
        [s]
    positions : (n, rows, elements)
        Angles of the rolling elements from x of the outer ring, in its axes [rad].
    loads : (n, rows, elements)
        [N]; 0 without contact. With cage="smooth" there are several positions for each element: what it would carry there.
    angles : (n, rows, elements)
        Contact angles [rad], positive towards +z.
    pressures : (n, rows, elements)
        Largest contact pressures [Pa].
    bearing : MountedBearing
        The bearing with its contact law.
    """

    name: str
    time: np.ndarray
    positions: np.ndarray
    loads: np.ndarray
    angles: np.ndarray
    pressures: np.ndarray
    bearing: MountedBearing
    deflection: np.ndarray
    rotation: np.ndarray

    def lives(self, *, turning_against_load: str = "inner") -> np.ndarray:
        """L10r [10^6 revolutions] at each sample (n,); infinite without load. turning_against_load: "inner" or "outer" ring."""
        try:
            lives = [
                self.bearing.reference_life(d, r, turning_against_load=turning_against_load)
                for d, r in zip(self.deflection, self.rotation, strict=True)
            ]
        except ModelError as error:
            raise ModelError(f'bearing "{self.name}": {error}') from None
        return np.array(lives)


@names_wrong_arguments
def rolling_loads(result: Result, name: str) -> RollingLoads:
    """Loads, contact angles and pressures of each rolling element of a bearing, at every sample of a result."""
    elements = result.model.get("elements", {})
    bearings = [key for key, said in elements.items() if said.get("key") == "bearing"]
    if name not in bearings:
        raise PitchlineError(
            f'result of "{result.model_name}": there is no bearing "{name}"; {near_names(name, bearings)}'
        )
    bearing = mounted_as_described(elements[name]["parameters"])
    deflection, rotation = result[f"{name}.deflection"].values, result[f"{name}.rotation"].values
    states = [bearing.at(d, r) for d, r in zip(deflection, rotation, strict=True)]
    return RollingLoads(
        name,
        result.time,
        np.array([bearing.positions(r) for r in rotation]),
        np.array([state.loads for state in states]),
        np.array([state.angles for state in states]),
        np.array([state.pressures for state in states]),
        bearing,
        deflection,
        rotation,
    )


_COLUMNS = (
    TableColumn("load", "P", "N"),
    TableColumn("load_ratio", "C/P"),
    TableColumn("life", "L10 [1e6 rev]"),
    TableColumn("life_time", "L10h", "s", "h"),
    TableColumn("reference_life", "L10r [1e6 rev]"),
    TableColumn("reference_time", "L10rh", "s", "h"),
    TableColumn("viscosity_ratio", "kappa"),
    TableColumn("life_factor", "a_ISO"),
    TableColumn("modified_life", "Lnm [1e6 rev]"),
    TableColumn("modified_time", "Lnmh", "s", "h"),
    TableColumn("modified_reference_life", "Lnmr [1e6 rev]"),
    TableColumn("modified_reference_time", "Lnmrh", "s", "h"),
    TableColumn("static_safety", "C0/P0"),
    TableColumn("max_load", "max. element", "N"),
    TableColumn("max_pressure", "max. pressure", "Pa", "MPa"),
    TableColumn("speed", "speed", "rad/s", "rpm"),
)
_STANDS = 1e-9
"""Speed [rad/s] below which rotation is rounding."""
MOST_SAMPLES = 400
"""Samples of a record at which loads of rolling elements are computed for its life."""


@dataclass(frozen=True, eq=False)
class _Bearing:
    """One bearing over the samples of one record.

    weights: share of the time of each sample. load: P [N], nan where ISO 281 has no factors. reference: samples at
    which L10r was computed, by index, and L10r there.
    """

    name: str
    words: str
    mounted: MountedBearing
    speed: FloatArray
    weights: FloatArray
    load: FloatArray
    static: FloatArray
    reference: tuple[FloatArray, FloatArray]
    max_load: float
    max_pressure: float


@dataclass(frozen=True)
class LifeConditions:
    """Conditions of the modified life of ISO 281: kinematic viscosity [m²/s], contamination factor e_C and reliability."""

    viscosity: float
    contamination: float
    reliability: float

    @staticmethod
    def read(viscosity: object, contamination: object, reliability: object) -> LifeConditions | None:
        """As users give them; None without a viscosity."""
        if viscosity is None:
            if contamination is not None or reliability is not None:
                raise ModelError(
                    "bearing lives: contamination and reliability belong to the modified life; give the viscosity of the oil too"
                )
            return None
        e_c = 0.5 if contamination is None else quantity(contamination, "number", what="bearing lives: contamination")
        sure = 0.9 if reliability is None else quantity(reliability, "number", what="bearing lives: reliability")
        if not 0.0 <= e_c <= 1.0:
            raise ModelError(
                f"bearing lives: contamination (e_C) must be from 0, severe, to 1, extremely clean, got {e_c:g}"
            )
        reliability_factor(sure)
        nu = quantity(viscosity, "kinematic viscosity", what="bearing lives: viscosity")
        if nu <= 0.0:
            raise ModelError(f"bearing lives: viscosity must be greater than zero, got {viscosity}")
        return LifeConditions(nu, e_c, sure)

    @property
    def words(self) -> str:
        """For the notes of a table."""
        return (
            f"Lnm = a_1 a_ISO L10 with {self.viscosity * 1e6:.4g} mm^2/s, e_C = {self.contamination:g}, "
            f"{100.0 * self.reliability:g} % reliability; C_u estimated from C0."
        )


def bearing_lives(
    records: Sequence[Record], shares: Sequence[float], conditions: LifeConditions | None = None
) -> ResultTable:
    """Over a load spectrum of several records, each with its share of the time; of one record: over its samples."""
    found: dict[str, list[_Bearing]] = {}
    notes = dict.fromkeys(
        ["P and L10 by ISO 281, L10r by ISO 16281 from the loads of the rolling elements; 90 % reliability."]
    )
    for record in records:
        for one in _bearings(record, notes):
            found.setdefault(one.name, []).append(one)
    rows = [
        TableRow(name, cases[0].words, {"value": _values(cases, shares, notes, conditions)})
        for name, cases in found.items()
    ]
    return table_of("Lives of bearings", _COLUMNS, rows, tuple(notes) if rows else ())


@names_wrong_arguments
def bearing_lives_over(
    cases: Sequence[tuple[Result, float]],
    *,
    viscosity: object = None,
    contamination: object = None,
    reliability: object = None,
) -> ResultTable:
    """Lives of rolling bearings over a load spectrum.

    cases: results with their fractions of the time; only the ratios of these numbers matter: [(full, 0.2), (part, 0.8)]. Each
    result may be statics or a record over time. Damages add up by revolutions (Palmgren, Miner); static safety and
    pressures are the worst of all cases. viscosity, contamination, reliability: as in `Result.bearing_lives`.
    """
    given = list(cases)
    if not given:
        raise ModelError("load spectrum: at least one result")
    shares = []
    for _, share in given:
        shares.append(quantity(share, "number", what="load spectrum: share of time"))
        if shares[-1] < 0.0:
            raise ModelError(f"load spectrum: shares of time must not be negative, got {share:g}")
    total = sum(shares)
    if total == 0.0:
        raise ModelError("load spectrum: one of the shares of time must be greater than zero")
    conditions = LifeConditions.read(viscosity, contamination, reliability)
    return bearing_lives([Record(result) for result, _ in given], [share / total for share in shares], conditions)


def _bearings(record: Record, notes: dict[str, None]) -> list[_Bearing]:
    elements: dict[str, Any] = record.model.get("elements", {})
    found = []
    for part in supports(record):
        if elements.get(part.name, {}).get("key") == BEARING:
            found.append(_bearing(record, part, elements[part.name], notes))
    return found


def _bearing(record: Record, part: Interaction, said: dict[str, Any], notes: dict[str, None]) -> _Bearing:
    assert part.frame is not None
    mounted = mounted_as_described(said["parameters"])
    force = np.einsum("nij,ni->nj", part.frame.axes, part.force)
    radial, axial = np.hypot(force[:, 0], force[:, 1]), np.abs(force[:, 2])
    spins = [np.einsum("ni,ni->n", record.spin(body), part.frame.axis) for body in (part.body_b, part.body_a)]
    speed = spins[0] - spins[1]
    speed[np.abs(speed) < _STANDS] = 0.0
    load = _equivalent(mounted, radial, axial, part.name, notes)
    same: dict[str, Any] = {"rolling": mounted.design.rolling, "contact_angle": mounted.design.contact_angle}
    X, Y = static_factors(**same, rows=mounted.design.factor_rows)
    static = np.maximum(X * radial + Y * axial, radial)
    chosen = np.unique(np.linspace(0, record.count - 1, min(record.count, MOST_SAMPLES)).round().astype(int))
    if len(chosen) < record.count:
        notes[f"L10r of records with more than {MOST_SAMPLES} samples: from {MOST_SAMPLES} of them, evenly chosen."] = (
            None
        )
    lives = np.full(len(chosen), math.nan)
    if mounted.design.rating is not None:
        # the ring that turns faster turns against the load: the shaft in a housing, the wheel on a pin
        ring = "inner" if np.max(np.abs(spins[0])) >= np.max(np.abs(spins[1])) else "outer"
        moved, turned = record.values(f"{part.name}.deflection"), record.values(f"{part.name}.rotation")
        lives = np.array([mounted.reference_life(moved[k], turned[k], turning_against_load=ring) for k in chosen])
    else:
        notes["Bearings without rating have no life: give their C."] = None
    return _Bearing(
        part.name, part.words, mounted, speed, record.weights, load, static, (chosen, lives),
        float(np.max(record.values(f"{part.name}.max_load"))), float(np.max(record.values(f"{part.name}.max_pressure"))),
    )  # fmt: skip


def _equivalent(
    mounted: MountedBearing, radial: FloatArray, axial: FloatArray, name: str, notes: dict[str, None]
) -> FloatArray:
    """P of ISO 281 at every sample; nan with a note where it has no factors."""
    design = mounted.design
    relative = axial / (design.rows * design.number * design.diameter**2)
    if design.rolling == "roller" and design.contact_angle == 0.0:
        if mounted.law.flange.stiffness and np.any(axial > 1e-3 * radial):
            notes[f"{name}: its flanges carry an axial load, which no life counts."] = None
        axial = np.zeros_like(axial)
    try:
        return dynamic_loads(
            radial,
            axial,
            rolling=design.rolling,
            contact_angle=design.contact_angle,
            rows=design.factor_rows,
            relative_axial_load=relative,
        )
    except ModelError as error:
        notes[f"{name}: {error}."] = None
        return np.full_like(radial, math.nan)


def _values(
    cases: Sequence[_Bearing], shares: Sequence[float], notes: dict[str, None], conditions: LifeConditions | None
) -> dict[str, float]:
    """Damages of all samples of all records added up, each by its revolutions."""
    design = cases[0].mounted.design
    rating, whole, rolling = design.whole_rating, design.whole_static_rating, design.rolling
    by_load, by_reference = [], []
    for case, share in zip(cases, shares, strict=True):
        for w, n, p in zip(share * case.weights, case.speed, case.load, strict=True):
            life = basic_life(rating, p, rolling=rolling) if rating is not None else math.nan
            by_load.append(LoadBin(float(w), float(n), life, float(p)))
        chosen, lives = case.reference
        speeds = case.speed[chosen]
        part = share * case.weights[chosen] / np.sum(case.weights[chosen])
        by_reference += [LoadBin(float(w), float(n), float(L)) for w, n, L in zip(part, speeds, lives, strict=True)]
    turning = any(one.speed for one in by_load)
    if not turning:  # a life in revolutions needs no speed
        notes["Nothing turns: no life in hours. Give shafts a speed, or bodies an angular velocity."] = None
        by_load, by_reference = ([one._replace(speed=1.0) for one in bins] for bins in (by_load, by_reference))
    life, reference = spectrum_life(by_load), spectrum_life(by_reference)
    load = equivalent_spectrum_load(by_load, rolling=rolling)
    speed = mean_speed(by_load) if turning else math.nan
    static = max(float(np.max(case.static)) for case in cases)
    found = {
        "load": load,
        "life": life,
        "life_time": 3600.0 * hours(life, speed) if turning else math.nan,
        "reference_life": reference,
        "reference_time": 3600.0 * hours(reference, speed) if turning else math.nan,
        "max_load": max(case.max_load for case in cases),
        "max_pressure": max(case.max_pressure for case in cases),
        "speed": speed,
    }
    if conditions is not None and turning and rating is not None:
        notes[conditions.words] = None
        found |= _modified(cases[0], by_load, by_reference, conditions, notes)
    if rating is not None:
        found["load_ratio"] = rating / load if load else math.inf
    if whole is not None:
        found["static_safety"] = whole / static if static else math.inf
    return found


def _modified(
    case: _Bearing,
    by_load: list[LoadBin],
    by_reference: list[LoadBin],
    conditions: LifeConditions,
    notes: dict[str, None],
) -> dict[str, float]:
    """Lives with a_ISO of each bin, at its own load and speed."""
    design = case.mounted.design
    if design.whole_static_rating is None:
        notes["Bearings without static_rating have no modified life: give their C0."] = None
        return {}
    assert design.whole_rating is not None
    limit = fatigue_load_limit(design.whole_static_rating, design.pitch, rolling=design.rolling)
    sure = reliability_factor(conditions.reliability)
    lives, ratios, factors = [], [], []
    for bins in (by_load, by_reference):
        changed = []
        for one in bins:
            if one.speed == 0.0:
                continue
            load = design.whole_rating * one.life ** (-1.0 / LIFE_EXPONENTS[design.rolling])  # P, or P_ref
            ratio = conditions.viscosity / reference_viscosity(one.speed, design.pitch)
            if ratio < 0.1:
                notes[
                    f"{case.name}: the oil is too thin, kappa = {ratio:.2g} is below 0.1: ISO 281 gives no modified life."
                ] = None
                return {"viscosity_ratio": ratio}
            factor = life_factor(
                ratio, conditions.contamination, limit / load if load else math.inf, rolling=design.rolling
            )
            changed.append(one._replace(life=sure * factor * one.life))
            ratios.append(ratio)
            factors.append(factor)
        lives.append(spectrum_life(changed))
    speed = mean_speed(by_load)
    return {
        "viscosity_ratio": min(ratios),
        "life_factor": min(factors),
        "modified_life": lives[0],
        "modified_time": 3600.0 * hours(lives[0], speed),
        "modified_reference_life": lives[1],
        "modified_reference_time": 3600.0 * hours(lives[1], speed),
    }


# ---- support table

# Loads of bearings, bushings and joints: radial, axial, tilting moment, and deflections.

_COLUMNS_support_table = (
    TableColumn("radial", "radial", "N", zeros=True),
    TableColumn("axial", "axial", "N", zeros=True),
    TableColumn("tilting", "tilting", "N*m"),
    TableColumn("torque", "torque", "N*m"),
    TableColumn("direction", "at", "rad", "deg", zeros=True),
    TableColumn("radial_deflection", "u_r", "m", "um"),
    TableColumn("axial_deflection", "u_a", "m", "um"),
    TableColumn("tilt", "tilt", "rad", "mrad"),
    TableColumn("speed", "speed", "rad/s", "rpm"),
)
_NO_LOAD = 1e-7
"""Radial load, compared with the axial one and with 1 N, that is rounding."""
_STAYS = 0.5
"""Ratio of the mean load vector to the mean radial load below which the direction is not defined: the load rotates."""
NOT_UNIQUE_NOTE = (
    "(*) The model has redundant constraints: equilibrium does not determine these loads, and the least-squares solution is "
    "shown. Use bearings or bushings with stiffness to compute the real distribution."
)


def bearing_loads(record: Record, *, joints: bool | None = None) -> ResultTable:
    """Loads of rolling bearings and bushings; of joints too if `joints`, by default if there are no others."""
    found = list(supports(record))
    joint_names = record.model.get("joints", {})
    if joints is None:
        joints = all(one.name in joint_names for one in found)
    rows, note = [], False
    for one in found:
        if one.name in joint_names and not joints:
            continue
        note = note or not one.unique
        words = f"{one.words}, {one.body_a} - {one.body_b}" + ("" if one.unique else " (*)")
        rows.append(TableRow(one.name, words, _statistics(record, one)))
    notes = [
        "Loads on the second body, the shaft: axial along the axis of the bearing, tilting moment across it; the radial load "
        "acts at this angle from x to y of its frame. u_r, u_a: displacement of the shaft in the bearing."
    ]
    return table_of(
        "Loads of bearings" if not joints else "Loads of bearings and joints",
        _COLUMNS_support_table,
        rows,
        notes + [NOT_UNIQUE_NOTE] * note,
    )


def _statistics(record: Record, one: Interaction) -> dict[str, dict[str, float]]:
    """Statistics with the direction of the mean radial load, if it does not rotate."""
    found = statistics_of(_quantities(record, one), record.time)
    first = next(iter(found.values()))
    mean = math.hypot(first["x"], first["y"])
    if mean > _NO_LOAD * max(abs(first["axial"]), 1.0) and mean > _STAYS * first["radial"]:
        beside = first["y"] if abs(first["y"]) > _NO_LOAD * mean else 0.0  # 180 degrees, not -180 by rounding
        first["direction"] = math.atan2(beside, first["x"])
    return found


def _quantities(record: Record, one: Interaction) -> dict[str, np.ndarray]:
    assert one.frame is not None
    force = np.einsum("nij,ni->nj", one.frame.axes, one.force)  # in axes of the bearing
    moment = np.einsum("nij,ni->nj", one.frame.axes, one.moment)
    spin = np.einsum("ni,ni->n", record.spin(one.body_b) - record.spin(one.body_a), one.frame.axis)
    found = {
        "radial": np.hypot(force[:, 0], force[:, 1]),
        "axial": force[:, 2],
        "tilting": np.hypot(moment[:, 0], moment[:, 1]),
        "torque": moment[:, 2],
        "x": force[:, 0],
        "y": force[:, 1],
        "speed": spin,
    }
    if record.has(f"{one.name}.deflection") and record.has(f"{one.name}.rotation"):
        moved, turned = record.values(f"{one.name}.deflection"), record.values(f"{one.name}.rotation")
        found |= {
            "radial_deflection": np.hypot(moved[:, 0], moved[:, 1]),
            "axial_deflection": moved[:, 2],
            "tilt": np.hypot(turned[:, 0], turned[:, 1]),
        }
    return found
