"""The gear rig in Exudyn, one-dimensional: rotors on angles, springs and dampers between them, rigid supports.

Coordinates are the angles less the turning of disk 1, θ_A - Ωt, θ_B + Ωt, θ_2 + Ωt: the first shaft is then a spring to
ground, and no motion has to be imposed, which saves a coordinate and a constraint. How the mesh enters decides on the speed:

`train`  rotors (ObjectRotationalMass1D) and coordinate springs; the mesh is a CoordinateSpringDamperExt, whose factors make
         its displacement u. Its force function knows u, its rate and the time, nothing else. Hence

         "psi"   a Python function that asks the system for θ_A: the classical equations of the rig, in which the error
                 does no work (one connector has one force);
         "time"  a symbolic function, which Exudyn evaluates without Python, of u and X (1 - cos zΩt): not the same
                 equations, for wheel A vibrates;
         "none"  no function at all: the stops of the connector are the backlash, and the wheels have no error. Nothing
                 shakes this rig: the least a train with backlash costs.

`ode2`   all in one ObjectGenericODE2 with a symbolic force, whose arguments are all coordinates: the complete equations
         without Python. The coordinates are θ_A + θ_B, θ_A and θ_2, so that the mesh force is one entry, not two.

Chosen for speed, each measured against its alternatives: the module without range checks, dense LU, modified Newton with
Exudyn's own rule for a new Jacobian, no files and no console; explicit Runge-Kutta
with the mass matrix inverted body by body (`bodywise`) where it is diagonal; otherwise Exudyn's result is wrong.
"""

import math
import time
from collections.abc import Callable
from typing import Any

import exudyn_models  # first: chooses the fast module
import numpy as np
from exudyn_models import System, exu
from kubo_lumped import COS_ALPHA, mesh, start
from kubo_rig import (
    ERROR,
    INERTIA,
    LOAD,
    MESH_DAMPING,
    MESH_STIFFNESS,
    RADIUS,
    SHAFT_DAMPING,
    SHAFT_STIFFNESS,
    SPEED,
    TEETH,
    Case,
    History,
)

from exudyn.advancedUtilities import CreateSymbolicUserFunction  # isort: skip
from exudyn.itemInterface import (  # isort: skip
    LoadCoordinate,
    MarkerNodeCoordinate,
    Node1D,
    NodeGenericData,
    NodeGenericODE2,
    NodePointGround,
    ObjectConnectorCoordinateSpringDamper,
    ObjectConnectorCoordinateSpringDamperExt,
    ObjectGenericODE2,
    ObjectRotationalMass1D,
    SensorNode,
)

KT1, KT2 = SHAFT_STIFFNESS
CT1, CT2 = SHAFT_DAMPING
DEFAULT, LOOSE = exudyn_models.DEFAULT, exudyn_models.LOOSE
symbolic = exu.symbolic

# Symbolic functions live as long as someone holds them.
_held: list[Any] = []


