"""The gallery's gearbox of a wind turbine beside hand calculation: forces, ratio, first torsional frequency, load sharing."""

from functools import lru_cache

import numpy as np
import pytest

from pitchline import gallery
from pitchline.gallery.figures import Figure, Run


@lru_cache
def short() -> gallery.GalleryFile:
    """With a short start-up; read once."""
    model = gallery.model("wind-gearbox", duration="30 ms")
    assert isinstance(model, gallery.GalleryFile)
    return model


@lru_cache
def run() -> Run:
    return short().run()


@lru_cache
def figures() -> dict[str, Figure]:
    return {figure.key: figure for figure in short().figures(run())}


@pytest.mark.parametrize(
    "key, bound",
    [
        ("ratio", 3e-4),  # errors of the teeth are in the speeds
        ("generator.torque", 1e-6),
        ("stage_1.tangential_force", 1e-4),  # wheels move apart a little under load
        ("stage_2.tangential_force", 1e-4),
        ("stage_3.tangential_force", 1e-3),
        ("stage_3.axial_force", 1e-3),
        ("planet_bearings.load", 1e-2),  # weight of the planet, and the tilt of its two bearings against each other
        ("thrust", 1e-4),
        ("torsional.first", 1e-2),  # by hand only three inertias
    ],
)
def test_by_hand(key: str, bound: float) -> None:
    figure = figures()[key]
    assert figure.value == pytest.approx(figure.expected, rel=bound)


def test_published_numbers() -> None:
    """Ratios of the reference gearbox, and the first torsional frequency of its turbine, published as 1.7 to 2.2 Hz."""
    assert sum(element.key == "bearing" for element in short().file.model.elements.values()) == 24
    assert figures()["ratio"].value == pytest.approx(3.947 * 6.167 * 3.958, rel=1e-3)
    assert 1.7 < figures()["torsional.first"].value < 2.2


def test_planets_share_the_load() -> None:
    """A sun that floats between three planets: they bear alike but for weights and the errors of the teeth."""
    for stage in ("stage_1", "stage_2"):
        assert 1.0 < figures()[f"{stage}.k_gamma"].value < 1.05


def test_weight_and_thrust_reach_the_ground() -> None:
    rated = run()["rated"]
    total = rated.reactions()
    mass = short().file.model.mass
    np.testing.assert_allclose(total["total", "force_y"], -9.81 * mass, rtol=1e-4)
    np.testing.assert_allclose(total["total", "force_z"], 0.7e6, rtol=1e-4)


def test_the_start_up_begins_without_a_jolt() -> None:
    """The run starts at speed with all shafts bent as they are under the torque: no force moves by more than the teeth excite."""
    record = run()["start-up"]
    for name in ("stage_1 sun mesh 1", "stage_2 sun mesh 1", "stage_3"):
        force = np.asarray(record[f"{name}.normal_force"].values)
        assert np.ptp(force[: len(force) // 4]) < 0.6 * force[0]
