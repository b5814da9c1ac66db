"""Files of ``pitchline gear``: what is written, under which names, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest
from references.pair_file import PAIR

from pitchline import cli

NUMBERS = ["gear", "--teeth", "20", "30", "--module", "2mm", "--width", "10mm", "--bore", "14mm", "20mm"]
COARSE = ["--flank-edge", "1mm", "--size", "2mm", "--face-elements", "1"]


def command(*arguments: object) -> int:
    try:
        return cli.main([str(argument) for argument in arguments])
    except SystemExit as end:
        assert isinstance(end.code, int)
        return end.code


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_files_of_both_wheels(here, capsys):
    assert command(*NUMBERS, *COARSE, "--apart", "--grid", "w.vtu", "--inp", "w.inp", "--stl", "w.stl") == 0
    said = capsys.readouterr().out
    assert names(here) == [f"w_{wheel}{ending}" for wheel in "ab" for ending in (".inp", ".stl", ".vtu")]
    assert said.startswith("gear pair\n") and "spur pair" in said
    assert "grid    w_a.vtu: " in said and "elements of 20 nodes, one tooth of 30" in said
    assert "stl     w_b.stl: " in said and "triangles, whole, in mm" in said
    text = (here / "w_a.inp").read_text()
    nodes, elements = (int(word.split()[0]) for word in text.splitlines()[0].split(":")[1].split(";")[0].split(","))
    assert f"inp     w_a.inp: {nodes:,} nodes, {elements:,} elements" in said
    assert "*MATERIAL, NAME=STEEL" in text


def test_one_wheel_keeps_the_name_and_nothing_is_replaced(here, capsys):
    write = [*NUMBERS, *COARSE, "--wheel", "b", "--element-order", "1", "--inp", "wheel.inp"]
    assert command(*write) == 0
    before = (here / "wheel.inp").read_text()
    assert "TYPE=C3D8I" in before
    assert command(*write, "--whole") == 1
    assert "already exists" in capsys.readouterr().err
    assert (here / "wheel.inp").read_text() == before
    assert command(*write, "--whole", "--force") == 0
    assert "NSET=LEFT_FLANK_OF_TOOTH_29" in (here / "wheel.inp").read_text()
    assert names(here) == ["wheel.inp"]


def test_both_wheels_together_in_mesh(here, capsys):
    assert command(*NUMBERS, *COARSE, "--stl", "pair.stl", "--grid", "pair.vtu", "--whole") == 0
    assert names(here) == ["pair.stl", "pair.vtu"]
    record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("unused", "<u2")])
    x = np.frombuffer((here / "pair.stl").read_bytes(), record, offset=84)["corners"][..., 0]
    assert x.min() == pytest.approx(-22.0, abs=0.3) and x.max() == pytest.approx(50.0 + 32.0, abs=0.3)
    assert "left flank of tooth" not in (here / "pair.vtu").read_text()


def test_a_bore_that_is_not_said_is_assumed_and_said(here, capsys):
    pair = "--teeth 20 40 --module 2mm --width 10mm"
    assert command("gear", *pair.split(), *COARSE, "--grid", "pair.vtu") == 0
    assert names(here) == ["pair.vtu"]
    said = capsys.readouterr().out
    assert "a: bore of 16 mm assumed; specify --bore" in said and "b: bore of 32 mm assumed" in said


def test_bevels_get_grids_with_a_rim(here, capsys):
    pair = "--teeth 16 40 --module 2mm --width 10mm --bevel --wheel a --rim-thickness 3mm"
    assert command("gear", *pair.split(), *COARSE, "--grid", "bevel.vtu", "--stl", "bevel.stl") == 0
    assert names(here) == ["bevel.stl", "bevel.vtu"]
    assert "one tooth of 16" in capsys.readouterr().out


def test_a_model_gives_its_names_and_programs_an_object(here, capsys):
    (here / "pair.toml").write_text(PAIR, encoding="utf-8")
    assert command("gear", "pair.toml", "--apart", "--stl", "out.stl", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert [file["path"] for file in data["files"]] == ["out_a.stl", "out_b.stl"]
    assert data["files"][0]["triangles"] * 50 + 84 == (here / "out_a.stl").stat().st_size
    assert command("gear", "pair.toml", "--wheel", "b", "--stl", "b.stl") == 0
    capsys.readouterr()
    assert command("gear", "planetary", "--pair", "sun_1") == 0
    assert capsys.readouterr().out.count("gear ratio") == 1


def test_pictures(here, capsys, monkeypatch):
    monkeypatch.setattr("pitchline.views.solid_picture._PIXELS", 40)  # small ones are drawn sooner
    options = ["--plot", "pair.png", "--contact-lines", "--close-up", "30mm", "--view", "25", "-50"]
    assert command(*NUMBERS, *options) == 0
    assert command(*NUMBERS, *COARSE, "--apart", "--plot", "teeth.svg", "--sector", "--element-order", "1") == 0
    assert names(here) == ["pair.png", "teeth_a.svg", "teeth_b.svg"]
    assert "plot    teeth_a.svg: " in capsys.readouterr().out


@pytest.mark.parametrize(
    "options, message",
    [
        ("gear --teeth 20 30 --module 2mm --stl a.stl", "--width"),
        ("gear --teeth 20 30 --module 2mm --width 10mm --plot a.png --sector", "--wheel a or b"),
        ("gear --teeth 20 30 --module 2mm --width 10mm --grid a.stl", "must end in .vtu"),
        ("gear --teeth 20 30 --module 2mm --width 10mm --plot a.gif", "must end in .png or .svg or .pdf"),
        ("gear --teeth 16 40 --module 2mm --width 10mm --bevel --grid a.vtu", "--rim-thickness"),
        (
            "gear --teeth 20 30 --module 2mm --width 10mm --bore 14mm --grid a.vtu --rim-thickness 4mm",
            "applies to bevel gears only",
        ),
        ("gear --teeth 16 40 --module 2mm --width 10mm --bevel --helix 35deg --plot a.png", "spiral bevel"),
        ("gear --teeth 2 40 --module 2mm --width 10mm --worm 5deg --inp a.inp", "worms have no finite-element grid"),
        ("gear --teeth 20 --module 2mm --width 10mm --rack --stl a.stl", "--wheel a"),
        ("gear --teeth 20 30 --module 2mm --width 10mm --wheel c --stl a.stl", 'there is no gear "c"'),
        ("gear --teeth 20 30 --module 2mm --width 10mm --wheel a --apart --stl a.stl", "--apart"),
        (
            "gear --teeth 20 30 --module 2mm --width 10mm --wheel a --contact-lines --plot a.png",
            "--contact-lines needs both gears",
        ),
        ("gear --teeth 20 30 --module 2mm --width 10mm --stl nowhere/a.stl", "does not exist"),
        ("gear --teeth 20 30 --module 2mm --width 10mm --rim 90mm", "--internal"),
        ("gear --teeth 20 50 --module 2mm --width 10mm --internal --bore 10mm 10mm", "--bore"),
        ("gear --teeth 20 30 --module 2mm --width 10mm --sector --whole", "not allowed"),
        ("gear planetary --plot a.png", "--pair"),
        ("gear planetary --pair moon", "sun_1"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_written(options, message, here, capsys):
    assert command(*options.split()) == 1
    said = capsys.readouterr()
    assert message in said.err and said.out == "" and "Traceback" not in said.err
    assert names(here) == []
