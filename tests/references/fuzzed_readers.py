"""Readers of files of other programs, each with valid files to start from: `scripts/fuzz.py` and tests damage these files.

A reader is a function without arguments that returns the read function and the files, as (name, contents).
"""

from collections.abc import Callable, Sequence
from pathlib import Path

Reader = tuple[Callable[[Path], object], Sequence[tuple[str, bytes]]]


def _step() -> Reader:
    from tempfile import TemporaryDirectory

    from pitchline.exchange.step.parts import import_step
    from pitchline.exchange.step.reading import CadProcess

    from .step_files import StepAssembly, cone, tube

    made = StepAssembly()
    link = made.part("link", tube(30, 20, 200), colour=(1, 0, 0), density=2.7)
    arm = made.assembly("arm")
    made.place(link, "one", into=arm, position=(1, 2, 3))
    made.place(made.part("cap", cone(30, 10, 40)), "cap", into=arm)
    made.place(arm, "left")
    with TemporaryDirectory() as folder:
        data = made.write(Path(folder) / "arm.step").read_bytes()
    process = CadProcess()  # one for all files: a start takes a second
    return lambda path: import_step(path, density=7800.0, time_limit=15, reader=process), [("arm.step", data)]


def _mass_table() -> Reader:
    from pitchline.exchange.mass_table import import_mass_table

    csv = (
        b"name, mass [kg], x [mm], y [mm], z [mm], ixx [kg*mm^2], iyy [kg*mm^2], izz [kg*mm^2], ixy [kg*mm^2], px [mm], "
        b"qw, qx, qy, qz\n"
        b"arm, 2.5, 10, 0, 0, 100, 200, 250, -3, 5, 1, 0, 0, 0\nwheel, 800 g, 0, 0, 0, 10, 10, 15, 0, 0, 0.6, 0.8, 0, 0\n"
    )
    text = (
        b'{"units": {"mass": "kg", "length": "mm", "inertia": "kg*mm^2"}, "about": "origin", "products": "tensor", '
        b'"parts": [{"name": '
        b'"arm", "mass": 2, "x": 1, "y": 0, "z": 0, "ixx": 100, "iyy": 200, "izz": 250, "ixy": 3.5}]}'
    )
    return lambda path: import_mass_table(path, products="tensor"), [("parts.csv", csv), ("parts.json", text)]


def _rexs_document() -> Reader:
    from references.rexs_files import read_check_and_write, seeds

    return read_check_and_write, seeds()


def _rexs_model() -> Reader:
    from references.rexs_units import read_model, seeds

    return read_model, seeds()


def _fmu() -> Reader:
    from references.damaged_fmus import read, seeds

    return read, seeds()


def _urdf() -> Reader:
    from references.robot_files import urdf_seeds

    from pitchline.exchange.robots.model_maker import import_urdf

    return lambda path: import_urdf(path, locked=["massless"]), urdf_seeds()


def _mjcf() -> Reader:
    from references.robot_files import mjcf_seeds

    from pitchline.exchange.robots.model_maker import import_mjcf

    return import_mjcf, mjcf_seeds()


def _measurement(kind: str) -> Callable[[], Reader]:
    def reader() -> Reader:
        from references import damaged_measurements

        return damaged_measurements.read, getattr(damaged_measurements, kind)()

    return reader


def _matrices() -> Reader:
    from tempfile import TemporaryDirectory

    from references.superelements import bar

    import pitchline as pl

    body = bar(2, "ab")
    with TemporaryDirectory() as folder:
        files = [
            file
            for end in (".pch", ".mtx")
            for file in pl.write_superelement(body, Path(folder) / f"bar{end}", units="mm")
        ]
        data = {file.name: file.read_bytes() for file in files}

    def read(path: Path) -> object:
        for name, contents in data.items():  # the other files are not damaged
            if name != path.name:
                (path.parent / name).write_bytes(contents)
        first = path if path.suffix == ".pch" else path.with_name("bar_stiffness.mtx")
        return pl.read_superelement(first, units="mm", interfaces={"a": "a", "b": "b"}, modes=2)

    return read, list(data.items())


def _calculix() -> Reader:
    from tempfile import TemporaryDirectory

    from references.damaged_fe_files import calculix

    with TemporaryDirectory() as folder:
        return calculix(Path(folder))


def _fe_files(kind: str) -> Callable[[], Reader]:
    def reader() -> Reader:
        from references import damaged_fe_files

        made: Reader = getattr(damaged_fe_files, kind)()
        return made

    return reader


READERS: dict[str, Callable[[], Reader]] = {
    "fmu": _fmu,
    "csv": _measurement("texts"),
    "wav": _measurement("wavs"),
    "mat": _measurement("mats"),
    "hdf5": _measurement("hdf5s"),
    "parquet": _measurement("parquets"),
    "mass-table": _mass_table,
    "matrices": _matrices,
    "rexs-document": _rexs_document,
    "rexs-model": _rexs_model,
    "calculix": _calculix,
    "abaqus-matrix": _fe_files("abaqus_matrices"),
    "harwell-boeing": _fe_files("harwell_boeing"),
    "inp-mesh": _fe_files("inp_meshes"),
    "msh-mesh": _fe_files("msh_meshes"),
    "vtu-mesh": _fe_files("vtu_meshes"),
    "stl": _fe_files("stl_files"),
    "step": _step,
    "urdf": _urdf,
    "mjcf": _mjcf,
}
"""By name."""
