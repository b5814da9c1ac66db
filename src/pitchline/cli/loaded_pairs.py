"""Loaded tooth contact of the gear pairs of a model, for the commands `ltca` and `loads`: torques and results."""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.errors import ModelError, near_names

if TYPE_CHECKING:
    from pitchline.model.model import Model
    from pitchline.parts.contact.results_flank import LoadedContact
    from pitchline.parts.gears.geometry.gear import Gear
    from pitchline.results.result import Result

    from .jobs import Job

__all__ = ["LoadedPair", "as_data", "as_text", "contact_of", "own_statics", "pairs_of"]

_NO_LOAD = 1e-6
"""A torque below this fraction of the largest torque of the model counts as zero."""


@dataclass(frozen=True)
class PairLoad:
    """Equal gear pairs under equal torques on wheel B [N*m]. names: of the pairs; origin: source of the torques; about:
    the result
    with the relative positions of the gears; None: the initial pose.
    """

    names: tuple[str, ...]
    torques: tuple[float, ...]
    origin: str
    about: Result | None = None


@dataclass(frozen=True)
class LoadedPair:
    """Results of these pairs."""

    names: tuple[str, ...]
    title: str
    origin: str
    contact: LoadedContact


def pairs_of(job: Job, given: argparse.Namespace) -> tuple[list[PairLoad], list[str]]:
    """The pairs with their torques, and a sentence for each pair without loaded contact."""
    from pitchline.units.quantity import quantity

    model = job.model()
    names, left_out = _candidates(model, given.pair)
    if given.torque:
        from .run import number_or_text

        torques = tuple(quantity(number_or_text(text), "torque", what="--torque") for text in given.torque)
        loads = dict.fromkeys(names, torques)
        origin, point = "as specified", None
    else:
        loads, origin, point = _loads_at(job, given, model, names)
    groups: dict[Any, list[str]] = {}
    for name in names:
        a, b = _gears(model, name)
        alike = (a, b, tuple(float(f"{torque:.6g}") for torque in loads[name]), _stands(model, name, point))
        groups.setdefault(alike, []).append(name)
    return [PairLoad(tuple(group), loads[group[0]], origin, point) for group in groups.values()], left_out


def _stands(model: Model, name: str, point: Result | None) -> tuple[float, ...]:
    """Relative position of a pair of cylindrical gears in a result [m, rad], rounded to 0.01 µm over the face width."""
    from pitchline.parts.meshes.analysis import standing_at

    if point is None or model.gear_pairs[name].standing is None:
        return ()
    now = standing_at(model, name, point, "ltca")
    return tuple(round(x, 7) for x in (now.centre_distance, now.face_offset, now.deviation, now.inclination))


def _candidates(model: Model, wanted: str | None) -> tuple[list[str], list[str]]:
    """Pairs of gears on parallel axes, and the reason why other pairs are left out."""
    from pitchline.parts.gears.geometry.gear import Gear
    from pitchline.parts.gears.geometry.pair import GearPair

    known = model.gear_pairs
    if not known:
        raise ModelError(f'model "{model.name}" has no gear pairs')
    if wanted is not None and wanted not in known:
        raise ModelError(f'--pair {wanted}: model "{model.name}" has no such gear pair; {near_names(wanted, known)}')
    names, left_out = [], []
    for name in known if wanted is None else [wanted]:
        pair = known[name].pair
        kind = pair.kind
        if not isinstance(pair, GearPair):
            left_out.append(f"{name}: skipped, because its gears have no teeth, only a ratio")
        elif not isinstance(pair.b, Gear) or not kind.parallel:
            left_out.append(
                f"{name}: skipped, because it is a {kind} pair, and this command is for gears on parallel axes. Use an analysis of "
                'the file with kind = "loaded_contact"'
            )
        else:
            names.append(name)
    if not names:
        raise ModelError("; ".join(left_out))
    return names, left_out


def _loads_at(
    job: Job, given: argparse.Namespace, model: Model, names: list[str]
) -> tuple[dict[str, tuple[float, ...]], str, Result]:
    """Torque of each pair at the operating point, its source as text, and the operating point as a result."""
    from pitchline.analyses.observers import observed_by

    from .jobs import analysis_of
    from .sweep import RunResults

    wanted = given.about or own_statics(job)
    with observed_by(RunResults()):
        point = analysis_of(job, wanted)
    assert point is not None
    torques = {name: _torque(model, point, name) for name in names}
    largest = max(map(abs, torques.values()))
    idle = [name for name, torque in torques.items() if abs(torque) <= max(_NO_LOAD * largest, 1e-9)]
    where = "the static equilibrium" if given.about in (None, "statics") else f"the end of {wanted}"
    if idle:
        raise ModelError(
            f"gear pair {', '.join(idle)}: no load in {where} of {model.name}. Specify a torque on wheel B (--torque 250Nm), "
            "another operating point (--about ANALYSIS), or another pair (--pair NAME)"
        )
    return {name: (torque,) for name, torque in torques.items()}, f"from {where}", point


def own_statics(job: Job) -> str:
    """The last static analysis of the file, which may have another time or start. Without one: the equilibrium at the
    start."""
    return next((name for name, kind in reversed(job.planned()) if kind == "statics"), "statics")


def _torque(model: Model, point: Result, name: str) -> float:
    """Torque on wheel B [N*m] from the normal force and its lever arm; positive if the drive flank of A carries the
    load."""
    _, gear = _gears(model, name)
    lever = 0.5 * gear.base_diameter * math.cos(gear.base_helix_angle)
    return float(point[f"{name}.signed_force"].final) * lever


