"""Motion over time: benchmarks, oscillators with backlash, varying stiffness."""

import math

import numpy as np
from references import four_bar, pendulum
from references import gear_constraint as msl
from references.cases.case import CLOSED_FORM, INDEPENDENT, OTHER_CODE, PUBLISHED, Case, Subject, Value
from references.gallery_runs import figures_of
from references.kubo_linear import linear_amplitude
from references.observed_order import richardson
from validation.test_gallery_gears import AMPLITUDE, KEYS, LUMPED
from validation.test_gear_dynamics_cases import (
    TestBacklashOscillator,
    TestModelicaBacklash,
    TestModelicaBacklashOfAJoint,
    TestModelicaLossyGear,
)
from validation.test_iftomm_four_bar import tip
from validation.test_iftomm_pendulum import on_a_hinge
from validation.test_iftomm_pendulum import run as swing
from validation.test_parametric_cases import TestDynamicFactor, TestMathieu, secant
from validation.test_rolling_cases import RAMP, RAMP_J, limit, ring

import pitchline as pl


def iftomm_pendulum() -> list[Value]:
    times = np.array(list(pendulum.A01), dtype=int)
    found = richardson(lambda h: swing(on_a_hinge(), h)["bob.position"].values[times, :2], 1e-3)
    return [
        Value(f"{axis} after {t} s", "m", pendulum.A01[float(t)][k], found[i, k])
        for i, t in enumerate(times)
        for k, axis in enumerate("xy")
    ]


def iftomm_four_bar() -> list[Value]:
    found = tip(5e-5, planar=False)
    return [
        Value(f"{name} after {t:g} s", unit, numbers[k], found[i, k])
        for i, (t, numbers) in enumerate(four_bar.A02.items())
        for k, (name, unit) in enumerate((("x", "m"), ("y", "m"), ("speed in x", "m/s")))
    ]


def gear_constraint() -> list[Value]:
    found = limit(ring(10, msl.J1, msl.J2), pl.Harmonic(msl.TORQUE, msl.FREQUENCY), 2e-3, True)
    return [
        *(Value(f"angle after {t:g} s", "rad", angle, found[round(4 * t), 0]) for t, angle in msl.ANGLE_B.items()),
        *(Value(f"speed after {t:g} s", "rad/s", speed, found[round(4 * t), 1]) for t, speed in msl.SPEED_B.items()),
    ]


def gear_constraint_2() -> list[Value]:
    values = []
    for ratio, angles in RAMP.items():
        numerator, _, denominator = ratio.partition("/")
        i = int(numerator) / int(denominator or 1)
        found = limit(ring(i, *RAMP_J), pl.Ramp(0, 100, 0, 2, smooth=False), 2.5e-3, True)
        values += [
            Value(f"ratio {i:g}: angle after {t:g} s", "rad", a, found[round(4 * t), 0]) for t, a in angles.items()
        ]
    return values


def backlash() -> list[Value]:
    case = TestModelicaBacklash()
    rest = pl.statics(case.model(2e4 * (math.pi / 2 - math.pi / 8) * case.SCALE))
    run = pl.dynamics(case.model(0.0), duration=1.0, step=5e-5, output_step=0.1, start=rest)
    angle, speed = (run[f"hinge.{q}"].values[1:] / case.SCALE for q in ("angle", "angular_speed"))
    return [
        *(Value(f"angle after {0.1 * (i + 1):.1f} s", "rad", a, angle[i]) for i, a in enumerate(case.PHI)),
        *(Value(f"speed after {0.1 * (i + 1):.1f} s", "rad/s", a, speed[i]) for i, a in enumerate(case.OMEGA)),
    ]


def backlash_of_a_joint() -> list[Value]:
    run, case = TestModelicaBacklashOfAJoint().run(), TestModelicaBacklash()
    angle, speed = (run[f"hinge.{q}"].values[1:] for q in ("angle", "angular_speed"))
    return [
        *(Value(f"angle after {0.1 * (i + 1):.1f} s", "rad", a, angle[i]) for i, a in enumerate(case.PHI)),
        *(Value(f"speed after {0.1 * (i + 1):.1f} s", "rad/s", a, speed[i]) for i, a in enumerate(case.OMEGA)),
    ]


def lossy_gear() -> list[Value]:
    """Angles, and times of stops and starts. While the gear sticks, the speed of the reference is exactly zero."""
    case = TestModelicaLossyGear()
    angle, speed, state = case.sticking("ratio")
    angles = [
        Value(f"angle after {0.05 * (i + 1):.2f} s", "rad", a, angle[500 * (i + 1)]) for i, a in enumerate(case.PHI)
    ]
    names = ("stop", "start", "second stop", "second start")
    times = zip(names, case.SWITCHES, case.switches(speed, state), strict=True)
    return angles + [Value(name, "s", expected, found) for name, expected, found in times]


