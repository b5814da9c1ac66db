"""Units as engineers type them: what is read, what is refused because it could mean two things, and what messages propose."""

import math

import pytest

from pitchline.errors import UnitError
from pitchline.units import quantity


@pytest.mark.parametrize(
    "text, dimension, value",
    [
        ("5 Nm", "torque", 5.0),
        ("5Nm", "torque", 5.0),
        ("5 N m", "torque", 5.0),
        ("5 N⋅m", "torque", 5.0),  # dot operator
        ("5 N.m", "torque", 5.0),
        ("5 kNm", "torque", 5e3),
        ("5 MNm", "torque", 5e6),
        ("5 mNm", "torque", 5e-3),
        ("5 Nmm", "torque", 5e-3),
        ("5 Ncm", "torque", 5e-2),
        ("5 Nm/rad", "torsional stiffness", 5.0),
        ("5 kNm/°", "torsional stiffness", 5e3 * 180 / math.pi),
        ("5 Nm*s/rad", "torsional damping", 5.0),
        ("5 Ns/m", "damping", 5.0),
        ("5 rad/Nm", "rad/(N*m)", 5.0),
        ("5 nm", "length", 5e-9),
        ("5 µm", "length", 5e-6),
        ("5 μm", "length", 5e-6),
        ("5 um", "length", 5e-6),
        ("5 N/µm", "stiffness", 5e6),
        ("5 N/μm", "stiffness", 5e6),
        ("5 N/um", "stiffness", 5e6),
        ("5 GPa", "pressure", 5e9),
        ("3000 rpm", "angular velocity", 100 * math.pi),
        ("3000 RPM", "angular velocity", 100 * math.pi),
        ("3000 r/min", "angular velocity", 100 * math.pi),
        ("3000 rev/min", "angular velocity", 100 * math.pi),
        ("3000 1/min", "angular velocity", 100 * math.pi),
        ("3000 min^-1", "angular velocity", 100 * math.pi),
        ("3000 min^(-1)", "angular velocity", 100 * math.pi),
        ("3000 min⁻¹", "angular velocity", 100 * math.pi),
        ("3000 1/min", "frequency", 50.0),
        ("3000 1/min", None, 100 * math.pi),  # as in an expression or a ramp, which do not know what they are for
        ("60 1/min/s", "angular acceleration", 2 * math.pi),
        ("3 1/s", "angular velocity", 3.0),
        ("180 °/s", "angular velocity", math.pi),
        ("180 deg/s", "angular velocity", math.pi),
        ("20 °", "angle", math.pi / 9),
        ("9.81 m·s⁻²", "acceleration", 9.81),
    ],
)
def test_read(text: str, dimension: str | None, value: float) -> None:
    assert quantity(text, dimension, what="x") == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize(
    "text, dimension, message",
    [
        ("5 nm", "torque", "did you mean '5 Nm'?"),
        ("5 nm/rad", "torsional stiffness", "did you mean '5 Nm/rad'?"),
        ("5 Nm", "length", "did you mean '5 nm'?"),
        ("5 NM", "torque", 'did you mean "nm" or "Nm"?'),
        ("5 KNm", "torque", 'did you mean "kNm"?'),
        ("3 Mm", "length", '"Mm" would be a megametre; did you mean "mm"?'),
        ("3 MM", "length", 'did you mean "mm"?'),
        ("3 Ms", "time", 'did you mean "ms"?'),
        ("5 Nms", "torsional damping", '"N*ms" or "N*m*s"'),
        ("5 Nm^2", "torque", "can be read in two ways"),
        ("5 kgm^2", "inertia", 'e.g. "kg*m"'),
        ("5 N-m", "torque", 'write a product with *, e.g. "N*m"'),
        ("5 kWh", "energy", 'e.g. "kW*h"'),
        ("5 ftlb", "torque", 'did you mean "lbf*ft"?'),
        ("5 rpn", "angular velocity", 'did you mean "rpm"?'),
        ("5 Rpm", "angular velocity", 'did you mean "rpm" or "RPM"?'),
        ("5 Kg", "mass", 'did you mean "kg"?'),
        ("5 gpa", "pressure", 'did you mean "GPa"?'),
        ("5 sec", "time", 'did you mean "s"?'),
        ("5 degrees", "angle", 'did you mean "deg"?'),
        ("5 Newton", "force", 'did you mean "N"?'),
        ("5 metre", "length", 'did you mean "m"?'),
        ("5 millimeter", "length", 'did you mean "mm"?'),
        ("5 °C", "temperature", "kelvin"),
        ("5 1/min", "number", "got angular velocity"),
        ("5 1/min", "1/s", "got angular velocity"),
    ],
)
def test_refused(text: str, dimension: str, message: str) -> None:
    with pytest.raises(UnitError) as caught:
        quantity(text, dimension, what='body "link": mass')
    assert message in str(caught.value)
    assert str(caught.value).startswith('body "link": mass')
