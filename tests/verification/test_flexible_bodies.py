"""Flexible bodies in models: statics, modes, responses, kinematics and large motions, against the finite element model."""

import numpy as np
import pytest
from references.superelements import BLOCK, SIZE, STEEL, bar, full_bar
from scipy.sparse.linalg import eigsh, splu

import pitchline as pl
from pitchline.parts.flexible.drawing import surface_displacements
from pitchline.parts.flexible.kernel import superelement_values
from pitchline.parts.shafts.sections import log_se3

SPIN = np.array([800.0, 1500.0, 600.0])


def held_bar(**options: object) -> tuple[pl.Model, pl.FlexibleBody]:
    m = pl.Model("held bar")
    body = m.flexible_body("bar", bar(16), **options)
    m.fixed("clamp", m.ground, body["a"])
    return m, body


def tumbling(superelement: pl.Superelement, spin: np.ndarray = SPIN) -> pl.Model:
    m = pl.Model("tumbling bar")
    m.flexible_body("bar", superelement, velocity=np.cross(spin, -superelement.centre_of_mass), angular_velocity=spin)
    return m


@pytest.mark.parametrize("orientation", [None, pl.Rotation((1, -2, 0.5), 2.3)])
def test_deflection_under_a_force_is_that_of_the_whole_model(orientation: pl.Rotation | None) -> None:
    """In any orientation; the element is not linear, so a small force is applied, and the small difference is of second order."""
    m, body = held_bar(orientation=orientation, position=(0.1, -0.2, 0.3))
    R = body.orientation
    force = np.array([3.0, -2.0, 5.0])
    m.force("push", body["b"], R @ force)
    result = pl.statics(m)
    found = R.T @ (result["bar b.position"][-1] - body["b"].position)
    full = full_bar()
    load = np.zeros(full.K_rigid.shape[0] - 6)
    load[:3] = force
    whole = splu(full.K_rigid[6:, 6:].tocsc()).solve(load)
    assert np.allclose(found, whole[:3], rtol=0, atol=1e-5 * np.abs(whole[:3]).max())
    assert np.allclose(np.abs(R.T @ result["clamp.force"][-1]), np.abs(force), rtol=1e-6)


def test_sag_under_its_own_weight() -> None:
    """Statics with modes: gravity acts on them too; against the whole model, to what 16 modes leave."""
    m = pl.Model("sagging bar", gravity=(0, -9.81, 0))
    body = m.flexible_body("bar", bar(16))
    m.fixed("clamp", m.ground, body["a"])
    sag = pl.statics(m)["bar b.deflection"][-1]
    full = full_bar()
    accelerations = np.zeros(full.M.shape[0])
    accelerations[1::3] = -9.81
    pull = full.G.T @ (full.M @ accelerations)
    whole = splu(full.K_rigid[6:, 6:].tocsc()).solve(pull[6:])
    assert sag[1] == pytest.approx(whole[1], rel=1e-6)


def test_modes_of_the_free_and_of_the_held_bar() -> None:
    full = full_bar()
    free = pl.Model("free bar")
    free.flexible_body("bar", bar(16))
    found = pl.modes(free).frequencies
    whole = np.sqrt(np.sort(eigsh(full.K_rigid, 10, full.M_rigid, sigma=-1e6, return_eigenvectors=False))[6:]) / (
        2 * np.pi
    )
    assert np.allclose(found[:6], 0.0, atol=1e-3 * whole[0])
    assert np.allclose(found[6:9], whole[:3], rtol=2e-3)
    held = pl.modes(held_bar()[0]).frequencies
    whole = np.sqrt(np.sort(eigsh(full.K_rigid[6:, 6:], 4, full.M_rigid[6:, 6:], sigma=0.0, return_eigenvectors=False)))
    assert np.allclose(held[:3], whole[:3] / (2 * np.pi), rtol=2e-3)


def test_damping_ratio_of_modes() -> None:
    """Stiffness times beta: ratio beta omega / 2 of every mode of the held bar."""
    found = pl.modes(held_bar(damping="1 us")[0])
    assert np.allclose(found.damping_ratios[:4], 1e-6 * np.pi * found.frequencies[:4], rtol=1e-6)


def test_frequency_response_at_rest_is_the_static_deflection() -> None:
    m, body = held_bar(modal_damping=0.02, damping="1 us")
    m.force("push", body["b"], (0, 0, 0))
    response = pl.frequency_response(m, inputs=["push.y"], outputs=["bar b.position.y"], frequencies=[1.0])
    compliance = np.linalg.inv(bar(16).stiffness[6:, 6:])[1, 1]
    assert abs(response.response.ravel()[0]) == pytest.approx(compliance, rel=1e-4)


