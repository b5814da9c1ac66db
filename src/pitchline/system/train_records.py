"""Records of a train: filled by the search for trains, read and written by its steps.

A coordinate is the angle of a wheel, or the displacement of a rack or another sliding body. The records contain constants, and
the state that is carried from step to step.
"""

import math

from ..elements.mesh_records import Engagement, Hoop, LawOut, MeshParameters
from ..math.fields import INTEGER, NUMBER, elsewhere, embedded, fields, reference, table
from .records import Pose

TWO_PI = 2.0 * math.pi

TrainWheel = fields(
    "TrainWheel",
    mass=NUMBER,
    force=NUMBER,  # constant generalised force (weight of a sliding body), as in the residual
    is_angle=INTEGER,
    group=INTEGER,  # free coordinate that this one follows
    gain=NUMBER,  # and its factor
    weight=NUMBER,  # in the norm of a correction
    # state: coordinate x relative to the state in which the train was found; of an angle the principal value and revolutions
    x=NUMBER,
    turns=NUMBER,
    v=NUMBER,
    vd=NUMBER,
    a=NUMBER,  # algorithmic acceleration
    vd_before=NUMBER,
    # the step in progress
    v1=NUMBER,
    vd1=NUMBER,
    a0=NUMBER,
    dq=NUMBER,
    outside=NUMBER,  # constant force and loads, as in the residual
    r=NUMBER,
)
"""M dv/dt + forces = 0 of one coordinate."""

TrainSpring = fields("TrainSpring", i=INTEGER, j=INTEGER, a=NUMBER, b=NUMBER, k=NUMBER, c=NUMBER, e0=NUMBER)
"""Extension e = a q_i + b q_j + e0, force k e + c de/dt. j = -1: to the ground."""

TrainLoad = fields("TrainLoad", i=INTEGER, factor=NUMBER, function=INTEGER, is_constant=INTEGER, now=NUMBER)
"""Force factor f(t) on a coordinate, and its present value."""

TrainDrive = fields("TrainDrive", i=INTEGER, a=NUMBER, function=INTEGER, row=INTEGER, s0=NUMBER, rate=NUMBER)
"""a q_i + s0 follows a function of time, by the multiplier `row`; and the present rate of that function."""

Tie = fields("TrainTie", child=INTEGER, parent=INTEGER, a=NUMBER, b=NUMBER, row=INTEGER, ratio=NUMBER)
"""Rigid teeth without play: a q_child + b q_parent = 0, by the multiplier `row`; q_child = ratio q_parent."""

Pair = fields(
    "TrainPair",
    i=INTEGER,  # coordinates of the two wheels, -1: fixed to the ground
    j=INTEGER,
    a=NUMBER,  # psi_A changes by a q_i, psi_B by b q_j
    b=NUMBER,
    element=INTEGER,
    teeth_law=reference(MeshParameters),  # parameters of that element
    turns_b=INTEGER,  # 1: wheel B turns; 0: it is a rack
    tilt_drive=NUMBER,  # of the wheels in the planes of action of both flanks: constant
    tilt_coast=NUMBER,
    # state: principal values, and whole teeth between them
    psi_a=NUMBER,
    psi_b=NUMBER,
    teeth=NUMBER,
    slack=NUMBER,  # s of the last evaluation, or the penetration of the teeth of a table
    push=NUMBER,  # force of the teeth, and its derivative by the approach within a step
    rigidity=NUMBER,
)
"""Teeth with a force law."""

TrainRecord = fields(
    "Train",
    n_wheels=INTEGER,
    n_springs=INTEGER,
    n_loads=INTEGER,
    n_drives=INTEGER,
    n_ties=INTEGER,
    n_pairs=INTEGER,
    n_free=INTEGER,  # free coordinates; drives prescribe the first n_drives
    wheels=table(TrainWheel),
    springs=table(TrainSpring),
    loads=table(TrainLoad),
    drives=table(TrainDrive),
    ties=table(Tie),  # from the outermost wheels inwards
    pairs=table(Pair),
    start=table(Pose),  # poses of the nodes to which coordinates are relative
    # factors of the current step size, and the part of the matrix that is constant with it
    h=NUMBER,
    s=NUMBER,
    to_velocity=NUMBER,
    to_acceleration=NUMBER,
    base=elsewhere("n_free", "n_free"),
    # scratch
    W=elsewhere("n_free", "n_free"),
    x=elsewhere("n_free"),
    hoop=embedded(Hoop),
    engaged=embedded(Engagement),
    law=embedded(LawOut),
    power_teeth=NUMBER,
    power_out=NUMBER,
)
