"""A spinning shaft with two bearings and an unbalanced disc, side by side with Exudyn's beams; cost of the element and of stations.

A steel shaft, 600 mm long and 30 mm thick, in two linear elastic bearings, with a disc off its middle, starts straight at
300 rad/s: the unbalance sets it whirling. Same step and same class of method, one thread; the time is that of the time loop alone,
the best of several runs. The error is that of the place of the disc at the end, relative to its largest deflection on the way,
against a run with 48 elements and a quarter of the step. Exudyn's `ObjectBeamGeometricallyExact` (linear shapes, one point of
integration) on nodes with rotation vectors gets more and more elements. Its Newton has the largest tolerance that leaves its result
as it is; with its default of 1e-8 it halves its steps again and again and takes a hundred times as long.
"""

import math
from typing import Any

import numpy as np

LENGTH, DIAMETER, DISC_AT = 0.6, 0.03, 0.25  # m
YOUNG, POISSON, DENSITY = 2.1e11, 0.3, 7850.0
MASS, ACROSS, POLAR, OFFSET = 3.0, 0.006, 0.011, 1e-4  # disc: kg, kg m², kg m², m
STIFFNESS, AXIAL = 5e7, 1e6  # of each bearing, N/m
SPIN = 300.0  # rad/s
STEP, DURATION = 2e-5, 0.04  # s
ELEMENTS, PEER_ELEMENTS, PEER_TOLERANCE = 12, (12, 24, 48), 1e-3
STATIONS = (12, 24, 48, 96)


def pitchline_run(elements: int, step: float = STEP) -> tuple[float, np.ndarray]:
    """Time of the loop [s], and deflections of the disc (samples, 2) [m]."""
    import pitchline as pl

    steel = pl.Material("steel", density=DENSITY, youngs_modulus=YOUNG, poissons_ratio=POISSON)
    m = pl.Model("shaft", gravity=(0, 0, 0))
    shaft = m.shaft(
        "shaft",
        [pl.ShaftSection(LENGTH, DIAMETER)],
        material=steel,
        stations={"disc": DISC_AT},
        elements=elements,
        speed=SPIN,
    )
    m.attached_mass("disc", shaft["disc"], mass=MASS, inertia=(ACROSS, ACROSS, POLAR), centre_of_mass=(OFFSET, 0, 0))
    for end, z in (("start", 0.0), ("end", LENGTH)):
        m.bushing(end, m.ground, shaft[end], at=(0, 0, z), stiffness=[STIFFNESS, STIFFNESS, AXIAL, 0, 0, 0])
    run = pl.dynamics(m, duration=DURATION, step=step, output_step=DURATION / 20)
    return float(run.statistics["wall_time"]), run["shaft disc.position"].values[:, :2]


