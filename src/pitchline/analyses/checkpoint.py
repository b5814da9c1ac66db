"""Checkpoints: all that a run needs to go on to the same bits, in one file, written atomically."""

import hashlib
import json
import os
import pathlib
import re
import tempfile
import time as clock
from typing import Any
from zipfile import BadZipFile

import numpy as np

from ..errors import ModelError
from ..model import Model
from ..model.loads import Force, Torque
from ..model.meshes import Varying
from ..solvers.generalized_alpha import N_OPTIONS
from ..solvers.integrator import Integrator, SampleStore
from ..solvers.step_loop import Motion, Samples, Work, new_motion, new_work
from ..system.compiler import compile_model
from ..system.rank import Rank
from ..system.snapshot import Snapshot
from ..system.system import System
from ..system.train import Train
from ..system.train_layout import COLUMNS
from ..units import quantity

FORMAT = 2

_NEEDED = (
    "redundant", "step_options", "factor_integers", "factor_floats",
    *(f"start_{k}" for k in ("position", "orientation", "velocity", "angular_velocity")),
    *(f"{group}_{k}" for group, kind in (("motion", Motion), ("work", Work), ("samples", Samples)) for k in kind._fields),
)  # fmt: skip


def fingerprint(model: Model, t0: float, t1: float) -> str:
    """Hash of everything a model says. Functions count by their values over the run: a callable has no lasting name."""
    text = json.dumps(model.describe(), sort_keys=True, default=repr)
    digest = hashlib.sha256(re.sub(" at 0x[0-9a-fA-F]+", "", text).encode())
    for pair in model.gear_pairs.values():
        for term in (*pair.law.stiffness, *pair.law.errors):
            if isinstance(term, Varying):
                digest.update(term.function.encode().tobytes())
    for part in (*model.drives.values(), *model.loads.values()):
        functions = part.components if isinstance(part, (Force, Torque)) else [getattr(part, "function", None)]
        for function in functions:
            if function is not None:
                digest.update(function.resolved(t0, t1).encode().tobytes())
    return digest.hexdigest()


def _train(path: str | os.PathLike[str], system: System, data: dict[str, np.ndarray]) -> tuple[Train, np.ndarray]:
    """Tables and state of a train; their sizes are checked, because compiled code does not."""
    tables = {name: data.get(f"train_{name}", np.zeros(0)) for name in Train.__dataclass_fields__}
    state, n = data["train_state"], system.n_q
    shapes = all(tables[k].shape == (n,) for k in ("mass", "force", "rotation", "group", "gain"))
    shapes = shapes and all(tables[k].ndim == 2 and tables[k].shape[1] == width for k, width in COLUMNS.items())
    if shapes:
        size = 2 * n + len(tables["springs"]) + len(tables["drives"]) + 3 * len(tables["meshes"]) + 7 * len(system.ndof)
        if state.shape == (size,):
            return Train(**tables), state
    raise ModelError(f'checkpoint "{path}" is damaged (the tables of its train do not fit); run anew')


