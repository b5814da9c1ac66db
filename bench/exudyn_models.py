"""The benchmark mechanisms in Exudyn, as fast as its settings allow for this class of method.

The method: implicit generalized-alpha with modified Newton, constraints at position level (index 3), one
thread. What was chosen for speed, each measured against its alternatives:

- Exudyn's compiled module without range checks (`sys.exudynFast`);
- no solution file, no sensors, no console output, no rendering;
- joints: `ObjectJointGeneric`, as fast as the specialised revolute joint or faster;
- rotations of the chain by Tait-Bryan angles: 6 coordinates a body without the normalisation constraint of
  Euler parameters (Exudyn's default), up to 30 % faster on chains; the four-bar in space has Euler
  parameters, which are 10 % faster there;
- dense LU up to 4 bodies, beyond that sparse LU (Eigen) with the pattern analysed once: at 10 bodies
  sparse is already 1.2 times as fast as the better of the two dense solvers;
- modified Newton with Exudyn's own rule for a new Jacobian (contractivity 0.5): a new Jacobian in every step
  takes 1.8 times as long from 10 bodies on, full Newton more than 3 times.

Newton's tolerance is a choice of accuracy, not of method. Exudyn's default (relative 1e-8) is one contestant;
`LOOSE`, the largest power of ten that leaves the position errors of the chains as they are, is another.
The step is halved where Newton fails and recovers by itself (`adaptiveStep`, Exudyn's default); the number
of steps returned says whether that happened.
"""

import contextlib
import io
import math
import sys
import time
from typing import Any

import numpy as np
from cases import (
    BAR_LENGTH,
    BAR_MASS,
    CHAIN_AXES,
    CHAIN_DURATION,
    CHAIN_GRAVITY,
    FOUR_BAR_DURATION,
    FOUR_BAR_GRAVITY,
    ROD_INERTIA,
    ROD_INERTIA_ALONG,
    ROD_LENGTH,
    ROD_MASS,
    SPECTRAL_RADIUS,
    STEP,
    TIP_SPEED,
    Run,
    bar_inertia,
)

sys.exudynFast = True  # type: ignore[attr-defined]  # read by exudyn when it is first imported
with contextlib.redirect_stdout(io.StringIO()):
    import exudyn as exu
    from exudyn.itemInterface import (
        LoadForceVector,
        MarkerBodyPosition,
        MarkerNodePosition,
        NodeRigidBody2D,
        ObjectGround,
        ObjectJointRevolute2D,
        ObjectRigidBody2D,
    )
    from exudyn.rigidBodyUtilities import RigidBodyInertia
exu.config.printToConsole = False

DEFAULT, LOOSE = 1e-8, 1e-5  # relative tolerance of Newton
VERSION: str = exu.__version__

# Exudyn's own type stubs do not describe what its compiled module adds at run time.
System = Any


def chain(n: int, *, step: float = STEP, tolerance: float = DEFAULT) -> Run:
    """The chain of n bars in space."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    previous = mbs.CreateGround()
    bodies = []
    for i in range(n):
        body = mbs.CreateRigidBody(
            referencePosition=[(i + 0.5) * BAR_LENGTH, 0, 0],
            inertia=RigidBodyInertia(BAR_MASS, np.diag(bar_inertia())),
            gravity=list(CHAIN_GRAVITY),
            nodeType=exu.NodeType.RotationRxyz,
        )
        # All frames start parallel to the world: the joint holds the rotations about the two other axes.
        held = [0 if component else 1 for component in CHAIN_AXES[i % 2]]
        _joint(mbs, previous, body, [i * BAR_LENGTH, 0, 0], [1, 1, 1, *held])
        bodies.append(body)
        previous = body
    return _solve(mbs, bodies, CHAIN_DURATION, step=step, tolerance=tolerance, dense=n <= 4)


def four_bar_planar(windows: int, *, step: float = STEP, tolerance: float = DEFAULT) -> Run:
    """The N-four-bar with Exudyn's planar bodies and joints: 3 coordinates a body, 2 constraints a joint."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    ground = mbs.AddObject(ObjectGround())
    half = ROD_LENGTH / 2

    def rod(x: float, y: float, angle: float, velocity: float, turning: float) -> Any:
        node = mbs.AddNode(
            NodeRigidBody2D(referenceCoordinates=[x, y, angle], initialVelocities=[velocity, 0, turning])
        )
        body = mbs.AddObject(ObjectRigidBody2D(mass=ROD_MASS, inertia=ROD_INERTIA, nodeNumber=node))
        weight = [ROD_MASS * g for g in FOUR_BAR_GRAVITY]
        marker = mbs.AddMarker(MarkerNodePosition(nodeNumber=node))
        mbs.AddLoad(LoadForceVector(markerNumber=marker, loadVector=weight))
        return body

    def hinge(a: Any, x_a: float, b: Any, x_b: float) -> None:
        markers = [
            mbs.AddMarker(MarkerBodyPosition(bodyNumber=body, localPosition=[x, 0, 0]))
            for body, x in ((a, x_a), (b, x_b))
        ]
        mbs.AddObject(ObjectJointRevolute2D(markerNumbers=markers))

    bodies: list[Any] = []
    previous = None
    for i in range(windows + 1):
        x = i * ROD_LENGTH
        crank = rod(x, half, math.pi / 2, TIP_SPEED / 2, -TIP_SPEED / ROD_LENGTH)
        hinge(ground, x, crank, -half)
        bodies.append(crank)
        if previous is not None:
            coupler = rod(x - half, ROD_LENGTH, 0.0, TIP_SPEED, 0.0)
            hinge(previous, half, coupler, -half)
            hinge(crank, half, coupler, half)
            bodies.append(coupler)
        previous = crank
    return _solve(mbs, bodies, FOUR_BAR_DURATION, step=step, tolerance=tolerance, dense=windows < 2)


