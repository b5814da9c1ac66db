"""The page "Adding an element", followed to the letter: one new file, in the package and outside it, in use everywhere."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from unit.test_docs import files_of

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "extending" / "element.md"

USES = """
import json, sys, tomllib
from pathlib import Path

import jsonschema, numba
import pitchline as pl
from pitchline.files import read
from pitchline.files.schema import generate

kind, allow = sys.argv[1], sys.argv[2:]
text = Path("fall.toml").read_text().replace("drag:Drag", kind)

compiled = []
compile_extra = numba.core.compiler.compile_extra
def counted(typing, target, function, *rest, **options):
    compiled.append(f"{function.__module__}.{function.__qualname__}")
    return compile_extra(typing, target, function, *rest, **options)

# the engine, without the element
plain = read(text.partition("[elements")[0]).model
plain.revolute("hinge", plain.ground, plain.bodies["ball"], axis="y", at=(0, 0, 1))
pl.dynamics(plain, duration=0.01), pl.modes(plain)
numba.core.compiler.compile_extra = counted

file = read(text, allow=allow)                       # TOML
run = file.run()["fall"]                             # dynamics
assert abs(run["ball.velocity"].values[-1, 2] + 22.141) < 1e-3
assert run["air.force"].unit == "N" and run["air.force"].description == "drag on the body"  # signals
assert not [name for name in compiled if "Drag" not in name], compiled                      # nothing of the engine again
assert sorted({name.rpartition(".")[2] for name in compiled}) in ([], ["evaluate", "report"]), compiled
model = file.model
Drag = type(model.elements["air"])                   # Python
plain.add(Drag("air", on="ball", coefficient=0.5))
assert pl.modes(plain, about=pl.dynamics(plain, duration=0.01)).frequencies[-1] > 0  # modes
assert f'type = "{kind}"' in model.to_toml()         # writer
assert read(model.to_toml(), allow=allow).model.describe() == model.describe()
assert "  air   Drag, ball: coefficient 0.02 N*s^2/m^2" in model.summary()
schema = generate()                                  # schema
jsonschema.Draft202012Validator(schema).validate(tomllib.loads(text))
known = [one["properties"]["type"].get("const") for one in schema["properties"]["elements"]["additionalProperties"]["oneOf"]]
assert ("drag" in known) == (kind == "drag"), known
pl.views.write_report(Path("fall.html"), run)        # report
assert "growing with the square of the speed; coefficient" in Path("fall.html").read_text(encoding="utf-8")
print("all of it")
"""


def run(folder: Path, source: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(source)}
    return subprocess.run([sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in files_of(PAGE).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "uses.py").write_text(USES, encoding="utf-8")
    return tmp_path


def test_one_new_file_in_the_package_is_all(folder: Path) -> None:
    source = folder / "src"
    shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "drag.py").rename(source / "pitchline" / "parts" / "springs" / "drag.py")
    used = run(folder, source, "uses.py", "drag")
    assert used.stdout == "all of it\n", used.stderr
    checked = run(folder, source, "-m", "pitchline", "check-element", "drag", "--states", "3")
    assert checked.returncode == 0 and "FAIL" not in checked.stdout, checked.stderr
    assert "drag" in run(folder, source, "-m", "pitchline", "check-element", "drog").stderr


def test_the_same_file_outside_the_package(folder: Path) -> None:
    used = run(folder, ROOT / "src", "uses.py", "drag:Drag", "drag")
    assert used.stdout == "all of it\n", used.stderr
    results = [
        run(folder, ROOT / "src", "-m", "pitchline", *command)
        for command in (
            ["check", "fall.toml"],
            ["run", "fall.toml", "--allow", "drag"],
            ["check-element", "drag:Drag", "--states", "3"],
        )
    ]
    assert [result.returncode for result in results] == [1, 0, 0], results
    assert "use the option --allow drag" in results[0].stdout
