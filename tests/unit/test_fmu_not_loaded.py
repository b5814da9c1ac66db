"""An FMU whose program does not load leaves the process as it was."""

import os
import sys
import zipfile
from pathlib import Path

import pytest
from references.c_fmus import LinearFmu

import pitchline as pl
from pitchline.exchange.safe_xml import ExchangeError

pytest.importorskip("fmpy")
if sys.platform != "linux":
    pytest.skip("the FMUs of these tests are for Linux", allow_module_level=True)


def test_the_current_folder_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = LinearFmu(A=((0.0,),), B=((1.0,),), C=((4.0,),), D=((0.0,),), inputs=(("speed", "rad/s"),)).write(
        tmp_path / "good.fmu"
    )
    with zipfile.ZipFile(good) as old, zipfile.ZipFile(tmp_path / "garbage.fmu", "w") as new:
        for name in old.namelist():
            new.writestr(name, b"\x7fELF garbage" if name.endswith(".so") else old.read(name))
    m = pl.Model("axis")
    m.revolute("axis", m.ground, m.body("rotor", mass=1, inertia=(1, 1, 0.02)), axis="z")
    m.add(pl.fmu("law", tmp_path / "garbage.fmu", step="2 ms", inputs={"speed": "axis.angular_speed"}))
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        with pytest.raises(ExchangeError, match="the program cannot be loaded"):
            pl.dynamics(m, duration="10 ms", step="2 ms")
        assert os.getcwd() == str(tmp_path)
