"""Scenes of described models, and what tests ask of them."""

from collections import Counter
from typing import Any

import numpy as np

from pitchline.model.describe import describe
from pitchline.parts.gears.triangles import Triangles
from pitchline.viewer.block import Block
from pitchline.viewer.scene_checked import scene
from pitchline.viewer.scene_parts import SceneSource


def head_of(model: object, **options: Any) -> tuple[dict, Block]:
    """The scene of a model, or of a description, as it is built."""
    block = Block()
    said = model if isinstance(model, dict) else describe(model)
    return scene(SceneSource(said, np.zeros(1), slice(None), {}), block, **options), block


def array_of(block: Block, name: str) -> np.ndarray:
    """An array of a block, put together from its planes of bytes."""
    said = block.arrays[name]
    count, width = int(np.prod(said["shape"])), int(said["dtype"][1])
    planes = np.frombuffer(b"".join(block.parts), "u1", count * width, said["offset"]).reshape(width, count)
    values = np.ascontiguousarray(planes.T).view("<u4" if said.get("coding") else said["dtype"]).ravel()
    if said.get("coding") == "columns":
        columns = np.cumsum(values.reshape(-1, said["shape"][0]), axis=1, dtype=np.uint32)
        return np.ascontiguousarray(columns).view("<f4").T.reshape(said["shape"])
    return values.reshape(said["shape"])


def volume(head: dict, block: Block, part: dict) -> float:
    """Of a part [m³], by the divergence theorem."""
    shape = head["shapes"][part["shape"]]
    p = array_of(block, shape["position"])[array_of(block, shape["index"]).reshape(-1, 3)].astype(float)
    return shape.get("count", 1) * float(np.einsum("ti,ti->", p[:, 0], np.cross(p[:, 1], p[:, 2]))) / 6.0


def body_of(head: dict, name: str) -> dict:
    """A body of a scene by its name."""
    return next(body for body in head["bodies"] if body["name"] == name)


def check_closed(surface: Triangles) -> None:
    """Every edge is passed once each way, and the normals of the corners point to the side of the flat triangles."""
    _, number = np.unique(np.round(surface.points, 9), axis=0, return_inverse=True)
    t = number.ravel()[surface.triangles]
    t = t[(t[:, 0] != t[:, 1]) & (t[:, 1] != t[:, 2]) & (t[:, 2] != t[:, 0])]
    steps = Counter(map(tuple, np.concatenate([t[:, [0, 1]], t[:, [1, 2]], t[:, [2, 0]]]).tolist()))
    assert all(steps.get((b, a)) == count for (a, b), count in steps.items())
    assert surface.volume > 0.0
    side = np.einsum("tci,ti->tc", surface.normals, surface.face_normals)
    assert side[np.linalg.norm(surface.face_normals, axis=1) > 0.5].min() > 0.4
