"""Limit for dense matrices: large ones are made only on request."""

from ..budget import foresee
from ..errors import ModelError

MOST_COORDINATES = 1500
"""Number of coordinates up to which dense matrices are made without request: a few seconds, a few hundred MB."""

LEAST_TIME = 1e-11
"""Least computing time on any machine, divided by the third power of the number of coordinates [s]: reduction of one matrix."""


def foresee_dense(coordinates: int) -> None:
    """Compare the least time of a dense linear analysis with the budget."""
    foresee(
        float(coordinates) ** 3,
        LEAST_TIME,
        f"dense matrices of {coordinates:,} coordinates",
        "request some of the modes, with count= or highest=",
    )


def gigabytes(coordinates: int) -> float:
    """Memory of a dense linear analysis [GB]: about ten matrices of all coordinates, and a few of twice the size."""
    return 8e-9 * (10 + 3 * 4) * coordinates**2


def check_size(model_name: str, coordinates: int) -> None:
    """Raise an error if dense matrices would be large."""
    if coordinates > MOST_COORDINATES:
        raise ModelError(
            f'model "{model_name}" has {coordinates} coordinates. With dense matrices this takes about '
            f"{gigabytes(coordinates):.2g} GB and {_duration(coordinates)}. With sparse matrices, modes computes "
            "some of the modes: "
            "specify count=20, or highest= with a frequency. To compute all modes, specify dense=True"
        )


def _duration(coordinates: int) -> str:
    """Of the eigenvalues of the states, which go with the third power."""
    minutes = 25.0 * (2 * coordinates) ** 3 / 5e9 / 60.0
    return f"{minutes:.0f} minutes" if minutes < 120 else f"{minutes / 60:.0f} hours"
