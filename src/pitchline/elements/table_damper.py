"""Damper of teeth with tables of loaded contact: that of `mesh_damper`, whose rate contains that of the unloaded approach."""

from ..math.compiled import B1, F8, I8, V2, block, leaf
from .mesh_damper import begin_damper, damp_flank, no_slopes, one_damper, put_slopes, put_turning, rate_of_drive_flank
from .mesh_law import ALWAYS, NEVER_PULLING, OF_DEFLECTION
from .mesh_records import Hoop, LawOut, LoadedSide, MeshParameters, TiltOut


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
