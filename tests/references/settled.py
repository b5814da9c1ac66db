"""The settled part of a forced motion: complex amplitudes by least squares over whole periods."""

import numpy as np

import pitchline as pl


def complex_amplitude(signal: pl.Signal, frequency: float, periods: int) -> complex:
    """Y of y = y_0 + y_1 t + Re(Y exp(2 pi i f t)) over the last periods."""
    t, y = signal.time, signal.values
    late = t >= t[-1] - periods / frequency - 1e-12
    w = 2 * np.pi * frequency * t[late]
    columns = np.stack([np.ones(w.size), t[late] - t[-1], np.cos(w), -np.sin(w)], axis=1)
    _, _, real, imaginary = np.linalg.lstsq(columns, y[late], rcond=None)[0]
    return complex(real, imaginary)
