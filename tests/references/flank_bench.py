"""The element of elastic flanks by itself: two nodes that can be put anywhere, at rest and within a step."""

import numpy as np

import pitchline as pl
from pitchline.engine.compile.compiler import compile_model
from pitchline.engine.elements.contract import RESIDUAL
from pitchline.parts.bodies.kernel_row import Single
from pitchline.parts.meshes.compile import flanks_of
from pitchline.parts.meshes.kernel_flank import FLANK_MESH

from .elastic_pair import COARSE, gears
from .element_bench import moved


def _small_pair(helix: float, **options: object) -> pl.Model:
    a, b = gears(helix)
    m = pl.Model("pair", gravity=(0, 0, 0))
    body_a = m.gear_body("a", a.gear, position=(0, 0, 0), axis="z")
    body_b = m.gear_body("b", b.gear, mesh_with=body_a)
    mesh = pl.Flank(**({"elements_a": COARSE, "elements_b": COARSE, "modes": "60 kHz"} | options))
    m.gear_pair("mesh", body_a, body_b, mesh=mesh)
    return m


class FlankBench(Single):
    """An element of the small pair of elastic gears, or of the pair "mesh" of a model."""

    def __init__(self, helix: float = 0.0, model: pl.Model | None = None, **options: object) -> None:
        m = _small_pair(helix, **options) if model is None else model
        system, state = compile_model(m)
        element = next(x for x in system.elements if x.kind is FLANK_MESH)
        nodes = system.kinematics(state)[list(element.nodes)]
        super().__init__(element, np.zeros(1))
        self.built = np.array([[*node["x"], *node["R"]] for node in nodes])
        """Poses as built."""
        data = flanks_of(m.gear_pairs["mesh"])
        self.gears = data.a, data.b
        self._start = self.memory.copy()

    def look(
        self, P: np.ndarray, mode: int = RESIDUAL, *, h: float = 0.0, V: np.ndarray | None = None, opened: bool = False
    ) -> tuple[np.ndarray, np.ndarray]:
        """(r, J) in a pose, velocities V; factors of the tangent: that of the stiffness."""
        self.put(P, V)
        self.ask["h"], self.ask["K"] = h, 1.0
        return self.evaluate(mode, opened=opened)

    def put(self, P: np.ndarray, V: np.ndarray | None = None) -> None:
        self.nodes[:, :12], self.nodes[:, 12:] = P, 0.0
        if V is not None:
            self.nodes[:, 12:18] = V

    def rest(self, P: np.ndarray) -> None:
        """Forget all, and begin at rest in this pose."""
        self.memory[:] = self._start
        for rows in self.coordinates.values():
            rows[:] = 0.0
        self.put(P)
        self.ask["h"] = 0.0
        self.accept()

    def begin_from(self, P: np.ndarray, h: float, V: np.ndarray | None = None) -> None:
        """Begin a step."""
        self.put(P, V)
        self.ask["h"] = h
        self.begin()

    def end_at(self, P: np.ndarray, h: float, V: np.ndarray | None = None) -> None:
        """Accept a step."""
        self.put(P, V)
        self.ask["h"] = h
        self.accept()

    @property
    def kept(self) -> bytes:
        """All that may change where a state is accepted alone."""
        return self.memory.tobytes() + b"".join(rows.tobytes() for rows in self.coordinates.values())

    def pressed(self, turn: float) -> np.ndarray:
        """Wheel A turned against B, slightly out of line."""
        rng = np.random.default_rng(3)
        dq = np.zeros((2, 6))
        dq[0, 5] = turn
        dq += np.concatenate([rng.uniform(-2e-6, 2e-6, (2, 3)), rng.uniform(-1e-5, 1e-5, (2, 3)) * [1, 1, 0]], axis=1)
        return moved(self.built, dq)
