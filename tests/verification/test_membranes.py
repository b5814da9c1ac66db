"""Membranes in models: patch test, Cook's membrane, vibrations against closed forms, balances in motion."""

import math

import numpy as np
import pytest

import pitchline as pl

SOFT = pl.Material("soft", density=1000.0, youngs_modulus=1e6, poissons_ratio=1 / 3)
PLAIN = pl.Material("plain", density=1000.0, youngs_modulus=1e6, poissons_ratio=0.0)


@pytest.mark.parametrize("triangles", [False, True], ids=["quadrilaterals", "triangles"])
def test_patch_test(triangles: bool) -> None:
    """A constant stress on distorted elements: exact stresses in all elements and exact displacements of all nodes.

    Loads 1e-6 of the modulus, so that the strain is linear to 1e-6."""
    mesh = pl.MembraneMesh.patch([(0, 0, 0), (3, 0, 0), (3, 2, 0), (0, 2, 0)], (3, 2), triangles=triangles)
    nodes = np.array(mesh.nodes)
    inside = [i for i, x in enumerate(nodes) if 0.1 < x[0] < 2.9 and 0.1 < x[1] < 1.9]
    nodes[inside] += np.array([(0.23, -0.21, 0.0), (-0.17, 0.26, 0.0)])
    mesh = pl.MembraneMesh(nodes, mesh.elements, groups=mesh.groups)
    m = pl.Model("patch", plane="xy")
    web = m.membrane("web", mesh, thickness=0.1, material=SOFT, axis="x", attached={"ground": 0})
    right, left = mesh.groups["side 2"], mesh.groups["side 4"]
    stress, side = 1.0, 2.0
    for group, sign in ((right, 1.0), (left, -1.0)):
        for k, i in enumerate(group):
            share = 0.5 if k in (0, len(group) - 1) else 1.0
            if i:
                m.force(f"pull {i}", web[str(i)], (sign * share * stress * 0.1 * side / (len(group) - 1), 0, 0))
    m.spring("guide", m.ground, web[str(left[0])], stiffness=1e3, free_length=1.0, at_a=(-1.0, 2.0, 0.0))
    m.replaced()
    result = pl.statics(m)
    assert result["web.stress_xx"].values[-1] == pytest.approx(stress, rel=1e-5)
    assert np.abs(result["web.stress_yy"].values[-1]).max() < 1e-5
    assert np.abs(result["web.stress_xy"].values[-1]).max() < 1e-5
    for i in range(1, len(nodes)):
        u = result[f"web {i}.deflection"].values[-1]
        x = nodes[i] - nodes[0]
        turn = result[f"web {left[0]}.deflection"].values[-1][0] / -2.0  # about the node that is fixed
        expected = np.array([stress * x[0] / 1e6 - turn * x[1], -stress * x[1] / 3e6 + turn * x[0], 0.0])
        assert u == pytest.approx(expected, abs=2e-11)


def cook(n: int, *, triangles: bool = False) -> float:
    """Displacement of the middle of the loaded side, times E t / F."""
    mesh = pl.MembraneMesh.patch([(0, 0, 0), (48, 44, 0), (48, 60, 0), (0, 44, 0)], (n, n), triangles=triangles)
    m = pl.Model("cook", plane="xy")
    web = m.membrane("web", mesh, thickness=1.0, material=SOFT, attached={"ground": "side 4"})
    side = mesh.groups["side 2"]
    for k, i in enumerate(side):
        m.force(f"load {i}", web[str(i)], (0, (0.5 if k in (0, n) else 1.0) / n, 0))
    return 1e6 * float(pl.statics(m)[f"web {side[n // 2]}.deflection"].values[-1, 1])


def test_cooks_membrane() -> None:
    """Reference 23.96 (plane stress). Simo and Rifai (1990) publish 21.05, 23.02 and 23.69 for 2, 4 and 8 elements a side."""
    found = [cook(n) for n in (2, 4, 8)]
    assert found == pytest.approx([21.05, 23.02, 23.69], abs=0.006)
    assert cook(4, triangles=True) < found[1]  # triangles of constant strain are stiffer


