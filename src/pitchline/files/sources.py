"""Sources: a model file with its included files, merged to one set of data with the file and line of each entry.

`include = ["shaft.toml"]` names files relative to the including file. They are read first, in order. Each element
(body, gear,
...) is specified once. Parameters and the entries at the top (name, gravity, plane) of the including file take
precedence over
those of the included files, so an included file can provide defaults. Included files must be in the folder of the first
file or
below. A file that is copied with its folder is therefore complete, and a file from an unknown source cannot read other
folders.
"""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import Any

from ..errors import shown
from .document import Document, read_document
from .problems import FileError, Path, Problem, key_text

__all__ = ["MOST_FILES", "Sources"]

MOST_FILES = 100
_WINNING = ("parameters", "model")
"""Tables in which the including file can replace entries of included files."""


class Sources:
    """Merged data of a file and its included files.

    data:       data of all files
    problems:   of includes and of elements that are specified twice
    incomplete: whether a file could not be included, so that elements may be missing
    files:      paths of all files that were read or are named as data
    """

    def __init__(self, main: Document) -> None:
        self.main = main
        self.data: dict[str, Any] = {}
        self.problems: list[Problem] = []
        self.incomplete = False
        self.files: list[FilePath] = []
        self._origins: dict[Path, tuple[Document, Path]] = {}
        self._count = 0
        self._seen: set[FilePath] = set()
        self._root = None if main.path is None else main.path.resolve().parent
        self._add(main, ())

    def where(self, path: Path) -> tuple[str, int]:
        """File and line of a place in the merged data."""
        for n in range(min(2, len(path)), 0, -1):
            if path[:n] in self._origins:
                document, own = self._origins[path[:n]]
                return document.name, document.line((*own, *path[n:]))
        return self.main.name, self.main.line(path)

    def line_text(self, path: Path) -> str:
        """Text line of a place in the merged data, as written in its file."""
        document, own = next((self._origins[path[:n]] for n in (2, 1) if path[:n] in self._origins), (self.main, path))
        return document.text_lines[document.line((*own, *path[2:])) - 1]

    def data_file(self, path: Path, name: str) -> FilePath | str:
        """File that an entry names, in the folder of the file with this entry; or the error text."""
        document = next((self._origins[path[:n]][0] for n in (2, 1) if path[:n] in self._origins), self.main)
        found = self._inside(document, name)
        if isinstance(found, FilePath):
            self.files.append(found)
        return found

    def _inside(self, document: Document, name: str) -> FilePath | str:
        """File in the folder of the first file, or below; or the error text about its name."""
        if document.path is None or self._root is None:
            return f"{shown(name)}: a model text has no folder in which files can be found. Save it as a file first"
        try:
            path = (document.path.parent / name).resolve()
            inside = path.is_relative_to(self._root)
        except (OSError, ValueError, RuntimeError):
            return f"{shown(name)} is not the name of a file"
        if FilePath(name).is_absolute() or not inside:
            return f"{shown(name)} is outside the folder of the model file. Move it there, or to a folder below"
        return path

    def problem(self, path: Path, message: str) -> Problem:
        return Problem(*self.where(path), key_text(path), message)

    # ---- merging

    def _add(self, document: Document, above: tuple[FilePath, ...]) -> None:
        self._count += 1
        if document.path is not None:
            path = document.path.resolve()
            above = (*above, path)
            self._seen.add(path)
            self.files.append(path)
        for n, name in enumerate(self._includes(document)):
            if self._count > MOST_FILES:
                raise FileError([self._said(document, ("include",), f"more than {MOST_FILES} files are included")])
            self._include(document, n, name, above)
        for key, value in document.data.items():
            if key != "include":
                self._merge(document, key, value)

    def _includes(self, document: Document) -> list[str]:
        given = document.data.get("include", [])
        names = [given] if isinstance(given, str) else given
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            message = f'must be a list of file names, e.g. ["shaft.toml"], got {shown(given)}'
            self.problems.append(self._said(document, ("include",), message))
            return []
        return names

    def _include(self, document: Document, n: int, name: str, above: tuple[FilePath, ...]) -> None:
        def wrong(message: str) -> None:
            self.incomplete = True
            self.problems.append(self._said(document, ("include", n), message))

        path = self._inside(document, name)
        if isinstance(path, str) or self._root is None:
            return wrong(str(path))
        if path.suffix != ".toml":
            return wrong(f"{shown(name)}: names of included files must end in .toml")
        if path in above:
            chain = [item.name for item in above[above.index(path) :]] + [path.name]
            return wrong(f"circular include: {' -> '.join(chain)}. Remove one of the includes")
        if path in self._seen:  # two files may include the same one
            return None
        try:
            self._add(read_document(path, _called(path, self._root, self.main)), above)
        except FileError as error:
            if any(problem.line == 0 for problem in error.found):  # cannot be opened: report it at the include
                wrong(f"{shown(name)}: {error.found[0].message}")
            else:
                self.incomplete = True
                self.problems += error.found

    def _merge(self, document: Document, key: str, value: Any) -> None:
        if isinstance(value, dict):
            mine = self.data.setdefault(key, {})
            if not isinstance(mine, dict):
                self.problems.append(
                    self._said(document, (key,), f"is a table here, but not in {self.where((key,))[0]}")
                )
                return
            for name, item in value.items():
                if name in mine and key not in _WINNING:
                    file, line = self.where((key, name))
                    message = f"is already specified in {file}, line {line}. Specify each part only once"
                    self.problems.append(self._said(document, (key, name), message))
                    continue
                mine[name] = item
                self._origins[key, name] = (document, (key, name))
        elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            mine = self.data.setdefault(key, [])
            if not isinstance(mine, list):
                self.problems.append(
                    self._said(document, (key,), f"is a list here, but not in {self.where((key,))[0]}")
                )
                return
            for n, item in enumerate(value):
                self._origins[key, len(mine)] = (document, (key, n))
                mine.append(item)
        else:
            self.data[key] = value
        self._origins.setdefault((key,), (document, (key,)))
        if not isinstance(value, (dict, list)):
            self._origins[key,] = (document, (key,))

    @staticmethod
    def _said(document: Document, path: Path, message: str) -> Problem:
        return Problem(document.name, document.line(path), key_text(path), message)


def _called(path: FilePath, root: FilePath, main: Document) -> str:
    """Name of an included file in messages: relative to the first file."""
    own = path.relative_to(root)
    return str(FilePath(main.name).parent / own)
