"""Gear pairs of a rolling tree: rotations of the wheels in the mesh frame as linear functions of the coordinates, and laws."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....elements.contract import Element
from ....elements.gear_mesh import GEAR_MESH
from ....elements.mesh_law import OVER_A, OVER_B, OVER_CYCLE, RIGID, ROUNDING
from ....model.tilt_table import TiltTable
from ....system.train_search import NotATrain
from ..lane_train import LoadedTables
from .law_functions import AngleSum, AngleTable, angle_terms, subdivided
from .rolling_tree import EXACT, RollingTree, snapped

__all__ = ["MeshLawRead", "MeshRead", "read_meshes"]

SAME_ANGLE = 1e-9
"""Largest difference of an angle from a linear function of the coordinates [rad], or of a length divided by the model's length."""


@dataclass(frozen=True, eq=False)
class MeshLawRead:
    """Law of a mesh. Stiffness and errors: (variable, term); variables as in `elements.mesh_law`."""

    compliance: float
    stiffness: list[tuple[int, AngleSum | AngleTable]]
    error: float
    errors: list[tuple[int, AngleSum | AngleTable]]
    loaded: LoadedTables | None
    backlash: float
    damping: float
    damping_mode: int
    damping_rate: int
    offset: float
    smoothing: float
    consistent: bool


@dataclass(frozen=True, eq=False)
class MeshRead:
    """A gear pair. by_a, by_b: (coordinates,) derivatives of psi_A and psi_B; psi_a, psi_b, approach: in the initial pose.

    travel : of a rack, lowest and highest psi_B for contact; None: without ends.
    """

    name: str
    by_a: np.ndarray
    by_b: np.ndarray
    psi_a: float
    psi_b: float
    approach: float
    lever_a: float
    lever_b: float
    teeth_a: float
    pitch: float
    cos_alpha: float
    length: float
    law: MeshLawRead
    travel: tuple[float, float] | None = None

    @property
    def levers(self) -> np.ndarray:
        """(coordinates,) derivatives of the approach."""
        return self.lever_a * self.by_a + self.lever_b * self.by_b

    def turning(self, over: int) -> tuple[np.ndarray, float]:
        """Derivatives and initial value of the angle of a variation."""
        if over == OVER_B:
            return self.by_b, self.psi_b
        z = self.teeth_a if over == OVER_CYCLE else 1.0
        return z * self.by_a, z * self.psi_a


def read_meshes(tree: RollingTree) -> list[MeshRead]:
    """Gear pairs with elastic teeth, in the order of the model. Rigid teeth are constraints of the tree."""
    found = []
    for e, element in enumerate(tree.system.elements[: tree.system.active]):
        if element.kind is GEAR_MESH and element.values["law"]["form"] != RIGID:
            found.append(_mesh(tree, e, element))
    if not found:
        raise NotATrain("all its teeth are rigid")
    return found


def _mesh(tree: RollingTree, e: int, element: Element) -> MeshRead:
    geometry, law, limits = (element.values[part] for part in ("geometry", "law", "limits"))
    rack = bool(geometry["rack"])
    n = len(tree.positions)
    psi, closer, share = np.zeros((n, 2)), np.zeros(n), np.ones(n)
    tilts = np.zeros((n, 2))
    approach = 0.0
    for k in range(n):
        w = tree.scratch(e, k)
        psi[k] = w["frame"]["psi_a"], w["frame"]["psi_b"]
        closer[k] = w["motion"]["closer"]
        share[k] = w["engaged"]["share"]
        tilts[k] = w["hoop"]["tilt_drive"], w["hoop"]["tilt_coast"]
        if k == 0:
            approach = float(w["motion"]["approach"])
    turns = np.round((psi - psi[0]) / (2.0 * np.pi))
    turns[:, 1] *= not rack
    psi -= 2.0 * np.pi * turns
    by, rest = tree.linear(psi)
    size = np.array([1.0, tree.system.length if rack else 1.0])
    if not np.all(np.isfinite(psi)) or np.any(rest > SAME_ANGLE * size):
        raise NotATrain(f'the wheels of "{element.name}" do not rotate about their own axes')
    if np.any(np.abs(closer - closer[0]) > EXACT * tree.system.length):
        raise NotATrain(f'the centres of the wheels of "{element.name}" move')
    if not rack and np.any(share != 1.0):
        raise NotATrain(f'only a part of the teeth of "{element.name}" is in mesh')
    if geometry["line"] and _closing(tree, geometry, float(closer[0])):
        raise NotATrain(f'the centre distance of "{element.name}" is not nominal, and its line of action is fixed')
    tilted = law["tilted"] and np.any(np.abs(tilts - tilts[0]) > EXACT)
    if tilted or (law["tilt_width"] and np.any(np.abs(tilts) > EXACT)):
        raise NotATrain(f'the tilt of the teeth of "{element.name}" has an effect')
    return MeshRead(
        element.name, snapped(by[:, 0]), snapped(by[:, 1]), float(psi[0, 0]), float(psi[0, 1]), approach,
        float(geometry["lever_a"]), float(geometry["lever_b"]), float(geometry["teeth_a"]), float(geometry["pitch"]),
        float(geometry["cos_alpha"]), float(geometry["length"]),
        _law(tree, element, _closing(tree, geometry, float(closer[0])), tilts[0]),
        (float(limits["travel_low"]), float(limits["travel_high"])) if rack and limits["travel_beyond"] else None,
    )  # fmt: skip


