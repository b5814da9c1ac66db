"""Mesh files of robots: where they are, and shapes of them. Only files below folders that the user names are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

import numpy as np

from ...errors import ModelError, shown
from ...solids import MassProperties, stl
from ...solids.rotations import Array
from ...solids.shape import Shape
from ..imported import ImportReport
from ..limits import ExchangeError

__all__ = ["MeshFiles"]

MOST_SHAPE_TRIANGLES = 60_000
"""Larger surfaces are not drawn, so that pages of robots stay small."""


class MeshFiles:
    """Finds and reads the mesh files of one robot.

    folder:   of the robot file; relative paths start there
    folders:  more folders in which files are looked for
    packages: folders of packages by name, for package://NAME/...
    """

    def __init__(
        self,
        folder: Path,
        folders: Sequence[str | Path],
        packages: Mapping[str, str | Path],
        report: ImportReport,
    ) -> None:
        self.report = report
        self.roots = [folder.resolve(), *(existing_folder(one, "folders") for one in folders)]
        self.packages = {name: existing_folder(one, f'packages: "{name}"') for name, one in packages.items()}
        self.mesh_folder: str = ""
        self._shapes: dict[tuple[Path, float], Shape | None] = {}
        self._taken: dict[str, Path] = {}

    def find(self, name: str) -> Path | None:
        """The file with this name or address, if it is below one of the folders; otherwise None, with a note."""
        scheme, separator, rest = name.partition("://")
        if separator and scheme == "package":
            package, _, inside = rest.partition("/")
            roots = [self.packages[package]] if package in self.packages else []
            # a folder with the name of the package, or the package itself
            candidates = [(root, inside) for root in roots]
            candidates += [(root, f"{package}/{inside}") for root in self.roots]
            candidates += [(root, inside) for root in self.roots if root.name == package]
        elif separator and scheme in ("file", "model"):
            candidates = [(root, rest.lstrip("/")) for root in self.roots]
        elif separator:
            self.report.add("kept", f"mesh {shown(name)}: addresses of this kind are not read; it is not drawn")
            return None
        else:
            inside = str(PurePosixPath(self.mesh_folder) / name) if self.mesh_folder else name
            candidates = [(root, inside) for root in self.roots]
        for root, inside in candidates:
            found = _below(root, inside)
            if found is not None:
                return found
        self.report.add(
            "kept",
            f"mesh {shown(name)}: not found below the folders of the robot; it is not drawn. "
            'Specify folders=[...] or packages={"NAME": folder} (options --folder, --package)',
        )
        return None

    def shape(self, name: str, scale: Array) -> Shape | None:
        """Shape of a mesh file; None, with a note, if it cannot be drawn."""
        path = self.find(name)
        if path is None or not self._drawable(path, name, scale):
            return None
        unit = float(scale[0])
        key = (path, unit)
        if key not in self._shapes:
            self._shapes[key] = self._read(path, unit, name)
        return self._shapes[key]

    def solid(self, name: str, scale: Array, density: float | None, mass: float | None) -> MassProperties:
        """Mass properties of the volume that a mesh encloses."""
        path = self.find(name)
        if path is None:
            raise ExchangeError(
                f"mesh {shown(name)} is not found below the folders of the robot, but the inertia follows from it. Specify "
                "folders=[...], or <inertial> in the file"
            )
        if path.suffix.lower() != ".stl":
            raise ExchangeError(
                f"mesh {shown(name)}: only STL files can be read, but the inertia follows from it. Specify <inertial> in the file"
            )
        if not np.allclose(scale, scale[0], rtol=1e-9) or scale[0] <= 0.0:
            raise ExchangeError(
                f"mesh {shown(name)} has the scale {scale.tolist()}; for an inertia the three numbers must be equal and positive"
            )
        try:
            if mass is not None:
                return stl(path, scale=float(scale[0]), mass=mass)
            return stl(path, scale=float(scale[0]), density=density)
        except ModelError as error:
            raise ExchangeError(f"mesh {shown(name)}: {error}") from error

    def _drawable(self, path: Path, name: str, scale: Array) -> bool:
        if path.suffix.lower() != ".stl":
            self.report.add(
                "kept", f"meshes of the type {path.suffix or 'without ending'} are not drawn; only STL files are"
            )
            return False
        if scale[0] <= 0.0 or not np.allclose(scale, scale[0], rtol=1e-9):
            self.report.add("kept", f"mesh {shown(name)}: mirrored or distorted meshes are not drawn")
            return False
        known = self._taken.setdefault(path.name, path)
        if known != path:
            self.report.add("kept", f"mesh {shown(name)}: another file has the same name; it is not drawn")
            return False
        return True

    def _read(self, path: Path, unit: float, name: str) -> Shape | None:
        try:
            shape = stl(path, scale=unit)
        except ModelError as error:
            self.report.add("kept", f"mesh {shown(name)} is not drawn: {error}")
            return None
        mesh = shape.pieces[0].mesh
        if mesh is not None and len(mesh.triangles) > MOST_SHAPE_TRIANGLES:
            self.report.add(
                "kept",
                f"mesh {shown(name)} is not drawn: it has {len(mesh.triangles)} triangles, more than {MOST_SHAPE_TRIANGLES}",
            )
            return None
        return shape


def existing_folder(folder: str | Path, what: str) -> Path:
    if not isinstance(folder, (str, Path)):
        raise ExchangeError(f"{what}: a folder must be a text or a path, got {shown(folder)}")
    path = Path(folder).expanduser()
    if not path.is_dir():
        raise ExchangeError(f"{what}: there is no folder {shown(str(folder))}")
    return path.resolve()


def _below(root: Path, inside: str) -> Path | None:
    """A file below a folder; None if it does not exist, or if the path leaves the folder, also through links."""
    if not inside or "\0" in inside or len(inside) > 1000:
        return None
    try:
        path = (root / inside).resolve()
        return path if path.is_relative_to(root) and path.is_file() else None
    except (OSError, RuntimeError, ValueError):
        return None
