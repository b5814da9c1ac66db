"""Jammed mechanisms: speeds of drives that no motion satisfies with the teeth and stops that are in contact.

The rates of all rows are B v + c, with the imposed rates c. A motion has B v + c = 0 for joints and drives, and may only leave the
contacts: B v + c + s = 0 with s >= 0 in the direction of their side. The mechanism is jammed if the least residual of these
equations is not zero. The residual then is a combination of rows that contradict each other, which gives their names.
"""

import numpy as np

from ..errors import listed
from ..system.matrix import Evaluator
from ..system.system import State, System
from .contacts import ContactRows, ContactSide

__all__ = ["dependent", "jam", "jam_message", "shared_message"]

CONTRADICTS = 1e-6
"""Residual relative to the largest imposed rate, above which no motion satisfies the rows; and the part of a row in it."""
DEPENDENT = 1e-9
"""Singular value of rows of unit length that counts as zero."""
LARGEST = 1500
"""Largest number of rows and coordinates for which this is examined."""
NAMED = 8


def jam(
    system: System, state: State, rows: ContactRows, contacts: list[ContactSide], *, at_speed: bool = False
) -> list[str]:
    """Names of the parts that contradict each other at a state with these contacts closed; empty if there is a motion.

    at_speed: the speeds of the state satisfy the rows; examine the accelerations."""
    from scipy.optimize import nnls

    if system.n > LARGEST or not system.layout.driven.size:
        return []
    moved = state.copy()
    moved.lam[:] = rows.closing(contacts)
    if not at_speed:
        moved.v[:] = 0.0
    evaluator = Evaluator(system)
    imposed = evaluator.convective(moved) if at_speed else evaluator.rates(moved)
    B, size, which = _rows(system, state, rows, contacts)
    closed = {system.layout.equation[c.row]: float(c.side) for c in contacts}
    c = imposed[which - system.n_q] / size
    most = float(np.max(np.abs(c), initial=0.0))
    if most == 0.0 or not np.isfinite(most) or not np.all(np.isfinite(B)):
        return []
    apart = [(k, closed[i]) for k, i in enumerate(which) if i in closed]
    slack = np.zeros((len(c), len(apart)))
    for column, (k, side) in enumerate(apart):
        slack[k, column] = side
    whole = np.hstack([B, -B, slack])
    try:
        x, _ = nnls(whole, -c / most)
    except RuntimeError:  # its iterations do not end: unknown
        return []
    residual = whole @ x + c / most
    worst = float(np.max(np.abs(residual), initial=0.0))
    if worst < CONTRADICTS:
        return []
    return _names(system, which[np.abs(residual) > 1e-3 * worst])


def dependent(system: System, state: State, rows: ContactRows, contacts: list[ContactSide]) -> list[str]:
    """Names of the parts that constrain the same motion at a state with these contacts closed."""
    if system.n > LARGEST:
        return []
    B, _, which = _rows(system, state, rows, contacts)
    left, sizes, _ = np.linalg.svd(B)
    rank = int(np.sum(sizes > DEPENDENT))
    return _names(system, which[np.any(np.abs(left[:, rank:]) > 1e-3, axis=1)])


def _rows(
    system: System, state: State, rows: ContactRows, contacts: list[ContactSide]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(rows of unit length, their lengths, their equations) of joints, drives and these contacts."""
    nq = system.n_q
    _, K = Evaluator(system).tangent(state, mass=1.0, moving=False, lam=rows.closing(contacts), small_as_array=True)
    K = K if isinstance(K, np.ndarray) else K.toarray()
    closed = {system.layout.equation[c.row] for c in contacts}
    apart = {system.layout.equation[row] for row in rows.rows} - closed
    which = np.array([i for i in range(nq, system.n) if i not in apart], np.int64)
    B = K[which][:, :nq] / system.layout.weight[:nq]
    size = np.linalg.norm(B, axis=1)
    given = (size > 0.0) & np.isfinite(size)
    return B[given] / size[given, None], size[given], which[given]


def _names(system: System, equations: np.ndarray) -> list[str]:
    """Names of the elements of these equations."""
    multiplier = {int(i): l for l, i in enumerate(system.layout.equation) if i >= 0}
    return list(dict.fromkeys(system.row_owner(multiplier[int(i)]).name for i in equations))


def jam_message(system: System, names: list[str], t: float) -> str:
    """What is wrong, and what to change."""
    return (
        f'dynamics of model "{system.model.name}" stopped at t = {t:g} s: the mechanism is jammed. {listed(names, most=NAMED)} '
        "require motions that contradict each other. Remove one of them, or apply a torque or a force instead of a prescribed "
        "motion, or use Elastic teeth"
    )


def shared_message(system: System, names: list[str], t: float) -> str:
    """Parts in contact that constrain the same motion: their forces are not determined."""
    return (
        f'dynamics of model "{system.model.name}" stopped at t = {t:g} s: {listed(names, most=NAMED)} constrain the same motion '
        "while they are in contact, so that their forces are not determined. Use Elastic teeth, or apply a torque or a force "
        "instead of a prescribed motion"
    )
