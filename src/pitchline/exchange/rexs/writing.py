"""Write a REXS document: XML, JSON or zip archive."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from ...arguments import names_wrong_arguments
from ...disk.atomic import atomic_file
from ..limits import ExchangeError
from .document import Container, RexsDocument
from .json_writing import json_text
from .versions import converted
from .xml_writing import xml_text

__all__ = ["write_rexs"]

ENDINGS: dict[str, Container] = {
    ".rexs": "xml", ".xml": "xml", ".rexsj": "json", ".json": "json", ".rexsz": "zip", ".zip": "zip",
}  # fmt: skip
_DATE = (1980, 1, 1, 0, 0, 0)
"""Date of the files in an archive, so that the same document gives the same bytes."""


@names_wrong_arguments
def write_rexs(
    document: RexsDocument,
    path: str | Path,
    *,
    version: str | None = None,
    container: Container | None = None,
    overwrite: bool = False,
) -> Path:
    """Write a REXS document to a file. What was read is written with the same texts.

    Parameters
    ----------
    document
        Document from `read_rexs`.
    path
        File to write. Its ending selects the format: .rexs (XML), .rexsj (JSON) or .rexsz (archive).
    version
        Version of REXS, "1.4" to "2.0.0". Names and units are converted. Default: the version of the document.
    container
        "xml", "json" or "zip", in place of the ending. Default: by the ending, else as the document was read.
    overwrite
        Whether an existing file is replaced. Default False.
    """
    chosen = container or ENDINGS.get(Path(path).suffix.lower(), document.container)
    if chosen not in ("xml", "json", "zip"):
        raise ExchangeError(f'{path}: container must be "xml", "json" or "zip", got "{chosen}"')
    if chosen != "zip" and document.files:
        count = f"{len(document.files)} file{'s' if len(document.files) > 1 else ''}"
        raise ExchangeError(
            f"{path}: the document contains {count} of its archive, for example "
            f'"{next(iter(document.files))}", which only an archive can hold. Choose a path that ends with .rexsz'
        )
    if version is not None:
        document = converted(document, version)
    data = _archive(document) if chosen == "zip" else _encoded(document, chosen)
    with atomic_file(path, overwrite=overwrite, size=len(data)) as (draft, target):
        draft.write_bytes(data)
    return target


def _encoded(document: RexsDocument, container: Container) -> bytes:
    return (json_text if container == "json" else xml_text)(document).encode("utf-8")


def _archive(document: RexsDocument) -> bytes:
    member = document.member or ("model.rexsj" if document.container == "json" else "model.rexs")
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        kind: Container = "json" if member.lower().endswith((".rexsj", ".json")) else "xml"
        for name, data in {member: _encoded(document, kind), **document.files}.items():
            info = zipfile.ZipInfo(name, _DATE)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(info, data)
    return stream.getvalue()
