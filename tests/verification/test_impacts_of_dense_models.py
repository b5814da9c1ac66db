"""Teeth that strike in a step whose dense matrix is singular: the step is cut or the run ends with a named error."""

import contextlib

import pitchline as pl


def test_a_singular_dense_matrix_at_an_impact_is_named() -> None:
    m = pl.Model("planet without a ring")
    place = (-0.012398293693032586, -0.3874267739437507, 0.6411906225370725)
    axis = (-0.930582201173498, 0.3586978605095248, 0.07316154539767972)
    inertia = [
        (0.03950390072667563, 0.008037567894948194, -0.008033391249377724),
        (0.008037567894948194, 0.037527608917345794, 0.007227589580907771),
        (-0.008033391249377724, 0.007227589580907771, 0.04037031280949975),
    ]
    m.body("carrier", mass=0.5326520258710481, inertia=inertia, position=place)
    both = {"normal_module": 0.0037795241580330626, "face_width": 0.025580499686667965}
    turned = (
        (0.03565375953420569, 0.3643426632857649, -0.930582201173498),
        (-0.1100961063460683, 0.9269383432749583, 0.3586978605095248),
        (0.9932812576498725, 0.08966454972011512, 0.07316154539767972),
    )
    allowance = {"backlash_allowance": 5.3579141033568795e-06, "root_radius_factor": 0.17696778497492724}
    sun = pl.Gear(teeth=22, helix_angle=-0.2485585814248581, **allowance, **both)
    planet = pl.Gear(teeth=38, helix_angle=0.2485585814248581, profile_shift=0.21235511691408956, **both)
    spin = (0.5916546561564754, -0.2280564350534563, -0.04651536310446822)
    m.gear_body("sun", sun, orientation=turned)
    m.gear_body("planet", planet, mesh_with="sun", axial_shift=0.004423816857907505, angular_velocity=spin)
    m.revolute("carrier bearing", "ground", "carrier", at=place, axis=axis)
    m.revolute("pin", "carrier", m.bodies["planet"].frame(rotation=((1, 0, 0), (0, 1, 0), (0, 0, 1))))
    m.gear_pair("mesh", "sun", "planet", mesh=pl.Rigid())
    with contextlib.suppress(pl.SolveError):  # every other error is one of the program
        pl.dynamics(m, duration=0.0023, step=4.674283585566157e-06, output_step=0.00046742835855661575)
