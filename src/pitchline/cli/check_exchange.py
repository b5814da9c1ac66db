"""Check a file of another program: the rules of its standard, and what an import uses, assumes and keeps."""

from __future__ import annotations

from pathlib import Path

from ..errors import PitchlineError
from .untrusted_files import printable

__all__ = ["check_exchange_file", "is_exchange_file"]

MOST_NOTICES = 30


def is_exchange_file(path: Path) -> bool:
    """Whether a file is of another program, by its contents or its name."""
    from ..exchange.formats import is_importable

    return is_importable(path) or _is_rexs(path)


def check_exchange_file(path: Path) -> int:
    """Print all problems and the report of an import. Returns the number of errors."""
    from ..exchange.formats import import_model

    rexs = _is_rexs(path)
    wrong = _check_structure(path) if rexs else 0
    if wrong:
        return wrong
    try:
        report = import_model(path, format="REXS" if rexs else None).report.text()
    except PitchlineError as error:
        print(printable(f"{path}: error: {error}"))
        return 1
    if report:
        print(printable(report))
    print(f"{path}: fine")
    return 0


def _is_rexs(path: Path) -> bool:
    from ..exchange.rexs.reading import is_rexs

    if path.suffix.lower() in (".rexs", ".rexsj", ".rexsz"):
        return True
    try:
        with path.expanduser().open("rb") as stream:
            start = stream.read(65536)
    except (OSError, ValueError):
        return False  # reported by the reader of model files
    return is_rexs(start) and (start[:2] != b"PK" or path.name.lower().endswith(".rexs.zip"))


def _check_structure(path: Path) -> int:
    from ..exchange.rexs.checking import check_rexs_file

    document, problems = check_rexs_file(path)
    notices = [problem for problem in problems if problem.severity == "notice"]
    for problem in [problem for problem in problems if problem.severity != "notice"] + notices[:MOST_NOTICES]:
        print(printable(str(problem)))
    if len(notices) > MOST_NOTICES:
        print(f"{path}: {len(notices) - MOST_NOTICES} more notices")
    if document is not None:
        counts = ", ".join(f"{number} {kind}" for kind, number in document.counts().most_common(6))
        cases = sum(len(spectrum.cases) for spectrum in document.spectra)
        print(
            printable(
                f"{path}: REXS {document.version} by {document.application_id or 'an unknown program'}: "
                f"{len(document.components)} components ({counts}, ...), {len(document.relations)} relations, {cases} load cases"
            )
        )
    return sum(problem.severity == "error" for problem in problems)
