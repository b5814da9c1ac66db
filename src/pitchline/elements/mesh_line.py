"""Line contact of rigid teeth: no tilt of the teeth about the line of centres.

The teeth of both wheels stay parallel, tau = eta1_A . eta3_B = 0. The multiplier M of this second row is the moment conjugate to
tau. It is the same as a second contact force F_c2 = 2 M/(w cos alpha) at half the face width w from the pitch point along the
teeth, F_c = F_n - F_c2 remaining at the pitch point.
"""

from ..math.compiled import A2, F8, I8, block, leaf
from ..math.vectors import cross, dot
from .mesh_records import Gradients, Hoop, MeshFrame, MeshMotion


@leaf
def tilt_about_centres(f: MeshFrame, motion: MeshMotion, hoop: Hoop) -> F8:
    """Rate of tau."""
    turning = dot(cross(f.e1, f.h3), motion.spin)
    return turning + dot(f.e1p, f.h3) * hoop.rate_a + dot(f.e1, f.h3p) * hoop.rate_b


@block
def tilt_about_centres_gradient(f: MeshFrame, out: Gradients):
    """Gradient of tau = eta1_A . eta3_B."""
    turn = cross(f.e1, f.h3)
    a = dot(f.e1p, f.h3)
    b = dot(f.e1, f.h3p)
    psi_a = out.psi_a
    psi_b = out.psi_b
    tilt = out.tilt
    for j in range(12):
        t = a * psi_a[j] + b * psi_b[j]
        if j > 2 and j < 6:
            t += turn[j - 3]
        elif j > 8:
            t -= turn[j - 9]
        tilt[j] = t


@block
def line_rows(f: MeshFrame, row: I8, out: Gradients, J: A2):
    """Row and column of the second multiplier of rigid teeth with line contact."""
    tilt_about_centres_gradient(f, out)
    for j in range(12):
        J[row, j] = out.tilt[j]
        J[j, row] = out.tilt[j]
