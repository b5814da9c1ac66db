"""Read a REXS file: XML, JSON or zip archive, recognised by its contents."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

from ...arguments import names_wrong_arguments
from ...errors import PitchlineError
from ..limits import ExchangeError, archive_members, file_bytes, member_bytes
from .document import RexsDocument
from .findings import Findings
from .json_reading import read_json_document
from .xml_reading import read_xml_document

__all__ = ["is_rexs", "open_rexs", "read_rexs"]

ENDINGS = (".rexs", ".rexsj", ".rexs.xml", ".rexs.json", ".xml", ".json")


@names_wrong_arguments
def read_rexs(path: str | Path) -> RexsDocument:
    """Read a REXS file as a document: its components, relations and load spectra, as they are in the file.

    Versions 1.0 to 2.0.0 as XML (.rexs), JSON (.rexsj) or archive (.rexsz). The contents decide on the format, not the name.
    Nothing is dropped: unknown components, attributes and the other files of an archive are kept. `from_rexs` makes a model.

    Parameters
    ----------
    path
        File to read. If it cannot be read as REXS, the message of the error contains component, attribute and line.
    """
    document, findings = open_rexs(path)
    if findings.problems or document is None:
        raise ExchangeError(findings.text())
    return document


def open_rexs(path: str | Path) -> tuple[RexsDocument | None, Findings]:
    """Document and the problems that were found while it was read."""
    file = Path(path).expanduser()
    findings = Findings(str(file))
    data = file_bytes(file)
    if data[:2] == b"PK":
        document = _read_archive(data, file, findings)
    else:
        document = _read_text(data, str(file), findings)
    document.source = file
    return document, findings


def is_rexs(data: bytes) -> bool:
    """Whether a file looks like REXS by its first bytes: an archive, an XML text with the element model, or JSON with the key."""
    if data[:4] == b"PK\x03\x04":
        return True
    head = data[:65536].decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    if head.startswith("<"):
        return re.search(r"<(\w+:)?model\b[^>]*\bapplicationId\s*=", head) is not None
    return head.startswith("{") and re.match(r'\{\s*"model"\s*:\s*\{', head) is not None


def _read_text(data: bytes, name: str, findings: Findings) -> RexsDocument:
    wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    head = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not wide and head[:1] in (b"{", b"["):
        return read_json_document(data, name, findings)
    if wide or head[:1] == b"<":
        return read_xml_document(data.removeprefix(b"\xef\xbb\xbf").lstrip() if not wide else data, name, findings)
    if not data.strip():
        raise ExchangeError(f"{name}: the file is empty")
    raise ExchangeError(f"{name}: not a REXS file: the contents are neither XML, nor JSON, nor a zip archive")


def _read_archive(data: bytes, file: Path, findings: Findings) -> RexsDocument:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [item for item in archive_members(archive, file) if not item.filename.startswith("__MACOSX/")]
            names = [item.filename for item in members]
            for name in names:
                if names.count(name) > 1:
                    raise ExchangeError(f'{file}: the archive contains "{name}" twice')
            models = [name for name in names if name.lower().endswith(ENDINGS) and "/" not in name and "\\" not in name]
            exact = [name for name in models if name.lower().endswith(ENDINGS[:4])]
            models = exact or models
            if len(models) != 1:
                found = f"{len(models)}: {', '.join(models[:5])}" if models else "none"
                raise ExchangeError(
                    f"{file}: the archive must contain one REXS file (.rexs or .rexsj) at its top level, found {found}"
                )
            contents = {item.filename: member_bytes(archive, item, file) for item in members}
    except zipfile.BadZipFile as error:
        raise ExchangeError(f"{file}: the zip archive is damaged: {error}") from error
    except PitchlineError:
        raise
    except Exception as error:  # zipfile raises many kinds of errors for damaged directories
        raise ExchangeError(f"{file}: the zip archive is damaged: {error}") from error
    document = _read_text(contents.pop(models[0]), f"{file}/{models[0]}", findings)
    document.files, document.container, document.member = contents, "zip", models[0]
    return document