def oscillator() -> list[Value]:
    """Two speeds without and three with separation of the teeth, and the jump at the end of the upper branch."""
    case = TestBacklashOscillator()
    rest, values = case.at_rest(), []
    for w in (0.60, 2.00):
        found = case.figures(case.settled(w, rest, n=1000, periods=math.ceil(400 * w / (2 * math.pi)))[0])
        values.append(Value(f"W = {w:g}, no separation: rms", "", case.LINEAR[w], found[0]))
    for w in (0.90, 1.10, 1.30):
        found = case.figures(case.settled(w, rest)[0])
        for k, name in enumerate(("rms", "maximum", "minimum", "mean")):
            values.append(Value(f"W = {w:g}, separation: {name}", "", case.UPPER[w][k], found[k]))
    values.append(Value("sweep down: jump to contact, W", "", 0.70803833, sweep_down(case)))
    return values


def sweep_down(case: TestBacklashOscillator) -> float:
    """Middle between the last speed with separation and the first one without it."""
    last = case.settled(0.90, case.at_rest(), n=500)[1]
    for w in (0.85, 0.80, 0.76, 0.73, 0.72, 0.715):
        last = case.settled(w, last, n=500)[1]
    step = 5e-4
    w = 0.713
    while True:
        x, last = case.settled(w, last, n=500, periods=200)
        if np.min(x) > 1.0:
            return w + 0.5 * step
        w -= step


def mathieu() -> list[Value]:
    """Speeds at which a Floquet multiplier is -1."""
    case, values = TestMathieu(), []
    for eps, reference, _ in case.BOUNDARIES:

        def boundary(step: float, eps: float = eps, reference: float = reference) -> np.ndarray:
            n = round(2 * math.pi / reference / step)

            def distance(at: float) -> float:
                matrix = case.monodromy(eps, at, n)
                return 1.0 + float(np.trace(matrix) + np.linalg.det(matrix))

            return np.array(secant(distance, reference - 0.003, reference + 0.003))

        found = float(richardson(boundary, 2 * math.pi / reference / 300))
        values.append(Value(f"stiffness variation {eps:g}: boundary of instability", "", reference, found))
    return values


def dynamic_factor() -> list[Value]:
    case = TestDynamicFactor()
    return [
        Value(
            f"damping ratio {zeta:g}, frequency ratio {r:g}: dynamic factor",
            "",
            factor,
            1 + case.force(zeta, r, 200)[1],
        )
        for zeta, r, factor in case.FACTORS
    ]


def run_up() -> list[Value]:
    found = figures_of("run-up")
    return [
        Value("speed of the largest ripple", "rad/s", 0.09584, found["speed_at_maximum"].value),
        Value("largest ripple", "mm", 0.4123, found["ripple.max"].value),
        Value("mean deflection", "mm", 4.0, found["deflection.mean"].value),
    ]


NAMES = (
    "normal force, peak to peak", "normal force, minimum", "normal force, maximum", "horizontal reaction, peak to peak",
    "vertical reaction, minimum", "vertical reaction, maximum",
)  # fmt: skip


def kubo(name: str) -> list[Value]:
    """Record of the run; forces in lbf as in the paper."""
    found = figures_of(name)
    rows = zip(NAMES, KEYS, LUMPED[name], strict=True)
    values = [Value(title, "lbf", number, found[key].value) for title, key, number in rows if number]
    if found[AMPLITUDE].expected is not None:
        title = "normal force at the mesh frequency, frequency domain"
        values.append(Value(title, "lbf", linear_amplitude(name[-1])[0], found[AMPLITUDE].value))
    return values


def kubo_ratio() -> list[Value]:
    """Elastic supports over rigid supports."""
    keys = {"normal force": (AMPLITUDE, 1.4), "horizontal reaction": (KEYS[3], 2.0)}
    return [
        Value(
            f"{title}, elastic over rigid",
            "",
            printed,
            figures_of("kubo-b")[key].value / figures_of("kubo-a")[key].value,
        )
        for title, (key, printed) in keys.items()
    ]


