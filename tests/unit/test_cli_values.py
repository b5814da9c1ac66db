"""The commands that give numbers of results: values and compare."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from references.pair_file import PAIR

import pitchline as pl
from pitchline import cli
from pitchline.cli.comparison import _difference, compared


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model file and its results under two loads."""
    folder = tmp_path_factory.mktemp("pair")
    (folder / "pair.toml").write_text(PAIR, encoding="utf-8")
    for name, more in (("out", ()), ("other", ("--set", "load=21 Nm"))):
        assert cli.main(["run", str(folder / "pair.toml"), "-o", str(folder / name), *more]) == 0
    return folder


def command(*arguments: object) -> int:
    return cli.main([str(argument) for argument in arguments])


def rows(text: str) -> dict[str, list[str]]:
    """The first words of each line and what follows."""
    return {line.split()[0]: line.split()[1:] for line in text.splitlines() if line.strip()}


def test_values_over_time(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = folder / "out" / "pair.nc"
    assert command("values", result, "mesh.normal_force", "hinge_b.*") == 0
    said = capsys.readouterr().out
    signal = pl.load(result)["mesh.normal_force"]
    numbers = (
        signal.initial,
        signal.final,
        signal.min(),
        signal.max(),
        signal.mean(),
        signal.rms(),
        signal.peak_to_peak(),
    )
    assert rows(said)["mesh.normal_force"] == ["N", *(f"{number:.6g}" for number in numbers)]
    assert said.splitlines()[0].split() == [
        "signal",
        "unit",
        "initial",
        "final",
        "min",
        "max",
        "mean",
        "rms",
        "peak",
        "to",
        "peak",
    ]
    assert {"hinge_b.force.x", "hinge_b.angle"} < set(rows(said))
    assert " -0 " not in said


def test_values_of_all_signals_and_of_one_sample(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("values", folder / "out" / "pair.settle.nc") == 0
    said = capsys.readouterr().out
    assert said.splitlines()[0].split() == ["signal", "unit", "value"]
    assert rows(said)["mesh.normal_force"] == [
        "N",
        f"{pl.load(folder / 'out' / 'pair.settle.nc')['mesh.normal_force'].final:.6g}",
    ]


def test_values_at_times_and_in_a_span(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = folder / "out" / "pair.nc"
    signal = pl.load(result)["mesh.transmission_error"]
    assert command("values", result, signal.name, "--at", "1ms", "--at", "0.0025", "--unit", "um") == 0
    said = capsys.readouterr().out
    assert "t = 0.001 s" in said
    assert rows(said)[signal.name] == ["um", *(f"{1e6 * float(signal.at(t)):.6g}" for t in (1e-3, 2.5e-3))]
    assert command("values", result, signal.name, "--from", "2 ms", "--to", "4 ms") == 0
    assert f"{float(signal.between('2 ms', '4 ms').mean()):.6g}" in rows(capsys.readouterr().out)[signal.name]


def test_values_for_programs(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result, table = folder / "out" / "pair.nc", tmp_path / "table.csv"
    assert (
        command("values", result, "mesh.normal_force", "a.angular_velocity", "--unit", "rpm", "--json", "-o", table)
        == 0
    )
    data = json.loads(capsys.readouterr().out)
    assert data["figures"]["a.angular_velocity.z.final"] == {"value": pytest.approx(1200.0), "unit": "rpm"}
    assert data["figures"]["mesh.normal_force.rms"]["value"] == pytest.approx(
        pl.load(result)["mesh.normal_force"].rms()
    )
    assert data["analyses"] == [{"name": "run", "kind": "dynamics", "status": "completed"}]
    lines = list(csv.reader(table.read_text().splitlines()))
    assert lines[0][:2] == ["time [s]", "mesh.normal_force [N]"] and len(lines) == 52
    assert command("values", result, "mesh.normal_force", "--at", "1ms", "--at", "2ms", "--json") == 0
    figures = json.loads(capsys.readouterr().out)["figures"]
    assert figures["time"]["value"] == [0.001, 0.002] and len(figures["mesh.normal_force"]["value"]) == 2


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["mesh.normal_farce"], "near: mesh.normal_force"),
        (["mesh.normal_force", "--at", "1 s"], "outside the record; it runs from 0 s to 0.005 s"),
        (["mesh.normal_force", "--at", "1 s", "--from", "0"], "one or the other"),
        (["mesh.normal_force", "--at", "soon"], "--at: 'soon' does not start with a number"),
        (["mesh.normal_force", "--from", "1 s"], "no sample from 1 s"),
        (["mesh.normal_force", "--unit", "um"], "no selected signal has this dimension. Their units are N"),
        (["mesh.normal_force", "--unit", "kn"], 'did you mean "kN"?'),
    ],
)
def test_values_refused(folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert command("values", folder / "out" / "pair.nc", *arguments) == 1
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("name", ["values", "plot", "info"])
def test_a_model_is_not_a_result(folder: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    for model in ("helical-pair", folder / "pair.toml"):
        assert command(name, model, *(["x"] if name == "plot" else [])) == 1
        assert f"pitchline run {model} -o DIR writes its results" in capsys.readouterr().err


# --- compare -------------------------------------------------------------------------------------------


def test_equal_results(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = folder / "out" / "pair.nc"
    assert command("compare", result, result, "--tolerance", "0") == 0
    said = capsys.readouterr().out
    assert "signals are identical" in said and said.rstrip().endswith("no difference")


def test_a_result_and_its_model_run_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("compare", folder / "out" / "pair.nc", folder / "pair.toml", "--tolerance", "1e-12") == 0
    assert "no difference" in capsys.readouterr().out


def test_results_that_differ(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b = folder / "out" / "pair.settle.nc", folder / "other" / "pair.settle.nc"
    assert command("compare", a, b, "--tolerance", "10 %") == 0
    capsys.readouterr()
    assert command("compare", a, b, "load.torque", "mesh.normal_force", "--tolerance", "1%") == 1
    said = capsys.readouterr()
    assert "relative differences above 0.01: " in said.err and "load.torque" in said.err
    assert "parameters: load not set / 21 Nm" in said.out
    row = rows(said.out)["load.torque"]
    assert row[0] == "N*m" and float(row[1]) == pytest.approx(1.0) and float(row[4]) == pytest.approx(1 / 21, rel=1e-2)
    assert rows(said.out)["settled.force"][0] == "N"


def test_compare_for_programs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b = folder / "out" / "pair.settle.nc", folder / "other" / "pair.settle.nc"
    assert command("compare", a, b, "load.torque", "--json") == 0
    figures = json.loads(capsys.readouterr().out)["figures"]
    assert figures["load.torque.relative_difference"]["value"] == pytest.approx(1 / 21)
    assert figures["settled.force.b"]["value"] == pytest.approx(21 / 20 * figures["settled.force.a"]["value"])


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["mesh.normal_farce"], "near: mesh.normal_force"),
        (["--tolerance", "small"], "--tolerance: 'small' does not start with a number"),
        (["--tolerance", "1 mm"], "--tolerance: expected number"),
    ],
)
def test_compare_refused(folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert command("compare", folder / "out" / "pair.nc", folder / "other" / "pair.nc", *arguments) == 1
    assert message in capsys.readouterr().err


def result_of(time: np.ndarray, **signals: np.ndarray) -> pl.Result:
    made = {
        name.replace("_", "."): pl.Signal(name.replace("_", "."), values, time, "N") for name, values in signals.items()
    }
    return pl.Result(kind="dynamics", model_name="m", time=time, signals=made)


def test_other_times_are_interpolated_and_ends_cut() -> None:
    coarse, fine = np.linspace(0.0, 1.0, 11), np.linspace(0.5, 2.0, 301)
    found = compared(result_of(coarse, p_force=2.0 * coarse), result_of(fine, p_force=2.0 * fine + 0.1))
    assert (found.start, found.end, found.same_times) == (0.5, 1.0, False)
    (one,) = found.differences
    assert (
        one.largest == pytest.approx(0.1) and one.rms == pytest.approx(0.1) and one.relative == pytest.approx(0.1 / 2.1)
    )


def test_signals_of_one_side_and_rounding() -> None:
    t = np.linspace(0.0, 1.0, 5)
    a = result_of(t, big_force=1e3 + t, zero_force=1e-13 * t, old_force=t)
    b = result_of(t, big_force=1e3 + t, zero_force=-2e-13 * t, new_force=t)
    found = compared(a, b)
    assert found.only_a == ("old.force",) and found.only_b == ("new.force",)
    assert found.largest < 1e-6  # noise is measured by the other forces, not by itself


def test_quaternions_and_phases_are_cyclic() -> None:
    t = np.array([0.0, 1.0])
    q = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])
    a, b = (
        pl.Result(
            kind="dynamics",
            model_name="m",
            time=t,
            signals={
                "b.orientation": pl.Signal("b.orientation", sign * q, t),
                "m.phase": pl.Signal("m.phase", phase, t),
            },
        )
        for sign, phase in ((1.0, np.array([0.2, 0.999])), (-1.0, np.array([0.2, 0.001])))
    )
    assert compared(a, b).largest == pytest.approx(0.002 / 1.0, rel=0.01)


def test_results_without_a_time_in_common() -> None:
    early, late = np.array([0.0, 1.0]), np.array([2.0, 3.0])
    with pytest.raises(pl.PitchlineError, match="do not overlap: A runs from 0 s to 1 s"):
        compared(result_of(early, p_force=early), result_of(late, p_force=late))


def test_a_number_missing_on_one_side_is_a_difference() -> None:
    t = np.array([0.0, 1.0])
    found = compared(result_of(t, p_force=np.array([1.0, np.nan])), result_of(t, p_force=np.array([1.0, 1.0])))
    assert found.largest == np.inf and found.differences[0].time == 1.0


@pytest.mark.parametrize(("name", "apart"), [("rotor.orientation", 0.0), ("motor.flux", 2.0)])
def test_only_the_sign_of_a_quaternion_has_no_meaning(name: str, apart: float) -> None:
    """Flux linkages and states can have four values too: opposite ones are different."""
    time = np.array([0.0, 1.0])
    values = np.array([[0.5, 0.5, 0.5, 0.5], [1.0, 0.0, 0.0, 0.0]])
    signal = pl.Signal(name, values, time, unit="1")
    assert _difference(signal, time, values, -values, 1.0).largest == pytest.approx(apart)
