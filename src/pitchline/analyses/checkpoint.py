"""Checkpoints: all data that a run needs to continue with bit-identical results, in one file with checksums, written atomically."""

import contextlib
import hashlib
import json
import os
import pathlib
import re
import time as clock
import zipfile
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np

from pitchline.base.storage.free_names import StorageError, atomic_file, check_folder, check_target
from pitchline.base.storage.stored_array import Sealed, array_digest, seal_bytes, write_arrays
from pitchline.declare.names import StateLaw
from pitchline.engine.compile.compiler import compile_model
from pitchline.engine.compile.nodes import Snapshot
from pitchline.engine.compile.rank import Rank
from pitchline.engine.compile.system import System
from pitchline.engine.elements.declared_kind import code_digest
from pitchline.engine.solvers.consistent import scale_laws
from pitchline.engine.solvers.integrator import Integrator, SampleStore
from pitchline.engine.solvers.linear import Motion, Samples
from pitchline.engine.solvers.run_record import Options
from pitchline.errors import ModelError, shown
from pitchline.functions.piecewise import Function
from pitchline.model.model import Model
from pitchline.parts.control.compile import restore_programs, stored_programs
from pitchline.parts.meshes.laws.varying import Varying
from pitchline.units.quantity import quantity

from . import stepper_state as checks
from .time_options import TimeOptions

FORMAT = 4
KIND = "pitchline checkpoint"
_BEGINNING = b"pitchline checkpoint\n"

_NEEDED = (
    "redundant", "factor_integers", "factor_floats",
    *(f"start_{k}" for k in ("position", "orientation", "velocity", "angular_velocity")),
    *(f"samples_{k}" for k in Samples._fields),
)  # fmt: skip


def fingerprint(model: Model, t0: float, t1: float) -> str:
    """Hash of the complete model description. Functions are compared by their values over the run."""
    text = json.dumps(model.describe(), sort_keys=True, default=repr)
    digest = hashlib.sha256(re.sub(" at 0x[0-9a-fA-F]+", "", text).encode())
    for pair in model.gear_pairs.values():
        mesh = pair.law
        for term in (*mesh.stiffness, *mesh.errors, *mesh.dampers, *mesh.plays):
            if isinstance(term, Varying):
                digest.update(term.function.resolved(t0, t1).encode().tobytes())
        if pair.law.own is not None:
            digest.update(_code_of(pair.law.own.function()))
    for part in (*model.drives.values(), *model.loads.values()):
        for function in _functions(part):
            digest.update(function.resolved(t0, t1).encode().tobytes())
        law = getattr(part, "function", None)
        if isinstance(law, StateLaw):
            digest.update(_code_of(law.function))
    for element in model.elements.values():
        digest.update(code_digest(element))
        for function in element.functions:
            digest.update(function.resolved(t0, t1).encode().tobytes())
    return digest.hexdigest()


def _code_of(function: Any) -> bytes:
    """Code of a Python function, with the constants that it reads."""
    plain = getattr(function, "function", getattr(function, "py_func", function))
    code = getattr(plain, "__code__", None)
    if code is None:
        return repr(type(plain)).encode()
    cells = [cell.cell_contents for cell in getattr(plain, "__closure__", None) or ()]
    text = repr((code.co_consts, code.co_names, cells))
    return bytes(code.co_code) + re.sub(" at 0x[0-9a-fA-F]+", "", text).encode()


def _functions(part: Any) -> Iterator[Function]:
    """The functions of time of a drive or a load, in the order of its fields."""
    for field in fields(part):
        value = getattr(part, field.name)
        yield from (item for item in (value if isinstance(value, tuple) else (value,)) if isinstance(item, Function))


def check_path(path: str | os.PathLike[str]) -> pathlib.Path:
    """Return the checkpoint file. Raise an error before the analysis if it cannot be written or is another type of file."""
    target = pathlib.Path(path).expanduser()
    try:
        check_target(target, overwrite=True)
        check_folder(target.parent)
    except StorageError as error:
        raise ModelError(f"checkpoint: {error}") from error
    if target.exists() and not _is_checkpoint(target):
        raise ModelError(f'checkpoint: "{target}" exists already and is not a checkpoint. Choose another name')
    return target


def _is_checkpoint(path: pathlib.Path) -> bool:
    """Also those of earlier versions, which were archives of numpy; and an empty file."""
    try:
        with path.open("rb") as stream:
            start = stream.read(len(_BEGINNING))
        if start in (b"", _BEGINNING):
            return True
        with zipfile.ZipFile(path) as archive:
            return "about.npy" in archive.namelist()
    except (OSError, zipfile.BadZipFile, ValueError):
        return False


