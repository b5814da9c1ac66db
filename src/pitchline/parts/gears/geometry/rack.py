"""A toothed rack: a gear of infinite radius."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from pitchline.base.arguments import names_wrong_arguments
from pitchline.errors import ModelError, Subject, shown
from pitchline.solids.mass_properties import MassProperties

from .blank import BlankProperties, rack_blank, read_flanks
from .inputs import STEEL, Material, angle, in_mm, module, positive, size, whole

if TYPE_CHECKING:
    from ..surfaces.patch import FlankSurfaces

__all__ = ["BasicRack", "form_depth", "read_material", "read_root_radius", "root_radius", "Rack"]


# ---- rack profile

# What wheels and racks share: the basic rack profile (ISO 53) and the material.


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


_RACK = Subject("rack")


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class Rack:
    """A straight rack, spur or helical, for a pinion.

    The rack has its own axes: x points out of the teeth, z is along the face width, y = z × x is along the reference line.
    The origin is on the reference line in the middle of the face width, and **the x axis goes through the middle of a
    tooth**: the middle tooth, or for an even number of teeth the one before the middle (along y).

    Parameters are those of `Gear`; `teeth` is the number of teeth of the rack. `helix_angle` is positive for right-hand
    teeth, as for an external gear of infinite radius: along +z a right-hand tooth moves towards +y. The rack meshes at
    right angles with a pinion of the opposite hand. `depth` is the height of the body below the reference line [m]. It is
    required only for the mass. `flanks`: imported flanks, as for a gear.
    """

    teeth: int
    normal_module: float
    normal_pressure_angle: float
    helix_angle: float
    addendum_factor: float
    dedendum_factor: float
    root_radius_factor: float | None
    backlash_allowance: float
    face_width: float | None
    depth: float | None
    material: Material
    flanks: FlankSurfaces | None

    def __init__(
        self,
        *,
        teeth: object,
        normal_module: object,
        normal_pressure_angle: object = "20 deg",
        helix_angle: object = 0.0,
        addendum_factor: object = 1.0,
        dedendum_factor: object = 1.25,
        root_radius_factor: object = None,
        backlash_allowance: object = 0.0,
        face_width: object = None,
        depth: object = None,
        material: Material = STEEL,
        density: object = None,
        flanks: object = None,
    ) -> None:
        def put(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        put("teeth", whole(teeth, _RACK / "teeth"))
        put("normal_module", module(normal_module, _RACK / "normal_module"))
        put(
            "normal_pressure_angle", angle(normal_pressure_angle, _RACK / "normal_pressure_angle", lowest=1, highest=60)
        )
        put("helix_angle", angle(helix_angle, _RACK / "helix_angle", lowest=-89.9, highest=89.9))
        put("addendum_factor", positive(addendum_factor, "number", _RACK / "addendum_factor"))
        put("dedendum_factor", positive(dedendum_factor, "number", _RACK / "dedendum_factor"))
        put("root_radius_factor", read_root_radius(self, root_radius_factor, _RACK))
        put("backlash_allowance", size(backlash_allowance, "length", _RACK / "backlash_allowance"))
        put("face_width", None if face_width is None else positive(face_width, "length", _RACK / "face_width"))
        put("depth", None if depth is None else positive(depth, "length", _RACK / "depth"))
        put("material", read_material(material, density, _RACK))
        if self.normal_tooth_thickness <= 0.0:
            raise ModelError(
                f"rack: the tooth thickness is not positive: backlash_allowance {in_mm(self.backlash_allowance)}, half a pitch "
                f"{in_mm(0.5 * self.normal_pitch)}. Reduce the allowance",
                about=_RACK.at("backlash_allowance"),
            )
        put("flanks", None)
        put("flanks", read_flanks(flanks, self))

    @property
    def transverse_module(self) -> float:
        """m_t = m_n / cos β [m]."""
        return self.normal_module / math.cos(self.helix_angle)

    @property
    def transverse_pressure_angle(self) -> float:
        """α_t [rad]: tan α_t = tan α_n / cos β."""
        return math.atan(math.tan(self.normal_pressure_angle) / math.cos(self.helix_angle))

    @property
    def normal_pitch(self) -> float:
        """p_n = π m_n [m]."""
        return math.pi * self.normal_module

    @property
    def transverse_pitch(self) -> float:
        """p_t = π m_t [m], along the reference line."""
        return math.pi * self.transverse_module

    @property
    def length(self) -> float:
        """z p_t [m]."""
        return self.teeth * self.transverse_pitch

    @property
    def addendum(self) -> float:
        """h_a = h*_aP m_n [m]."""
        return self.addendum_factor * self.normal_module

    @property
    def dedendum(self) -> float:
        """h_f = h*_fP m_n [m]."""
        return self.dedendum_factor * self.normal_module

    @property
    def normal_tooth_thickness(self) -> float:
        """s_n = π m_n / 2 − j_s [m], on the reference line."""
        return 0.5 * self.normal_pitch - self.backlash_allowance

    @property
    def root_radius(self) -> float:
        """ρ_fP [m]: as specified, or 0.38 m_n, or less if clearance or space are smaller."""
        return root_radius(self)

    def required_face_width(self, what: str) -> float:
        """Face width b [m]; an error that names the use of the face width if it is not specified."""
        if self.face_width is None:
            raise ModelError(f'rack: {what} requires the face width. Specify face_width, such as "20 mm"')
        return self.face_width

    @property
    def solid(self) -> MassProperties:
        """The rack as a solid, which can be moved, rotated and added."""
        return self.blank.solid

    @property
    def blank(self) -> BlankProperties:
        """Mass properties of the rack with its teeth, in the axes of the rack; `depth` is that of the bar.

        The ends are in the middle of a space, and those of a helical rack follow its teeth.
        """
        return rack_blank(self)

    @property
    def density(self) -> float:
        """ρ of the material [kg/m³]."""
        return self.material.density
