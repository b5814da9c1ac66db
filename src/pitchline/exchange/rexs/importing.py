"""Import of gear units from REXS files."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from ...arguments import names_wrong_arguments
from ...errors import shown
from ...model import Model
from ..imported import Imported
from ..limits import ExchangeError
from .case_text import model_text
from .cases import MOST_CASES, CaseData, chosen_case, kinds_of_loads, load_cases
from .document import RexsDocument
from .gearbox import Gearbox, build_gearbox
from .options import RexsOptions
from .reading import read_rexs

__all__ = ["ImportedRexs", "from_rexs", "import_rexs"]


@dataclass
class ImportedRexs(Imported):
    """Model from a REXS file, with its document and load cases."""

    gearbox: Gearbox | None = None
    cases: tuple[CaseData, ...] = ()


@names_wrong_arguments
def from_rexs(
    path: str | os.PathLike[str],
    *,
    load_case: int | str | tuple[int, int] | None = None,
    mesh: str = "elastic",
    shafts: str = "elastic",
    bearings: str = "geometry",
    gear_shift: int | None = None,
) -> Model:
    """Read a gear unit from a REXS file (versions 1.0 to 2.0: XML, JSON, or zipped).

    `rexs_origin(model).report` lists what was used, assumed, kept and ignored.

    Parameters
    ----------
    path
        File with the ending .rexs, .rexsj, .rexsz, .rexs.xml, .rexs.json or .rexs.zip.
    load_case
        Number of the load case, or "SPECTRUM/CASE" if there are several load spectra. Default: the values without a load case;
        if they contain no load and no speed, the first load case.
    mesh
        Law of the gear pairs. "elastic" (default): the mesh stiffness of the file, or of ISO 6336-1. "rolling": pitch circles
        without slip. "rigid": rigid teeth. "loaded": loaded tooth contact with finite elements.
    shafts
        "elastic" (default): beams with the sections of the file. "rigid": rigid bodies.
    bearings
        "geometry" (default): rolling bearings by the geometry of their rolling elements, or estimated from catalogue data if
        the file has no stiffness. "stiffness": all bearings by their stiffness; rigid if they have none.
    gear_shift
        Number of the gear for switchable couplings, from 1. Default: that of the file.
    """
    options = RexsOptions(mesh, shafts, bearings, gear_shift)
    document = read_rexs(Path(path))
    return _gearbox(document, options, chosen_case(document, load_case)).model


def import_rexs(
    path: str | os.PathLike[str],
    *,
    load_case: int | str | tuple[int, int] | None = None,
    mesh: str = "elastic",
    shafts: str = "elastic",
    bearings: str = "geometry",
    gear_shift: int | float | str | None = None,
) -> ImportedRexs:
    """Model, report and text of a model file, in which every load case is an analysis. Arguments as in `from_rexs`."""
    try:
        shift = None if gear_shift is None else int(gear_shift)
    except ValueError:
        raise ExchangeError(f"gear_shift must be a number from 1, got {shown(gear_shift)}") from None
    options = RexsOptions(mesh, shafts, bearings, shift)
    document = read_rexs(Path(path))
    case = chosen_case(document, load_case)
    cases = load_cases(document)
    if load_case is not None:
        cases = [one for one in cases if (one.spectrum, one.case) == case]
    simple = [one for one in cases if not one.changes]
    chosen = document if case is None else document.with_case(*case)
    gearbox = build_gearbox(chosen, options, complete=document, case=case, kinds=kinds_of_loads(simple, chosen))
    report = gearbox.origin.report
    if load_case is not None:
        for one in cases:
            one.changes.clear()  # the model has them
    elif case is not None:
        report.add(
            "assumed", f"values of load case {case[1]}, because the file has no loads and speeds outside of load cases"
        )
    left = sum(len(one.cases) for one in document.spectra) - MOST_CASES
    if left > 0 and load_case is None:
        report.add("ignored", f"{left} load cases beyond the first {MOST_CASES}: import them with --load-case")
    text = model_text(gearbox, cases, report, os.path.basename(os.fspath(path)))
    return ImportedRexs(gearbox.model, report, text, {}, gearbox, tuple(cases))


def _gearbox(document: RexsDocument, options: RexsOptions, case: tuple[int, int] | None) -> Gearbox:
    chosen = document if case is None else document.with_case(*case)
    return build_gearbox(chosen, options, complete=document, case=case)