class Checkpoint:
    """Writes the state of a run to a file now and then."""

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
        self.path = pathlib.Path(path)
        if not self.path.parent.is_dir():
            raise ModelError(f'checkpoint: there is no folder "{self.path.parent}"; make it first')
        if self.path.is_dir():
            raise ModelError(f'checkpoint: "{self.path}" is a folder; give the name of a file in it')
        self.fingerprint = fingerprint(model, snapshot.t, snapshot.t + options["duration"])
        self.snapshot, self.options, self.reduce, self.warnings, self.seconds = (
            snapshot,
            options,
            reduce,
            warnings,
            quantity(seconds, "time", what="checkpoint_seconds"),
        )
        self._last = clock.perf_counter()

    def maybe_write(self, integrator: Integrator, store: SampleStore) -> None:
        """Write if the last time is long enough ago."""
        if clock.perf_counter() - self._last >= self.seconds:
            self.write(integrator, store)

    def write(self, integrator: Integrator, store: SampleStore) -> None:
        """Write now: to a file beside, then in place of the old one."""
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
            "start_time": s.t,
            "pivotings": integrator.pivotings,
            "rank_changes": integrator.rank_changes,
            "wall": integrator.wall,
            "groups": [g.tolist() for g in integrator.rank.groups],
            "rank_tolerance": integrator.system.rank_tolerance,
        }
        arrays: dict[str, Any] = {
            "about": np.array(json.dumps(about)),
            "redundant": integrator.system.redundant,
            "step_options": integrator.options,
            "factor_integers": integrator.factors[0],
            "factor_floats": integrator.factors[1],
            "start_position": np.array([s.position[n] for n in names]),
            "start_orientation": np.array([s.orientation[n] for n in names]),
            "start_velocity": np.array([s.velocity[n] for n in names]),
            "start_angular_velocity": np.array([s.angular_velocity[n] for n in names]),
        }
        arrays |= {f"motion_{k}": v for k, v in integrator.motion._asdict().items()}
        arrays |= {f"work_{k}": v for k, v in integrator.work._asdict().items()}
        arrays |= {f"samples_{k}": v for k, v in store.samples(integrator)._asdict().items()}
        if integrator.train is not None:
            arrays |= {f"train_{k}": v for k, v in vars(integrator.train).items()}
            arrays["train_state"] = integrator.train_state
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez(file, **arrays)
            os.replace(name, self.path)
        except BaseException:
            pathlib.Path(name).unlink(missing_ok=True)
            raise
        self._last = clock.perf_counter()

    def remove(self) -> None:
        """A finished run needs no checkpoint."""
        self.path.unlink(missing_ok=True)

    @staticmethod
    def open(path: str | os.PathLike[str], model: Model) -> tuple["Checkpoint", System, Integrator, SampleStore]:
        """Rebuild a run from its checkpoint."""
        try:
            data = dict(np.load(path, allow_pickle=False))
            about = json.loads(str(data["about"]))
        except FileNotFoundError:
            raise ModelError(f'checkpoint "{path}" does not exist') from None
        except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile) as error:
            raise ModelError(f'"{path}" is not a checkpoint of pitchline, or is damaged ({error})') from None
        if not isinstance(about, dict) or about.get("format") != FORMAT:
            raise ModelError(f'checkpoint "{path}" was written by another version of pitchline; run anew')
        t0 = about["start_time"]
        if about["fingerprint"] != fingerprint(model, t0, t0 + about["options"]["duration"]):
            raise ModelError(
                f'checkpoint "{path}" belongs to another model than "{model.name}" as it is now; '
                "resume with the model that the run was started with"
            )
        missing = [key for key in _NEEDED if key not in data]
        if missing:
            raise ModelError(f'checkpoint "{path}" is damaged ("{missing[0]}" is missing); run anew')
        names = about["bodies"]

        def by_body(key: str) -> dict[str, np.ndarray]:
            return dict(zip(names, data[f"start_{key}"], strict=True))

        snapshot = Snapshot(
            about["start_time"], by_body("position"), by_body("orientation"), by_body("velocity"), by_body("angular_velocity"),
            about["angles"],
        )  # fmt: skip
        keeper = Checkpoint(
            path, model, snapshot, about["options"], about["reduce"], about["warnings"], about["seconds"]
        )
        until = snapshot.t + about["options"]["duration"]
        system, _ = compile_model(model, snapshot, until=until, reduce=about["reduce"])
        system.relayout(data["redundant"])
        system.rank_tolerance = about["rank_tolerance"]
        motion = Motion(**{k: data[f"motion_{k}"] for k in Motion._fields})
        work = Work(**{k: data[f"work_{k}"] for k in Work._fields})
        # compiled code does not look at the sizes of what it is given
        fresh = (
            *new_motion(len(system.ndof), system.n_q, max(system.n_lam, 1), max(system.n_mem, 1)),
            *new_work(len(system.ndof), system.n, system.n_values, system.dense),
            np.zeros(N_OPTIONS),
        )
        for mine, theirs in zip(fresh, (*motion, *work, data["step_options"]), strict=True):
            if (mine.shape, mine.dtype) != (theirs.shape, theirs.dtype):
                raise ModelError(f'checkpoint "{path}" was written by another version of pitchline; run anew')
        rank = Rank(data["redundant"], [np.array(g, np.int64) for g in about["groups"]])
        integrator = Integrator(system, data["step_options"], motion, rank)
        if "train_state" in data:
            integrator.train, integrator.train_state = _train(path, system, data)
        flags = motion.integers.copy()
        integrator.resize()
        motion.integers[:] = flags
        integrator.work = work
        integrator.factors = (data["factor_integers"], data["factor_floats"])
        integrator.pivotings, integrator.rank_changes, integrator.wall = (
            about["pivotings"],
            about["rank_changes"],
            about["wall"],
        )
        store = SampleStore(system, motion.l.shape[1], motion.mem.size)
        store.restore(Samples(**{k: data[f"samples_{k}"] for k in Samples._fields}), integrator)
        return keeper, system, integrator, store
