"""Servo axis of the gallery, independent of pitchline: equations of the model file, event-driven integration with scipy, and the
first-order harmonic balance (describing functions)."""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

VALUES = {
    "J_m": 2e-4, "J_l": 0.5, "n": 50.0, "c": 2e3, "k": 0.1, "R": 0.5, "L": 1e-3, "w": 2 * np.pi * 500.0, "P": 0.39, "I": 1.5,
    "D": 0.0175, "F_c": 2e-3, "F_s": 3e-3, "v_s": 5.0, "d": 1e-5, "b": 2e-3,
}  # fmt: skip
"""Parameters of the model file, in SI."""


def _torques(p: dict, x: np.ndarray) -> tuple[float, float]:
    """Torque of the gear at the load, and torque on the motor without its friction."""
    twist = x[0] / p["n"] - x[2]
    T = p["c"] * (twist - np.clip(twist, -0.5 * p["b"], 0.5 * p["b"]))
    return T, p["k"] * x[4] - T / p["n"]


def _rates(p: dict, x: np.ndarray, slip: float) -> np.ndarray:
    """x = (motor angle, speed, load angle, speed, current, integral of the current error, integral of the position error)."""
    T, on_motor = _torques(p, x)
    v = abs(x[1])
    friction = slip * (p["F_c"] + (p["F_s"] - p["F_c"]) * np.exp(-((v / p["v_s"]) ** 2)) + p["d"] * v)
    e = -p["n"] * x[2]
    wanted = (p["P"] * e + p["I"] * x[6] - p["D"] * x[1]) / p["k"]
    voltage = p["L"] * p["w"] * (wanted - x[4]) + p["R"] * p["w"] * x[5]
    motor = (on_motor - friction) / p["J_m"] if slip else 0.0
    return np.array(
        [x[1], motor, x[3], T / p["J_l"], (voltage - p["R"] * x[4] - p["k"] * x[1]) / p["L"], wanted - x[4], e]
    )


def limit_cycle(p: dict, *, until: float = 6.0, after: float = 3.0) -> tuple[float, float]:
    """(amplitude [rad], frequency [Hz]) of the load, by integration from event to event: contact, stop and breakaway."""
    x, t, slip = np.array([0.0, 0, 0, 0.1, 0, 0, 0]), 0.0, 0.0
    passages: list[float] = []
    extremes: list[float] = []

    def contact(t, x):
        return abs(x[0] / p["n"] - x[2]) - 0.5 * p["b"]

    def stop(t, x):
        return x[1]

    def breakaway(t, x):
        return abs(_torques(p, x)[1]) - p["F_s"]

    def turn(t, x):
        return x[3]

    while t < until:
        ends = [contact, stop if slip else breakaway, turn]
        for end in ends:
            end.terminal, end.direction = True, 0.0
        stop.direction = -slip
        breakaway.direction = 1.0
        # leave the event at which this part starts
        first = solve_ivp(
            lambda t, x, slip=slip: _rates(p, x, slip), (t, t + 1e-9), x, "DOP853", rtol=1e-12, atol=1e-16
        )
        found = solve_ivp(
            lambda t, x, slip=slip: _rates(p, x, slip), (first.t[-1], until), first.y[:, -1], "DOP853", events=ends, rtol=1e-12,
            atol=1e-16, max_step=5e-3, dense_output=True,
        )  # fmt: skip
        level = found.y[2]
        rising = np.flatnonzero((level[:-1] < 0.0) & (level[1:] >= 0.0))
        passages += [_root(found.sol, found.t[i], found.t[i + 1]) for i in rising]
        t, x = found.t[-1], found.y[:, -1].copy()
        which = next((i for i, times in enumerate(found.t_events) if len(times)), None)
        if which == 2 and t > after:
            extremes.append(x[2])
        if which == 1:
            if slip:
                x[1] = 0.0
                needed = _torques(p, x)[1]
                slip = 0.0 if abs(needed) <= p["F_s"] else float(np.sign(needed))
            else:
                slip = float(np.sign(_torques(p, x)[1]))
    late = [time for time in passages if time > after]
    return 0.5 * (max(extremes) - min(extremes)), (len(late) - 1) / (late[-1] - late[0])


def _root(of, a: float, b: float) -> float:
    """Time at which the load passes zero."""
    from scipy.optimize import brentq

    return float(brentq(lambda t: of(t)[2], a, b, xtol=1e-13))


def harmonic_balance(p: dict, start: float) -> tuple[float, float]:
    """(amplitude [rad], frequency [Hz]) of the load by describing functions of backlash and friction, near a frequency [Hz].

    With the load angle of amplitude A, T = -J_l w^2 A, which the dead zone needs from a twist of amplitude B. The motor angle is
    n (twist + load angle), and the friction has the describing function of its law at the amplitude of the motor speed."""
    phase = np.linspace(0.0, 2 * np.pi, 721)[:-1]

    def dead_zone(B: float) -> float:
        q = min(0.5 * p["b"] / B, 1.0)
        return p["c"] * (1.0 - 2.0 / np.pi * (np.arcsin(q) + q * np.sqrt(1.0 - q * q)))

    def friction(V: float) -> float:
        v = V * np.sin(phase)
        F = np.sign(v) * (p["F_c"] + (p["F_s"] - p["F_c"]) * np.exp(-((v / p["v_s"]) ** 2))) + p["d"] * v
        return float(2.0 * np.mean(F * np.sin(phase)) / V)

    def residual(z: np.ndarray) -> list[float]:
        B, w = 0.5 * p["b"] * (1.0 + np.exp(z[0])), np.exp(z[1])
        s = 1j * w
        T = dead_zone(B) * B  # phase of the twist: 0
        load = T / (p["J_l"] * s * s)
        motor = p["n"] * (B + load)
        speed = s * motor
        wanted = (-(p["P"] + p["I"] / s) * p["n"] * load - p["D"] * speed) / p["k"]
        control = p["L"] * p["w"] + p["R"] * p["w"] / s
        current = (control * wanted - p["k"] * speed) / (p["R"] + p["L"] * s + control)
        missing = p["J_m"] * s * speed - p["k"] * current + T / p["n"] + friction(abs(speed)) * speed
        return [missing.real / abs(T) * p["n"], missing.imag / abs(T) * p["n"]]

    for depth in (-2.0, -1.0, 0.0, 1.0):  # logarithm of the deflection over half of the backlash
        z, _, found, message = fsolve(residual, [depth, np.log(2 * np.pi * start)], xtol=1e-12, full_output=True)
        if found == 1:
            break
    assert found == 1, message
    B, w = 0.5 * p["b"] * (1.0 + np.exp(z[0])), np.exp(z[1])
    return dead_zone(B) * B / (p["J_l"] * w * w), w / (2 * np.pi)
