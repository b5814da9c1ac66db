"""Formats of other programs: how a file is recognised, options on the command line, and the files that are written."""

import json
from pathlib import Path

import pytest

import pitchline as pl
from pitchline import cli
from pitchline.base.storage.free_names import StorageError
from pitchline.exchange import formats
from pitchline.exchange.formats import ImportFormat, ImportOption, format_of, import_model, is_importable
from pitchline.exchange.mass_table import Imported, ImportReport
from pitchline.exchange.safe_xml import ExchangeError

OPTION = ImportOption("--scale", "scale", "factor of the mass", kind="number")


def model_of(path: Path, scale: float = 1.0) -> Imported:
    """One body whose mass is the number in the file."""
    m = pl.Model("one")
    m.body("block", mass=scale * float(Path(path).read_text().split()[1]), inertia=(1, 1, 1))
    report = ImportReport()
    report.add("ignored", 'load "wind"')
    return Imported(m, report, m.to_toml() + '\n[[analyses]]\nkind = "modes"\n', {"shape.txt": b"x"})


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Two formats of which one shares its ending, in an empty folder."""
    first = ImportFormat("Toy", (".toy",), (".txt",), b"toy", model_of, (OPTION,))
    other = ImportFormat("Other", (), (".txt",), b"other", model_of)
    monkeypatch.setattr(formats, "FORMATS", (first, other))
    monkeypatch.setattr("pitchline.cli.export.FORMATS", (first, other))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.toy").write_text("toy 3")
    return tmp_path


def test_the_ending_decides_then_the_contents(toy: Path) -> None:
    (toy / "b.txt").write_text("other 4")
    assert format_of("a.TOY").name == "Toy" and format_of("b.txt").name == "Other"
    assert format_of("b.txt", "toy").name == "Toy"
    assert is_importable("x.txt") and not is_importable("x.toml")


def test_files_without_a_format_are_refused(toy: Path) -> None:
    (toy / "c.txt").write_text("third")
    with pytest.raises(
        ExchangeError, match=r"c\.txt: the format of the file is not recognised\. Formats: Toy \(\.toy, "
    ):
        format_of("c.txt")
    with pytest.raises(ExchangeError, match=r"missing\.txt: cannot be read"):
        format_of("missing.txt")
    with pytest.raises(ExchangeError, match='there is no format "Tyo"'):
        format_of("a.toy", "Tyo")


def test_options_of_other_formats_are_refused(toy: Path) -> None:
    (toy / "b.txt").write_text("other 4")
    assert import_model("a.toy", scale=2.0).model.bodies["block"].mass == 6
    with pytest.raises(ExchangeError, match="files of the format Other do not have the option --scale"):
        import_model("b.txt", scale=2.0)


def test_the_command_writes_the_model_and_its_files(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["import", "a.toy", "--scale", "2"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith('Not in the model:\n  - load "wind"\n') and "model    a.toml" in printed
    assert pl.files.read(toy / "a.toml").model.bodies["block"].mass == 6
    assert (toy / "shape.txt").read_bytes() == b"x"


def test_existing_files_are_not_overwritten(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (toy / "shape.txt").write_text("mine")
    assert cli.main(["import", "a.toy", "-o", "new.toml"]) == 1
    assert "--force" in capsys.readouterr().err
    assert not (toy / "new.toml").exists() and (toy / "shape.txt").read_text() == "mine"
    assert cli.main(["import", "a.toy", "-o", "new.toml", "--force"]) == 0
    with pytest.raises(StorageError, match="overwrite=True"):
        import_model("a.toy").write("new.toml")


def test_json_is_one_object_also_with_a_run(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["import", "a.toy", "--run", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["file"] == "a.toml" and found["report"]["ignored"] == ['load "wind"']
    assert found["run"]["analyses"][0]["kind"] == "modes"


def test_commands_take_files_of_other_programs(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "a.toy"]) == 0
    printed = capsys.readouterr()
    assert 'load "wind"' in printed.err and "modes" in printed.out
