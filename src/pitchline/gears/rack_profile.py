"""What wheels and racks share: the basic rack profile (ISO 53) and the material."""

from __future__ import annotations

import math
from typing import Protocol

from ..errors import ModelError, Subject, shown
from .inputs import positive, size
from .material import Material

__all__ = ["BasicRack", "form_depth", "read_material", "read_root_radius", "root_radius"]


class BasicRack(Protocol):
    """The basic rack; its factors are in units of the normal module."""

    @property
    def normal_module(self) -> float: ...
    @property
    def normal_pressure_angle(self) -> float: ...
    @property
    def addendum_factor(self) -> float: ...
    @property
    def dedendum_factor(self) -> float: ...
    @property
    def root_radius_factor(self) -> float | None: ...


def _widest(rack: BasicRack) -> float:
    """The largest ρ*_fP that fits into the space of the rack: (π/4 − h*_fP tan α) cos α / (1 − sin α)."""
    sine, cosine = math.sin(rack.normal_pressure_angle), math.cos(rack.normal_pressure_angle)
    return (0.25 * math.pi - rack.dedendum_factor * sine / cosine) * cosine / (1.0 - sine)


def root_radius(rack: BasicRack) -> float:
    """ρ_fP [m]: as given, or 0.38 m_n as in ISO 53 profile A, less where clearance or space are narrower.

    The fillet fits into the clearance for ρ* <= (h*_fP − h*_aP) / (1 − sin α_n).
    """
    if rack.root_radius_factor is not None:
        return rack.root_radius_factor * rack.normal_module
    clearance = (rack.dedendum_factor - rack.addendum_factor) / (1.0 - math.sin(rack.normal_pressure_angle))
    return max(0.0, min(0.38, clearance, _widest(rack))) * rack.normal_module


def form_depth(rack: BasicRack) -> float:
    """h_FfP = h_fP − ρ_fP (1 − sin α_n) [m]: how deep the straight flank of the basic rack reaches."""
    rounding = root_radius(rack) * (1.0 - math.sin(rack.normal_pressure_angle))
    return rack.dedendum_factor * rack.normal_module - rounding


def read_root_radius(rack: BasicRack, value: object, what: Subject) -> float | None:
    """ρ*_fP, checked: the space must have a bottom, and the fillet must fit into it."""
    space = _widest(rack)
    if space <= 0.0:
        raise ModelError(
            f"{what}: the flanks of the space meet before the root: dedendum_factor {rack.dedendum_factor:g} with a "
            f"pressure angle of {math.degrees(rack.normal_pressure_angle):g} deg; reduce one of them",
            about=what.at("dedendum_factor"),
        )
    if value is None:
        return None
    radius = size(value, "number", what / "root_radius_factor")
    if radius > space * (1.0 + 1e-9):
        raise ModelError(
            f"{what}: root_radius_factor {radius:g} does not fit into the space. The largest possible value is {space:.4g}",
            about=what.at("root_radius_factor"),
        )
    return radius


def read_material(material: object, density: object, what: Subject) -> Material:
    """The material, with another density where one is given."""
    if not isinstance(material, Material):
        raise ModelError(
            f"{what}: material must be a Material, such as STEEL, got {shown(material)}", about=what.at("material")
        )
    if density is None:
        return material
    return Material(
        material.name,
        density=positive(density, "density", what / "density"),
        youngs_modulus=material.youngs_modulus,
        poissons_ratio=material.poissons_ratio,
    )
