"""Invariances of place, motion, time and units: the machine is moved as a whole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from machines import pairs
from machines.cases import Case, Skip
from machines.draws import rotation
from machines.values import Change

from pitchline.analyses.time_options import SMALL_STEP

FARTHEST = 10.0
"""The default form of the constraints changes at steps up to this multiple of SMALL_STEP, by the distance from the origin."""


def _one_form(case: Case) -> Case:
    """The machine with one form of the constraints wherever it stands."""
    machine = case.machine
    if not SMALL_STEP <= machine.step < FARTHEST * SMALL_STEP or "stabilised" in machine.options:
        return case
    return Case(replace(machine, options={"stabilised": True, **machine.options}), case.rng)


def rigid_motion(case: Case) -> None:
    """The whole machine turned and shifted."""
    by = Change(matrix=rotation(case.rng), shift=case.rng.normal(size=3))
    same = _one_form(case)
    same.agree(same.machine, by)


def mirror_image(case: Case) -> None:
    """The whole machine in a mirror."""
    if "no mirror" in case.machine.traits:
        raise Skip("no mirror image")
    normal = rotation(case.rng)[0]
    by = Change(matrix=np.eye(3) - 2.0 * np.outer(normal, normal), shift=case.rng.normal(size=3))
    same = _one_form(case)
    same.agree(same.machine, by, without=pairs.signals_of_cones(case.model, case.machine.traits))


def units(case: Case) -> None:
    """Other units of length, mass, time and current, by powers of two."""
    if "real units" in case.machine.traits:
        raise Skip("defaults of the package have units")
    powers = [2.0 ** int(case.rng.integers(-6, 7)) for _ in range(4)]
    # the default form of the constraints depends on the step in seconds: both runs use that of the machine as drawn
    machine = case.machine
    options = {"stabilised": machine.step < SMALL_STEP, **machine.options}
    fixed = case if options == machine.options else Case(replace(machine, options=options), case.rng)
    fixed.agree(fixed.machine, Change(units=(powers[0], powers[1], powers[2], powers[3])))
