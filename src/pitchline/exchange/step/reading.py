"""Reading of a STEP file in a process of its own, with a time limit."""

from __future__ import annotations

import contextlib
import io
import json
import os
import queue
import re
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.errors import near_names, shown

from ..safe_xml import ExchangeError

if TYPE_CHECKING:
    from .parts import CadPart

__all__ = [
    "labels",
    "name_of",
    "new_document",
    "read_document",
    "matching",
    "plain_name",
    "unique_names",
    "CadProcess",
    "kernel_version",
    "need_kernel",
]


# ---- kernel

# Names of the CAD kernel (OCCT) that differ between its versions, and its documents.
#
# Only the reading process imports this file (`worker`): a damaged file can end the process in which the kernel runs.


def _label_sequence() -> Any:
    """Sequence of labels: `TDF_LabelSequence` until OCCT 7.9, a template of `OCP.collections` from 8.0 on."""
    from OCP import TDF

    if hasattr(TDF, "TDF_LabelSequence"):
        return TDF.TDF_LabelSequence
    from OCP.collections import Sequence_TDF_Label

    return Sequence_TDF_Label


def labels(fill: Any, *arguments: Any) -> Iterator[Any]:
    """Labels that a function of the kernel puts into its last argument."""
    found = _label_sequence()()
    fill(*arguments, found)
    for i in range(1, found.Length() + 1):
        yield found.Value(i)


def name_of(label: Any) -> str:
    """Name of a label, "" without one."""
    from OCP.TDataStd import TDataStd_Name

    attribute = TDataStd_Name()
    if not label.FindAttribute(TDataStd_Name.GetID_s(), attribute):
        return ""
    return str(attribute.Get().ToExtString())


def new_document() -> Any:
    """Empty document of shapes, names, colours and materials."""
    from OCP.TCollection import TCollection_ExtendedString
    from OCP.TDocStd import TDocStd_Document
    from OCP.XCAFApp import XCAFApp_Application

    document = TDocStd_Document(TCollection_ExtendedString("BinXCAF"))
    XCAFApp_Application.GetApplication_s().InitDocument(document)
    return document


def read_document(path: str) -> Any:
    """Document with the contents of a STEP file, lengths in mm whatever the unit of the file. ValueError: the reason."""
    from OCP.IFSelect import IFSelect_RetDone
    from OCP.STEPCAFControl import STEPCAFControl_Reader

    document = new_document()
    reader = STEPCAFControl_Reader()
    for mode in ("Name", "Color", "Mat", "Props"):
        getattr(reader, f"Set{mode}Mode")(True)
    if reader.ReadFile(path) != IFSelect_RetDone:
        raise ValueError("the CAD kernel cannot read it as STEP: it is damaged")
    if not reader.Transfer(document):
        raise ValueError("the CAD kernel finds no shapes in it")
    return document


# ---- part names

# Names of CAD parts: unique in the file, allowed in models, and patterns that select parts by them.

_MADE_UP = re.compile(r"=>\[[\d:]+\]|NAUO\d*|\d*|NONE|COMPOUND|SOLID|Open CASCADE STEP translator.*", re.IGNORECASE)
"""Names of instances and parts that programs write if the user gave none."""


def _given(name: str) -> str:
    return "" if _MADE_UP.fullmatch(name) else plain_name(name)


def plain_name(name: str) -> str:
    """A name that models allow: without separators of signals, control characters and blanks at its ends; "" if none is left."""
    text = "".join(sign if sign.isprintable() else " " for sign in name)
    return " ".join(text.replace(".", "_").replace("/", "_").split())[:120].strip()


def unique_names(products: Sequence[str], instances: Sequence[str], parents: Sequence[str]) -> list[str]:
    """Names of parts: the first of these that occurs once; otherwise the product with a number.

    product, instance, instance of the assembly that contains it and product, the same and instance
    """
    product, instance, parent = ([_given(name) for name in names] for names in (products, instances, parents))
    choices = (
        product,
        instance,
        [f"{a} {b}" if a and b else "" for a, b in zip(parent, product, strict=True)],
        [f"{a} {b}" if a and b else "" for a, b in zip(parent, instance, strict=True)],
    )
    counts = [Counter(names) for names in choices]
    wanted = []
    for i, name in enumerate(product):
        ways = (names[i] for names, count in zip(choices, counts, strict=True) if names[i] and count[names[i]] == 1)
        wanted.append(next(ways, name or instance[i] or "part"))
    repeated = Counter(wanted)
    taken = {name for name in wanted if repeated[name] == 1} | {"ground"}
    found = []
    for name in wanted:
        if repeated[name] == 1 and name != "ground":
            found.append(name)
            continue
        number = 1
        while f"{name} {number}" in taken:
            number += 1
        found.append(f"{name} {number}")
        taken.add(found[-1])
    return found