def exudyn_run(elements: int) -> tuple[float, np.ndarray]:
    """The same with Exudyn's beams along x; y and z are across."""
    from exudyn_models import exu, timed_loop  # first: chooses the fast module

    import exudyn.itemInterface as item  # isort: skip

    mbs = exu.SystemContainer().AddSystem()
    area, second = math.pi / 4 * DIAMETER**2, math.pi / 64 * DIAMETER**4
    shear = YOUNG / 2 / (1 + POISSON)
    factor = 6 * (1 + POISSON) / (7 + 6 * POISSON)
    section = exu.BeamSection()
    section.massPerLength = DENSITY * area
    section.inertia = DENSITY * second * np.diag([2.0, 1.0, 1.0])
    section.stiffnessMatrix = np.diag(
        [YOUNG * area, factor * shear * area, factor * shear * area, 2 * shear * second, YOUNG * second, YOUNG * second]
    )
    before = max(1, round(elements * DISC_AT / LENGTH))
    places = [*np.linspace(0, DISC_AT, before + 1), *np.linspace(DISC_AT, LENGTH, elements - before + 1)[1:]]
    nodes = [
        mbs.AddNode(
            item.NodeRigidBodyRotVecLG(referenceCoordinates=[x, 0, 0, 0, 0, 0], initialVelocities=[0, 0, 0, SPIN, 0, 0])
        )
        for x in places
    ]
    for k in range(elements):
        mbs.AddObject(
            item.ObjectBeamGeometricallyExact(
                nodeNumbers=nodes[k : k + 2], length=places[k + 1] - places[k], sectionData=section
            )
        )
    inertia = np.diag([POLAR, ACROSS, ACROSS]) + MASS * OFFSET**2 * np.diag([1.0, 0.0, 1.0])
    mbs.AddObject(
        item.ObjectRigidBody(
            nodeNumber=nodes[before], physicsMass=MASS, physicsCenterOfMass=[0, OFFSET, 0],
            physicsInertia=[*np.diag(inertia), 0.0, 0.0, 0.0],
        )
    )  # fmt: skip
    ground = mbs.AddObject(item.ObjectGround())
    for node, x in ((nodes[0], 0.0), (nodes[-1], LENGTH)):
        a = mbs.AddMarker(item.MarkerBodyRigid(bodyNumber=ground, localPosition=[x, 0, 0]))
        b = mbs.AddMarker(item.MarkerNodeRigid(nodeNumber=node))
        mbs.AddObject(
            item.ObjectConnectorRigidBodySpringDamper(
                markerNumbers=[a, b],
                stiffness=np.diag([AXIAL, STIFFNESS, STIFFNESS, 0, 0, 0]),
                damping=np.zeros((6, 6)),
            )
        )
    wall, _ = timed_loop(mbs, DURATION, step=STEP, tolerance=PEER_TOLERANCE, dense=False)
    place = np.array(mbs.GetNodeOutput(nodes[before], exu.OutputVariableType.Displacement))
    return wall, place[None, 1:]


def bench(codes: list[str], repeats: int) -> None:
    """Print the tables."""
    _whirl(codes, repeats)
    _element(repeats)
    _stations(repeats)


def _whirl(codes: list[str], repeats: int) -> None:
    print(f"\nSpinning shaft with two bearings and an unbalanced disc, {DURATION:g} s in steps of {1e6 * STEP:g} us")
    reference = pitchline_run(48, STEP / 4)[1]
    size = float(np.linalg.norm(reference, axis=1).max())
    print(f"{'code':<14}{'elements':>10}{'time':>12}{'a step':>12}{'error':>12}{'ratio':>8}")
    entrants: list[tuple[str, Any, int]] = [("pitchline", pitchline_run, ELEMENTS)]
    if "exudyn" in codes:
        entrants += [("Exudyn", exudyn_run, n) for n in PEER_ELEMENTS]
    first = 0.0
    for name, run, elements in entrants:
        done = [run(elements) for _ in range(repeats)]
        wall = min(spent for spent, _ in done)
        first = first or wall
        error = float(np.linalg.norm(done[0][1][-1] - reference[-1])) / size
        print(
            f"{name:<14}{elements:>10}{wall:>10.3f} s{1e6 * wall / (DURATION / STEP):>9.1f} us{error:>12.1e}{wall / first:>8.1f}"
        )


def _element(repeats: int) -> None:
    """Residual, and residual with tangent, of one element, called by address as the engine does."""
    from beam_kernel import times

    print("\nOne beam element, compiled, best of several")
    for name, (alone, both) in times(repeats).items():
        print(f"{name:<24} residual {1e6 * alone:.2f} us, residual and tangent {1e6 * both:.2f} us")


def _stations(repeats: int) -> None:
    print("\nThe same shaft with more elements, time of a step")
    rows = []
    for elements in STATIONS:
        wall = min(pitchline_run(elements)[0] for _ in range(repeats)) / (DURATION / STEP)
        rows.append(wall)
        print(f"{elements:>4} elements {1e6 * wall:>8.1f} us, {1e6 * wall / elements:.2f} us an element")
    exponent = math.log(rows[-1] / rows[0]) / math.log(STATIONS[-1] / STATIONS[0])
    print(f"growth exponent from {STATIONS[0]} to {STATIONS[-1]}: {exponent:.2f}")


if __name__ == "__main__":
    bench(["exudyn"], 2)
