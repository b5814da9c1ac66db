"""Contact in a view: lines of contact against rigid flanks, pressures against forces, gears where their flanks touch."""

import math

import numpy as np
import pytest
from references.kept_arrays import KeptArrays
from references.loaded_pairs import pair

import pitchline as pl
from pitchline.parts.contact.loaded_contact import loaded_contact
from pitchline.parts.contact.results_flank import ContactPatch, FlankContact, LoadedContact
from pitchline.parts.contact.scene import contact_lines, pressure_table
from pitchline.parts.contact.scene_record import A, B, contact_head
from pitchline.parts.gears.scene import rotated_by
from pitchline.parts.gears.teeth import Teeth, rigid_contact
from pitchline.viewer import record_of
from pitchline.viewer.block import Block
from pitchline.viewer.scene_parts import SceneSource

HELICAL = {"normal_module": "2 mm", "face_width": "20 mm"}


def _lines_of(wheel: pl.Gear) -> tuple[dict, pl.Gear]:
    """What a page is told of a pinion with 23 teeth and its mate."""
    pinion = pl.Gear(teeth=23, helix_angle="15 deg", **HELICAL)
    m = pl.Model("pair")
    a = m.gear_body("a", pinion, axis="z", position=(0, 0, 0))
    b = m.gear_body("b", wheel, mesh_with=a, towards="x", mass=1.0, inertia=(1e-3, 1e-3, 1e-3))
    m.gear_pair("mesh", a, b)
    return contact_lines(SceneSource.of_model(m), Block())[0], pinion


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("internal", [False, True])
def test_lines_of_contact_are_those_of_rigid_flanks(internal: bool, side: str) -> None:
    """L(ζ) as in `contact_lines`, and where the flanks end, against a search for the least gap that assumes nothing."""
    hand = "15 deg" if internal else "-15 deg"
    wheel = pl.Gear(teeth=80 if internal else 57, helix_angle=hand, internal=internal, **HELICAL)
    said, pinion = _lines_of(wheel)
    ideal = said["ideal"]
    (r_a, r_b), (own, its) = ideal["base_radii"], ideal["limits"]
    c = 1.0 if side == "left" else -1.0
    working = math.acos((r_b - r_a if internal else r_b + r_a) / ideal["distance"])
    reach = ideal["distance"] * math.sin(working)
    run = rigid_contact(Teeth(pinion), Teeth(wheel), side=side, positions=2, strips=11)
    touched = 0
    for i, angle in enumerate(run.angle):
        for tooth, found, gap in zip(run.teeth[i], run.strip_roll_length[i], run.strip_gap[i], strict=True):
            k = tooth - 23 * round(tooth / 23)
            L = r_a * (
                ideal["base_angle"] + working + c * (ideal["twist"] * run.faces + pinion.angular_pitch * k + angle)
            )
            L_b = L + reach if internal else reach - L
            within = np.min([L - own[0], own[1] - L, L_b - its[0], its[1] - L_b], axis=0)
            inside = within > 0.0
            near = gap < 2e-8
            at_end = np.min(np.abs([L - own[1], L_b - its[0], L_b - its[1]]), axis=0) < 1e-6
            assert not (near & ~inside & ~at_end).any()
            np.testing.assert_allclose(found[near & inside], L[near & inside], atol=1e-8)
            touched += int((near & inside).sum())
            assert near[within > 1e-5].all()
    assert touched > 20


def test_pairs_without_known_lines_say_none() -> None:
    m = pl.Model("bevels")
    a = m.gear_body(
        "a", pl.Gear(teeth=20, normal_module="2 mm", cone_angle="45 deg", face_width="10 mm"), position=(0, 0, 0)
    )
    b = m.gear_body("b", pl.Gear(teeth=20, normal_module="2 mm", cone_angle="45 deg", face_width="10 mm"), mesh_with=a)
    m.gear_pair("mesh", a, b)
    assert all("ideal" not in said for said in contact_lines(SceneSource.of_model(m), Block()))


# ------------------------------------------------------------------------------------------------------------ pressures


@pytest.fixture(scope="module")
def loaded() -> LoadedContact:
    return loaded_contact(*pair(), torque=[20.0, 60.0], positions=4)


def _forces(table: dict, block: KeptArrays) -> np.ndarray:
    """Integrals of the pressure over the patches of each load and position: dA = dζ/cos β_b times d(L²/2r_b)."""
    at = {key: block.values[table[key]] for key in ("zeta", "low", "high", "pressure", "first")}
    height = (at["high"] ** 2 - at["low"] ** 2) / (2.0 * table["base_radius"])
    columns = table["columns"]
    # columns are middles of cells, so that there are as many heights as cells
    across = at["pressure"].sum(axis=2) * height / (columns - 1)
    own = np.trapezoid(across, at["zeta"], axis=1)
    first = at["first"].astype(int)
    return np.array([own[first[k] : first[k + 1]].sum() for k in range(len(first) - 1)])