class Checkpoint:
    """Writes the state of a run to a file at intervals."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        model: Model,
        snapshot: Snapshot,
        options: dict[str, Any],
        reduce: bool,
        warnings: list[str],
        seconds: Any,
    ) -> None:
        self.path = check_path(path)
        self.fingerprint = fingerprint(model, snapshot.t, snapshot.t + options["duration"])
        self.snapshot, self.options, self.reduce, self.warnings, self.seconds = (
            snapshot,
            options,
            reduce,
            warnings,
            quantity(seconds, "time", what="checkpoint_seconds"),
        )
        self._last = clock.perf_counter()
        self._failures: list[str] = []
        self._known = self._identity()

    def maybe_write(self, integrator: Integrator, store: SampleStore) -> None:
        """Write if the interval since the last checkpoint has passed."""
        if clock.perf_counter() - self._last >= self.seconds:
            self.write(integrator, store)

    def write(self, integrator: Integrator, store: SampleStore) -> bool:
        """Write now. If writing fails, the run continues and the next checkpoint is tried again; see `notes`."""
        self._last = clock.perf_counter()
        try:
            self._write(integrator, store)
        except (StorageError, MemoryError) as error:
            self._failures.append(str(error) or "out of memory")
            return False
        self._last = clock.perf_counter()
        return True

    def write_last(self, integrator: Integrator, store: SampleStore) -> bool:
        """Write at the end of an interrupted run. A second Ctrl-C keeps the previous checkpoint."""
        try:
            return self.write(integrator, store)
        except KeyboardInterrupt:
            self._failures.append("interrupted while it was written")
            return False

    def notes(self) -> list[str]:
        """Warning for the result if writing has failed."""
        if not self._failures:
            return []
        count, there = len(self._failures), self.path.exists()
        times = "once" if count == 1 else f"{count} times"
        left = "the file contains the last complete checkpoint" if there else "there is no checkpoint"
        return [f'checkpoint "{self.path}" could not be written, {times} ({left}): {self._failures[-1]}']

    def _identity(self) -> tuple[int, ...] | None:
        """Identity of the present file, to distinguish it from another file with the same name; None if there is no file."""
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

    def _write(self, integrator: Integrator, store: SampleStore) -> None:
        """Write to a temporary file in the same folder, then replace the old file."""
        if self._identity() not in (None, self._known):
            raise StorageError("another run writes to this file. Use a separate checkpoint for each run")
        s = self.snapshot
        names = list(s.position)
        about = {
            "format": FORMAT,
            "fingerprint": self.fingerprint,
            "options": self.options,
            "reduce": self.reduce,
            "warnings": self.warnings,
            "seconds": self.seconds,
            "bodies": names,
            "angles": s.angle,
            "meshes": {name: list(three) for name, three in s.mesh.items()},
            "start_time": s.t,
            "pivotings": integrator.pivotings,
            "rank_changes": integrator.rank_changes,
            "impacts": integrator.impacts,
            "last_change": integrator.last_change,
            "wall": integrator.wall,
            "evaluator": integrator.evaluator,
            "groups": [g.tolist() for g in integrator.rank.groups],
            "rank_tolerance": integrator.system.rank_tolerance,
        }
        arrays: dict[str, Any] = {
            "redundant": integrator.system.redundant,
            "factor_integers": integrator.motion.sparse_factors[0],
            "factor_floats": integrator.motion.sparse_factors[1],
            "start_position": np.array([s.position[n] for n in names]),
            "start_orientation": np.array([s.orientation[n] for n in names]),
            "start_velocity": np.array([s.velocity[n] for n in names]),
            "start_angular_velocity": np.array([s.angular_velocity[n] for n in names]),
        }
        arrays |= {f"motion_{k}": v for k, v in _flat(integrator.motion).items()}
        arrays |= {f"samples_{k}": v for k, v in store.samples(integrator)._asdict().items()}
        if integrator.train is not None:
            arrays |= {f"train_{k}": v for k, v in integrator.train.state().items()}
        arrays |= {f"program_{name}": state for name, state in stored_programs(integrator.system).items()}
        digests = {key: array_digest(array) for key, array in arrays.items()}
        size = sum(array.nbytes for array in arrays.values())
        with atomic_file(self.path, overwrite=True, size=size) as (draft, _), draft.open("wb") as stream:
            stream.write(_BEGINNING)
            places = write_arrays(stream, arrays)
            stream.write(seal_bytes(KIND, about, arrays, places, digests))
        self._known = self._identity()

    def remove(self) -> None:
        """Remove the checkpoint of a finished run. A checkpoint of another run with the same name is kept."""
        if self._identity() == self._known:
            with contextlib.suppress(OSError):
                self.path.unlink(missing_ok=True)

    @staticmethod
    def open(path: str | os.PathLike[str], model: Model) -> tuple["Checkpoint", System, Integrator, SampleStore]:
        """Rebuild a run from its checkpoint."""
        about, data = _read(path)
        try:
            return _rebuilt(path, model, about, data)
        except checks.Unfit as unfit:
            raise ModelError(
                f'checkpoint "{path}" is damaged or belongs to another model: {unfit}. Run the analysis again'
            ) from None


def _read(path: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Read a checkpoint and verify its checksums."""
    if not isinstance(path, (str, os.PathLike)):
        raise ModelError(f"checkpoint: expected the path of a file, got {shown(path)}")
    called = f'checkpoint "{path}"'
    try:
        with open(path, "rb") as stream:
            start = stream.read(len(_BEGINNING))
            if start[:2] == b"PK":
                raise ModelError(f"{called} was written by another version of pitchline. Run the analysis again")
            if start != _BEGINNING:
                raise ModelError(f"{called} is not a checkpoint of pitchline or is damaged")
            sealed = Sealed(stream, called)
            if sealed.kind != KIND or sealed.head.get("format") != FORMAT:
                raise ModelError(f"{called} was written by another version of pitchline. Run the analysis again")
            return sealed.head, {key: sealed.array(key) for key in sealed.entries}
    except FileNotFoundError:
        raise ModelError(f"{called} does not exist") from None
    except StorageError as error:
        raise ModelError(f"{error}. Run the analysis again") from None
    except OSError as error:
        raise ModelError(f"{called} cannot be read: {error.strerror or error}") from None