def _closing(tree: RollingTree, geometry: np.void, closer: float) -> float:
    """By how much both flanks are closer than at the nominal centre distance, without rounding."""
    return float(geometry["radial"]) * closer if abs(closer) > EXACT * tree.system.length else 0.0


def _law(tree: RollingTree, element: Element, closing: float, tilts: np.ndarray) -> MeshLawRead:
    """closing: by how much both flanks are closer than at the nominal centre distance."""
    law, functions = element.values["law"], tree.system.functions
    name = element.name
    stiffness, errors = [], []
    error = float(law["error"])
    for place, over in _varying(law, "springs"):
        terms = angle_terms(functions, place, f'the stiffness of "{name}"')
        if len(terms) > 1:
            raise NotATrain(f'the stiffness of "{name}" is the sum of a Fourier series and a table. Use one of them')
        stiffness.append((over, terms[0]))
    for place, over in _varying(law, "errors"):
        for term in angle_terms(functions, place, f'the error of "{name}"'):
            if isinstance(term, AngleTable) or len(term.cos):
                errors.append((over, term))
            else:
                error += term.mean
    backlash = float(law["backlash"]) - 2.0 * closing
    if abs(backlash) <= ROUNDING * float(element.values["geometry"]["pitch"]):
        backlash = 0.0
    if backlash < 0.0:
        raise NotATrain(f'the teeth of "{name}" are in contact on both flanks: their backlash is negative')
    return MeshLawRead(
        float(law["compliance"]), stiffness, error + closing, errors, _loaded(tree, element, tilts), backlash,
        float(law["damping"]), int(law["damping_mode"]), int(law["damping_rate"]), float(law["offset"]), float(law["smoothing"]),
        bool(law["consistent"]),
    )  # fmt: skip


def _varying(law: np.void, what: str) -> list[tuple[int, int]]:
    """Places of the functions of springs or errors, and their variables."""
    places, over = law[what].ravel(), law[f"{what}_over"].ravel()
    known = (OVER_CYCLE, OVER_A, OVER_B)
    found = [(int(places[i]), int(over[i])) for i in range(int(law[f"n_{what}"]))]
    assert all(variable in known for _, variable in found)
    return found


def _loaded(tree: RollingTree, element: Element, tilts: np.ndarray) -> LoadedTables | None:
    """Tables of both flanks, at their tilt, with the same number of phases and loads."""
    if not element.values["law"]["tabled"]:
        return None
    pair = tree.model.gear_pairs[element.name]
    tables = pair.law.along_hoop(pair.length_factor).tables
    assert tables is not None
    flat = [t.at(float(f)) if isinstance(t, TiltTable) else t for t, f in zip(tables, tilts, strict=True)]
    n = int(np.lcm(len(flat[0].touch), len(flat[1].touch)))
    knots = max(len(t.knots) for t in flat)
    parts = [
        _padded(t.knots, subdivided(t.approaches, n), subdivided(t.compliance, n), subdivided(t.areas, n), knots)
        for t in flat
    ]
    return LoadedTables(0, *(np.stack([one[i] for one in parts]) for i in range(4)))


def _padded(
    loads: np.ndarray, approaches: np.ndarray, compliances: np.ndarray, areas: np.ndarray, knots: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The table with more loads beyond the last one, where the compliance is constant."""
    while len(loads) < knots:
        h = loads[-1] - loads[-2]
        U, c, A = approaches[:, -1:], compliances[:, -1:], areas[:, -1:]
        loads = np.append(loads, loads[-1] + h)
        approaches = np.concatenate([approaches, U + h * c], axis=1)
        areas = np.concatenate([areas, A + h * U + 0.5 * h * h * c], axis=1)
        compliances = np.concatenate([compliances, c], axis=1)
    return loads, approaches, compliances, areas
