"""Elastic teeth over a face with tilt in the plane of action: springs of equal stiffness, and their dampers.

The penetration d of one flank is linear over the face, from x - a to x + a. x is its value in the middle, f the tilt of the
flank (`kernel_potential`) and a = |f| w/2 (w: `tilt_width`). Its energy divided by the stiffness is the mean over the face of
d^2/2, where d > 0,

    E = [ (x + a)_+^3 - (x - a)_+^3 ] / (12 a) :     x^2/2 + a^2/6  on the whole face,     (x + a)^3/(12 a)  on a part of it.

V = k [E(s, f_drive) + E(-(s + b), f_coast)]: force, torques, the force along t y and the moments against the tilt are its
derivatives. A spring in the middle without tilt is that of `dead_zone`.
"""

from pitchline.numerics.machine_code.compiled import B1, F8, I8, M9, V2, V3, block, leaf

from .kernel_law import ALWAYS, NEVER_PULLING, OF_DEFLECTION, Law
from .kernel_records import (
    Hoop,
    LawOut,
    LoadedSide,
    MeshParameters,
    TiltOut,
    begin_damper,
    damp_flank,
    no_slopes,
    one_damper,
    put_slopes,
    put_turning,
    rate_of_drive_flank,
)

# ---- table damper

# Damper of teeth with tables of loaded contact: that of `kernel_records`, whose rate contains that of the unloaded
# approach.


@leaf
def turning_tilt(side: LoadedSide, sign: F8, fc: F8, rate: F8, consistent: B1, law: LawOut, out: TiltOut):
    """Add the derivatives by the tilt of the rate of the unloaded approach. fc: force of the damper."""
    if side.bears == 0.0:
        return
    out.c_t -= 0.5 * (sign * law.damper + law.damper_1) * side.touch_1f * rate
    out.d_t -= 0.5 * (law.damper_2 + sign * law.damper_1) * side.touch_1f * rate
    if consistent:
        out.w_at -= 0.5 * (law.damped + sign * fc) * side.touch_1f


@leaf
def _touching(out: LawOut) -> V2:
    """Derivative by psi_A of the unloaded approach in the rate of the drive flank, and in that of both flanks."""
    drive = out.flanks.drive
    coast = out.flanks.coast
    if drive.bears != 0.0 and coast.bears != 0.0:
        return (0.5 * (coast.touch_1 - drive.touch_1), -0.5 * (coast.touch_1 + drive.touch_1))
    if drive.bears != 0.0:
        return (-drive.touch_1, 0.0)
    return (coast.touch_1 if coast.bears != 0.0 else 0.0, 0.0)


@leaf
def torque_by_touch(out: LawOut, fc: F8) -> F8:
    """Part of the second derivative by psi_A from that of the unloaded approach, in the torque of the damper."""
    drive = out.flanks.drive
    coast = out.flanks.coast
    if drive.bears != 0.0 and coast.bears != 0.0:
        signed = 0.5 * fc * (coast.touch_2 - drive.touch_2)
        return signed - 0.5 * out.damped * (coast.touch_2 + drive.touch_2)
    return fc * (coast.bears * coast.touch_2 - drive.bears * drive.touch_2)


@block
def damp_table(pair: MeshParameters, hoop: Hoop, c: F8, mode: I8, side: F8, out: LawOut) -> F8:
    """Damper of teeth with tables. Return the ratio of the laws for both flanks to the force that limits them."""
    flanks = out.flanks
    k = flanks.V_ss
    rate = rate_of_drive_flank(pair, hoop, out)
    closing = hoop.closing
    out.close_a = out.close_b = 0.0  # a varying backlash is added at the end
    if pair.law.damping_rate == OF_DEFLECTION and k > 0.0:
        touching = _touching(out)
        rate += touching[0] * hoop.rate_a
        closing += touching[1] * hoop.rate_a
        out.rate_a += touching[0]
        out.close_a = touching[1]
    begin_damper(out)
    if c <= 0.0 or not (mode == ALWAYS or k > 0.0):
        return 0.0
    if mode != NEVER_PULLING:
        return one_damper(c, mode, rate + side * closing, side, flanks.V_s, 1.0, 0.0, 0.0, out)
    drive = flanks.drive
    coast = flanks.coast
    if drive.bears != 0.0:
        damp_flank(1.0, c, closing + rate, drive.force, drive.stiffness, 1.0, 0.0, out)
    if coast.bears != 0.0:
        damp_flank(-1.0, c, closing - rate, coast.force, coast.stiffness, 1.0, 0.0, out)
    return 0.0


@block
def table_damper_slopes(
    pair: MeshParameters, hoop: Hoop, damp: F8, c: F8, mode: I8, limited: F8, side: F8, out: LawOut
):
    """Derivatives of the damper."""
    flanks = out.flanks
    both = out.flanks_damped
    terms = out.terms
    if c <= 0.0 or not (mode == ALWAYS or flanks.V_ss > 0.0):
        no_slopes(out)
        return
    drive = flanks.drive
    coast = flanks.coast
    if mode == NEVER_PULLING:
        put_slopes(pair, hoop, damp, both, out)
        on_drive = -both.open_drive * drive.by_a
        on_coast = -both.open_coast * coast.by_a
        out.c_a += on_drive - on_coast
        out.d_a += on_drive + on_coast
    else:
        by_c = damp * both.by_c
        out.c_a = limited * out.f_a + by_c * terms.c_a
        out.c_b = limited * out.f_b + by_c * terms.c_b
        out.c_u = limited * flanks.V_ss
        out.c_y = limited * flanks.total_s
        out.d_a = side * out.c_a
        out.d_b = side * out.c_b
        out.d_t = 0.0
        out.d_y = side * out.c_y
        put_turning(pair, hoop, out)
    if pair.law.damping_rate == OF_DEFLECTION:
        by_drive = -drive.bears * drive.touch_2 * hoop.rate_a
        by_coast = -coast.bears * coast.touch_2 * hoop.rate_a
        out.c_a += 0.5 * ((out.damper + out.damper_1) * by_drive - (out.damper - out.damper_1) * by_coast)
        out.d_a += 0.5 * ((out.damper_2 + out.damper_1) * by_drive + (out.damper_2 - out.damper_1) * by_coast)


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
