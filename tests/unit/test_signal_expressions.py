"""Expressions over signals: language, derivatives, constants, messages, and texts that must not run."""

import builtins
import math
import pickle
import random
from typing import Any

import pytest
from references.gradients import evaluated

import pitchline as pl
from pitchline.errors import ModelError, Subject, UnitError
from pitchline.numerics.gradient_laws import address_of_gradient_law

POINT = {"a.x": 0.37, "b.x": -1.3}


def value(text: str, t: float = 0.5, **constants: Any) -> float:
    return pl.expression(text, **constants).evaluate(t, POINT)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("2.5*(a.x - b.x) - 0.1*a.x**2", 2.5 * 1.67 - 0.1 * 0.37**2),
        ("-a.x**2 + 3 % 2", 1 - 0.37**2),
        ("a.x if a.x > b.x and not b.x > 0 else 7", 0.37),
        ("1 if 0 < a.x < 0.2 or t >= 1 else 2", 2),
        ("'2 mm' * 1e3 + \"180 deg\" - pi", 2),
        ("abs(b.x) + sign(b.x) + min(a.x, 1, t) + max(a.x, t)", 1.3 - 1 + 0.37 + 0.5),
        ("sqrt(4) + exp(0) + log(1) + sin(0) + cos(0) + tan(0)", 4),
        ("asin(1) - acos(0) + atan(0) + atan2(0, 1) + sinh(0) + cosh(0) + tanh(0)", 1),
        ("floor(b.x) + ceil(b.x) + hypot(3, 4)", 2),
        ("limit(b.x, -1, 1) + limit(a.x, -1, 1) + limit(9, -1, 1)", 0.37),
        ("deadband(b.x, 1) + deadband(a.x, 1) + deadband(3, 1)", 1.7),
        ("step(a.x) + step(b.x) + step(0)", 2),
        ("interp(a.x, [-1, 1], [0, '20 mm']) + interp(b.x, [0, 1], [5, 6]) + interp(7, [0, 1], [5, 6])", 0.0137 + 11),
        ("t", 0.5),
        ("3", 3),
    ],
)
def test_values_and_exact_derivatives(text: str, expected: float) -> None:
    law = pl.expression(text)
    assert law.evaluate(0.5, POINT) == pytest.approx(expected, rel=1e-14)
    u = [0.5, *(POINT[name] for name in law.signals)]
    made = address_of_gradient_law(law.function, len(u), Subject("law"))
    assert made.exact
    values, jacobian = evaluated(made, u)
    assert values[0] == pytest.approx(expected, rel=1e-14)
    for i in range(len(u)):
        if "step(0)" in text and i == 0:
            continue
        high, low = list(u), list(u)
        high[i] += 1e-6
        low[i] -= 1e-6
        assert jacobian[0, i] == pytest.approx((law.function(*high) - law.function(*low)) / 2e-6, abs=1e-8)


def test_signals_constants_and_identity() -> None:
    law = pl.expression('k*(set.angle - axis . angle) + signal("my axis-2.speed.x") - axis.angle', k="2.5 N*m/rad")
    assert law.signals == ("set.angle", "axis.angle", "my axis-2.speed.x")
    assert law == pickle.loads(pickle.dumps(law)) and hash(law) == hash(pickle.loads(pickle.dumps(law)))
    assert law != pl.expression(law.text, k=2.5) and law != law.text
    assert law.describe()["constants"] == {"k": "2.5 N*m/rad"} and eval(repr(law), {"expression": pl.expression}) == law
    assert pl.expression("µ_1.ω").signals == ("µ_1.ω",)  # as written; Python's parser changes the letter
    assert pl.expression("2*a.x").function is pl.expression("2*a.x").function
    assert pl.expression("n*a.x + text", n=2, text="3 mm").evaluate(0.0, POINT) == pytest.approx(0.743)
    with pytest.raises(AttributeError, match="cannot be changed"):
        law.text = "1"


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "is empty"),
        ("a.x\n", "line break"),
        ("x" * 2001, "2001 characters, but at most 2000"),
        ("2 + k*a.x", 'unknown name "k".*k=\\.\\.\\. \\(position 5\\)'),
        ("1 + sine(a.x)", 'unknown function "sine"; did you mean "sin".*position 5'),
        ("µ.x + foo", "position 7"),
        ("a.x^2", "use \\*\\* for powers"),
        ("a.x // 2", "write floor\\(a / b\\)"),
        ("a.x > 1", "condition 'a.x > 1' where a number is expected; write 1 if"),
        ("2 * (a.x > 1)", "where a number is expected"),
        ("1 if a.x else 2", "where a condition is expected"),
        ("a.x and b.x", "where a number is expected"),
        ("min(a.x)", "with 1 arguments, expected 2 or more"),
        ("sin(x=1)", "named arguments, expected 1"),
        ("sin", "which is a function; write sin"),
        ("signal(a.x)", "without one text"),
        ("signal('ax')", "write PART.SIGNAL"),
        ("interp(a.x, [0, 1], [1])", "lists of 2 and 1 numbers"),
        ("interp(a.x, [0, 0], [1, 2])", "do not increase"),
        ("interp(a.x, 3, [1, 2])", "without two lists"),
        ("interp(a.x, [a.x, 1], [1, 2])", "without two lists"),
        ("limit(a.x, 2, 1)", "low = 2 above high = 1"),
        ("deadband(a.x, -1)", "negative half width -1"),
        ("True", "not a number or a quantity"),
        ("a.x(3)", "contains a call of 'a.x'"),
        ("[a.x]", "not arithmetic \\(List\\)"),
        ("1 +", "is not a valid expression"),
        ("1" + "+1" * 200, "too many nested levels"),
        ("(" * 500 + "1" + ")" * 500, "is not a valid expression"),
        (3, "expected a text"),
    ],
)
def test_messages(text: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        pl.expression(text)


def test_messages_of_quantities_and_values() -> None:
    with pytest.raises(UnitError, match=r'unknown unit "qq".*position 7'):
        pl.expression("a.x * '2 qq'")
    with pytest.raises(UnitError, match="k: 'a' does not start with a number"):
        pl.expression("k*a.x", k="a")
    with pytest.raises(ModelError, match='constant "sin" is a name of the language'):
        pl.expression("a.x", sin=1.0)
    for text, message in (
        ("1 / (a.x - a.x)", "ZeroDivisionError"),
        ("9**9**9", "Overflow"),
        ("(-8)**(1/3)", "not a real"),
    ):
        with pytest.raises(ModelError, match=message):
            value(text)
    with pytest.raises(ModelError, match=r'no value of the signal "c\.x"'):
        value("c.x")


PIECES = [
    "a.x", "b.x", "t", "1", "2.5", "'2 mm'", "'x'", "k", "+", "-", "*", "/", "**", "%", "(", ")", ",", "[", "]", "<", "==", " if ",
    " else ", " and ", " not ", "sin(", "min(", "interp(", "limit(", "signal(", "lambda:", "__import__(", "open(", ".__class__",
    ".x", "'''", "#", ":=", "{", "}", "f'", "eval(", "exec(", "10**", "await ", "yield ", "for x in ", "*a", "\\", "µ", "\u0000",
]  # fmt: skip


def test_no_text_runs_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*args: Any, **kws: Any) -> Any:
        raise AssertionError("code of a text was run")

    draw = random.Random(4)
    texts = ["".join(draw.choices(PIECES, k=draw.randint(1, 8))) for _ in range(1000)]
    texts += [
        "__import__('os').system('true')",
        "().__class__.__bases__",
        "a.x.__class__()",
        "(lambda: 0)()",
        "open('x')",
    ]
    accepted = 0
    with monkeypatch.context() as patched:
        for name in ("open", "input", "exit"):
            patched.setattr(builtins, name, forbidden, raising=False)
        for text in texts:
            try:
                law = pl.expression(text, k=2)
                accepted += 1
                law.evaluate(1.0, dict.fromkeys(law.signals, 0.5))
            except ModelError:
                pass
    assert 5 < accepted < 500