def test_pressures_add_up_to_the_force(loaded: LoadedContact) -> None:
    block = KeptArrays()
    table = pressure_table(loaded, "mesh", block)
    expected = np.repeat(loaded.force / math.cos(loaded.base_helix_angle), 4)
    np.testing.assert_allclose(
        _forces(table, block), expected, rtol=0.03
    )  # strips are drawn as a surface through their middles
    np.testing.assert_allclose(table["loads"], loaded.force)
    assert table["side"] == 1 and table["largest"] == loaded.max_pressure.max()
    assert table["cut"] == bool(loaded.edge_pressure.max() > loaded.max_pressure.max())


def test_flanks_touch_where_pressure_is_drawn(loaded: LoadedContact) -> None:
    """Points of the patches, carried by gear A, lie on the flanks of gear B as it stands, but for what the teeth give way."""
    block = KeptArrays()
    head = contact_head(loaded, "contact", block)
    table = head["contact"]["tables"][0]
    flank_a, flank_b = loaded.a.flank("left"), loaded.b.flank("left")
    first = block.values[table["first"]].astype(int)
    bodies = {body["name"]: body for body in head["bodies"]}
    for position in range(4):
        for n in range(first[position], first[position + 1]):
            L = np.sqrt(0.5 * (block.values[table["low"]][n] ** 2 + block.values[table["high"]][n] ** 2))
            zeta, tooth = block.values[table["zeta"]][n], int(block.values[table["tooth"]][n])
            p = flank_a.point(L, zeta, tooth)
            q_a, q_b = (block.values[bodies[name]["turn"]][position] for name in (A, B))
            p = rotated_by(q_a, p) - block.values[bodies[B]["place"]][0]
            p = rotated_by(q_b * np.array([1.0, -1.0, -1.0, -1.0]), p)
            L_b = flank_b.involute.roll_length(np.hypot(p[:, 0], p[:, 1]))
            apart = [np.abs(flank_b.point(L_b, p[:, 2], k) - p).max() for k in range(37)]
            assert min(apart) < 3e-5
    assert [body["parts"][0]["opacity"] for body in head["bodies"] if body["name"] == B] == [0.3]
    assert head["time_axis"]["unit"] == "pitches" and block.values[head["time"]][-1] == 1.0


def _hertz() -> FlankContact:
    """One made-up patch: half widths of an ellipse on a spur pinion, pressures by Hertz."""
    teeth = [Teeth(pl.Gear(teeth=z, **HELICAL)) for z in (20, 40)]
    flank = teeth[0].left.involute
    zeta = np.linspace(-6e-3, 6e-3, 13)
    width = np.diff(zeta)[0]
    b = 2e-4 * np.sqrt(1.0 - (zeta / 7e-3) ** 2)
    peak = 1e9 * b / 2e-4
    across = b[:, None] * np.linspace(-1.0, 1.0, 21)
    pressure = peak[:, None] * np.sqrt(np.maximum(1.0 - np.linspace(-1.0, 1.0, 21) ** 2, 0.0))
    roll = np.full(
        13, 0.5 * (flank.roll_length(0.5 * teeth[0].gear.reference_diameter) + teeth[0].left.tip_roll_length(0.0))
    )
    patch = ContactPatch(
        tooth_a=0, tooth_b=0, zeta_a=zeta, zeta_b=zeta, roll_a=roll, roll_b=roll, force=0.5 * math.pi * peak * b * width,
        strip_width=np.full(13, width), radius=np.full(13, 5e-3), half_width=b, middle=np.zeros(13), pressure=peak, across=across,
        across_pressure=pressure, on_edge=False, base_radius=flank.base_radius, slope=1.0, half_face=0.01,
    )  # fmt: skip
    return FlankContact(
        torque=np.array([100.0]), phase=np.array([0.0]), transmission_error=np.zeros((1, 1)), stiffness=np.ones((1, 1)),
        patches=(((patch,),),), a=teeth[0], b=teeth[1], side="left", method="cells",
    )  # fmt: skip


def test_a_patch_keeps_its_force_and_its_peak() -> None:
    found, block = _hertz(), KeptArrays()
    table = pressure_table(found, "mesh", block)
    assert _forces(table, block)[0] == pytest.approx(found.normal_force[0, 0], rel=0.03)
    assert table["largest"] == pytest.approx(1e9, rel=1e-9) and not table["cut"]
    record = record_of(found, "<b>contact</b>")
    assert record.name == "<b>contact</b>" and record.block[:7] == b"PLVIEW1"