def test_vibrations_of_a_strip_along_its_length() -> None:
    """Free strip without lateral contraction: f = k c / (2 L) with c = sqrt(E/rho); consistent mass: from above, order 2."""
    frequencies = []
    for n in (8, 16):
        mesh = pl.MembraneMesh.patch([(0, 0, 0), (2, 0, 0), (2, 0.05, 0), (0, 0.05, 0)], (n, 1))
        m = pl.Model("strip", plane="xy")
        m.membrane("strip", mesh, thickness=0.01, material=PLAIN)
        expected = math.sqrt(1e6 / 1000.0) / (2 * 2.0)
        found = pl.modes(m, count=3 * n)
        # the mode in which the ends move in opposite directions along the strip, and all nodes along it
        best = min(found.frequencies, key=lambda f: abs(f - expected))
        frequencies.append(float(best) / expected - 1.0)
    assert frequencies[0] == pytest.approx(math.pi**2 / 24 / 8**2, rel=0.05)
    assert frequencies[1] == pytest.approx(math.pi**2 / 24 / 16**2, rel=0.05)


def test_vibrations_of_a_drum() -> None:
    """Square membrane under tension: f = sqrt(sigma/rho) sqrt(i^2 + j^2) / (2 a)."""
    n, a, sigma = 8, 0.5, 2e4
    mesh = pl.MembraneMesh.patch([(0, 0, 0), (a, 0, 0), (a, a, 0), (0, a, 0)], (n, n))
    m = pl.Model("drum")
    m.membrane(
        "skin", mesh, thickness="1 mm", material=SOFT, prestress=sigma,
        attached={"ground": ["side 1", "side 2", "side 3", "side 4"]},
    )  # fmt: skip
    found = np.sort(pl.modes(m, count=4).frequencies)[:4]
    one = math.sqrt(sigma / 1000.0) / (2 * a)
    assert found[0] == pytest.approx(one * math.sqrt(2), rel=0.01)
    assert found[1:3] == pytest.approx([one * math.sqrt(5)] * 2, rel=0.03)


def test_free_flight_keeps_momentum_and_energy() -> None:
    """A spinning, tumbling sheet in free flight, far from rigid: momentum to rounding of the method, energy to its order."""
    mesh = pl.MembraneMesh.patch([(0, 0, 0), (0.3, 0, 0), (0.35, 0.2, 0), (0, 0.25, 0)], (2, 2))
    m = pl.Model("flight")
    sheet = m.membrane(
        "sheet", mesh, thickness="5 mm", material=SOFT, velocity=(1.0, 0.5, -0.2), angular_velocity=(2.0, -1.0, 20.0)
    )
    errors = []
    for step in (1e-4, 5e-5):
        run = pl.dynamics(m, duration=0.02, step=step, rho=0.9, newton_tolerance=1e-10)
        x = np.stack([run[f"sheet {i}.position"].values for i in range(9)], axis=1)
        v = np.stack([run[f"sheet {i}.velocity"].values for i in range(9)], axis=1)
        momentum = np.einsum("ij,njk->nk", sheet.mass_matrix, v)
        angular = np.einsum("ij,nijk->nk", sheet.mass_matrix, np.cross(x[:, :, None], v[:, None, :]))
        assert momentum == pytest.approx(np.broadcast_to(momentum[0], momentum.shape), abs=1e-9)
        errors.append(np.abs(angular - angular[0]).max() / np.abs(angular[0]).max())
        total = run["energy.kinetic"].values + run["energy.potential"].values
        errors.append(np.abs(total - total[0]).max() / total[0])
    assert errors[0] < 1e-4 and errors[1] < 1e-2
    assert errors[2] < 0.35 * errors[0] and errors[3] < 0.35 * errors[1]  # order 2


