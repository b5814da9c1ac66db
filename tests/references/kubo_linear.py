"""Kubo's gear rig without backlash, linear, in the frequency domain: case A on rigid and case B on elastic supports.

Numbers are those of A. Cardona, 1997, section 7.3, in its units (inch, pound-force, second).
"""

import math

import numpy as np

__all__ = ["linear_amplitude"]

ELASTIC = {"a": False, "b": True}
"""Supports."""

TEETH, DIAMETER, ALPHA = 25, 3.937, math.radians(20)
"""Pitch diameter [in]."""
INERTIA, MASS, INERTIA_2 = 0.0102, 5.36e-3, 0.0102
"""Of a wheel [lbf in s²], [lbf s²/in]; of disk 2 [lbf in s²]."""
K_M, ZETA, ERROR = 1.477e7, 0.1, 0.003937
"""[lbf/in], -, [in]"""
K_T1, C_T1, K_T2, C_T2 = 1.7e4, 0.076026, 3e4, 0.12369
"""[lbf in/rad], [lbf in s/rad]"""
K_S, C_S = 1.477e7, 50.0
"""Of a support, in x and y [lbf/in], [lbf s/in]."""
SPEED = 400 * math.pi
"""Of disk 1 [rad/s]."""


def linear_amplitude(case: str) -> tuple[float, float]:
    """Amplitudes at the mesh frequency of the normal force and of the horizontal reaction [lbf], two-sided contact.

    The hoop force f = k_m (u + x) + c_m u' with u = r (ψ_A + ψ_B) + (support displacements) and x = X e^{iωt}, small
    motions about the steady run, disk 1 at constant speed:

        (−ω² M + iω C + K) q = −g k_m X ,    f = (k_m + iω c_m) gᵀq + k_m X .

    q = (θ_A, θ_B, θ_2), with the horizontal displacements of the wheels in case B; g = du/dq.
    """
    elastic = ELASTIC[case]
    r, w = 0.5 * DIAMETER, SPEED * TEETH
    effective = 1 / (2 * r**2 / INERTIA)
    c_m = 2 * ZETA * math.sqrt(K_M * effective)
    M = np.diag([INERTIA, INERTIA, INERTIA_2] + [MASS, MASS] * elastic)
    K = np.diag([K_T1, K_T2, K_T2] + [K_S, K_S] * elastic)
    C = np.diag([C_T1, C_T2, C_T2] + [C_S, C_S] * elastic)
    K[1, 2] = K[2, 1] = -K_T2
    C[1, 2] = C[2, 1] = -C_T2
    g = np.array([r, r, 0.0] + [-1.0, 1.0] * elastic)
    dynamic = -w * w * M + 1j * w * C + K + (K_M + 1j * w * c_m) * np.outer(g, g)
    q = np.linalg.solve(dynamic, -g * K_M * ERROR)
    f = (K_M + 1j * w * c_m) * (g @ q) + K_M * ERROR
    horizontal = (K_S + 1j * w * C_S) * q[3] if elastic else f
    return abs(f) / math.cos(ALPHA), abs(horizontal)
