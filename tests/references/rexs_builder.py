"""Small gear units as REXS text, made part by part, for tests of the import."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from pitchline.exchange.rexs.database import known_attribute

STEEL = {"density": 7.83, "elastic_modulus": 206000.0, "poisson_ratio": 0.3}


class RexsBuilder:
    """Gear unit in mm, N, N m, deg and 1/min, as the standard has them."""

    def __init__(self, *, version: str = "1.7", gravity: bool = False, **unit: Any) -> None:
        self.version = version
        self.parts: dict[int, tuple[str, str | None, dict[str, Any]]] = {}
        self.relations: list[tuple[str, int | None, list[tuple[str, int]]]] = []
        self.cases: dict[tuple[int, int], dict[int, dict[str, Any]]] = {}
        self.unit = self.add("gear_unit", "Unit", reference_component_for_position=1, **self.frame((0, 0, 0)), **unit)
        if gravity:
            self.parts[self.unit][2].update(
                account_for_gravity=True, gravitational_acceleration=9.81, direction_vector_gravity_u=0.0,
                direction_vector_gravity_v=0.0, direction_vector_gravity_w=-1.0,
            )  # fmt: skip
        self.casing = self.add("gear_casing", "Casing")
        self.steel = self.add("material", "Steel", **STEEL)
        self.relate("assembly", assembly=self.unit, part=self.casing)

    # ---------------------------------------------------------------------------------------------- basic

    def add(self, kind: str, name: str | None = None, **attributes: Any) -> int:
        number = len(self.parts) + 1
        self.parts[number] = kind, name, attributes
        return number

    def relate(self, kind: str, order: int | None = None, /, **roles: int) -> None:
        self.relations.append((kind, order, list(roles.items())))

    def change(self, part: int, **attributes: Any) -> None:
        """Change attributes of a part; None removes one."""
        values = self.parts[part][2]
        values.update(attributes)
        for key in [key for key, value in values.items() if value is None]:
            del values[key]

    def case(
        self, number: int, values: dict[int, dict[str, Any]], *, spectrum: int = 1, share: float | None = None
    ) -> None:
        """Load case with the attributes of some parts."""
        shared = {} if share is None else {self.unit: {"operating_time_fraction": share}}
        self.cases[spectrum, number] = {**shared, **values}

    @staticmethod
    def frame(
        origin: Sequence[float], u: Sequence[float] = (1, 0, 0), w: Sequence[float] = (0, 0, 1)
    ) -> dict[str, Any]:
        return {"support_vector": origin, "u_axis_vector": u, "w_axis_vector": w}

    def placed(self, origin: Sequence[float], **axes: Sequence[float]) -> dict[str, Any]:
        return {"reference_component_for_position": self.unit, **self.frame(origin, **axes)}

    # ---------------------------------------------------------------------------------------------- parts

    def shaft(
        self, name: str, origin: Sequence[float], sections: Sequence[tuple[float, ...]], *, axes: dict[str, Any] | None = None,
        **attributes: Any,
    ) -> int:  # fmt: skip
        """Shaft with sections (length, outer diameter[, inner diameter])."""
        shaft = self.add("shaft", name, **self.placed(origin, **(axes or {})), **attributes)
        self.relate("assembly", assembly=self.unit, part=shaft)
        self.relate("reference", origin=shaft, referenced=self.steel)
        place = 0.0
        for length, outer, *inner in sections:
            bore = inner[0] if inner else 0.0
            section = self.add(
                "shaft_section", None, u_coordinate_on_shaft=place, length=length, outer_diameter_begin=outer,
                outer_diameter_end=outer, inner_diameter_begin=bore, inner_diameter_end=bore,
            )  # fmt: skip
            self.relate("assembly", assembly=shaft, part=section)
            place += length
        return shaft

    def gear(
        self, name: str, shaft: int, place: float, *, kind: str = "cylindrical_gear", shift: float | None = None,
        pressure_angle: float | None = 20.0, **attributes: Any,
    ) -> int:  # fmt: skip
        gear = self.add(kind, name, u_coordinate_on_shaft=place, **attributes)
        self.relate("assembly", assembly=shaft, part=gear)
        self.relate("reference", origin=gear, referenced=self.steel)
        flank = {"normal_pressure_angle": pressure_angle, "addendum_modification_coefficient": shift}
        flank = {key: value for key, value in flank.items() if value is not None}
        left, right = (self.add("cylindrical_gear_flank", f"{name} {side}", **flank) for side in ("left", "right"))
        self.relate("flank", gear=gear, left=left, right=right)
        return gear

    def flanks(self, gear: int) -> tuple[int, int]:
        for kind, _, roles in self.relations:
            found = dict(roles)
            if kind == "flank" and found["gear"] == gear:
                return found["left"], found["right"]
        raise KeyError(gear)

    def stage(self, name: str, first: int, second: int, *, kind: str = "cylindrical_stage", **attributes: Any) -> int:
        stage = self.add(kind, name, **attributes)
        self.relate("assembly", assembly=self.unit, part=stage)
        self.relate("stage", stage=stage, gear_1=first, gear_2=second)
        return stage

    def bearing(
        self, name: str, shaft: int, place: float, *, outer: int | None = None, axial: str = "no_direction",
        kind: str = "concept_bearing", **attributes: Any,
    ) -> int:  # fmt: skip
        """Bearing on the casing, or on another part; radial stiffness 2.5e8 N/m unless stated."""
        values = {"radial_force_absorption": True, "axial_force_absorption": axial, "radial_stiffness": 2.5e8}
        values |= {"axial_stiffness": 1.2e8} if axial != "no_direction" else {}
        values = {key: value for key, value in (values | attributes).items() if value is not None}
        bearing = self.add(kind, name, u_coordinate_on_shaft_inner_side=place, **values)
        self.relate("side", assembly=bearing, inner_part=shaft, outer_part=self.casing if outer is None else outer)
        return bearing

    def load(self, name: str, shaft: int, place: float, **attributes: Any) -> int:
        load = self.add("external_load", name, u_coordinate_on_shaft=place, transmits_torque=True, **attributes)
        self.relate("assembly", assembly=shaft, part=load)
        return load

    # ---------------------------------------------------------------------------------------------- text

    def text(self) -> str:
        lines = [
            f'<model version="{self.version}" applicationId="test" applicationVersion="1" date="2026-01-01T00:00:00Z">'
        ]
        lines.append("<relations>")
        for number, (kind, order, roles) in enumerate(self.relations, 1):
            refs = "".join(f'<ref id="{part}" role="{role}"/>' for role, part in roles)
            lines.append(
                f'<relation id="{number}" type="{kind}"{f" order={quoteattr(str(order))}" if order else ""}>{refs}</relation>'
            )
        lines.append("</relations>\n<components>")
        lines += [self._component(number, attributes) for number, (_, _, attributes) in self.parts.items()]
        lines.append("</components>")
        for spectrum in sorted({one for one, _ in self.cases}):
            lines.append(f'<load_spectrum id="{spectrum}">')
            for (one, number), values in self.cases.items():
                if one == spectrum:
                    inside = "".join(self._component(part, attributes) for part, attributes in values.items())
                    lines.append(f'<load_case id="{number}">{inside}</load_case>')
            lines.append("</load_spectrum>")
        return "\n".join([*lines, "</model>"])

    def _component(self, number: int, attributes: dict[str, Any]) -> str:
        kind, name, _ = self.parts[number]
        named = f" name={quoteattr(name)}" if name else ""
        inside = "\n".join(self._attribute(kind, key, value) for key, value in attributes.items())
        return f'<component id="{number}" type="{kind}"{named}>\n{inside}\n</component>'

    @staticmethod
    def _attribute(kind: str, key: str, value: Any) -> str:
        known = known_attribute(kind, key)
        unit = "none" if known is None else known.unit
        if isinstance(value, (list, tuple)) and value and isinstance(value[0], (list, tuple)):
            rows = "".join("<r>" + "".join(f"<c>{item!r}</c>" for item in row) + "</r>" for row in value)
            text = f"<matrix>{rows}</matrix>"
        elif isinstance(value, (list, tuple)):
            text = "<array>" + "".join(f"<c>{_plain(item)}</c>" for item in value) + "</array>"
        else:
            text = _plain(value)
        return f'<attribute id="{key}" unit="{unit}">{text}</attribute>'


def saved(unit: RexsBuilder, folder: Path) -> Path:
    """File of a gear unit."""
    file = folder / "unit.rexs"
    file.write_text(unit.text(), encoding="utf-8")
    return file


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def pair_of_shafts(*, bearings: bool = True, **unit: Any) -> tuple[RexsBuilder, dict[str, int]]:
    """One helical stage, 20 and 41 teeth of module 2 mm, at its centre distance without profile shift; 20 N m at the input."""
    b = RexsBuilder(**unit)
    distance = 2.0 * 61 / 2 / math.cos(math.radians(15.0))
    ids: dict[str, int] = {}
    ids["input"] = b.shaft("Input shaft", (0, 0, 0), [(100.0, 25.0)], defines_speed=True, rotational_speed=1000.0)
    ids["output"] = b.shaft("Output shaft", (0, distance, 0), [(100.0, 35.0)])
    ids["pinion"] = b.gear("Pinion", ids["input"], 40.0, number_of_teeth=20, normal_module=2.0, face_width=20.0,
                           helix_angle_reference_diameter=15.0, shift=0.0)  # fmt: skip
    ids["wheel"] = b.gear("Wheel", ids["output"], 40.0, number_of_teeth=41, normal_module=2.0, face_width=20.0,
                          helix_angle_reference_diameter=-15.0, shift=0.0)  # fmt: skip
    ids["stage"] = b.stage(
        "Stage", ids["pinion"], ids["wheel"], center_distance=distance, rotating_angle_around_neg_u_axis=90.0
    )
    for side in ("input", "output") if bearings else ():
        ids[f"{side}_a"] = b.bearing(f"{side} a", ids[side], 10.0, axial="both_directions")
        ids[f"{side}_b"] = b.bearing(f"{side} b", ids[side], 90.0)
    ids["load"] = b.load("Motor", ids["input"], 0.0, torque_around_u_axis=20.0, defines_torque=True)
    ids["free"] = b.load("Machine", ids["output"], 100.0, defines_torque=False)
    return b, ids


def planetary_unit(*, angles: Sequence[float] = (0.0, 120.0, 240.0)) -> tuple[RexsBuilder, dict[str, int]]:
    """Planetary stage with sun 18, planets 24, ring 66 (module 3 mm, spur): ring held, 100 N m on the sun, carrier free."""
    b = RexsBuilder()
    distance, ids = 63.0, {}
    rigid = {key: 1e20 for key in ("radial_stiffness", "axial_stiffness", "bending_stiffness", "rotational_stiffness")}

    def couple(name: str, inner: int, outer: int, origin: Sequence[float], **more: Any) -> int:
        kind = "switchable_coupling" if "is_engaged" in more else "coupling"
        one = b.add(kind, name, **b.placed(origin), **rigid, **more)
        b.relate("side", assembly=one, inner_part=inner, outer_part=outer)
        return one

    ids["sun shaft"] = b.shaft("Sun shaft", (0, 0, 0), [(120.0, 30.0)], defines_speed=True, rotational_speed=1200.0)
    ids["carrier shaft"] = b.shaft("Carrier shaft", (-120, 0, 0), [(100.0, 60.0, 40.0)])
    ids["ring shaft"] = b.shaft("Ring shaft", (0, 0, 0), [(40.0, 250.0, 220.0)])
    ids["plate"] = b.add(
        "side_plate", "Plate", length=10.0, outer_diameter=170.0, inner_diameter=40.0, **b.placed((-30, 0, 0))
    )
    ids["planetary"] = b.add("planetary_stage", "Planetary")
    ids["carrier"] = b.add("planet_carrier", "Carrier")
    b.relate("assembly", assembly=ids["planetary"], part=ids["carrier"])
    b.relate("assembly", assembly=ids["carrier"], part=ids["plate"])
    couple("Flange", ids["carrier shaft"], ids["plate"], (-25, 0, 0))
    ids["brake"] = couple("Brake", ids["ring shaft"], b.casing, (20, 0, 0), is_engaged=True)
    sun = b.gear("Sun", ids["sun shaft"], 20.0, number_of_teeth=18, normal_module=3.0, face_width=30.0,
                 helix_angle_reference_diameter=0.0, shift=0.0)  # fmt: skip
    ring = b.gear("Ring", ids["ring shaft"], 20.0, kind="ring_gear", number_of_teeth=66, normal_module=3.0, face_width=30.0,
                  helix_angle_reference_diameter=0.0, shift=0.0)  # fmt: skip
    for n, angle in enumerate(angles, 1):
        v, w = distance * math.sin(math.radians(angle)), distance * math.cos(math.radians(angle))
        pin = b.shaft(f"Pin {n}", (-30, v, w), [(65.0, 24.0)])
        planet = b.shaft(f"Planet shaft {n}", (0, v, w), [(40.0, 50.0, 34.0)])
        b.relate("planet_pin", planetary_stage=ids["planetary"], shaft=pin)
        b.relate("planet_shaft", planetary_stage=ids["planetary"], shaft=planet)
        couple(f"Seat {n}", pin, ids["plate"], (-25, v, w))
        for place, way, side in ((10, "both_directions", "a"), (30, "no_direction", "b")):
            one = b.bearing(
                f"Planet bearing {n}{side}", pin, 30.0 + place, outer=planet, axial=way, radial_stiffness=5e8
            )
            b.change(one, u_coordinate_on_shaft_outer_side=float(place))
        gear = b.gear(f"Planet {n}", planet, 20.0, number_of_teeth=24, normal_module=3.0, face_width=30.0,
                      helix_angle_reference_diameter=0.0, shift=0.0)  # fmt: skip
        b.stage(f"Sun-planet {n}", sun, gear, center_distance=distance)
        b.stage(f"Planet-ring {n}", gear, ring, center_distance=distance)
        ids[f"pin {n}"], ids[f"planet {n}"] = pin, planet
    for name, place, way in (("Sun a", 60.0, "both_directions"), ("Sun b", 110.0, "no_direction")):
        ids[name] = b.bearing(name, ids["sun shaft"], place, axial=way)
    for name, place, way in (("Carrier a", 20.0, "both_directions"), ("Carrier b", 80.0, "no_direction")):
        ids[name] = b.bearing(name, ids["carrier shaft"], place, axial=way)
    ids["load"] = b.load("Motor", ids["sun shaft"], 120.0, torque_around_u_axis=100.0, defines_torque=True)
    ids["free"] = b.load("Machine", ids["carrier shaft"], 0.0)
    return b, ids


def bevel_unit() -> tuple[RexsBuilder, dict[str, int]]:
    """Bevel stage 15 : 30, shaft angle 90 deg, mean module 4 mm: input along u, output along v, axes cross at the origin."""
    b, ids = RexsBuilder(), dict[str, int]()
    ids["input"] = b.shaft("Input shaft", (-200, 0, 0), [(180.0, 40.0)], defines_speed=True, rotational_speed=600.0)
    across = {"u": (0, 1, 0), "w": (0, 0, 1)}
    ids["output"] = b.shaft("Output shaft", (0, -150, 0), [(300.0, 50.0)], axes=across)
    common = {"mean_normal_module": 4.0, "face_width": 20.0, "kind": "bevel_gear"}
    ids["pinion"] = b.gear(
        "Pinion", ids["input"], 140.0, number_of_teeth=15, bevel_cone_orientation="positive", **common
    )
    ids["wheel"] = b.gear(
        "Wheel", ids["output"], 120.0, number_of_teeth=30, bevel_cone_orientation="positive", **common
    )
    ids["stage"] = b.stage("Bevel", ids["pinion"], ids["wheel"], kind="bevel_stage", shaft_angle=90.0)
    for side, a, c in (("input", 20.0, 100.0), ("output", 20.0, 280.0)):
        ids[f"{side}_a"] = b.bearing(f"{side} a", ids[side], a, axial="both_directions")
        ids[f"{side}_b"] = b.bearing(f"{side} b", ids[side], c)
    ids["load"] = b.load("Motor", ids["input"], 0.0, torque_around_u_axis=50.0, defines_torque=True)
    ids["free"] = b.load("Machine", ids["output"], 300.0)
    return b, ids


def worm_unit(*, hand: float = 1.0) -> tuple[RexsBuilder, dict[str, int]]:
    """Worm with 2 starts and wheel with 40 teeth, axial module 4 mm, 50 mm; worm along u, wheel along v above it."""
    b, ids = RexsBuilder(), dict[str, int]()
    d1 = 50.0
    distance = 0.5 * (d1 + 40 * 4.0)
    lead = hand * math.degrees(math.atan(2 * 4.0 / d1))
    ids["input"] = b.shaft("Worm shaft", (-100, 0, 0), [(200.0, 30.0)], defines_speed=True, rotational_speed=1000.0)
    across = {"u": (0, 1, 0), "w": (0, 0, 1)}
    ids["output"] = b.shaft("Wheel shaft", (0, -80, distance), [(160.0, 45.0)], axes=across)
    ids["worm"] = b.gear("Worm", ids["input"], 100.0, kind="worm_gear", number_of_teeth=2, axial_module=4.0,
                         reference_diameter_worm_gear=d1, lead_angle_worm_gear=lead, length_worm_gear=70.0)  # fmt: skip
    ids["wheel"] = b.gear(
        "Wheel", ids["output"], 80.0, kind="worm_wheel", number_of_teeth=40, face_width_worm_wheel=36.0
    )
    ids["stage"] = b.stage("Worm stage", ids["worm"], ids["wheel"], kind="worm_stage", center_distance=distance)
    for side, a, c in (("input", 20.0, 180.0), ("output", 20.0, 140.0)):
        ids[f"{side}_a"] = b.bearing(f"{side} a", ids[side], a, axial="both_directions")
        ids[f"{side}_b"] = b.bearing(f"{side} b", ids[side], c)
    ids["load"] = b.load("Motor", ids["input"], 0.0, torque_around_u_axis=10.0, defines_torque=True)
    ids["free"] = b.load("Machine", ids["output"], 160.0)
    return b, ids


def bearing_unit() -> tuple[RexsBuilder, dict[str, int]]:
    """One stage on rolling bearings: a ball bearing by geometry, rollers by geometry, two by catalogue data; load cases."""
    b, ids = pair_of_shafts(bearings=False)
    data = {"radial_stiffness": None, "axial_stiffness": None, "kind": "rolling_bearing_with_catalog_geometry"}
    size = {"inner_diameter": 25.0, "outer_diameter": 52.0, "width": 15.0}
    ids["ball"] = b.bearing(
        "Ball", ids["input"], 10.0, axial="both_directions", bearing_type="radial_grooved_ball_bearing", **size, **data
    )
    row = b.add(
        "rolling_bearing_row", "Row", number_of_rolling_elements=9, pressure_angle=0.0, reference_diameter_rolling_bearing=38.5,
        raceway_radius_of_inner_ring=4.13, raceway_radius_of_outer_ring=4.21,
    )  # fmt: skip
    b.relate("ordered_assembly", 1, assembly=ids["ball"], part=row)
    b.relate(
        "ordered_assembly", 1, assembly=row, part=b.add("rolling_element", "Ball", diameter_of_rolling_element=7.94)
    )
    ids["roller"] = b.bearing("Roller", ids["input"], 90.0, bearing_type="radial_roller_bearing", **size, **data)
    row = b.add("rolling_bearing_row", "Row 2", number_of_rolling_elements=13, reference_diameter_rolling_bearing=39.0)
    element = b.add("rolling_element", "Roller", diameter_of_rolling_element=7.5, length_of_rolling_element=8.0)
    b.relate("ordered_assembly", 1, assembly=ids["roller"], part=row)
    b.relate("ordered_assembly", 1, assembly=row, part=element)
    size = {
        "inner_diameter": 35.0,
        "outer_diameter": 72.0,
        "width": 17.0,
        "radial_dynamic_load_rating": 27.0,
        "radial_static_load_rating": 15.3,
    }
    for name, place, axial in (("fixed", 10.0, "both_directions"), ("floating", 90.0, "no_direction")):
        ids[name] = b.bearing(
            f"{name} 6207",
            ids["output"],
            place,
            axial=axial,
            bearing_type="radial_grooved_ball_bearing",
            **size,
            **data,
        )
    b.case(1, {ids["load"]: {"torque_around_u_axis": 20.0}}, share=30.0)
    b.case(2, {ids["load"]: {"torque_around_u_axis": -10.0}, ids["input"]: {"rotational_speed": 500.0}}, share=70.0)
    return b, ids
