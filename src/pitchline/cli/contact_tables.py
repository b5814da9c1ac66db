"""Tooth contact results as a table: column heads and rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..results.flank_contact import FlankContact
    from ..results.loaded_contact import LoadedContact

__all__ = ["Table", "contact_table"]

Table = tuple[Sequence[str], Iterable[Iterable[Any]]]


def contact_table(found: Any) -> Table | None:
    """Table of loaded, rigid or flank contact; None for other objects."""
    from ..gears.teeth import RigidContact
    from ..results.flank_contact import FlankContact
    from ..results.loaded_contact import LoadedContact

    if isinstance(found, LoadedContact):
        pairs = [f"load of tooth {k} [N]" for k in found.pairs]
        heads = ["torque [N*m]", "phase", "transmission error [m]", "tangent stiffness [N/m]", "largest pressure [Pa]",
                 "edge pressure [Pa]", *pairs]  # fmt: skip
        return heads, _loaded(found)
    if isinstance(found, RigidContact):
        columns = (found.phase, found.angle, found.transmission_error, found.roll_length, found.face)
        return ["phase", "angle [rad]", "transmission error [m]", "roll length [m]", "face [m]"], zip(
            *columns, strict=True
        )
    if isinstance(found, FlankContact):
        heads = ["torque [N*m]", "phase", "tooth of A", "tooth of B", "force [N]", "length [m]", "width [m]", "area [m^2]",
                 "largest pressure [Pa]", "at an edge"]  # fmt: skip
        return heads, _patches(found)
    return None


def _loaded(found: LoadedContact) -> Iterator[list[Any]]:
    for t, torque in enumerate(found.torque):
        for i, phase in enumerate(found.phase):
            own = (found.transmission_error, found.tangent_stiffness, found.max_pressure, found.edge_pressure)
            yield [torque, phase, *(array[t, i] for array in own), *found.pair_load[t, i]]


def _patches(found: FlankContact) -> Iterator[list[Any]]:
    for t, torque in enumerate(found.torque):
        for i, phase in enumerate(found.phase):
            for p in found.patches[t][i]:
                teeth = [int(p.tooth_a), int(p.tooth_b)]
                yield [torque, phase, *teeth, p.total_force, p.length, p.width, p.area, p.peak_pressure, int(p.on_edge)]
