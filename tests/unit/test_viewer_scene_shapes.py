"""Shapes and colours that a model says, in its scene."""

import struct
from typing import Any

import numpy as np
import pytest
from references.scene_heads import array_of, head_of

import pitchline as pl
from pitchline.model.describe import describe

GEAR = pl.Gear(teeth=20, normal_module="2 mm", face_width="20 mm", bore="10 mm")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> pl.Model:
    file = tmp_path_factory.mktemp("stl") / "plate.stl"
    corners = struct.pack("<12fH", 0, 0, 1, 0, 0, 0, 10, 0, 0, 0, 20, 0, 0)
    file.write_bytes(b"plate".ljust(80) + struct.pack("<I", 1) + corners)
    m = pl.Model("shapes")
    pieces = pl.bar(1, 2, 3).moved((1, 0, 0)) + pl.tube(0.2, 0.1, 0.5, axis="x").coloured("#FF000080") + pl.sphere(0.3)
    m.body("a", mass=1, inertia=(1, 1, 1), shape=[pieces, pl.cone(0.2, 0.1, 0.4)], colour="#00FF00")
    m.body("b", solid=pl.bar(1, 2, 3, mass=1), colour="#0000FF40", hidden=True, position=(5, 0, 0))
    m.body("c", mass=1, inertia=(1, 1, 1), shape=pl.stl(file, scale="1 mm"))
    carrier = m.body("d", solid=pl.cylinder(0.02, 0.02, mass=1))
    m.wheel("rim", carrier, GEAR, colour="brass")
    m.body("bare", solid=pl.sphere(1, mass=1), shape=[])
    shaft = m.shaft("shaft", [pl.ShaftSection(0.1, 0.02)], position=(0, 3, 0))
    m.attached_mass("disc", shaft["end"], solid=pl.cylinder(0.1, 0.01, mass=3).coloured("orange"))
    m.look("ground", shape=pl.bar(9, 9, 1), colour="grey")
    return m


def parts_of(head: dict[str, Any], body: str) -> list[dict[str, Any]]:
    (found,) = [each for each in head["bodies"] if each["name"] == body]
    return list(found["parts"])


def test_pieces_stand_where_they_are_said(model: pl.Model) -> None:
    head, _ = head_of(model)
    box, tube, ball, cone = parts_of(head, "a")
    kinds = [head["shapes"][part["shape"]] for part in (box, tube, ball, cone)]
    assert [(shape["type"], shape["size"]) for shape in kinds] == [
        ("box", [1, 2, 3]), ("cylinder", [0.2, 0.5, 0.1]), ("sphere", [0.3]), ("cone", [0.2, 0.1, 0.4]),
    ]  # fmt: skip
    assert box["position"] == [1, 0, 0] and np.allclose(np.array(tube["rotation"])[:, 2], (1, 0, 0))
    assert (tube["colour"], tube["opacity"]) == ("#FF0000", 128 / 255) and "colour" not in box


def test_colours_hidden_bodies_and_shared_shapes(model: pl.Model) -> None:
    head, _ = head_of(model)
    bodies = {body["name"]: body for body in head["bodies"]}
    assert (
        bodies["a"]["colour"] == "#00FF00"
        and bodies["b"]["colour"] == "#0000FF"
        and bodies["ground"]["colour"] == "#808080"
    )
    assert bodies["b"]["hidden"] and "hidden" not in bodies["a"]
    (other,) = parts_of(head, "b")
    assert other["opacity"] == 64 / 255 and other["shape"] == parts_of(head, "a")[0]["shape"]
    assert parts_of(head, "bare") == []
    (rim,) = parts_of(head, "d")
    assert rim["name"] == "rim" and rim["colour"] == "#C9A94A"
    (disc,) = [part for part in parts_of(head, "shaft end") if part["name"] == "disc"]
    assert disc["kind"] == "shape" and disc["colour"] == "#E69F00"


def test_a_surface_of_a_file_is_drawn_in_metres(model: pl.Model) -> None:
    head, block = head_of(model)
    (part,) = parts_of(head, "c")
    shape = head["shapes"][part["shape"]]
    assert shape["type"] == "mesh" and array_of(block, shape["edge"]).shape == (3, 2, 3)
    assert np.allclose(array_of(block, shape["position"]).max(axis=0), (0.01, 0.02, 0))
    assert (array_of(block, shape["normal"]) == (0, 0, 127)).all()


def test_damaged_shapes_are_told_and_the_rest_is_drawn(model: pl.Model) -> None:
    said = describe(model)
    said["bodies"]["c"]["shape"][0]["count"] = [3, 99]
    said["bodies"]["a"]["shape"][2] = {"type": "torus"}
    head, _ = head_of(said)
    assert len(parts_of(head, "a")) == 3 and parts_of(head, "c") == []
    notes = " ".join(head["notes"])
    assert "a: a piece of its shape is not drawn" in notes and "c: a piece of its shape is not drawn" in notes


def test_joints_that_keep_a_distance_are_rods() -> None:
    m = pl.Model("rod")
    ball = m.body("ball", solid=pl.sphere("1 cm", mass=1), position=("0.5 m", 0, 0))
    m.distance("link", m.ground, ball, at_a=(0, 0, 0), at_b=("0.5 m", 0, 0))
    m.spring("dashpot", m.ground, ball, at_a=(0, 0, 1), damping=5.0)
    rod, damper = sorted(head_of(m)[0]["springs"], key=lambda said: said["kind"], reverse=True)
    assert (rod["name"], rod["kind"], rod["a"]["body"]) == ("link", "rod", "ground")
    assert rod["b"] == {"body": "ball", "position": [0, 0, 0]}
    assert damper["kind"] == "damper"
