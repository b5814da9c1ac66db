"""Tables for the loads of a model: forces, torques, springs, bushings and stops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pitchline.errors import unknown_part
from pitchline.files import catalogue
from pitchline.files.catalogue import Entry
from pitchline.files.written_values import CannotWrite, Places, Table, function_data, with_unit
from pitchline.model.model import Model

from .part import Bushing, Force, JointLoad, Spring, Stop, Torque, TorsionSpring

__all__ = ["LoadWords"]


class LoadWords:
    """Possible tables for the loads of a model, the shortest first."""

    def __init__(self, model: Model, places: Places) -> None:
        self.m, self.places = model, places

    def of(self, name: str) -> Iterator[tuple[Entry, Table]]:
        load = self.m.loads[name]
        if isinstance(load, JointLoad):
            kind = "torque" if load.coordinate == "angle" else "force"
            value = function_data(load.function, kind, f'{kind} "{name}": value')
            yield catalogue.LOADS[kind], {"kind": kind, "on": load.joint_name, "value": value}
        elif isinstance(load, (Force, Torque)):
            yield from self._free(name, load)
        elif isinstance(load, Spring):
            yield from self._spring(name, load)
        elif isinstance(load, TorsionSpring):
            values = {
                "stiffness": with_unit(load.stiffness, "torsional stiffness"),
                "damping": with_unit(load.damping, "torsional damping"),
            }
            table = {"kind": "torsion_spring", "joint": load.joint_name, **_not_zero(values)}
            yield catalogue.LOADS["torsion_spring"], table
            yield catalogue.LOADS["torsion_spring"], {**table, "free_angle": with_unit(load.free_angle, "angle")}
        elif isinstance(load, Bushing):
            yield from self._bushing(load)
        elif isinstance(load, Stop):
            yield catalogue.LOADS["stop"], self._stop(load)
        else:
            raise CannotWrite(unknown_part("load", load, "the writer of model files"))

    def _free(self, name: str, load: Force | Torque) -> Iterator[tuple[Entry, Table]]:
        kind = "force" if isinstance(load, Force) else "torque"
        value = [function_data(part, kind, f'{kind} "{name}": value[{i}]') for i, part in enumerate(load.components)]
        rest: Table = {"value": value}
        if load.axes != "world":
            rest["axes"] = load.axes
        if load.reaction is not None:
            rest["reaction"] = load.reaction
        if isinstance(load, Torque):
            yield catalogue.LOADS[kind], {"kind": kind, "on": load.body_name, **rest}
            return
        x, _ = self.m.placed(load.frame)
        for at in ({}, *self.places.places("at", x)):
            yield catalogue.LOADS[kind], {"kind": kind, "on": load.frame.body_name, **at, **rest}
        yield catalogue.LOADS[kind], {"kind": kind, "on": self.places.frame(load.frame), **rest}

    def _spring(self, name: str, load: Spring) -> Iterator[tuple[Entry, Table]]:
        kind = "string" if load.tension_only and load.table is None else "spring"
        entry = catalogue.LOADS[kind]
        values: Table = {
            "stiffness": with_unit(load.stiffness, "stiffness"),
            "damping": with_unit(load.damping, "damping"),
        }
        values = _not_zero(values) if kind == "spring" else {k: v for k, v in values.items() if k == "stiffness" or v}
        if load.table is not None:
            values["table"] = [load.table[0].tolist(), load.table[1].tolist()]
        if load.tension_only and kind == "spring":
            values["tension_only"] = True
        free = {"free_length": with_unit(load.free_length, "length")}
        ends = {"a": load.frame_a.body_name, "b": load.frame_b.body_name}
        points = [self.m.placed(frame)[0] for frame in (load.frame_a, load.frame_b)]
        for at in self.places.both(points):
            for length in ({}, free):
                yield entry, {"kind": kind, **ends, **at, **values, **length}
        yield (
            entry,
            {
                "kind": kind,
                "a": self.places.frame(load.frame_a),
                "b": self.places.frame(load.frame_b),
                **values,
                **free,
            },
        )

    def _bushing(self, load: Bushing) -> Iterator[tuple[Entry, Table]]:
        values = {"stiffness": _six(load.stiffness, ("stiffness", "torsional stiffness"))}
        if load.damping.any():
            values["damping"] = _six(load.damping, ("damping", "torsional damping"))
        entry = catalogue.LOADS["bushing"]
        ends = {"a": load.frame_a.body_name, "b": load.frame_b.body_name}
        for where in self.places.meeting(load.frame_a, load.frame_b):
            yield entry, {"kind": "bushing", **ends, **where, **values}
        yield (
            entry,
            {"kind": "bushing", "a": self.places.frame(load.frame_a), "b": self.places.frame(load.frame_b), **values},
        )

    def _stop(self, load: Stop) -> Table:
        turns = load.coordinate == "angle"
        prefix, length = ("torsional ", "angle") if turns else ("", "length")
        table: Table = {
            "kind": "stop",
            "joint": load.joint_name,
        }
        if load.stiffness is not None:
            table["stiffness"] = with_unit(load.stiffness, f"{prefix}stiffness")
        if load.damping:
            table["damping"] = with_unit(load.damping, f"{prefix}damping")
        for key in ("damping_limit", "restitution"):
            if getattr(load, key) is not None:
                table[key] = getattr(load, key)
        for key in ("lower", "upper"):
            if getattr(load, key) is not None:
                table[key] = with_unit(getattr(load, key), length)
        if len(self.m.joints[load.joint_name].coordinates) > 1:
            table["coordinate"] = load.coordinate
        return table


def _six(matrix: np.ndarray, dimensions: tuple[str, str]) -> list[Any]:
    """Six values, or all 36 as numbers in SI units."""
    diagonal = np.diag(matrix)
    if np.array_equal(matrix, np.diag(diagonal)):
        return [with_unit(value, dimensions[i // 3]) for i, value in enumerate(diagonal)]
    return [[float(value) for value in row] for row in matrix]


def _not_zero(values: Table) -> Table:
    return {key: value for key, value in values.items() if value != 0}
