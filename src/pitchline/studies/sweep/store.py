"""SweepStore: a folder with the plan of a sweep and the parts that are complete.

`plan.json` has the plan. `parts/000120-000127.npz` has the outcomes of the points 120 to 127. Each file is written under another
name and renamed when it is complete, so any number of processes can write, and a part is complete or absent. A sweep that was
stopped continues with the points that no part has. `result.nc` is written when all points are there.
"""

from __future__ import annotations

import os
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ...disk.atomic import atomic_file, check_folder, write_text
from ...disk.errors import StorageError
from ...disk.free_names import made_folder
from ...progress import note
from .plan import OtherPlanError, SweepPlan
from .point_block import PointBlock

__all__ = ["SweepStore", "is_store"]

PLAN, PARTS, RESULT = "plan.json", "parts", "result.nc"
_PART = re.compile(r"(\d{6,})-(\d{6,})\.npz")
_MAY_EXIST = (PLAN, PARTS, RESULT)


def is_store(path: str | os.PathLike[str]) -> bool:
    """Whether a folder is the store of a sweep."""
    return (Path(path).expanduser() / PLAN).is_file()


class SweepStore:
    """Store of a sweep. `open` makes the folder, or checks that it belongs to the same plan."""

    def __init__(self, folder: str | Path, plan: SweepPlan) -> None:
        self.folder = Path(folder).expanduser()
        self.plan = plan

    @staticmethod
    def open(folder: str | Path, plan: SweepPlan) -> SweepStore:
        """The store of this plan. OtherPlanError if the folder has another plan, StorageError if it cannot be used."""
        store = SweepStore(folder, plan)
        path = store.folder
        if path.is_file():
            raise StorageError(f'"{path}" is a file. Specify the name of a folder for the store of a sweep')
        if path.is_dir() and not is_store(path):
            others = [entry.name for entry in path.iterdir() if entry.name not in _MAY_EXIST and not _hidden(entry)]
            if others:
                raise StorageError(
                    f'the folder "{path}" is not the store of a sweep: it contains "{sorted(others)[0]}" and has no {PLAN}. '
                    "Specify another folder"
                )
        made_folder(path / PARTS)
        check_folder(path / PARTS)
        if is_store(path):
            store._check_plan()
        else:
            # Two processes may begin at the same time: both write the same, or the later one sees the plan of the first.
            write_text(path / PLAN, plan.to_json(), overwrite=True)
            store._check_plan()
        return store

    @staticmethod
    def read(folder: str | Path) -> SweepStore:
        """The store in a folder, with its own plan."""
        path = Path(folder).expanduser()
        return SweepStore(path, _read_plan(path))

    def _check_plan(self) -> None:
        found = _read_plan(self.folder)
        if found.digest == self.plan.digest:
            return
        differences = "; ".join(self.plan.differences(found)) or "other data"
        raise OtherPlanError(
            f'the store "{self.folder}" belongs to another sweep. It has {differences}. Choose another folder for this sweep, or '
            "remove that one if it is not needed any more"
        )

    def write(self, block: PointBlock) -> None:
        """Write a part, completely or not at all."""
        points = block.points
        path = self.folder / PARTS / f"{points[0]:06d}-{points[-1]:06d}.npz"
        arrays = block.to_arrays()
        size = sum(array.nbytes for array in arrays.values())
        try:
            with atomic_file(path, overwrite=True, size=size) as (draft, _), draft.open("wb") as stream:
                np.savez(stream, allow_pickle=False, **arrays)
        except StorageError as error:
            raise StorageError(
                f"{error}. The parts that were written before are complete: the same call continues there"
            ) from error

    def blocks(self) -> Iterator[PointBlock]:
        """All parts that can be read. A damaged part is reported, and its points are computed again."""
        for path in sorted((self.folder / PARTS).glob("*.npz")):
            if not _PART.fullmatch(path.name):
                continue
            try:
                with path.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
                    yield PointBlock.from_arrays({key: arrays[key] for key in arrays.files})
            except FileNotFoundError:
                continue
            except OSError as error:
                raise StorageError(f'cannot read "{path}": {error.strerror or error}') from error
            except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
                note(f'the part "{path}" is damaged ({error}). Its points are computed again')


def _hidden(entry: Path) -> bool:
    return entry.name.startswith(".")


def _read_plan(folder: Path) -> SweepPlan:
    path = folder / PLAN
    try:
        return SweepPlan.from_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise StorageError(f'cannot read "{path}": {error.strerror or error}') from error
    except (ValueError, KeyError) as error:
        raise StorageError(
            f'"{path}" is damaged: {error}. Move the folder away, or restore the file, and run the sweep again'
        ) from error
