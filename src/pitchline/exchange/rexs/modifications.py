"""Flank modifications of REXS as modifications of gears."""

from __future__ import annotations

import numpy as np

from ...gears.teeth import (
    Bias,
    DeviationGrid,
    EndRelief,
    HelixSlope,
    LeadCrowning,
    Modification,
    PressureAngleSlope,
    ProfileCrowning,
    RootRelief,
    TipRelief,
)
from ..imported import ImportReport
from .component import RexsComponent

__all__ = ["TYPES", "FlankReader"]

TYPES = (
    "tip_relief", "root_relief", "end_relief_datum_face", "end_relief_non_datum_face", "profile_crowning", "helix_crowning",
    "profile_slope", "helix_slope", "profile_twist", "topographical_modification",
)  # fmt: skip
NOT_READ = ("triangular_tip_relief", "triangular_root_relief", "profile_deviation", "helix_deviation")
_MOST_GRID = 1_000_000


class FlankReader:
    """Modifications of the flanks of one gear.

    upper_is_datum: whether the datum face is the one towards +z of the gear
    base_radius:    of the gear [m]
    """

    def __init__(self, report: ImportReport, *, upper_is_datum: bool, base_radius: float) -> None:
        self.report, self.upper_is_datum, self.base_radius = report, upper_is_datum, base_radius

    def modifications(self, component: RexsComponent) -> list[Modification]:
        """Modifications that one component stands for; empty if its amounts are zero."""
        return [one for one in getattr(self, f"_{component.new_type}")(component) if _effective(one)]

    def _tip_relief(self, one: RexsComponent) -> list[Modification]:
        return [TipRelief(**self._relief(one, "tip_relief"))]  # type: ignore[arg-type]

    def _root_relief(self, one: RexsComponent) -> list[Modification]:
        return [RootRelief(**self._relief(one, "root_relief"))]  # type: ignore[arg-type]

    def _relief(self, one: RexsComponent, kind: str) -> dict[str, object]:
        amount = one.require_number(f"{kind}_depth")
        found: dict[str, object] = {"amount": abs(amount), "shape": self._shape(one)}
        diameter, length = one.number(f"{kind}_datum_diameter"), one.number(f"{kind}_datum_length")
        if diameter is not None:
            if 0.5 * diameter <= self.base_radius:
                raise one.error(
                    f"{kind}_datum_diameter",
                    f"{1e3 * diameter:g} mm is inside the base circle, {2e3 * self.base_radius:.6g} mm",
                )
            return found | {"diameter": diameter}
        if length is not None and length > 0.0:
            return found | {"length": length}
        raise one.error(f"{kind}_datum_diameter", "the start of the relief is missing. Specify a diameter or a length")

    def _shape(self, one: RexsComponent, key: str = "shape_of_relief") -> str:
        shape = (one.string(key) or "linear").lower()
        if "parab" in shape:
            return "parabolic"
        if shape != "linear":
            self.report.add("assumed", f'{one.label}: {key} "{shape}" is replaced by a linear relief')
        return "linear"

    def _end_relief_datum_face(self, one: RexsComponent) -> list[Modification]:
        return self._end(one, "datum_face", upper=self.upper_is_datum)

    def _end_relief_non_datum_face(self, one: RexsComponent) -> list[Modification]:
        return self._end(one, "non_datum_face", upper=not self.upper_is_datum)

    def _end(self, one: RexsComponent, side: str, *, upper: bool) -> list[Modification]:
        amount, length = one.require_number(f"end_relief_depth_{side}"), one.require_number(f"end_relief_length_{side}")
        if length <= 0.0:
            raise one.error(f"end_relief_length_{side}", "must be greater than zero")
        return [EndRelief(abs(amount), length=length, end="upper" if upper else "lower", shape=self._shape(one))]

    def _profile_crowning(self, one: RexsComponent) -> list[Modification]:
        tip, root = self._two(one, "profile_crowning", "tip", "root")
        return [ProfileCrowning(0.5 * (tip + root)), PressureAngleSlope(root - tip)]

    def _helix_crowning(self, one: RexsComponent) -> list[Modification]:
        amounts = [one.number(f"helix_crowning_amount_{side}") for side in ("datum_face", "non_datum_face")]
        if amounts == [None, None]:
            raise one.error("helix_crowning_amount_datum_face", "the value is missing")
        datum, other = (next(x for x in (value, *amounts) if x is not None) for value in amounts)
        lower, upper = (other, datum) if self.upper_is_datum else (datum, other)
        return [LeadCrowning(0.5 * (upper + lower)), HelixSlope(lower - upper)]

    def _two(self, one: RexsComponent, kind: str, first: str, second: str) -> tuple[float, float]:
        """Amounts at two ends; the names of these attributes contain "tip" or "root"."""
        names = [name for name in one.attributes if name.startswith(f"{kind}_amount") or name == kind]
        found = {end: one.number(name) for end in (first, second) for name in names if end in name}
        if not found:
            single = next((one.number(name) for name in names if one.number(name) is not None), None)
            if single is None:
                raise one.error(f"{kind}_amount", "the value is missing")
            return single, single
        a, b = found.get(first), found.get(second)
        return (b or 0.0 if a is None else a), (a or 0.0 if b is None else b)

    def _profile_slope(self, one: RexsComponent) -> list[Modification]:
        return [PressureAngleSlope(one.require_number("profile_slope"))]

    def _helix_slope(self, one: RexsComponent) -> list[Modification]:
        amount = one.require_number("helix_slope")
        return [HelixSlope(-amount if self.upper_is_datum else amount)]

    def _profile_twist(self, one: RexsComponent) -> list[Modification]:
        amount = one.require_number("profile_twist")
        return [Bias(-amount if self.upper_is_datum else amount)]

    def _topographical_modification(self, one: RexsComponent) -> list[Modification]:
        values = one.require_numbers("topographical_modification_amounts")
        if values.ndim != 2 or min(values.shape) < 2 or values.size > _MOST_GRID:
            raise one.error("topographical_modification_amounts", "must be a matrix with at least two rows and columns")
        arrays = {name: one.numbers(name) for name, given in one.attributes.items() if given.shape == "array"}
        lengths = faces = None
        for name, numbers in arrays.items():
            if numbers is None or numbers.ndim != 1:
                continue
            if "diameter" in name and len(numbers) == values.shape[0]:
                inside = np.maximum((0.5 * numbers) ** 2 - self.base_radius**2, 0.0)
                lengths = np.sqrt(inside)
            elif "face" in name and len(numbers) == values.shape[1]:
                faces = numbers
            elif "length" in name and len(numbers) == values.shape[0] and lengths is None:
                lengths = numbers
        if lengths is None or faces is None or np.any(np.diff(lengths) == 0.0) or np.any(np.diff(faces) == 0.0):
            self.report.add(
                "ignored", f"{one.label}: its coordinates are not recognised, so the topography is not used"
            )
            return []
        faces = faces - 0.5 * (faces.min() + faces.max()) if faces.min() >= 0.0 else faces
        if self.upper_is_datum:
            faces = -faces
        rows, columns = np.argsort(lengths), np.argsort(faces)
        return [DeviationGrid(values[rows][:, columns], roll_lengths=lengths[rows], faces=faces[columns])]


def _effective(one: Modification) -> bool:
    return isinstance(one, DeviationGrid) or getattr(one, "amount", 1.0) != 0.0
