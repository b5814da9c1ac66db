"""Elastic teeth over a face with tilt in the plane of action: a row of springs of equal stiffness over the face width.

The penetration d of one flank is linear over the face, from x - a to x + a. x is its value in the middle, f the tilt of the
flank (`mesh_tilt`) and a = |f| w/2 (w: `tilt_width`). Its energy divided by the stiffness is the mean over the face of d^2/2,
where d > 0,

    E = [ (x + a)_+^3 - (x - a)_+^3 ] / (12 a) :     x^2/2 + a^2/6  on the whole face,     (x + a)^3/(12 a)  on a part of it.

V = k [E(s, f_drive) + E(-(s + b), f_coast)]: force, torques, the force along t y and the moments against the tilt are its
derivatives. A spring in the middle without tilt is that of `dead_zone`.
"""

from ..math.compiled import F8, M9, V3, block, leaf
from .mesh_law import Law
from .mesh_records import Hoop, LawOut, MeshParameters, TiltOut


@leaf
def _nowhere() -> M9:
    return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@leaf
def _on_all(x: F8, a: F8) -> M9:
    return (0.5 * x * x + a * a / 6.0, x, 1.0, 0.0, a / 3.0, 0.0, 0.0, 1.0 / 3.0, 0.0)


@leaf
def _over_face(x: F8, a: F8) -> M9:
    """E, its first, second and third derivative by x, those of the first three of them by a, and the second one of E by a."""
    if x >= a:
        return _on_all(x, a)
    if x <= -a:
        return _nowhere()
    d = x + a
    i = 0.5 / a
    q = i * d  # fraction of the face in contact
    return (
        d * d * d * i / 6.0,
        0.5 * d * q,
        q,
        i,
        0.5 * d * q - 2.0 * d * q * q / 6.0,
        q * (1.0 - q),
        i * (1.0 - 2.0 * q),
        q - 2.0 * q * q + 4.0 * q * q * q / 3.0,
        0.0,
    )


@leaf
def _put(E: M9, sign: F8, tilt: F8, width: F8, out: TiltOut):
    """Derivatives of E of a flank by its tilt; of s by its sign."""
    h = 0.5 * width if tilt >= 0.0 else -0.5 * width
    out.moment = h * E[4]
    out.f_t = sign * h * E[5]
    out.c_t = h * E[6]
    out.m_t = h * h * E[7]


@block
def tilted_springs(law: Law, hoop: Hoop, s: F8, small: F8, out: LawOut):
    """As `dead_zone`, for both flanks with their tilts, and the derivatives with respect to these, divided by the stiffness:
    in `out.zone`, and the contributions of both flanks."""
    b = hoop.backlash
    width = law.tilt_width
    a_drive = 0.5 * width * abs(hoop.tilt_drive)
    a_coast = 0.5 * width * abs(hoop.tilt_coast)
    drive = _over_face(s, a_drive)
    coast = _over_face(-(s + b), a_coast)
    if abs(b) <= small and (drive[2] + coast[2] == 0.0 or drive[2] + coast[2] == 2.0):
        # without backlash, except for rounding, one of them is always in contact
        drive_bears = s + 0.5 * b >= 0.0
        drive = _on_all(max(s, 0.0), a_drive) if drive_bears else _nowhere()
        coast = _nowhere() if drive_bears else _on_all(max(-(s + b), 0.0), a_coast)
    zone = out.zone
    zone.G = drive[0] + coast[0]
    zone.g = drive[1] - coast[1]
    zone.g1 = drive[2] + coast[2]
    zone.g2 = drive[3] - coast[3]
    zone.n = drive[1] + coast[1]
    zone.n1 = drive[2] - coast[2]
    zone.g2y = drive[3] + coast[3]
    zone.GT = zone.gT = zone.g1T = zone.GTT = zone.nT = zone.n1T = 0.0
    out.sigma = 0.0 if drive[2] * coast[2] > 0.0 else (1.0 if drive[2] > 0.0 else (-1.0 if coast[2] > 0.0 else 0.0))
    _put(drive, 1.0, hoop.tilt_drive, width, out.on_drive)
    _put(coast, -1.0, hoop.tilt_coast, width, out.on_coast)


@leaf
def _scaled(pair: MeshParameters, sign: F8, limited: F8, damped: F8, on_both: F8, out: LawOut, part: TiltOut):
    """Moment and derivatives of a flank, from those divided by the stiffness. limited: ratio of the damper to the springs that
    limit it; damped: damping force divided by the stiffness of the dead zone otherwise; on_both: its sign along t y."""
    terms = out.terms
    cA = pair.geometry.lever_a
    cB = pair.geometry.lever_b
    consistent = pair.law.consistent != 0
    over = part.moment
    slope = terms.k * part.f_t
    part.moment = terms.k * over
    part.f_t = slope
    part.both_t = sign * slope
    part.c_t = damped * part.c_t + limited * slope
    part.d_t = on_both * part.c_t
    part.m_a = (cA + terms.x_a) * slope + terms.k_a * over
    part.m_b = (cB + terms.x_b) * slope + terms.k_b * over
    part.m_t *= terms.k
    part.w_at = part.m_a if consistent else cA * slope
    part.w_bt = part.m_b if consistent else cB * slope


@leaf
def tilting_of_springs(pair: MeshParameters, drive: V3, coast: V3, out: LawOut):
    """Moments against the tilt of both flanks with their derivatives, after `tilted_springs`. drive, coast: `limited`, `damped` and
    `on_both` of `_scaled`."""
    _scaled(pair, 1.0, drive[0], drive[1], drive[2], out, out.on_drive)
    _scaled(pair, -1.0, coast[0], coast[1], coast[2], out, out.on_coast)
