"""Small FMUs for tests, written in C and compiled here: a linear system x' = A x + B u, y = C x + D u for FMI 2 and FMI 3.

The FMU integrates with many small Runge-Kutta steps, so that only the coupling causes errors. Inputs may have a rate (FMI 2:
fmi2SetRealInputDerivatives).
"""

import shutil
import subprocess
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest

CODE = (Path(__file__).parent / "linear_fmu.c").read_text()


@dataclass(frozen=True)
class LinearFmu:
    """A linear system as an FMU; matrices as nested tuples.

    inputs, outputs: names and units of the variables
    token:           identifier in modelDescription.xml, if it differs from that of the program
    """

    A: tuple = ()
    B: tuple = ()
    C: tuple = ()
    D: tuple = ()
    inputs: tuple = (("speed", "rad/s"),)
    outputs: tuple = (("torque", "N.m"),)
    major: int = 2
    interpolates: bool = True
    saves: bool = True
    once: bool = False
    exchange: str = "CoSimulation"
    token: str = "linear-system"
    fail_at: float = 1e300
    fail_with: int = 3
    units: dict = field(default_factory=dict, hash=False)

    def write(self, path: Path) -> Path:
        """Compile the program and write the FMU."""
        compiler = shutil.which("cc")
        if compiler is None:
            pytest.skip("no C compiler")
        folder = path.parent / f"{path.stem}_build"
        folder.mkdir(exist_ok=True)
        nx, nu, ny = len(self.A), len(self.inputs), len(self.outputs)
        text = CODE % {
            "nx": nx, "nu": nu, "ny": ny, "A": _table(self.A, nx + 1), "B": _table(self.B, nx + 1),
            "C": _table(self.C, ny), "D": _table(self.D, ny), "token": "linear-system", "major": self.major,
            "substeps": 16, "fail_at": repr(self.fail_at), "fail_with": self.fail_with, "missing3": _missing3(),
        }  # fmt: skip
        source, library = folder / "linear.c", folder / "linear.so"
        source.write_text(text)
        command = [compiler, "-O1", "-shared", "-fPIC", "-fvisibility=hidden", "-w", str(source), "-o", str(library)]
        subprocess.run(command, check=True, capture_output=True)
        place = "binaries/linux64/linear.so" if self.major == 2 else "binaries/x86_64-linux/linear.so"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("modelDescription.xml", self.description())
            archive.write(library, place)
        return path

    def description(self) -> str:
        """Text of modelDescription.xml."""
        state = "FMUstate" if self.major == 2 else "FMUState"
        able = (
            f'modelIdentifier="linear" canHandleVariableCommunicationStepSize="true" '
            f'canGetAndSet{state}="{_bool(self.saves)}" canSerialize{state}="{_bool(self.saves)}" '
            f'canBeInstantiatedOnlyOncePerProcess="{_bool(self.once)}"'
        )
        if self.major == 2:
            able += f' canInterpolateInputs="{_bool(self.interpolates)}"'
        names = [
            ("gain", 0, "parameter", "", "1"),
            *((f"x{i}", 200 + i, "local", "", None) for i in range(len(self.A))),
        ]
        names += [(name, 10 + i, "input", unit, "0") for i, (name, unit) in enumerate(self.inputs)]
        names += [(name, 100 + i, "output", unit, None) for i, (name, unit) in enumerate(self.outputs)]
        units = {"rad/s": 's="-1" rad="1"', "N.m": 'kg="1" m="2" s="-2"', "rpm": 's="-1" rad="1" factor="0.10471975511965977"',
                 "kN.m": 'kg="1" m="2" s="-2" factor="1000"', "m/s": 'm="1" s="-1"', "rad": 'rad="1"', **self.units}  # fmt: skip
        used = {unit for _, unit in (*self.inputs, *self.outputs) if unit in units}
        defined = "".join(f'<Unit name="{u}"><BaseUnit {units[u]}/></Unit>' for u in sorted(used))
        defined = f"<UnitDefinitions>{defined}</UnitDefinitions>" if defined else ""
        variables = "".join(self._variable(*one) for one in names)
        token = "guid" if self.major == 2 else "instantiationToken"
        return (
            f'<?xml version="1.0" encoding="UTF-8"?>\n<fmiModelDescription fmiVersion="{self.major}.0" modelName="linear" '
            f'{token}="{self.token}">\n<{self.exchange} {able}/>\n{defined}\n<ModelVariables>\n{variables}</ModelVariables>\n'
            "<ModelStructure/>\n</fmiModelDescription>\n"
        )

    def _variable(self, name: str, reference: int, causality: str, unit: str, start: str | None) -> str:
        more = (f' unit="{unit}"' if unit else "") + (f' start="{start}"' if start else "")
        fixed = ' variability="fixed"' if causality == "parameter" else ""
        switch = ""
        if name == "gain":
            switch = self._switch()
        if self.major == 2:
            return (
                f'<ScalarVariable name="{name}" valueReference="{reference}" causality="{causality}"{fixed}><Real{more}/>'
                f"</ScalarVariable>\n{switch}"
            )
        return f'<Float64 name="{name}" valueReference="{reference}" causality="{causality}"{fixed}{more}/>\n{switch}'

    def _switch(self) -> str:
        if self.major == 2:
            return (
                '<ScalarVariable name="enabled" valueReference="1" causality="parameter" variability="fixed">'
                '<Boolean start="true"/></ScalarVariable>\n'
            )
        return '<Boolean name="enabled" valueReference="1" causality="parameter" variability="fixed" start="true"/>\n'


def _bool(value: bool) -> str:
    return "true" if value else "false"


def _table(rows: tuple, count: int) -> str:
    text = ", ".join("{" + ", ".join(repr(float(v)) for v in (row or (0.0,))) + "}" for row in rows)
    return "{" + (text or "{0.0}") + "}"


def _missing3() -> str:
    """Functions of FMI 3 that fmpy expects in every library. They are never called."""
    try:
        from fmpy.fmi3 import _FMU3
    except ImportError:
        return ""
    there = set(CODE.split())
    names = [name for name in dir(_FMU3) if name.startswith("fmi3")]
    return "\n".join(
        f"API(int) {name}(void) {{ return 3; }}" for name in names if not any(name + "(" in w for w in there)
    )
