"""Files that include others: what wins, where problems are, and that nothing is read outside the folder."""

from pathlib import Path

import pytest

from pitchline import files

GEARS = """
[parameters]
module = "2 mm"
[gears.pinion]
teeth = 20
normal_module = "= module"
face_width = "10 mm"
"""
MAIN = """
include = ["parts/gears.toml"]
[bodies.a]
gear = "pinion"
[joints.hinge]
kind = "revolute"
a = "ground"
b = "a"
"""


def put(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        file = folder / (name.replace("__", "/") + ".toml")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder / "main.toml"


def problems(path: Path) -> list[str]:
    return [str(problem) for problem in files.check(path)]


def test_parts_come_from_included_files(tmp_path: Path) -> None:
    main = put(tmp_path, main=MAIN, parts__gears=GEARS)
    gear = files.read(main).model.wheels["a"].gear
    assert gear is not None and gear.normal_module == 0.002


def test_parameters_of_the_file_that_includes_win(tmp_path: Path) -> None:
    main = put(tmp_path, main=MAIN + '[parameters]\nmodule = "3 mm"\n', parts__gears=GEARS)
    gear = files.read(main).model.wheels["a"].gear
    assert gear is not None and gear.normal_module == 0.003
    again = files.read(main, overrides={"module": "4 mm"}).model.wheels["a"].gear
    assert again is not None and again.normal_module == 0.004


def test_problems_are_told_where_they_are(tmp_path: Path) -> None:
    main = put(tmp_path, main=MAIN.replace('"a"\n', '"c"\n'), parts__gears=GEARS.replace("teeth = 20", "teeth = -20"))
    found = files.check(main)
    assert [(Path(p.file).name, p.line, p.key) for p in found] == [
        ("main.toml", 8, "joints.hinge.b"),
        ("gears.toml", 5, "gears.pinion.teeth"),
    ]
    assert Path(found[1].file) == tmp_path / "parts" / "gears.toml"


def test_a_part_is_said_once(tmp_path: Path) -> None:
    main = put(tmp_path, main=MAIN + GEARS.replace("[parameters]\nmodule", "[parameters]\nm"), parts__gears=GEARS)
    (text,) = problems(main)
    assert "gears.pinion: is already specified in" in text and "line 4" in text


def test_two_files_may_include_the_same_one(tmp_path: Path) -> None:
    main = put(
        tmp_path,
        main='include = ["x.toml", "y.toml"]\n' + MAIN.replace("parts/", "").replace('include = ["gears.toml"]', ""),
        x='include = ["gears.toml"]\n',
        y='include = "gears.toml"\n',
        gears=GEARS,
    )
    assert problems(main) == []


def test_files_that_include_each_other_are_named(tmp_path: Path) -> None:
    main = put(tmp_path, main='include = ["b.toml"]\n', b='\ninclude = ["main.toml"]\n')
    (text,) = problems(main)
    assert f"{tmp_path / 'b.toml'}:2: include[0]: circular include: main.toml -> b.toml -> main.toml" in text


def test_analyses_follow_each_other(tmp_path: Path) -> None:
    step = '[[analyses]]\nname = "{}"\nkind = "statics"\n'
    main = put(tmp_path, main=MAIN + step.format("second"), parts__gears=GEARS + step.format("first"))
    assert [s.name for s in files.read(main).steps] == ["first", "second"]


@pytest.mark.parametrize(
    "name, message",
    [
        ("../secret.toml", "outside the folder"),
        ("/etc/hostname", "outside the folder"),
        ("parts/../../secret.toml", "outside the folder"),
        ("link.toml", "outside the folder"),
        ("notes.txt", "must end in .toml"),
        ("missing.toml", "file not found"),
        ("parts", "must end in .toml"),
        ("parts.toml", "is a folder"),
        ("a\\u0000b.toml", ""),
        ("", ""),
    ],
)
def test_only_toml_files_of_the_folder_can_be_included(tmp_path: Path, name: str, message: str) -> None:
    folder = tmp_path / "project"
    main = put(folder, main=f'include = ["{name}"]\n[bodies.a]\nmass = 1\ninertia = [1, 1, 1]\n')
    (folder / "parts.toml").mkdir()
    (folder / "notes.txt").write_text("x = 1\n")
    (tmp_path / "secret.toml").write_text("a = 1\n")
    (folder / "link.toml").symlink_to(tmp_path / "secret.toml")
    (problem,) = files.check(main)
    assert (problem.line, problem.key) == (1, "include[0]")
    assert message in problem.message and "a = 1" not in problem.message


def test_a_text_has_no_folder() -> None:
    (problem,) = files.check('include = ["x.toml"]\n[bodies.a]\nmass = 1\ninertia = [1, 1, 1]\n')
    assert "Save it as a file first" in problem.message


def test_a_file_that_is_not_toml_tells_its_own_line(tmp_path: Path) -> None:
    main = put(tmp_path, main=MAIN, parts__gears=GEARS + "[oops\n")
    first = files.check(main)[0]
    assert (Path(first.file).name, first.line) == ("gears.toml", 8)
