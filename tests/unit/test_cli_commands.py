"""The commands that look at models and results: gear, modes, response, plot, info, report, gallery --copy."""

import csv
import json
import math
from pathlib import Path

import pytest
from references.pair_file import PAIR

import pitchline as pl
from pitchline import cli, gallery
from pitchline.cli.program import build_parser


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model file and its results, made once."""
    folder = tmp_path_factory.mktemp("pair")
    (folder / "pair.toml").write_text(PAIR, encoding="utf-8")
    assert cli.main(["run", str(folder / "pair.toml"), "-o", str(folder / "out")]) == 0
    return folder


@pytest.fixture
def here(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def command(*arguments: object) -> int:
    try:
        return cli.main([str(argument) for argument in arguments])
    except SystemExit as end:
        assert isinstance(end.code, int)
        return end.code


COMMANDS = (
    "run", "sweep", "gallery", "import", "fmu", "check", "check-element", "gear", "ltca", "modes", "response", "campbell",
    "values", "export", "tables", "compare", "plot", "view", "loads", "info", "report", "warm", "completion",
)  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_helps_with_examples(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(name, "--help") == 0
    said = capsys.readouterr().out
    assert said.startswith(f"usage: pitchline {name} ")
    assert "\nexamples:\n" in said and f"pitchline {name}" in said.partition("\nexamples:\n")[2]


def test_options_are_never_guessed_from_a_part() -> None:
    assert command("run", "four-bar", "--js") == 1


def test_the_list_of_commands() -> None:
    commands = next(action for action in build_parser()._actions if action.dest == "==SUPPRESS==" and action.choices)
    assert tuple(commands.choices or ()) == COMMANDS


# --- gear ----------------------------------------------------------------------------------------------


def test_gear_is_a_table_of_both_wheels(capsys: pytest.CaptureFixture[str]) -> None:
    options = "--teeth 20 50 --module 2mm --helix 12deg --shift 0.3 0 --width 20mm"
    assert command("gear", *options.split()) == 0
    said = capsys.readouterr().out
    a = pl.Gear(teeth=20, normal_module="2 mm", helix_angle="12 deg", profile_shift=0.3, face_width="20 mm")
    b = pl.Gear(teeth=50, normal_module="2 mm", helix_angle="-12 deg", face_width="20 mm")
    pair = pl.GearPair(a, b)
    rows = {line[7:41].strip(): line[41:].split() for line in said.splitlines() if line[:1].strip()}
    assert rows["tip diameter"] == ["mm", f"{1e3 * a.tip_diameter:.6g}", f"{1e3 * b.tip_diameter:.6g}"]
    assert rows["profile shift"] == ["0.3", "0"]
    assert rows["centre distance"] == ["mm", f"{1e3 * pair.centre_distance:.6g}"]
    assert rows["total contact ratio"] == [f"{pair.total_contact_ratio:.6g}"]
    assert "warning" not in said


@pytest.mark.parametrize(
    "options, kind, words",
    [
        ("--teeth 8 50 --module 2mm", "spur", "undercut"),
        ("--teeth 20 22 --module 2mm --internal", "internal", "collide outside the mesh"),
        ("--teeth 20 80 --module 2mm --internal --helix -10deg", "internal", "fillets"),
        ("--teeth 12 60 --module 2mm --shift 0.8 0", "spur", "thin tips"),
        ("--teeth 15 45 --module 3mm --width 12mm --bevel", "straight bevel", "undercut"),
        ("--teeth 20 40 --module 3mm --width 12mm --bevel --helix 35deg --shaft-angle 80deg", "spiral bevel", "80"),
        ("--teeth 2 40 --module 2mm --worm 5deg", "worm", "90"),
        ("--teeth 20 --module 2mm --rack --helix -10deg", "rack and pinion", "rack"),
        ("--teeth 20 30 --module 2mm --helix 30deg 60deg --shaft-angle 90deg", "crossed helical", "90"),
        ("--teeth 20 30 --module 2mm --centre-distance 50.2mm --backlash 0.02mm", "spur", "backlash"),
        ("--teeth 30 40 --module 2mm --shift 0.5 0.5 --shorten --pressure-angle 25deg", "spur", "25"),
    ],
)
def test_gear_knows_pairs_of_every_kind(
    options: str, kind: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("gear", *options.split()) == 0
    said = capsys.readouterr().out
    assert f"{kind} pair" in said and words in said


@pytest.mark.parametrize(
    "options, message",
    [
        ("", "--teeth"),
        ("--teeth 20 30", "--module"),
        ("--teeth 20 --module 2mm", "two values"),
        ("--teeth 20 30 40 --module 2mm", "two values"),
        ("--teeth 20 x --module 2mm", "whole number"),
        ("--teeth 20 30.5 --module 2mm --bevel", "integers"),
        ("--teeth 20 30 --module 2kg", "2kg"),
        ("--teeth 20 30 --module 2", "mm"),
        ("--teeth 12 30 --module 2mm --shift 1.2 0", "pointed"),
        ("--teeth 20 30 --module 2mm --centre-distance 70mm", "do not touch each other"),
        ("--teeth 20 30 --module 2mm --helix 20deg --shaft-angle 90deg", "both helix angles"),
        ("--teeth 2 40 --module 2mm --worm 5deg --helix 3deg", "--helix"),
        ("--teeth 20 --module 2mm --rack --shift 0 1", "rack"),
        ("--teeth 20 30 --module 2mm --rack --internal", "not allowed"),
        ("four-bar", "no gears"),
        ("four-bar --teeth 3 4", "--teeth"),
    ],
)
def test_gear_says_what_is_wrong(options: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("gear", *options.split()) == 1
    said = capsys.readouterr()
    assert said.out == "" and message in said.err and "Traceback" not in said.err


def test_gear_reads_models_and_speaks_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("gear", folder / "pair.toml", "--json", "--set", "teeth=25") == 0
    data = json.loads(capsys.readouterr().out)
    assert set(data) == {"model", "analyses", "figures"} and data["model"] == "pair"
    assert data["figures"]["a.reference_diameter"] == {"value": pytest.approx(0.05), "unit": "m"}
    assert data["figures"]["centre_distance"]["value"] == pytest.approx(0.055)
    assert command("gear", "planetary") == 0
    assert capsys.readouterr().out.count("gear ratio") == 6


# --- modes and response --------------------------------------------------------------------------------


def frequency() -> float:
    """Of the wheel on the teeth, the motor holding the pinion: k r_b² / J [Hz]."""
    wheel = pl.Gear(teeth=30, normal_module="2 mm", face_width="20 mm")
    k = 2e8 * (0.5 * wheel.base_diameter) ** 2
    return math.sqrt(k / wheel.blank.inertia[2]) / (2 * math.pi)


def test_modes_about_analyses_statics_and_results(folder: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # at the start the teeth touch without load, and the centres are fixed: both flanks give the same modes
    for about, flank in (
        ([], "either"),
        (["--about", "settle"], "drive"),
        (["--about", "statics"], "drive"),
        (["--about", "initial"], "either"),
        (["--about", folder / "out" / "pair.nc"], "drive"),
    ):
        assert command("modes", folder / "pair.toml", "--json", *about) == 0
        data = json.loads(capsys.readouterr().out)
        (entry,) = data["analyses"]
        assert entry.pop("operating_point")["flanks"] == {"mesh": flank}
        assert entry == {"name": "modes", "kind": "modes", "status": "completed"}
        found = data["figures"]["mode_1.frequency"]
        assert found == {"value": pytest.approx(frequency(), rel=1e-3), "unit": "Hz"}
    assert command("modes", folder / "pair.toml", "-o", "m") == 0
    said = capsys.readouterr().out
    assert "torsional" in said and "pair-modes.png" in said
    rows = list(csv.reader((here / "m" / "pair-modes.csv").read_text().splitlines()))
    assert rows[0][:2] == ["mode", "frequency [Hz]"] and float(rows[1][1]) == pytest.approx(frequency(), rel=1e-3)


def test_modes_about_nothing_known(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("modes", folder / "pair.toml", "--about", "setle") == 1
    assert 'did you mean "settle"' in capsys.readouterr().err


def test_response_over_frequency(folder: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = [
        "--input",
        "load",
        "--signal",
        "mesh.normal_force",
        "--about",
        "statics",
        "--frequencies",
        "10Hz:20kHz:201",
    ]
    assert command("response", folder / "pair.toml", *options, "-o", "r") == 0
    said = capsys.readouterr().out
    assert "mesh.normal_force / load [N/(N*m)]" in said and "resonances" in said
    rows = list(csv.reader((here / "r" / "pair-response.csv").read_text().splitlines()))
    assert len(rows) == 202 and float(rows[1][0]) == 10.0
    assert (here / "r" / "pair-response.png").is_file()
    assert command("response", folder / "pair.toml", *options, "--json") == 0
    figures = json.loads(capsys.readouterr().out)["figures"]
    size = figures["mesh.normal_force/load.magnitude"]
    assert size["unit"] == "N/(N*m)" and len(size["value"]) == 201
    radius = 0.5 * pl.Gear(teeth=30, normal_module="2 mm").base_diameter
    assert size["value"][0] == pytest.approx(1 / radius, rel=1e-3)  # slow: the teeth carry the load


@pytest.mark.parametrize("text", ["10", "10:20:30:40", "a:b", "10Hz:5kHz:many", "0:10", "20:10", "1:2:0", "1 mm:2 mm"])
def test_frequencies_that_are_wrong(folder: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--input", "load", "--signal", "mesh.normal_force", "--frequencies", text]
    assert command("response", folder / "pair.toml", *options) == 1
    assert f"--frequencies {text}" in capsys.readouterr().err


def test_response_of_nothing_known(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("response", folder / "pair.toml", "--input", "lode", "--signal", "mesh.normal_force") == 1
    assert 'did you mean "load"' in capsys.readouterr().err
    assert command("response", folder / "pair.toml", "--input", "load", "--signal", "mesh.normal_farce") == 1
    assert "mesh.normal_force" in capsys.readouterr().err
    assert command("response", folder / "pair.toml", "--input", "load") == 1


# --- plot, info, report --------------------------------------------------------------------------------


def test_plots_are_written_and_never_replaced(folder: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = folder / "out" / "pair.nc"
    for ending, start in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        file = here / f"force.{ending}"
        assert command("plot", result, "mesh.normal_force", "hinge_*.angular_speed", "-o", file) == 0
        assert file.read_bytes().startswith(start)
    assert command("plot", result, "mesh.normal_force", "-o", "force.png") == 1
    assert "--force" in capsys.readouterr().err
    assert command("plot", result, "mesh.normal_force", "-o", "force.png", "--force") == 0
    for name in ("pair.png", "pair-2.png"):
        capsys.readouterr()
        assert command("plot", result, "b.position.x", "--from", "1ms", "--to", "0.002", "--title", "") == 0
        assert capsys.readouterr().out == f"{name}\n"
    assert command("plot", result, "mesh.normal_force", "--spectrum", "-o", "spectrum.png") == 0
    assert not list(here.glob(".*"))


@pytest.mark.parametrize(
    "options, message",
    [
        (["mesh.normal_farce"], "mesh.normal_force"),
        (["mesh.normal_force", "-o", "x.bmp"], 'picture "x.bmp": the name must end in one of .png'),
        (["mesh.normal_force", "-o", "nowhere/x.png"], "nowhere"),
        (["b.position", "--spectrum"], "one signal"),
        (["mesh.normal_force", "--from", "1 kg"], "1 kg"),
    ],
)
def test_plots_that_cannot_be(
    folder: Path, here: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("plot", folder / "out" / "pair.nc", *options) == 1
    assert message in capsys.readouterr().err
    assert list(here.iterdir()) == []


def test_info_says_what_is_inside(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("info", folder / "out" / "pair.nc") == 0
    said = capsys.readouterr().out
    for word in (
        "2 bodies, 2 joints",
        "pair.toml",
        'dynamics "run", completed',
        "51, t = 0 to 0.005 s",
        "steps ",
        "version",
    ):
        assert word in said
    row = next(line for line in said.splitlines() if line.startswith("mesh.normal_force "))
    assert " N " in row
    assert command("info", folder / "out" / "pair.nc", "--model") == 0
    assert capsys.readouterr().out == PAIR
    made = pl.statics(gallery.model("four-bar").build())
    made.save(folder / "python.nc", overwrite=True)
    assert command("info", folder / "python.nc") == 0
    assert "Python" in capsys.readouterr().out
    assert command("info", folder / "python.nc", "--model") == 0
    assert json.loads(capsys.readouterr().out)["name"] == made.model_name


def test_reports_of_results_and_models(folder: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("report", folder / "out" / "pair.nc") == 0
    assert capsys.readouterr().out == "pair.html\n"
    page = (here / "pair.html").read_text(encoding="utf-8").replace("<wbr>", "")
    assert "mesh.force.mean" in page and "settled.force" not in page  # what this analysis alone can say
    assert command("report", folder / "pair.toml", "-o", "all.html", "--set", "load=30 N*m") == 0
    page = (here / "all.html").read_text(encoding="utf-8").replace("<wbr>", "")
    assert "mesh.force.mean" in page and "settled.force" in page
    assert command("report", folder / "pair.toml", "-o", "all.html") == 1
    assert "--force" in capsys.readouterr().err


# --- gallery -------------------------------------------------------------------------------------------


def test_gallery_models_are_copied_and_run(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("gallery", "--copy", "helical-pair") == 0
    assert capsys.readouterr().out == "helical-pair.toml\n"
    assert command("gallery", "--copy", "helical-pair", "-o", "helical-pair.toml") == 1
    assert "--force" in capsys.readouterr().err
    assert command("gallery", "--copy", "helical-pair", "-o", "helical-pair.toml", "--force") == 0
    capsys.readouterr()
    assert command("gallery", "--copy", "helical-pair", "-o", "-") == 0
    assert capsys.readouterr().out == (here / "helical-pair.toml").read_text(encoding="utf-8")
    assert command("run", "helical-pair.toml", "-o", "out") == 0
    assert {path.name for path in (here / "out").iterdir()} == {"helical-pair.png", "helical-pair.nc"}
    assert command("gallery", "--copy", "helical-pear") == 1
    assert "helical-pair" in capsys.readouterr().err
    assert command("gallery", "-o", "x") == 1


@pytest.mark.parametrize("name", gallery.MODELS)
def test_every_copy_is_fine(here: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("gallery", "--copy", name) == 0
    (copy,) = here.iterdir()
    if copy.suffix == ".toml":
        assert command("check", copy) == 0
    else:
        compile(copy.read_text(encoding="utf-8"), copy.name, "exec")
