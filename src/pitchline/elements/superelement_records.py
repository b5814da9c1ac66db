"""Data of a superelement (`SuperelementData`), its input (`SuperelementSeen`) and its values during an evaluation
(`SuperelementWork`)."""

from ..math.fields import INTEGER, NUMBER, VECTOR, behind, fields, inline, record_at
from .contract import Coordinates, Node, seen

MODES = Coordinates("modes", "n_modes", "m", "modal displacements", typical=0.1)
"""Amplitudes of the modes with fixed interfaces: the largest displacement in each."""

SuperelementSeen = seen(nodes="n_nodes", coordinates=(MODES,))
node_at = record_at(Node)
"""node_at(x.nodes[i]): the record of node i."""

SuperelementData = fields(
    "Superelement",
    n_relative=INTEGER,  # 6 (k - 1): motions of the other nodes relative to the first
    n_modes=INTEGER,
    n_all=INTEGER,  # 6 k + modes
    rest=behind("n_relative"),  # logarithms of these motions, undeformed
    stiffness=behind("n_relative", "n_relative"),  # on their change
    damping=NUMBER,  # over stiffness
    modal_stiffness=behind("n_modes"),
    modal_damping=behind("n_modes"),
    mass=behind("n_all", "n_all"),  # on velocities of the nodes in their axes, and rates of the modes
    n_changes=INTEGER,  # relative motions and modes
    rigid_mass_by=behind(
        "n_changes", 36
    ),  # their change of the 6x6 mass matrix of rigid motions, see `superelement_carried`
    rigid_by=behind("n_all", 6),  # mean rigid velocity of the body, axes of the first node, by those of nodes and modes
    gravity=VECTOR,  # world axes
    weight=NUMBER,  # mass for gravity
    centre=VECTOR,  # mass times centre of mass, undeformed, axes of the first node
    centre_by_relative=behind("n_relative", 3),  # its change with deformation
    centre_by_modes=behind("n_modes", 3),
)
SuperelementWork = fields(
    "SuperelementWork",
    n_relative=INTEGER,
    n_all=INTEGER,
    n_coordinates=INTEGER,  # 6 k
    n_changes=INTEGER,
    d=behind("n_relative"),
    change=behind("n_relative"),  # d - rest
    rate=behind("n_relative"),
    effort=behind("n_relative"),  # force and moment on d
    c=behind("n_relative"),  # three numbers for each motion: coefficient of T^-1 and its derivatives
    P=behind("n_relative", 12),  # d by motions of the first node and of its own, in their axes
    velocity=behind("n_all"),
    momentum=behind("n_all"),
    acceleration=behind("n_all"),
    force=behind("n_all"),
    by_coordinates=behind(
        "n_relative", 12
    ),  # d and its rate for the first node and the own node, as used by the stiffness
    effort_by=behind("n_relative", "n_coordinates"),
    turned=behind("n_coordinates", "n_all"),
    tangent=behind("n_all", "n_all"),  # in node axes
    by_d=inline(12, 6),
    rate_by_d=inline(6, 6),
    mass=behind("n_all", "n_all"),  # including the effect of deformation
    mass_rate=behind("n_all", "n_all"),
    pull=behind("n_changes", "n_all"),  # change of momentum with each relative motion and mode, and of its force
    push=behind("n_changes", "n_all"),
    rigid_mass=inline(6, 6),  # effect of deformation on it
    rigid_mass_rate=inline(6, 6),
    column=inline(12),
    shift=inline(6),  # of the centre of mass, and its rate
    across=behind("n_all", 3),
)
