"""Texts of a model file and its included files. A result stores them, and the model can be read from them again."""

from __future__ import annotations

import shutil
import tempfile
import tomllib
import weakref
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..disk.names import safe_stem
from ..errors import PitchlineError, shown

if TYPE_CHECKING:
    from ..files import ModelFile

__all__ = ["ModelTexts"]


@dataclass
class ModelTexts:
    """name: of the file; text: its contents; included: name relative to its folder -> text; data: the same for files that
    are not texts, for example shapes. A result does not store the data."""

    name: str
    text: str
    included: dict[str, str] = field(default_factory=dict)
    data: dict[str, bytes] = field(default_factory=dict)

    @classmethod
    def of_file(cls, path: Path) -> ModelTexts:
        """Texts of a file that was read without errors."""
        texts = cls(path.name, _text(path))
        root = path.resolve().parent
        left = [path.resolve()]
        while left:
            here = left.pop()
            given = tomllib.loads(_text(here)).get("include", [])
            for name in [given] if isinstance(given, str) else given:
                other = (here.parent / name).resolve()
                key = other.relative_to(root).as_posix()
                if key not in texts.included:
                    texts.included[key] = _text(other)
                    left.append(other)
        return texts

    @classmethod
    def of_source(cls, source: dict[str, Any]) -> ModelTexts:
        """Read from the data of a result. The data is untrusted."""
        text, included, name = source.get("text"), source.get("included", {}), source.get("name", "")
        texts = [text, name, *included, *included.values()] if isinstance(included, dict) else [None]
        if not all(isinstance(one, str) for one in texts):
            raise PitchlineError("cannot read the model file that is stored in the result")
        return cls(f"{safe_stem(Path(str(name)).stem)}.toml", str(text), dict(included))

    def as_source(self) -> dict[str, Any]:
        """Plain data to store in a result."""
        return {"name": self.name, "text": self.text} | ({"included": self.included} if self.included else {})

    def read(self, settings: dict[str, str], called: str, allow: tuple[str, ...] = ()) -> ModelFile:
        """Read the model file. Messages use the name `called`. allow: modules whose elements it may use."""
        from ..files import read

        if not self.included and not self.data:
            return read(self.text + "\n", overrides=settings, source=called, allow=allow)
        # included files are found next to the first one, also later: the folder exists as long as these texts
        root = Path(tempfile.mkdtemp(prefix="pitchline-")).resolve()
        weakref.finalize(self, shutil.rmtree, root, ignore_errors=True)
        for name, contents in {**self.data, **self.included, self.name: self.text}.items():
            if "\0" in name or len(name) > 1000 or not name.isprintable():
                raise PitchlineError(f"{called}: {shown(name)} is not a valid name of an included file")
            path = (root / name).resolve()
            if not path.is_relative_to(root) or path == root:
                raise PitchlineError(f'{called}: the included file "{name}" is outside the folder of the model')
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(contents.encode("utf-8") if isinstance(contents, str) else contents)
            except (OSError, UnicodeEncodeError) as error:
                raise PitchlineError(f"{called}: cannot unpack the included file {shown(name)}: {error}") from error
        return read(root / self.name, overrides=settings, source=called, allow=allow)


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
