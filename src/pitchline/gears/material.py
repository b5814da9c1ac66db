"""Material of a gear: density and elasticity."""

from __future__ import annotations

from dataclasses import dataclass

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject
from .inputs import number, positive

__all__ = ["STEEL", "Material"]


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class Material:
    """A linear elastic, homogeneous material.

    Attributes
    ----------
    name : str
    density : float
        ρ [kg/m³]
    youngs_modulus : float
        E [Pa]
    poissons_ratio : float
        ν, from 0 to less than 0.5
    """

    name: str
    density: float
    youngs_modulus: float
    poissons_ratio: float

    def __init__(self, name: str, *, density: object, youngs_modulus: object, poissons_ratio: object = 0.3) -> None:
        what = Subject(f'material "{name}"')
        ratio = number(poissons_ratio, what / "poissons_ratio")
        if not 0.0 <= ratio < 0.5:
            raise ModelError(
                f"{what}: poissons_ratio must be from 0 to less than 0.5, got {ratio:g}",
                about=what.at("poissons_ratio"),
            )
        object.__setattr__(self, "name", str(name))
        object.__setattr__(self, "density", positive(density, "density", what / "density"))
        object.__setattr__(self, "youngs_modulus", positive(youngs_modulus, "pressure", what / "youngs_modulus"))
        object.__setattr__(self, "poissons_ratio", ratio)


STEEL = Material("steel", density=7830.0, youngs_modulus=206e9, poissons_ratio=0.3)
"""Steel with the values of ISO 6336-1: 7.83e-6 kg/mm³, 206 000 N/mm², 0.3."""