def matching(parts: Iterable[CadPart], pattern: object, what: str) -> list[CadPart]:
    """Parts whose name, product or path fits a pattern such as "wheel*". No part: an error with the names."""
    if not isinstance(pattern, str) or not pattern:
        raise ExchangeError(f'{what}: expected the name of a part or a pattern such as "wheel*", got {shown(pattern)}')
    known = list(parts)
    found = [part for part in known if any(fnmatchcase(name, pattern) for name in part.known_as)]
    if not found:
        raise ExchangeError(f'{what}: no part has the name "{pattern}"; {near_names(pattern, [p.name for p in known])}')
    return found


_COMMAND = "import sys; sys.path[:] = {path!r}; from pitchline.exchange.step.worker import main; main()"


def need_kernel() -> None:
    """Error unless the CAD kernel is installed. It is only imported if its version is unknown: that takes a second."""
    if kernel_version():
        return
    try:
        import OCP  # noqa: F401
    except ImportError:
        raise ExchangeError(
            'reading STEP files needs the CAD kernel: pip install "pitchline[cad]". Without it, read_mass_table reads mass '
            "properties from a CSV or JSON file"
        ) from None


def kernel_version() -> int:
    """Main version of the CAD kernel."""
    from importlib.metadata import PackageNotFoundError, version

    for name in ("cadquery-ocp-novtk", "cadquery-ocp"):
        try:
            return int(version(name).split(".")[0])
        except (PackageNotFoundError, ValueError):
            continue
    return 0


class CadProcess:
    """Process that reads STEP files one after the other. It starts with the first file, and again after a crash."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: queue.Queue[bytes | None] = queue.Queue()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> CadProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):  # at the end of the program, modules may be gone
            self.close()

    def read(self, path: Path, *, seconds: float, **request: Any) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Description and arrays of a file (see `worker`). ExchangeError: with the reason, also after a crash."""
        if self._process is None or self._process.poll() is not None:
            self._start()
        assert self._process is not None and self._process.stdin is not None
        line = json.dumps({"path": str(path.resolve()), **request}) + "\n"
        try:
            self._process.stdin.write(line.encode())
            self._process.stdin.flush()
            data = self._answers.get(timeout=seconds)
        except (queue.Empty, BrokenPipeError) as error:
            slow = isinstance(error, queue.Empty)
            self.close()
            if slow:
                raise ExchangeError(
                    f"{path}: the CAD kernel needs more than the time limit of {seconds:g} s. Specify a longer time_limit, or "
                    "export fewer parts"
                ) from None
            data = None
        if data is None:
            self.close()
            raise ExchangeError(f"{path}: the CAD kernel failed on this file: it is damaged. Export it again")
        archive = np.load(io.BytesIO(data), allow_pickle=False)
        head = json.loads(bytes(archive["head"]))
        if "error" in head:
            raise ExchangeError(f"{path}: {head['error']}")
        return head, {name: archive[name] for name in archive.files if name != "head"}

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        if self._thread is not None:
            self._thread.join()  # it reads until the end of the output
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):  # a request that was not read
                    stream.close()

    def _start(self) -> None:
        self.close()
        root = str(Path(__file__).parents[3])
        path = [root, *(entry for entry in sys.path if entry)]  # without the current folder
        settings = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", _COMMAND.format(path=path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=settings,
        )
        self._answers = queue.Queue()
        self._thread = threading.Thread(target=_collect, args=(self._process.stdout, self._answers), daemon=True)
        self._thread.start()


def _collect(stream: Any, answers: queue.Queue[bytes | None]) -> None:
    """Put complete answers in a queue, and None when the process has ended."""
    try:
        while True:
            size = stream.readline()
            if not size:
                break
            data = stream.read(int(size))
            if len(data) < int(size):
                break
            answers.put(data)
    except (OSError, ValueError):
        pass
    answers.put(None)
