"""A chain of beam elements, evaluated by the compiled element: statics by Newton, matrices about the undeformed state."""

import numpy as np
from references.element_bench import exponential

from pitchline.engine.elements.contract import TANGENT
from pitchline.parts.bodies.kernel_row import Single
from pitchline.parts.shafts.kernel import beam_element
from pitchline.parts.shafts.sections import log_se3
from pitchline.parts.shafts.segment import MassKind, Segment, segment_mass, segment_stiffness

Array = np.ndarray
HERE = (np.zeros(3), np.eye(3))


class BeamChain:
    """Segments one behind the other; poses x (n, 3), R (n, 3, 3) of their nodes, world axes."""

    def __init__(self, segments: list[Segment], x: Array, R: Array, *, mass: MassKind = "tuned") -> None:
        self.x, self.R = x.copy(), R.copy()
        self.elements = []
        for k, segment in enumerate(segments):
            rest = log_se3(R[k].T @ (x[k + 1] - x[k]), R[k].T @ R[k + 1])
            curved = Segment(segment.pieces, rest)
            K = segment_stiffness(curved)
            element = beam_element("beam", (k + 1, k + 2), HERE, HERE, K=K, M=segment_mass(curved, K, mass), rest=rest)
            self.elements.append(Single(element, np.zeros(1)))

    @staticmethod
    def straight(segments: list[Segment], *, mass: MassKind = "tuned") -> "BeamChain":
        """Along z from the origin."""
        z = np.concatenate([[0.0], np.cumsum([s.length for s in segments])])
        return BeamChain(segments, np.stack([0 * z, 0 * z, z], axis=1), np.tile(np.eye(3), (len(z), 1, 1)), mass=mass)

    def assembled(self, *, mass: float = 0.0, stiffness: float = 1.0) -> tuple[Array, Array]:
        """Forces and tangent of all coordinates."""
        n = 6 * len(self.x)
        r, J = np.zeros(n), np.zeros((n, n))
        for k, one in enumerate(self.elements):
            one.nodes[:, :3], one.nodes[:, 3:12] = self.x[k : k + 2], self.R[k : k + 2].reshape(2, 9)
            one.ask["M"], one.ask["K"] = mass, stiffness
            mine = slice(6 * k, 6 * k + 12)
            f, j = one.evaluate(TANGENT)
            r[mine] += f
            J[mine, mine] += j
        return r, J

    def matrices(self) -> tuple[Array, Array]:
        """K and M where it stands."""
        return self.assembled()[1], self.assembled(mass=1.0, stiffness=0.0)[1]

    def linear(self, load: Array) -> Array:
        """Displacements and rotations (nodes, 6) under a small load (n), with its first node held."""
        dq = np.zeros(len(load))
        dq[6:] = np.linalg.solve(self.assembled()[1][6:, 6:], load[6:])
        return dq.reshape(-1, 6)

    def solve(self, load: Array, *, steps: int, smallest: float = 1e-8) -> None:
        """Equilibrium under a load (n) raised in steps, with its first node held; until rotations change by less than `smallest`,
        after which one more step of Newton would change nothing."""
        for step in range(1, steps + 1):
            for _ in range(60):
                r, J = self.assembled()
                dq = np.zeros(len(r))
                dq[6:] = np.linalg.solve(J[6:, 6:], (load * step / steps - r)[6:])
                turn = float(np.abs(dq.reshape(-1, 6)[:, 3:]).max())
                self.move(dq * min(1.0, 0.5 / max(turn, 1e-300)))
                if turn < smallest:
                    break
            else:
                raise AssertionError(f"no equilibrium in step {step}")

    def move(self, dq: Array) -> None:
        """By increments (n): translations in world axes, rotations in node axes."""
        for k, d in enumerate(dq.reshape(-1, 6)):
            self.x[k] += d[:3]
            self.R[k] = self.R[k] @ exponential(d[3:])
