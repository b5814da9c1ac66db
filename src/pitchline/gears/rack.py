"""A toothed rack: a gear of infinite radius."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject
from ..solids.mass_properties import MassProperties
from .blank import BlankProperties, rack_blank
from .gear_checks import read_flanks
from .inputs import angle, in_mm, module, positive, size, whole
from .material import STEEL, Material
from .rack_profile import read_material, read_root_radius, root_radius

if TYPE_CHECKING:
    from .surfaces.flank_surfaces import FlankSurfaces

__all__ = ["Rack"]

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