def train(
    case: Case, duration: float, step: float, sample: float | None = None, *, error: str = "psi", **options: Any
) -> History:
    """Rotors and connectors."""
    mbs = _system(case)
    q = start(case)[:3]
    nodes = [mbs.AddNode(Node1D(referenceCoordinates=[0.0], initialCoordinates=[angle])) for angle in q]
    for node in nodes:
        mbs.AddObject(ObjectRotationalMass1D(nodeNumber=node, inertia=INERTIA))
    ground = mbs.AddNode(NodePointGround())
    earth, a, b, d = (mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=n, coordinate=0)) for n in (ground, *nodes))
    for ends, stiffness, damping in (((earth, a), KT1, CT1), ((b, d), KT2, CT2)):
        mbs.AddObject(
            ObjectConnectorCoordinateSpringDamper(markerNumbers=list(ends), stiffness=stiffness, damping=damping)
        )
    for wheel in (a, b):
        mbs.AddLoad(LoadCoordinate(markerNumber=wheel, load=LOAD))

    between: dict[str, Any] = {"markerNumbers": [a, b], "factor0": -RADIUS, "factor1": RADIUS}
    if error == "none":
        data = mbs.AddNode(NodeGenericData(initialCoordinates=[0.0] * 3, numberOfDataCoordinates=3))
        between |= {"nodeNumber": data, "useLimitStops": True, "limitStopsStiffness": MESH_STIFFNESS}
        between |= {"limitStopsUpper": 0.0, "limitStopsLower": -case.backlash, "damping": MESH_DAMPING}
    elif error == "time":
        kind = "ObjectConnectorCoordinateSpringDamperExt"
        name = "springForceUserFunction"
        between[name] = CreateSymbolicUserFunction(mbs, _over_time(case, q[0]), name, itemTypeName=kind)
        _held.append(between[name])
    else:
        between["springForceUserFunction"] = _over_psi(mbs, case, nodes[0])
    mbs.AddObject(ObjectConnectorCoordinateSpringDamperExt(**between))

    def force(angles: np.ndarray, speeds: np.ndarray, t: np.ndarray) -> np.ndarray:
        return _mesh_force(case, angles[:, 0] + angles[:, 1], speeds[:, 0] + speeds[:, 1], angles[:, 0], t)

    return _solve(mbs, nodes[:2], force, duration, step, sample, bodywise=True, **options)


def _over_psi(mbs: System, case: Case, node: Any) -> Callable[..., float]:
    backlash, read, what, cos = case.backlash, mbs.GetNodeOutput, exu.OutputVariableType.Coordinates, math.cos

    def force(mbs, t, item, u, u_dot, *parameters):  # type: ignore[no-untyped-def]
        s = u + ERROR * (1.0 - cos(TEETH * (read(node, what) + SPEED * t)))
        return MESH_STIFFNESS * (max(s, 0.0) + min(s + backlash, 0.0)) + MESH_DAMPING * u_dot

    return force


def _over_time(case: Case, angle: float) -> Callable[..., Any]:
    # Exudyn counts the arguments before it records: all of them have to be written.
    def force(mbs, t, item, u, u_dot, k, c, x, v, f1, f2, f3, f4, f5):  # type: ignore[no-untyped-def]
        s = u + ERROR * (1.0 - symbolic.cos(TEETH * (angle + SPEED * t)))
        return MESH_STIFFNESS * (symbolic.max(s, 0.0) + symbolic.min(s + case.backlash, 0.0)) + MESH_DAMPING * u_dot

    return force


def ode2(case: Case, duration: float, step: float, sample: float | None = None, **options: Any) -> History:
    """One object with symbolic forces; (θ_A, θ_B, θ_2) = T q."""
    mbs = _system(case)
    T = np.array(((0.0, 1.0, 0.0), (1.0, -1.0, 0.0), (0.0, 0.0, 1.0)))
    node = mbs.AddNode(
        NodeGenericODE2(
            numberOfODE2Coordinates=3,
            referenceCoordinates=[0.0] * 3,
            initialCoordinates=list(np.linalg.solve(T, start(case)[:3])),
            initialCoordinates_t=[0.0] * 3,
        )
    )
    mass, stiffness, damping = np.eye(3) * INERTIA, _shafts(KT1, KT2), _shafts(CT1, CT2)
    across = np.diag((MESH_DAMPING * RADIUS**2, 0.0, 0.0))
    rig = mbs.AddObject(
        ObjectGenericODE2(
            nodeNumbers=[node],
            massMatrix=T.T @ mass @ T,
            stiffnessMatrix=T.T @ stiffness @ T,
            dampingMatrix=T.T @ damping @ T + across,
        )
    )

    def force(mbs, t, item, q, q_t):  # type: ignore[no-untyped-def]
        angle = TEETH * (q[1] + SPEED * t)
        s = RADIUS * q[0] + ERROR * (1.0 - symbolic.cos(angle))
        elastic = MESH_STIFFNESS * (symbolic.max(s, 0.0) + symbolic.min(s + case.backlash, 0.0))
        work = -(ERROR * TEETH) * elastic * symbolic.sin(angle) if case.consistent else 0.0
        return [LOAD - RADIUS * elastic, work, 0.0]

    function = CreateSymbolicUserFunction(mbs, force, "forceUserFunction", itemIndex=rig)
    _held.append(function)
    mbs.SetObjectParameter(rig, "forceUserFunction", function)

    def mesh_force(q: np.ndarray, q_t: np.ndarray, t: np.ndarray) -> np.ndarray:
        return _mesh_force(case, q[:, 0], q_t[:, 0], q[:, 1], t)

    return _solve(mbs, [node], mesh_force, duration, step, sample, **options)