def four_bar_spatial(windows: int, *, step: float = STEP, tolerance: float = DEFAULT) -> Run:
    """The N-four-bar with bodies in space.

    Revolute joints everywhere would be redundant, which Exudyn's solver does not accept: the second joint of
    each coupler holds only the two directions in the plane.
    """
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    ground = mbs.CreateGround()
    revolute, pin = [1, 1, 1, 1, 1, 0], [1, 1, 0, 0, 0, 0]
    upright = np.diag((ROD_INERTIA, ROD_INERTIA_ALONG, ROD_INERTIA))
    level = np.diag((ROD_INERTIA_ALONG, ROD_INERTIA, ROD_INERTIA))

    def rod(x: float, y: float, inertia: np.ndarray, velocity: float, turning: float) -> Any:
        return mbs.CreateRigidBody(
            referencePosition=[x, y, 0],
            initialVelocity=[velocity, 0, 0],
            initialAngularVelocity=[0, 0, turning],
            inertia=RigidBodyInertia(ROD_MASS, inertia),
            gravity=list(FOUR_BAR_GRAVITY),
            nodeType=exu.NodeType.RotationEulerParameters,
        )

    bodies: list[Any] = []
    previous = None
    for i in range(windows + 1):
        x = i * ROD_LENGTH
        crank = rod(x, ROD_LENGTH / 2, upright, TIP_SPEED / 2, -TIP_SPEED / ROD_LENGTH)
        _joint(mbs, ground, crank, [x, 0, 0], revolute)
        bodies.append(crank)
        if previous is not None:
            coupler = rod(x - ROD_LENGTH / 2, ROD_LENGTH, level, TIP_SPEED, 0.0)
            _joint(mbs, previous, coupler, [x - ROD_LENGTH, ROD_LENGTH, 0], revolute)
            _joint(mbs, crank, coupler, [x, ROD_LENGTH, 0], pin)
            bodies.append(coupler)
        previous = crank
    return _solve(mbs, bodies, FOUR_BAR_DURATION, step=step, tolerance=tolerance, dense=False)


def _joint(mbs: System, a: Any, b: Any, at: list[float], constrained: list[int]) -> None:
    mbs.CreateGenericJoint(itemNumbers=[a, b], position=at, constrainedAxes=constrained, useGlobalFrame=True)


def _solve(mbs: System, bodies: list[Any], duration: float, *, step: float, tolerance: float, dense: bool) -> Run:
    wall_time, solver = timed_loop(mbs, duration, step=step, tolerance=tolerance, dense=dense)
    position = exu.OutputVariableType.Position
    positions = np.array([mbs.GetObjectOutputBody(b, position, [0, 0, 0]) for b in bodies])
    # The index counts the step that would come next.
    return Run(wall_time, positions, solver.it.currentStepIndex - 1, solver.it.newtonStepsCount)


def timed_loop(mbs: System, duration: float, *, step: float, tolerance: float, dense: bool) -> tuple[float, Any]:
    """Wall time [s] of the time loop alone, generalized-alpha with modified Newton on one thread; and the solver."""
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.parallel.numberOfThreads = 1
    settings.solution.file.write = False
    settings.solution.sensors.active = False
    kinds = exu.LinearSolverType
    settings.linearSolver.solverType = kinds.EXUdense if dense else kinds.EigenSparse
    settings.linearSolver.reuseAnalyzedPattern = not dense
    integration = settings.timeIntegration
    integration.endTime = duration
    integration.numberOfSteps = round(duration / step)
    integration.verboseMode = 0
    integration.generalizedAlpha.spectralRadius = SPECTRAL_RADIUS
    integration.newton.useModifiedNewton = True
    integration.newton.relativeTolerance = tolerance

    # SolveDynamic in its three parts, so that the clock runs for the time loop alone.
    solver = exu.MainSolverImplicitSecondOrder()
    if not solver.InitializeSolver(mbs, settings):
        raise RuntimeError("Exudyn could not start")
    started = time.perf_counter()
    completed = solver.SolveSteps(mbs, settings)
    wall_time = time.perf_counter() - started
    solver.FinalizeSolver(mbs, settings)
    if not completed:
        raise RuntimeError(f"Exudyn stopped at t = {solver.it.currentTime} s")
    return wall_time, solver
