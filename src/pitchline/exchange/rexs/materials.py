"""Materials of REXS components."""

from __future__ import annotations

from ...gears.material import STEEL, Material
from ..imported import ImportReport
from .component import RexsComponent
from .part_names import cleaned
from .structure import UnitStructure

__all__ = ["Materials"]


class Materials:
    """Materials by component, each read once."""

    def __init__(self, structure: UnitStructure, report: ImportReport) -> None:
        self.structure, self.report = structure, report
        self._read: dict[int, Material] = {}

    def of(self, component: RexsComponent) -> Material:
        """Material to which a component refers; steel if there is none."""
        found = self.structure.referenced(component.id, "material")
        if not found:
            self.report.add("assumed", f"{component.label}: no material; steel is used")
            return STEEL
        source = found[0]
        if source.id not in self._read:
            self._read[source.id] = self._material(source)
        return self._read[source.id]

    def _material(self, source: RexsComponent) -> Material:
        name = cleaned(source.name) or cleaned(source.string("material_designation")) or f"material {source.id}"
        density, modulus, ratio = (source.number(key) for key in ("density", "elastic_modulus", "poisson_ratio"))
        for key, value, default in (
            ("density", density, STEEL.density),
            ("elastic_modulus", modulus, STEEL.youngs_modulus),
            ("poisson_ratio", ratio, STEEL.poissons_ratio),
        ):
            if value is None:
                self.report.add(
                    "assumed", f"{source.label}: {key} is missing; the value of steel, {default:g}, is used"
                )
            elif value <= 0.0 and key != "poisson_ratio":
                raise source.error(key, "must be greater than zero")
        if ratio is not None and not 0.0 <= ratio < 0.5:
            raise source.error("poisson_ratio", "must be from 0 to less than 0.5")
        return Material(
            name,
            density=STEEL.density if density is None else density,
            youngs_modulus=STEEL.youngs_modulus if modulus is None else modulus,
            poissons_ratio=STEEL.poissons_ratio if ratio is None else ratio,
        )