def _system(case: Case) -> System:
    if case.flexible:
        raise ValueError("the one-dimensional rig has rigid supports")
    _held.clear()
    # Its container lives with it.
    container = exu.SystemContainer()
    _held.append(container)
    return container.AddSystem()


def _shafts(first: float, second: float) -> np.ndarray:
    return np.array(((first, 0.0, 0.0), (0.0, second, -second), (0.0, -second, second)))


def _mesh_force(case: Case, turn: np.ndarray, turning: np.ndarray, angle: np.ndarray, t: np.ndarray) -> np.ndarray:
    """Normal force at the samples, from the coordinates."""
    rows = zip(RADIUS * turn, RADIUS * turning, angle + SPEED * t, strict=True)
    return np.array([mesh(u, u_dot, psi, case.backlash)[0] for u, u_dot, psi in rows]) / COS_ALPHA


def _solve(
    mbs: System,
    nodes: list[Any],
    force: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray],
    duration: float,
    step: float,
    sample: float | None,
    *,
    bodywise: bool = False,
    explicit: bool = False,
    tolerance: float = DEFAULT,
    rho: float = 0.9,
) -> History:
    kinds = exu.OutputVariableType
    sensors = []
    if sample is not None:
        sensors = [
            [mbs.AddSensor(SensorNode(nodeNumber=n, storeInternal=True, outputVariableType=kind)) for n in nodes]
            for kind in (kinds.Coordinates, kinds.Coordinates_t)
        ]
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.parallel.numberOfThreads = 1
    settings.solution.file.write = False
    settings.solution.sensors.active = sample is not None
    if sample is not None:
        settings.solution.sensors.writePeriod = sample
    settings.linearSolver.solverType = exu.LinearSolverType.EXUdense
    integration = settings.timeIntegration
    integration.endTime = duration
    integration.numberOfSteps = round(duration / step)
    integration.verboseMode = 0
    if explicit:
        integration.solverType = exu.DynamicSolverType.RK44
        integration.automaticStepSize = False
        integration.explicit.computeEndOfStepAccelerations = False
        integration.explicit.computeMassMatrixInversePerBody = bodywise
        solver = exu.MainSolverExplicit()
    else:
        integration.generalizedAlpha.spectralRadius = rho
        integration.newton.useModifiedNewton = True
        integration.newton.relativeTolerance = tolerance
        solver = exu.MainSolverImplicitSecondOrder()

    # SolveDynamic in its three parts, so that the clock runs for the time loop alone.
    if not solver.InitializeSolver(mbs, settings):
        raise RuntimeError("Exudyn could not start")
    started = time.perf_counter()
    completed = solver.SolveSteps(mbs, settings)
    wall_time = time.perf_counter() - started
    solver.FinalizeSolver(mbs, settings)
    if not completed:
        raise RuntimeError(f"Exudyn stopped at t = {solver.it.currentTime} s")

    t = values = np.empty(0)
    if sample is not None:
        coordinates, rates = ([mbs.GetSensorStoredData(s) for s in group] for group in sensors)
        t = coordinates[0][:, 0]
        q, q_t = (np.column_stack([data[:, 1:] for data in group]) for group in (coordinates, rates))
        values = force(q, q_t, t)
    # The index counts the step that would come next.
    return History(wall_time, t, values, solver.it.currentStepIndex - 1, solver.it.newtonStepsCount)
