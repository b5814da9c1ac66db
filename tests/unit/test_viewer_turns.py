"""Whole turns between samples: a fast body with few samples must not seem to turn back."""

import math

import numpy as np
import pytest

from pitchline.parts.shafts.scene import rotations_between


def _product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Of quaternions (n, 4)."""
    w = a[:, :1] * b[:, :1] - np.einsum("ij,ij->i", a[:, 1:], b[:, 1:])[:, None]
    return np.concatenate([w, a[:, :1] * b[:, 1:] + b[:, :1] * a[:, 1:] + np.cross(a[:, 1:], b[:, 1:])], axis=1)


def _about(axis: tuple[float, float, float], angle: np.ndarray) -> np.ndarray:
    n = np.asarray(axis) / np.linalg.norm(axis)
    return np.concatenate([np.cos(angle / 2)[:, None], np.sin(angle / 2)[:, None] * n], axis=1)


def _of_vectors(v: np.ndarray) -> np.ndarray:
    angle = np.linalg.norm(v, axis=1)
    return np.concatenate([np.cos(angle / 2)[:, None], np.sinc(angle / 2 / math.pi)[:, None] * v / 2], axis=1)


@pytest.mark.parametrize("turns", [0.7, -0.7, 1.25, 3.5, -12.9, 5.0])
def test_turns_are_counted_by_the_angular_velocity(turns: float) -> None:
    time = np.array([0.0, 0.1, 0.2, 0.4, 0.45])
    axis, speed = (1.0, 2.0, -2.0), 2 * math.pi * turns / 0.1
    tilt = _about((0.3, -1.0, 0.2), np.full(5, 0.9))
    turn = _product(_about(axis, speed * time), tilt)
    omega = np.tile(speed * np.asarray(axis) / 3.0, (5, 1))
    spin, told = rotations_between(time, turn, omega)
    assert told and spin is not None
    np.testing.assert_allclose(np.linalg.norm(spin[:-1], axis=1), abs(speed) * np.diff(time), rtol=1e-12)
    end = _product(turn[:-1], _of_vectors(spin[:-1]))
    np.testing.assert_allclose(np.abs(np.einsum("ij,ij->i", end, turn[1:])), 1.0, rtol=0, atol=1e-12)
    half = _product(turn[:-1], _of_vectors(0.5 * spin[:-1]))
    mid = _product(_about(axis, speed * 0.5 * (time[1:] + time[:-1])), tilt[:-1])
    np.testing.assert_allclose(np.abs(np.einsum("ij,ij->i", half, mid)), 1.0, rtol=0, atol=1e-12)


def test_the_shorter_way_is_left_as_it_is() -> None:
    time = np.linspace(0.0, 1.0, 11)
    spin, told = rotations_between(time, _about((0, 0, 1), 20.0 * time), np.tile([0.0, 0.0, 20.0], (11, 1)))
    assert spin is None and told


def test_doubt_is_told() -> None:
    time = np.linspace(0.0, 1.0, 11)
    speed = 40.0 + 400.0 * (np.arange(11) % 2)  # the mean of such speeds says little about the turns between
    angle = np.cumsum(np.full(11, 31.0))
    _, told = rotations_between(time, _about((0, 0, 1), angle), np.outer(speed, [0.0, 0.0, 1.0]))
    assert not told


def test_whole_turns_take_the_axis_of_the_angular_velocity() -> None:
    """Two turns a sample with a wobble of 1e-4 rad about another axis."""
    time = np.linspace(0.0, 1.0, 6)
    wobble = _about((1, 0, 0), 1e-4 * np.sin(7.0 * np.arange(6)))
    turn = _product(_about((0, 0, 1), 4 * math.pi * np.arange(6.0)), wobble)
    spin, told = rotations_between(time, turn, np.tile([0.0, 0.0, 20 * math.pi], (6, 1)))
    assert told and spin is not None
    np.testing.assert_allclose(spin[:-1, 2], 4 * math.pi, atol=1e-3)
    np.testing.assert_allclose(spin[:-1, :2], 0.0, atol=2e-3)


def test_samples_that_are_not_numbers_do_no_harm() -> None:
    time = np.linspace(0.0, 1.0, 4)
    turn, omega = _about((0, 0, 1), 60.0 * time), np.tile([0.0, 0.0, 60.0], (4, 1))
    turn[-1] = omega[-1] = np.nan
    spin, _ = rotations_between(time, turn, omega)
    assert spin is not None and np.isfinite(spin).all()
    np.testing.assert_allclose(spin[:2, 2], 20.0)