def test_web_between_hub_and_rim_twists_as_the_closed_form() -> None:
    """A ring clamped at both circles, twisted by a torque T: theta = T (1/r_i^2 - 1/r_o^2) / (4 pi G t)."""
    m = pl.Model("gear", plane="xy")
    hub = m.body("hub", mass=1.0, inertia=(1e-3, 1e-3, 1e-3))
    rim = m.body("rim", mass=1.0, inertia=(1e-2, 1e-2, 1e-2))
    m.fixed("clamp", m.ground, hub)
    m.revolute("axle", m.ground, rim, axis="z")
    m.membrane(
        "web", pl.MembraneMesh.ring("40 mm", "160 mm", around=48, across=8), thickness="3 mm",
        attached={"hub": "inner", "rim": "outer"},
    )  # fmt: skip
    m.torque("load", "axle", 200.0)
    result = pl.statics(m)
    shear = pl.STEEL.youngs_modulus / 2.6
    expected = 200.0 * (1 / 0.02**2 - 1 / 0.08**2) / (4 * math.pi * shear * 3e-3)
    assert result["axle.angle"].values[-1] == pytest.approx(expected, rel=0.02)
    shears = np.abs(result["web.stress_xy"].values[-1]).reshape(8, 48)
    for k in range(1, 8):
        inner, outer = 0.02 + 0.0075 * k, 0.02 + 0.0075 * (k + 1)
        mean = 200.0 / (2 * math.pi * 3e-3) * 2 * math.log(outer / inner) / (outer**2 - inner**2)  # over the element
        assert shears[k] == pytest.approx(mean, rel=0.03)


def test_spinning_web_carries_its_centrifugal_force() -> None:
    """Quasi-static stress of a spinning ring on a rigid hub: radial stress at the hub from the mass outside it."""
    speed = 500.0
    m = pl.Model("spin")
    hub = m.body("hub", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), angular_velocity=(0, 0, speed))
    m.revolute("axle", m.ground, hub, axis="z")
    mesh = pl.MembraneMesh.ring("40 mm", "160 mm", around=24, across=6)
    m.membrane("disc", mesh, thickness="3 mm", attached={"hub": "inner"}, damping="2 us")
    m.drive("motor", "axle", speed=speed)
    run = pl.dynamics(m, duration=1e-3, step=2e-6, output_step=5e-4)
    u = run["disc 144.position"].values[-1]
    # closed form of a rotating annulus (plane stress), clamped at r_i, free at r_o
    E, nu, rho, ri, ro = 206e9, 0.3, 7830.0, 0.02, 0.08
    q = rho * speed**2 * (1 - nu**2) / (8 * E)
    A = np.array([(ri, 1 / ri), ((1 + nu), -(1 - nu) / ro**2)])
    b = np.array([q * ri**3, q * (3 + nu) * ro**2])
    C = np.linalg.solve(A, b)
    expected = C[0] * ro + C[1] / ro - q * ro**3
    assert float(np.linalg.norm(u)) - ro == pytest.approx(expected, rel=0.05)


def test_sheared_web_in_space_wrinkles_with_a_warning() -> None:
    """Shear is compression in one direction: without bending stiffness the flat position is unstable."""
    m = pl.Model("gear")
    hub = m.body("hub", mass=1.0, inertia=(1e-3, 1e-3, 1e-3))
    m.fixed("clamp", m.ground, hub)
    rim = m.body("rim", mass=1.0, inertia=(1e-2, 1e-2, 1e-2))
    m.revolute("axle", m.ground, rim, axis="z")
    mesh = pl.MembraneMesh.ring("40 mm", "160 mm", around=12, across=3)
    web = m.membrane("web", mesh, thickness="3 mm", attached={"hub": "inner", "rim": "outer"})
    m.torque("load", "axle", 200.0)
    loose = pl.statics(m)
    assert any("under compression" in text for text in loose.warnings)
    tight = pl.statics(m.replaced(web.replaced(prestress="100 MPa")))
    assert not any("compression" in text for text in tight.warnings)
    assert tight["axle.angle"].values[-1] < loose["axle.angle"].values[-1]