KUBO = {
    "kubo-a": "rigid supports",
    "kubo-b": "elastic supports",
    "kubo-c": "rigid supports, backlash",
    "kubo-d": "elastic supports, backlash",
}
IFTOMM = "IFToMM benchmark library; M. Gonzalez et al., Multibody Syst. Dyn. 16 (2006) 179-190, problem"
MSL = "Modelica Standard Library 4.0.0, results of Dymola (MAP-LIB_ReferenceResults),"
ORDER_2 = "Time step: the method is of order 2."
SUBJECT = Subject(
    "Motion over time",
    [
        Case("IFTOMM-A01", "Simple pendulum, 10 s", f"{IFTOMM} A01", CLOSED_FORM, iftomm_pendulum, ORDER_2, shown=8),
        Case(
            "IFTOMM-A02",
            "Double four-bar mechanism through its singular position, 10 s",
            f"{IFTOMM} A02",
            CLOSED_FORM,
            iftomm_four_bar,
            ORDER_2 + " The difference is below 1e-6 m and 2e-6 m/s.",
            table_only=True,
        ),
        Case(
            "MSL-GEARCONSTRAINT",
            "Coaxial gears, ratio 10",
            f"{MSL} GearConstraint",
            OTHER_CODE,
            gear_constraint,
            ORDER_2,
        ),
        Case(
            "MSL-GEARCONSTRAINT2",
            "Coaxial gears, ratios 5 and 2.5",
            f"{MSL} GearConstraint2",
            OTHER_CODE,
            gear_constraint_2,
            ORDER_2,
        ),
        Case(
            "MSL-BACKLASH",
            "Spring and damper with backlash: seven impacts in 1 s",
            f"{MSL} Backlash",
            OTHER_CODE,
            backlash,
            ORDER_2
            + " The reference is an event-driven solution; Dymola differs from it by up to 2e-5 rad and 7e-4 rad/s.",
        ),
        Case(
            "MSL-BACKLASH-JOINT",
            "The same with elastic stops of a joint, whose damper is limited by their spring",
            f"{MSL} Backlash",
            OTHER_CODE,
            backlash_of_a_joint,
            ORDER_2
            + " The reference is an event-driven solution; Dymola differs from it by up to 2e-5 rad and 7e-4 rad/s.",
        ),
        Case(
            "MSL-LOSSYGEAR",
            "Gear pair with efficiency 0.5: forward, stuck, backward",
            f"{MSL} LossyGearDemo1; C. Pelchen et al. (2002)",
            OTHER_CODE,
            lossy_gear,
            ORDER_2 + " The gearbox is a ratio with an efficiency. Rest is exact.",
        ),
        Case(
            "KAHRAMAN-SINGH",
            "Oscillator with backlash",
            "A. Kahraman, R. Singh, J. Sound Vib. 142 (1990) 49-75; event-driven shooting",
            INDEPENDENT,
            oscillator,
            ORDER_2 + " The sweep down has steps of 0.0005.",
            shown=15,
        ),
        Case(
            "MATHIEU",
            "Varying mesh stiffness: parametric instability",
            "A. H. Nayfeh, D. T. Mook, Nonlinear Oscillations (1979); Floquet multipliers",
            INDEPENDENT,
            mathieu,
            ORDER_2 + " Extrapolated from two steps.",
        ),
        Case(
            "OZGUVEN-HOUSER",
            "Dynamic factor over the frequency ratio",
            "H. N. Özgüven, D. R. Houser, J. Sound Vib. 125 (1988) 71-83",
            CLOSED_FORM,
            dynamic_factor,
            ORDER_2 + " 200 steps per period.",
        ),
        Case(
            "LINDEN-RUN-UP",
            "Run-up with a stiffness that varies with the teeth",
            "F. L. J. van der Linden, Modelica conference 2012; integration of the equation of the paper",
            INDEPENDENT,
            run_up,
            "Samples of the record and four printed digits.",
            table_only=True,
        ),
        *(
            Case(
                f"CARDONA-7.3-{name[-1].upper()}",
                f"Gear rig of Kubo at 12000 rpm, {supports}",
                "A. Cardona (1997), section 7.3, equations of the paper, HHT integration with 0.5 us over 2 s",
                INDEPENDENT,
                lambda name=name: kubo(name),
                "Time step, and slow vibrations of the shafts that remain in both records."
                + (
                    " The frequency domain leaves out the torque of the tooth error."
                    if name in ("kubo-a", "kubo-b")
                    else ""
                ),
                table_only=True,
                shown=7,
            )
            for name, supports in KUBO.items()
        ),
        Case(
            "CARDONA-7.3-RATIO",
            "Gear rig of Kubo: elastic over rigid supports",
            'A. Cardona (1997), section 7.3: 1.4 and "almost 2"',
            PUBLISHED,
            kubo_ratio,
            'The paper prints 1.4 and "almost 2"; the frequency domain gives 2.1757.',
            table_only=True,
        ),
    ],
)
