"""Misspelt, missing and superfluous arguments of public calls: the message names the call and the near arguments."""

import inspect
import pickle
import subprocess
import sys
from typing import Any

import pytest

import pitchline as pl
from pitchline.base.arguments import ArgumentError, names_wrong_arguments
from pitchline.errors import ModelError

NOT_CALLED_BY_USERS = {
    # abstract, errors, and what analyses return
    "Function", "Modification", "ModelError", "PitchlineError", "SolveError", "BudgetError", "UnitError", "FileError", "Status",
    "Campbell", "ContactPatch", "FlankContact", "FlankLoad", "Floquet", "Folded", "FrequencyResponse", "GearGrid",
    "GearModes", "LinearModel",
    "FrameJacobian", "JointDynamics", "JointForces", "MassMatrix", "Momentum", "PartEnergies",
    "LoadedContact", "SurfaceContact", "SurfacePatch", "Modes", "OrderMap", "OrderSpectrum", "OrderTrack", "PeakHold",
    "Spectrogram", "Spectrum",
    "Batch", "BatchResult", "BatchSweep", "Continuation", "Jump", "Optimum", "PeriodicMotion", "Points", "SpecialPoint",
    "StudyResult", "FlankPatch", "SurfaceTeeth",
    "SolidMesh", "WholeElasticGear", "CadPart", "ExportedFmu", "MassTablePart", "RexsOrigin", "StepperState", "ToothLoads",
    # parameters of any name, and one switch
    "load", "show_progress",
}  # fmt: skip


def public_calls() -> list[tuple[str, Any]]:
    """Everything of ``pl`` that users call, and the methods of Model, Body, Result and Signal."""
    found = [(name, getattr(pl, name)) for name in pl.__all__ if name not in NOT_CALLED_BY_USERS]
    calls = [(name, call) for name, call in found if callable(call)]
    for cls in (pl.Model, pl.Body, pl.Result, pl.Signal):
        for name, method in inspect.getmembers(cls, inspect.isfunction):
            if not name.startswith("_"):
                calls.append((f"{cls.__name__}.{name}", method))
    return calls


def takes_any_name(call: Any) -> bool:
    return any(p.kind is p.VAR_KEYWORD for p in inspect.signature(call).parameters.values())


@pytest.mark.parametrize("name, call", [(name, call) for name, call in public_calls() if not takes_any_name(call)])
def test_every_public_call_names_a_misspelt_argument(name: str, call: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        call(**{"misspelt": 1})
    assert 'there is no argument "misspelt"' in str(caught.value)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: pl.Gear(teeth=20, module="2 mm"), 'Gear: there is no argument "module"; did you mean "normal_module"?'),
        (lambda: pl.Gear(teeth=20, modul="2 mm"), 'Gear: there is no argument "modul"; did you mean "normal_module"?'),
        (lambda: pl.Gear(pressure_angel="20 deg"), '"pressure_angel"; did you mean "normal_pressure_angle"'),
        (lambda: pl.Gear(width="20 mm"), 'did you mean "face_width"'),
        (lambda: pl.Gear(teeth=20), 'Gear: the argument "normal_module" is missing'),
        (lambda: pl.Gear(20, "2 mm"), "Gear: takes no positional arguments, got 2; specify the others by name: teeth="),
        (lambda: pl.Model("m", name="n"), 'Model "m": "name" is given twice'),
        (lambda: pl.Material("steel", youngs=2e11), 'Material "steel": there is no argument "youngs"'),
        (lambda: pl.Model("m", gravty=(0, 0, -9.81)), 'Model "m": there is no argument "gravty"; did you mean "gravity"?'),
        (
            lambda: pl.Model("m").body("rod", postion=(0, 0, 0)),
            'Model.body "rod": there is no argument "postion"; did you mean "position"?',
        ),
        (lambda: pl.Ramp(0.0, 1.0, duraton=1.0), 'Ramp: there is no argument "duraton"'),
        (lambda: pl.TipRelief(amout="20 um"), 'TipRelief: there is no argument "amout"; did you mean "amount"?'),
        (lambda: pl.HelixSlope(amont="20 um"), 'HelixSlope: there is no argument "amont"'),
        (lambda: pl.Elastic(stifness=1e8), 'there is no argument "stifness"; did you mean "stiffness" or "tooth_stiffness"?'),
        (lambda: pl.bar("1 m", "1 m", "1 m", masss=1), 'bar: there is no argument "masss"; did you mean "mass"?'),
        (lambda: pl.dynamics(pl.Model("m"), durration="1 s"), 'there is no argument "durration"; did you mean "duration"'),
        (lambda: pl.PID(), 'PID: the argument "name" is missing'),
        (lambda: pl.PID(name="speed"), 'PID "speed": specify "name" by its position, without its name'),
        (lambda: pl.Delay("d", "signal"), 'Delay "d": takes 1 positional argument (name), got 2; specify the others by name: '),
        (lambda: pl.Model("m", (0, 0, -9.81)), "takes 1 positional argument (name), got 2; specify the others by name: gravity="),
    ],
)  # fmt: skip
def test_messages(call: Any, message: str) -> None:
    with pytest.raises(ModelError) as caught:
        call()
    assert message in str(caught.value)
    assert isinstance(caught.value, TypeError)


def test_several_at_once() -> None:
    with pytest.raises(ArgumentError) as caught:
        pl.Gear(teeth=20, modul="2 mm", widt="20 mm")
    assert len(caught.value.problems) == 2


def test_signatures_stay() -> None:
    assert "normal_module" in inspect.signature(pl.Gear).parameters
    assert "duration" in inspect.signature(pl.dynamics).parameters
    assert inspect.signature(pl.Model.body).parameters["name"].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    assert pickle.loads(pickle.dumps(pl.statics)) is pl.statics


def test_errors_of_the_call_itself_stay() -> None:
    @names_wrong_arguments
    def broken(a: int) -> int:
        return a + None  # type: ignore[operator]

    with pytest.raises(TypeError, match="unsupported operand") as caught:
        broken(1)
    assert not isinstance(caught.value, ArgumentError)


def test_methods_of_all_kinds() -> None:
    @names_wrong_arguments
    class Thing:
        def __init__(self, size: float = 1.0) -> None:
            self.size = size

        @classmethod
        def small(cls, size: float = 0.1) -> "Thing":
            return cls(size)

        @staticmethod
        def area(size: float) -> float:
            return size * size

        def none(self) -> None: ...

    assert Thing.small(size=0.2).size == 0.2 and Thing.area(size=3.0) == 9.0 and Thing(2.0).size == 2.0
    for call, message in (
        (lambda: Thing.small(siz=1), 'Thing.small: there is no argument "siz"; did you mean "size"?'),
        (lambda: Thing.area(siz=1), 'area: there is no argument "siz"'),
        (lambda: Thing(1.0).none(siz=1), 'Thing.none: there is no argument "siz"; none are defined'),
        (lambda: Thing(1.0).none(1), "Thing.none: takes no positional arguments, got 1"),
    ):
        with pytest.raises(ArgumentError) as caught:
            call()
        assert str(caught.value) == message or message in str(caught.value)


def test_the_traceback_ends_at_the_call() -> None:
    program = "import pitchline as pl\npl.Gear(teeth=20, module=2)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stderr.count("Traceback") == 1
    assert done.stderr.rstrip().endswith('did you mean "normal_module"?')