def _gears(model: Model, name: str) -> tuple[Gear, Gear]:
    pair: Any = model.gear_pairs[name].pair
    return pair.a, pair.b


def contact_of(model: Model, loads: list[PairLoad], positions: int) -> list[LoadedPair]:
    """Compute the loaded contact of each pair."""
    from pitchline.parts.contact.loaded_contact import loaded_contact
    from pitchline.parts.contact.results_flank import LoadedContact

    found = []
    for load in loads:
        try:
            stands = model.gear_pairs[load.names[0]].standing is not None
            about = load.about if stands else None
            contact = loaded_contact(model, load.names[0], torque=list(load.torques), about=about, positions=positions)
            assert isinstance(contact, LoadedContact)  # parallel axes, see _candidates
        except ModelError as error:
            raise ModelError(f'gear pair "{load.names[0]}": {error}') from error
        a, b = _gears(model, load.names[0])
        kind = model.gear_pairs[load.names[0]].pair.kind
        title = f"{kind} pair of {a.teeth} and {b.teeth} teeth, m_n = {1e3 * a.normal_module:.4g} mm"
        found.append(LoadedPair(load.names, title, load.origin, contact))
    return found


@dataclass(frozen=True)
class Quantity:
    """Quantity of loaded contact: values (t,) in SI units, and its format in the table."""

    key: str
    words: str
    unit: str
    values: Any
    factor: float = 1.0
    shown_unit: str = ""

    def texts(self) -> list[str]:
        """Value in the unit of the table; values at rounding level become 0."""
        return [f"{value:.5g}" if abs(value) > 1e-5 else "0" for value in self.factor * np.asarray(self.values)]


def _quantities(contact: LoadedContact) -> list[Quantity]:
    orders, amplitudes = contact.spectrum()
    first = int(np.argmin(np.abs(orders - 1.0)))
    each = np.ones(len(contact.torque))
    stiffness, face_load = contact.mean_stiffness, contact.face_load_factor
    return [
        Quantity("torque", "torque on wheel B", "N*m", contact.torque),
        Quantity("normal_force", "tooth normal force", "N", contact.force / math.cos(contact.base_helix_angle)),
        Quantity("transmission_error.peak_to_peak", "transmission error, peak to peak", "m", contact.peak_to_peak, 1e6, "µm"),
        Quantity("transmission_error.first_order", "transmission error at mesh frequency", "m", amplitudes[:, first], 1e6, "µm"),
        Quantity("no_load_error.peak_to_peak", "no-load error, peak to peak", "m", np.ptp(contact.no_load_error) * each,
                 1e6, "µm"),
        Quantity("deflection.mean", "tooth deflection, mean", "m", contact.deflection.mean(axis=1), 1e6, "µm"),
        Quantity("stiffness.mean", "mesh stiffness, mean", "N/m", stiffness, 1e-6, "N/µm"),
        Quantity("stiffness.per_width", "mesh stiffness per face width", "N/m^2", stiffness / contact.face_width,
                 1e-9, "N/(mm*µm)"),
        Quantity("contact_ratio", "geometric contact ratio", "", contact.contact_ratio * each),
        Quantity("loaded_contact_ratio", "contact ratio under load", "", contact.loaded_contact_ratio),
        Quantity("face_load_factor.mean", "face load factor K_Hβ, mean over the cycle", "", face_load.mean(axis=1)),
        Quantity("face_load_factor.max", "face load factor K_Hβ, largest", "", face_load.max(axis=1)),
        Quantity("max_line_load", "largest line load", "N/m", contact.max_line_load.max(axis=1), 1e-3, "N/mm"),
        Quantity("max_pressure", "largest contact pressure, without edges", "Pa", contact.max_pressure.max(axis=1), 1e-6, "MPa"),
        Quantity("edge_pressure", "largest contact pressure at edges", "Pa", contact.edge_pressure.max(axis=1), 1e-6, "MPa"),
    ]  # fmt: skip


def as_text(pair: LoadedPair) -> str:
    """The pair, then one row per quantity and one column per torque."""
    from pitchline.results.result import text_table

    body = [[one.words, one.shown_unit or one.unit or "-", *one.texts()] for one in _quantities(pair.contact)]
    count = len(pair.contact.torque)
    heads = ["", "unit", *(f"load {n + 1}" if count > 1 else "" for n in range(count))]
    lines = [f"{', '.join(pair.names)}: {pair.title}; torque {pair.origin}", "", text_table(heads, body, left=2)]
    return "\n".join([*lines, *(f"warning: {text}" for text in pair.contact.warnings)])


def as_data(name: str, found: list[LoadedPair], left_out: list[str]) -> dict[str, Any]:
    """Object of ``--json``: figures of every pair in SI units, lists over the torques."""
    figures: dict[str, Any] = {}
    warnings = list(left_out)
    for pair in found:
        warnings += pair.contact.warnings
        for one in _quantities(pair.contact):
            entry = {"value": [float(value) for value in one.values], "unit": one.unit}
            figures |= {f"{each}.{one.key}": entry for each in pair.names}
    said = {"warnings": warnings} if warnings else {}
    analyses = [{"name": "ltca", "kind": "loaded_contact", "status": "completed", **said}]
    return {"model": name, "analyses": analyses, "figures": figures}
