"""Invariances of place, motion, time and units: the machine is moved as a whole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from machines import pairs
from machines.cases import ANALYSES, Case, Skip, attempt
from machines.draws import rotation
from machines.machine import build
from machines.values import Change

from pitchline.analyses.time_options import SMALL_STEP


def rigid_motion(case: Case) -> None:
    """The whole machine turned and shifted."""
    by = Change(matrix=rotation(case.rng), shift=case.rng.normal(size=3))
    same = _with_one_form(case, by)
    same.agree(same.machine, by)


def _with_one_form(case: Case, by: Change) -> Case:
    """The machine with constraints on speeds, if this is the default for one of its two places: the default depends on the step
    and on the distance from the origin."""
    machine = case.machine
    if "stabilised" in machine.options:
        return case
    runs = [case.result("motion"), attempt(lambda: ANALYSES["motion"](build(machine, by), machine, by))]
    forms = {run.value.options["stabilised"] for run in runs if run.refusal is None}
    return case if len(forms) < 2 else Case(replace(machine, options={**machine.options, "stabilised": True}), case.rng)


def mirror_image(case: Case) -> None:
    """The whole machine in a mirror."""
    if "no mirror" in case.machine.traits:
        raise Skip("no mirror image")
    normal = rotation(case.rng)[0]
    by = Change(matrix=np.eye(3) - 2.0 * np.outer(normal, normal), shift=case.rng.normal(size=3))
    same = _with_one_form(case, by)
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
