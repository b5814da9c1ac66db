"""Write models and results to REXS files."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from pathlib import Path

from ...arguments import names_wrong_arguments
from ...disk.atomic import check_target
from ...errors import ModelError, shown
from ...model import Model
from ...results.result import Result
from .checking import check_rexs
from .document import RexsDocument
from .export_changes import changed_document, source_of
from .export_model import new_document
from .export_report import RexsExport
from .export_results import ResultWriter
from .versions import converted
from .writing import write_rexs

__all__ = ["to_rexs"]


@names_wrong_arguments
def to_rexs(
    model: Model,
    path: str | Path,
    *,
    results: Result | Iterable[Result] = (),
    source: str | Path | None = None,
    version: str | None = None,
    overwrite: bool = False,
) -> RexsExport:
    """Write a model, and results of it, to a REXS file.

    A model that came from a REXS file is written with the contents of that file: only values that differ are changed, and
    everything else stays as it was, also what pitchline does not read. For another model a new file is made.

    Parameters
    ----------
    model
        The model.
    path
        File to write: .rexs (XML), .rexsj (JSON) or .rexsz (archive).
    results
        Results of statics, kinematics or dynamics of this model, each for one load case: forces of bearings and teeth,
        displacements of shafts, contact ratios, lives of bearings. Of a record over time the mean values are written.
    source
        REXS file of which the model is a copy with the same names of parts, for example a model that was imported, changed and
        saved as a model file. Default: the file that the model was read from, if any.
    version
        Version of REXS, "1.4" to "2.0.0". Default: that of the file the model came from, "1.7" for a new file.
    overwrite
        Whether an existing file is replaced. Default False.
    """
    if not isinstance(model, Model):
        raise ModelError(
            f"to_rexs: expected a model, got {shown(model)}. Write to_rexs(model, path), for results to_rexs(model, path, "
            "results=result)"
        )
    found = [results] if isinstance(results, Result) else list(results)
    for one in found:
        if not isinstance(one, Result):
            raise ModelError(f"to_rexs: results must be results of statics, kinematics or dynamics, got {shown(one)}")
        if one.model_name != model.name:
            raise ModelError(
                f'to_rexs: the result is of model "{one.model_name}", not of model "{model.name}". Specify results of this model'
            )
    check_target(Path(path).expanduser(), overwrite=overwrite)
    report = RexsExport(Path(path), RexsDocument("1.7"))
    origin = source_of(model, source)
    case = None
    if origin is None:
        made = new_document(model, report)
        parts = made.parts
        report.written.append(f"new file with {len(report.document.components)} components")
    else:
        report.document = deepcopy(origin.document)
        parts = changed_document(model, origin, report)
        case = origin.case
    if version is not None:
        report.document = converted(report.document, version)
    if found:
        ResultWriter(model, report.document, parts, report).write(found, case)
    errors = [problem for problem in check_rexs(report.document) if problem.severity == "error"]
    if origin is None and errors:
        raise ModelError([problem.text for problem in errors], title=f'model "{model.name}" cannot be written to REXS')
    report.path = write_rexs(report.document, path, overwrite=overwrite)
    return report