def test_tumbling_keeps_energy_and_momentum() -> None:
    """Free at 1800 rad/s: the error of energy falls with the square of the step; momentum is that of all its nodes and modes."""
    m = tumbling(bar(8))
    errors = []
    for step in (2e-6, 1e-6):
        run = pl.dynamics(m, duration=0.2e-3, step=step)
        energy = run["energy.kinetic"] + run["energy.potential"]
        errors.append(np.ptp(energy) / energy[0])
    assert errors[1] < 2e-5
    assert errors[0] / errors[1] > 3.0
    first, last = _momenta(run, 0), _momenta(run, -1)
    body = bar(8)
    assert np.abs(first[0]).max() < 1e-9 * body.mass * np.linalg.norm(SPIN) * SIZE[2]  # it turns about its centre
    assert np.allclose(first[1], body.inertia @ SPIN, rtol=1e-9)
    assert np.abs(last[0]).max() < 1e-5 * body.mass * np.linalg.norm(SPIN) * SIZE[2]
    assert np.allclose(last[1], first[1], rtol=0, atol=1e-5 * np.linalg.norm(first[1]))


def _momenta(run: pl.Result, sample: int) -> tuple[np.ndarray, np.ndarray]:
    """Momentum, and angular momentum about the centre of mass at the start, of the superelement "bar"."""
    body = bar(8)
    v, R, x = [], [], []
    for name in body.interfaces:
        axes = np.asarray(run[f"bar {name}.orientation"])[sample]
        R.append(_matrix(axes))
        x.append(np.asarray(run[f"bar {name}.position"])[sample])
        v += [R[-1].T @ run[f"bar {name}.velocity"][sample], R[-1].T @ run[f"bar {name}.angular_velocity"][sample]]
    velocity = np.concatenate([*v, run["bar.modes_rate"][sample]])
    p = body.mass_matrix @ velocity + _momentum_by_deformation(body, x, R, velocity, run["bar.modes"][sample])
    linear = sum(R[i] @ p[6 * i : 6 * i + 3] for i in range(3))
    angular = sum(
        np.cross(x[i] - body.centre_of_mass, R[i] @ p[6 * i : 6 * i + 3]) + R[i] @ p[6 * i + 3 : 6 * i + 6]
        for i in range(3)
    )
    return linear, angular


def _momentum_by_deformation(
    body: pl.Superelement, x: list, R: list, velocity: np.ndarray, modes: np.ndarray
) -> np.ndarray:
    """B^T Z B v, in the order of the interfaces of the body."""
    placed = tuple((np.zeros(3), np.eye(3)) for _ in x)
    values, order = superelement_values(placed, body, 0.0, 0.0, None)
    rows = np.concatenate([*(6 * i + np.arange(6) for i in order), np.arange(6 * len(x), len(velocity))])
    first = order[0]
    d = np.concatenate([log_se3(R[first].T @ (x[i] - x[first]), R[first].T @ R[i]) for i in order[1:]])
    change = np.r_[d - values["rest"], modes]
    Z = (change @ values["rigid_mass_by"]).reshape(6, 6)
    shift = change @ np.vstack([values["centre_by_relative"], values["centre_by_modes"]]) / body.mass
    Z[3:, 3:] += body.mass * (shift @ shift * np.eye(3) - np.outer(shift, shift))
    found = np.zeros(len(velocity))
    found[rows] = values["rigid_by"] @ Z @ values["rigid_by"].T @ velocity[rows]
    return found


def _matrix(quaternion: np.ndarray) -> np.ndarray:
    w, x, y, z = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def test_a_slow_stiff_body_moves_as_a_rigid_one() -> None:
    """A pendulum on its foot: the same motion as a rigid body of the same mass and inertia."""
    body = bar(0, "ab")
    results = []
    for flexible in (True, False):
        m = pl.Model("pendulum", gravity=(0, -9.81, 0))
        if flexible:
            part = m.flexible_body("bar", body)["a"]
            seen = "bar b.position"
        else:
            part = m.body("bar", mass=body.mass, inertia=body.inertia, centre_of_mass=body.centre_of_mass)
            m.body("tip", mass=0, inertia=(0, 0, 0), position=body.positions[1])
            m.fixed("with", part, "tip")
            seen = "tip.position"
        m.revolute("hinge", m.ground, part, at=body.positions[0], axis="x")
        results.append(np.asarray(pl.dynamics(m, duration=0.2, output_step=0.02)[seen]))
    assert np.allclose(*results, rtol=0, atol=2e-4 * SIZE[2])


