"""Transport delay: the value of a signal a constant time ago.

In time the past of the input is in memory: points (t, u) with straight lines between them. A new point is stored if the last one is
at least T/points old; otherwise only the newest point moves. Before the start of a run the input has its first value. If a step is
longer than the delay, the output lies between the last accepted value and the present one.

In linear analyses the delay is the Pade approximation exp(-s T) = Q(-s T)/Q(s T) of order n, whose states are condensed
coordinates: they exist only there. At rest the output is the input.
"""

import math

import numpy as np

from pitchline.declared_elements.linear_states import realised
from pitchline.errors import ModelError
from pitchline.extend import (
    TANGENT,
    Element,
    coordinates,
    derived,
    input_signal,
    integer,
    memory,
    number,
    output_signal,
)


def pade(order):
    """Coefficients of Q(-s) and Q(s), falling powers of s, for a delay of 1 s; Q with the leading coefficient 1."""
    n = order
    falling = [math.factorial(2 * n - k) * math.comb(n, k) for k in range(n, -1, -1)]
    den = np.array([float(a) / falling[0] for a in falling])
    num = den * (-1.0) ** np.arange(n, -1, -1)
    return num, den


class Delay(Element):
    """Transport delay: the output is the value of a signal a constant time ago.

    Parameters
    ----------
    name
        Name of the element.
    input
        Signal: a number, a function of time, or an expression over signals of the model.
    time
        Delay [s], positive.
    points
        Largest number of stored points in the delay, from 4 to 100000. Default 200. If the steps are shorter than time/points, not
        every step is stored, and the error of a sine of angular frequency w is (w time/points)^2/8 of its amplitude.
    pade_order
        Order of the Pade approximation in linear analyses, 1 to 12. Default 6: the phase error is below 0.1
        degrees up to w time = 6.

    The signal `output` is the result. In statics the output is the input.
    """

    key = "delay"
    input = input_signal("", "input")
    time = number("s", "delay", check=(0.5, 2.0))
    points = integer("largest number of stored points", 200, least=4, most=100000)
    pade_order = integer("order of the Pade approximation in linear analyses", 6, least=1, most=12)
    A = derived("matrix of the states of the Pade approximation", "1/s", "n_pade", columns="n_pade")
    b = derived("effect of the input on these states", "1/s", "n_pade")
    c = derived("output per state", "", "n_pade")
    d = derived("direct effect of the input on the output")
    rest = derived("states at rest for the input 1", "", "n_pade")
    state = coordinates("pade_order", "", "states of the Pade approximation", order=1, condensed=True)
    times = memory("times of the stored points", "points")
    stored = memory("values of the stored points", "points")
    count = memory("number of stored points")
    newest = memory("place of the newest point")
    output = output_signal("", "delayed signal")

    @staticmethod
    def check(values):
        if not values["time"] > 0.0:
            raise ModelError(f"time must be positive, got {values['time']:g} s", about="time")

    @staticmethod
    def derive(values):
        found = realised(*pade(values["pade_order"]))
        found |= {"A": found["A"] / values["time"], "b": found["b"] / values["time"]}
        return {**found, "rest": -np.linalg.solve(found["A"], found["b"])}

    def evaluate(s, m, x, w, ask, r, J):
        if ask.open == 1:
            n = s.n_pade
            for i in range(n):
                change = s.b[i] * x.input.value
                for j in range(n):
                    change += s.A[i, j] * x.state[j]
                r[i] += x.state_rate[i] - change
            if ask.mode == TANGENT:
                for i in range(n):
                    J[i, i] += ask.D
                    for j in range(n):
                        J[i, j] -= ask.K * s.A[i, j]
                    J[i, x.input.column] -= s.b[i]

    def accept(s, m, x, w, ask):
        if ask.open == 0:
            for i in range(s.n_pade):
                x.state[i] = s.rest[i] * x.input.value
                x.state_rate[i] = 0.0
        n = int(m.count)
        k = int(m.newest)
        if n > 0 and ask.t < m.times[k]:
            n = 0  # a computation at an earlier time: the past is not that of this motion
        if n == 0:
            k = 0
        elif ask.t > m.times[k]:
            # the newest point moves, until it is far enough from the one before it
            before = (k - 1) % s.points
            if n == 1 or m.times[k] - m.times[before] >= s.time / (s.points - 3):
                k = (k + 1) % s.points
                n = min(n + 1, s.points)
        m.times[k] = ask.t
        m.stored[k] = x.input.value
        m.count = max(n, 1)
        m.newest = k

    def respond(s, m, x, w, ask, y, Y):
        u = x.input.value
        if x.input.column >= s.n_pade:  # its states have columns here: a linear analysis
            y[0] = s.d * u
            Y[0, x.input.column] = s.d
            for j in range(s.n_pade):
                y[0] += s.c[j] * x.state[j]
                Y[0, j] = s.c[j]
            return
        n = int(m.count)
        k = int(m.newest)
        if ask.damp == 0.0 or n == 0:
            y[0] = u
            Y[0, x.input.column] = 1.0
            return
        t = ask.t - s.time
        if t > m.times[k]:  # within the present step
            f = (t - m.times[k]) / (ask.t - m.times[k])
            y[0] = m.stored[k] + f * (u - m.stored[k])
            Y[0, x.input.column] = f
            return
        # the place of the first point that is not before t; points are in rising order from the oldest
        oldest = (k - n + 1) % s.points
        if t <= m.times[oldest]:
            y[0] = m.stored[oldest]
            return
        low = 0
        high = n - 1
        while high - low > 1:
            middle = (low + high) // 2
            if t < m.times[(oldest + middle) % s.points]:
                high = middle
            else:
                low = middle
        i = (oldest + low) % s.points
        j = (oldest + high) % s.points
        f = (t - m.times[i]) / (m.times[j] - m.times[i])
        y[0] = m.stored[i] + f * (m.stored[j] - m.stored[i])
