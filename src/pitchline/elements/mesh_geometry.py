"""Parameters of the geometry of a gear pair: pitch surfaces, teeth, and the two wheels in the axes of their nodes.

`mesh_frame` has the equations.
"""

import math

import numpy as np

from ..gears.pitch import PitchGeometry
from ..math.fields import INTEGER, MATRIX, NUMBER, VECTOR, embedded, fields, packed
from .contract import Placed

Geometry = fields(
    "MeshGeometry",
    rack=INTEGER,  # 1: wheel B is a rack
    radius_a=NUMBER,
    radius_b=NUMBER,  # 0 of a rack
    lever_a=NUMBER,  # u = lever_a psi_A + lever_b psi_B
    lever_b=NUMBER,
    teeth_a=NUMBER,
    teeth_b=NUMBER,  # 0 of a rack
    pitch=NUMBER,
    cos_alpha=NUMBER,
    length=NUMBER,  # lengths in signals, along the base circle or the normal, over those along the hoop (`gears.directions`)
    tan_alpha=NUMBER,
    separation=NUMBER,  # tan(alpha), or 0 without separating force
    radial=NUMBER,  # tan(alpha) if the teeth follow their centres, otherwise 0
    line=INTEGER,  # line of action: 1 that of the drive flank, -1 that of the coast flank, 0 that of the loaded flank
    determinant=NUMBER,  # of P, aligned
    axis_a=NUMBER,  # sign of the triad's axis along the wheel's own z
    axis_b=NUMBER,
    Y_a=MATRIX,  # eta_A by mu'', as columns
    y_b=VECTOR,  # third column of Y_B
    start=VECTOR,  # a, b, 1/max(r)^2 of the closed-form start
    z1=VECTOR,  # columns of Z
    z2=VECTOR,
    z3=VECTOR,
    from_a=NUMBER,  # from the origin of the frame of the wheel to its centre, along the axis of the triad
    from_b=NUMBER,  # 0 of a rack
    a=embedded(Placed),  # centre and triad of each wheel in the axes of its node
    b=embedded(Placed),
)


def encode_geometry(
    pitch: PitchGeometry,
    point_a: np.ndarray,
    triad_a: np.ndarray,
    point_b: np.ndarray,
    triad_b: np.ndarray,
    *,
    length: float,
    separating: bool = True,
    follow_centres: bool = False,
    line: int = 0,
    place_a: float = 0.0,
    place_b: float = 0.0,
) -> np.void:
    """Record `Geometry` of a pair: its pitch geometry, and centre and triad of each wheel in the axes of its node.

    length: factor of lengths in signals.
    For a rack `point_b` is the middle of a space on its pitch line. separating=False: flanks push only along the hoop.
    `follow_centres`: the approach increases when the centres move closer. line: 1 or -1 for a fixed line of action.
    place_a, place_b: place of the centre along z of the frame of each wheel.
    """
    rack = pitch.is_rack
    rA, rB = pitch.radius_a, 0.0 if rack else pitch.radius_b
    Z, gA, gB = pitch.Z, pitch.gamma_a, pitch.gamma_b
    cos_betas = math.cos(pitch.beta_a) * math.cos(pitch.beta_b)
    determinant = cos_betas * (1.0 if rack else rA * math.cos(gB) + rB * math.cos(gA))
    module = pitch.normal_module
    tan_alpha = math.tan(pitch.pressure_angle)
    values = {
        "rack": rack,
        "radius_a": rA,
        "radius_b": rB,
        "lever_a": 0.5 * module * pitch.teeth_a,
        "lever_b": -math.cos(pitch.beta_b) if rack else 0.5 * module * pitch.teeth_b,
        "teeth_a": pitch.teeth_a,
        "teeth_b": 0 if rack else pitch.teeth_b,
        "pitch": math.pi * module,
        "cos_alpha": math.cos(pitch.pressure_angle),
        "length": length,
        "tan_alpha": tan_alpha,
        "separation": tan_alpha if separating else 0.0,
        "radial": tan_alpha if follow_centres else 0.0,
        "line": line,
        "determinant": abs(determinant),
        "axis_a": pitch.axis_sign_a,
        "axis_b": pitch.axis_sign_b,
        "Y_a": pitch.Y_a,
        "y_b": pitch.Y_b[:, 2],
        "start": (rA - Z[1, 1] * rB, Z[2, 1] * rB, 1.0 / max(rA, rB) ** 2),
        "z1": Z[:, 0],
        "z2": Z[:, 1],
        "z3": Z[:, 2],
        "from_a": place_a * pitch.axis_sign_a,
        "from_b": 0.0 if rack else place_b * pitch.axis_sign_b,
        "a": {"at": point_a, "axes": triad_a},
        "b": {"at": point_b, "axes": triad_b},
    }
    return Geometry.named(packed(Geometry, values))