def formula(draw: random.Random, depth: int) -> str:
    """Random valid formula."""
    if depth == 0:
        return draw.choice(["a.x", "b.x", "t", f"{draw.uniform(-2, 2):.3f}", "'20 mm'"])
    one, two = formula(draw, depth - 1), formula(draw, depth - 1)
    kind = draw.randrange(7)
    if kind < 3:
        return f"({one} {draw.choice('+-*')} {two})"
    if kind == 3:
        return f"{draw.choice(['sin', 'cos', 'tanh', 'atan', 'abs'])}({one})"
    if kind == 4:
        return f"({one} if {two} > 0.1 else {two})"
    return f"({one})**2 / (1 + ({two})**2)" if kind == 5 else f"{draw.choice(['min', 'max', 'hypot'])}({one}, {two})"


def test_random_formulas_have_the_derivatives_of_their_differences() -> None:
    draw = random.Random(7)
    for _ in range(15):
        law = pl.expression(formula(draw, 4))
        u = [draw.uniform(-2, 2) for _ in range(1 + len(law.signals))]
        made = address_of_gradient_law(law.function, len(u), Subject("law"))
        values, jacobian = evaluated(made, u)
        assert made.exact and values[0] == pytest.approx(law.function(*u), rel=1e-12, abs=1e-14)
        for i in range(len(u)):
            high, low = list(u), list(u)
            high[i] += 1e-6
            low[i] -= 1e-6
            slope = (law.function(*high) - law.function(*low)) / 2e-6
            assert math.isfinite(slope) and jacobian[0, i] == pytest.approx(slope, rel=1e-6, abs=1e-7), law


@pytest.mark.parametrize(
    "given, message",
    [
        ({"t": None}, "t: None \\(NoneType\\) is not a number in SI units"),
        ({"t": "1 s"}, "t: '1 s' \\(str\\) is not a number"),
        ({"t": 10**400}, "t: 1000.* is not a number"),
        ({"signals": 5}, 'signals must be names and values, e.g. {"a.x": 2.5}, got 5'),
        ({"signals": {"a.x": [1.0]}}, 'the value of the signal "a.x": \\[1.0\\] \\(list\\) is not a number'),
        ({"signals": {"a.x": -1.0}}, "a power of a negative number"),
    ],
)
def test_values_that_are_not_numbers_are_named(given: dict[str, Any], message: str) -> None:
    law = pl.expression("max(a.x**0.5, t)")
    with pytest.raises(ModelError, match=message):
        law.evaluate(**{"signals": {"a.x": 2.0}, **given})
    assert law.evaluate(1, {"a.x": 4}) == 2.0


def test_constants_and_factors_are_checked() -> None:
    with pytest.raises(ModelError, match="constants must be names and values"):
        pl.SignalExpression("t", 5)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="factor: 'x'"):
        pl.expression("t").scaled("x")  # type: ignore[arg-type]