def _rebuilt(
    path: str | os.PathLike[str], model: Model, about: dict[str, Any], data: dict[str, np.ndarray]
) -> tuple[Checkpoint, System, Integrator, SampleStore]:
    """The run, after everything has been compared with the model."""
    checks.check_about(about)
    start, duration = about["start_time"], about["options"]["duration"]
    if about["fingerprint"] != fingerprint(model, start, start + duration):
        raise ModelError(
            f'checkpoint "{path}" does not belong to model "{model.name}" in its present form. '
            "Resume with the model that started the run"
        )
    missing = [key for key in _NEEDED if key not in data]
    if missing:
        raise checks.Unfit(f'"{missing[0]}" is missing')
    names = about["bodies"]
    checks.check_start(model, names, data)

    def by_body(key: str) -> dict[str, np.ndarray]:
        return dict(zip(names, data[f"start_{key}"], strict=True))

    meshes = {name: (float(a), float(b), float(c)) for name, (a, b, c) in about["meshes"].items()}
    snapshot = Snapshot(
        start, by_body("position"), by_body("orientation"), by_body("velocity"), by_body("angular_velocity"), about["angles"],
        meshes,
    )  # fmt: skip
    keeper = Checkpoint(path, model, snapshot, about["options"], about["reduce"], about["warnings"], about["seconds"])
    system, first = compile_model(model, snapshot, until=start + duration, reduce=about["reduce"])
    scale_laws(system, first)
    checks.check_rank(system, data["redundant"], about["groups"])
    TimeOptions(**about["options"]).set_constraints(system)
    system.relayout(data["redundant"])
    system.rank_tolerance = about["rank_tolerance"]
    samples = Samples(**{k: data[f"samples_{k}"] for k in Samples._fields})
    factors = (data["factor_integers"], data["factor_floats"])
    motion = Motion(system, np.zeros(1, Options.dtype))
    for name, mine in _flat(motion).items():
        theirs = data.get(f"motion_{name}")
        if theirs is None or (mine.shape, mine.dtype) != (theirs.shape, theirs.dtype):
            raise ModelError(f'checkpoint "{path}" was written by another version of pitchline. Run the analysis again')
    checks.check_factors(system, *factors)
    integrator = Integrator(system, motion, Rank(data["redundant"], [np.array(g, np.int64) for g in about["groups"]]))
    _restore(motion, data)
    if "train_pose" in data:
        _resume_train(
            integrator, {k.removeprefix("train_"): v for k, v in data.items() if k.startswith("train_")}, start
        )
    integrator.resize()
    _restore(motion, data)
    motion.set_sparse_factors(factors)
    checks.check_motion(motion, start, start + duration)
    checks.check_samples(system, motion, samples)
    for name in ("pivotings", "rank_changes", "impacts", "last_change", "wall", "evaluator"):
        setattr(integrator, name, about[name])
    store = SampleStore(system)
    store.restore(samples, integrator)
    stored = {name.removeprefix("program_"): array for name, array in data.items() if name.startswith("program_")}
    restore_programs(system, integrator.t, stored)
    return keeper, system, integrator, store


def _resume_train(integrator: Integrator, kept: dict[str, np.ndarray], t: float) -> None:
    """Find the train again at the state from which it counts its coordinates, and bring it to where it was."""
    start = integrator.system.initial_state(t)
    checks.check_alike(kept, {"pose": start.pose, "mem": start.mem}, "train")
    start.pose[:], start.mem[:] = kept["pose"], kept["mem"]
    integrator.take_train(start)
    if integrator.train is None:
        raise checks.Unfit("its gear train does not exist in the model")
    checks.check_alike(kept, integrator.train.state(), "train")
    integrator.train.set_state(kept)


def _flat(motion: Motion) -> dict[str, np.ndarray]:
    """The arrays of a motion by name; each field of a record is an array of one number."""
    found = {}
    for name, array in motion.arrays().items():
        if array.dtype.names is None:
            found[name] = array
        else:
            found |= {f"{name}_{field}": array[field] for field in array.dtype.names}
    return found


def _restore(motion: Motion, data: dict[str, np.ndarray]) -> None:
    """Write what a checkpoint holds into the arrays of a motion."""
    for name, mine in _flat(motion).items():
        mine[...] = data[f"motion_{name}"]