def test_large_deformations_are_told() -> None:
    """The matrices are those of small deformations: a bar bent by 0.6 rad is reported, one of a turned body is not."""
    for force, told in (("2 MN", True), ("1 kN", False)):
        m, body = held_bar(orientation=pl.Rotation((1, 1, 0), 2.0))
        m.force("push", body["b"], (force, 0, 0))
        assert any("rotate relative to each other" in line for line in pl.statics(m).warnings) == told


def test_kinematics_takes_it_as_rigid() -> None:
    m = pl.Model("turned bar")
    body = m.flexible_body("bar", bar(4))
    m.revolute("hinge", m.ground, body["a"], at=body["a"].position, axis="x")
    m.drive("turn", "hinge", angle=pl.Ramp(0.0, 1.0, 0.0, 1.0))
    run = pl.kinematics(m, duration=1.0, step=0.25)
    for one, other in (("a", "b"), ("b", "c")):
        distance = np.linalg.norm(run[f"bar {one}.position"] - run[f"bar {other}.position"], axis=1)
        assert np.allclose(distance, np.linalg.norm(body[one].position - body[other].position), rtol=1e-9)
    y, z = (run["bar b.position"] - run["bar a.position"])[-1][1:]
    assert np.arctan2(-y, z) == pytest.approx(run["hinge.angle"][-1], abs=1e-9)


def test_files_say_the_same_body(tmp_path) -> None:
    coarse = pl.Superelement.from_shape(
        BLOCK | {"element": 0.02}, STEEL, interfaces={"a": "z-", "b": {"node_set": "z+"}}, modes=2
    )
    m = pl.Model("held bar")
    body = m.flexible_body(
        "bar", coarse, damping="1 us", position=("10 mm", 0, 0), orientation=pl.Rotation("y", "90 deg")
    )
    m.fixed("clamp", m.ground, body["a"])
    m.force("push", body["b"], (0, 10, 0))
    text = m.to_toml()
    (tmp_path / "bar.toml").write_text(text)
    again = pl.load(tmp_path / "bar.toml").model
    assert again.describe() == m.describe()
    assert again.to_toml() == text
    # a saved superelement beside the model file
    coarse.save(tmp_path / "bar.h5")
    other = m.replaced(body.replaced(superelement=pl.read_superelement(tmp_path / "bar.h5")))
    (tmp_path / "saved.toml").write_text(other.to_toml())
    assert 'file = "bar.h5"' in other.to_toml()
    assert pl.load(tmp_path / "saved.toml").model.describe() == other.describe()


def test_what_was_made_of_arrays_cannot_be_written() -> None:
    from pitchline.parts.flexible.shapes import shape_mesh

    nodes, elements, sets = shape_mesh({"kind": "block", "size": SIZE, "element": 0.02})
    body = pl.Superelement.from_mesh(nodes, elements, STEEL, interfaces={"a": "z-"}, modes=0, node_sets=sets)
    m = pl.Model("bar")
    m.flexible_body("bar", body)
    with pytest.raises(pl.ModelError, match=r"flexible body \"bar\".*\.save\(\"body.h5\"\)"):
        m.to_toml()


def test_summary_and_mass_of_the_model() -> None:
    m, body = held_bar()
    assert "bar    0.5652 kg, interfaces a, b, c; 16 modes" in m.summary()
    assert body.solid.mass == pytest.approx(STEEL.density * np.prod(SIZE))
    assert list(m.flexible_bodies) == ["bar"]
    assert body["c"].name == "bar c"
    assert not m.replaced(without=["clamp", "bar"]).bodies


def test_picture_of_the_deformed_body(tmp_path) -> None:
    """Points of a rigid face move with it; a body that has turned far needs an interface that counts as at rest."""
    m, body = held_bar()
    m.force("push", body["b"], (0, "1 kN", 0))
    result = pl.statics(m)
    found = surface_displacements(body, result)
    points = body.superelement.points
    end, tip = points[:, 2] > SIZE[2] - 1e-9, points[:, 2] < 1e-9
    assert np.abs(found[tip]).max() < 1e-12
    assert np.allclose(found[end].mean(axis=0), result["bar b.deflection"][-1], atol=1e-9)
    assert np.allclose(surface_displacements(body, result, moving_with="a"), found, atol=1e-12)
    pl.views.plot_flexible_body(body, result, path=tmp_path / "bar.png")
    assert (tmp_path / "bar.png").stat().st_size > 5000
    moving = tumbling(bar(8))
    run = pl.dynamics(moving, duration=0.3e-3, step=2e-6)
    with pytest.raises(pl.PitchlineError, match="moving_with"):
        surface_displacements(moving.flexible_bodies["bar"], run)
    assert np.abs(surface_displacements(moving.flexible_bodies["bar"], run, moving_with="c")).max() < 1e-4
