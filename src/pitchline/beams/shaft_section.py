"""One section of a stepped shaft: a cylinder or a cone, solid or hollow."""

from __future__ import annotations

from dataclasses import dataclass

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject
from ..gears.inputs import in_mm, number, positive, size
from ..gears.material import Material
from .sections import BeamSection, read_material, round_section

__all__ = ["ShaftSection"]


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class ShaftSection:
    """Section of a shaft with a given length: a cylinder, or a cone if `outer_end` or `inner_end` is given.

    Attributes
    ----------
    length : float
        [m]
    outer, outer_end : float
        Outer diameter at the start and at the end [m]
    inner, inner_end : float
        Diameter of the bore at the start and at the end [m]; 0: solid
    material : Material | None
        None: the material of the shaft
    notch_factor : float
        Fatigue notch factor, at least 1: the reported bending stress is the nominal stress times this factor.
    """

    length: float
    outer: float
    inner: float
    outer_end: float
    inner_end: float
    material: Material | None
    notch_factor: float

    def __init__(
        self,
        length: object,
        outer: object,
        *,
        inner: object = 0.0,
        outer_end: object = None,
        inner_end: object = None,
        material: Material | None = None,
        notch_factor: object = 1.0,
    ) -> None:
        what = Subject("shaft section")
        begin = positive(outer, "length", what / "outer")
        bore = size(inner, "length", what / "inner")
        end = begin if outer_end is None else positive(outer_end, "length", what / "outer_end")
        bore_end = bore if inner_end is None else size(inner_end, "length", what / "inner_end")
        for of, hole, where in ((begin, bore, "inner"), (end, bore_end, "inner_end")):
            if hole >= of:
                raise ModelError(
                    f"{what}: the bore {in_mm(hole)} must be smaller than the outer diameter {in_mm(of)} there",
                    about=what.at(where),
                )
        factor = number(notch_factor, what / "notch_factor")
        if factor < 1.0:
            raise ModelError(f"{what}: notch_factor must be at least 1, got {factor:g}", about=what.at("notch_factor"))
        values = {
            "length": positive(length, "length", what / "length"), "outer": begin, "inner": bore, "outer_end": end,
            "inner_end": bore_end, "notch_factor": factor,
            "material": None if material is None else read_material(material, what),
        }  # fmt: skip
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def uniform(self) -> bool:
        """Whether it is a cylinder, with a cylindrical bore or without bore."""
        return self.outer == self.outer_end and self.inner == self.inner_end

    def diameters(self, share: float) -> tuple[float, float]:
        """Outer and inner diameter [m] at a fraction of the length.

        Parameters
        ----------
        share
            Fraction of the length, 0 to 1.
        """
        return (
            self.outer + share * (self.outer_end - self.outer),
            self.inner + share * (self.inner_end - self.inner),
        )

    def at(self, share: float, material: Material) -> BeamSection:
        """Return the section at a fraction of the length.

        Parameters
        ----------
        share
            Fraction of the length, 0 to 1.
        material
            Material of the shaft. It is used unless the section has its own material.
        """
        return round_section(*self.diameters(share), self.material or material)
