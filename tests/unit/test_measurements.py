"""Measurements: layouts of text files, WAV, MAT, HDF5, Parquet, units, time, tachos, and the files that results are exported to."""

import sys

import h5py
import numpy as np
import pytest
import scipy.io
import scipy.io.wavfile

import pitchline as pl
from pitchline import cli
from pitchline.exchange.measurements.channels import name_and_unit
from pitchline.exchange.safe_xml import ExchangeError
from pitchline.numerics.number_text import POWERS, parse_table

RPM = 2 * np.pi / 60


def read(tmp_path, text, name="run.csv", **options):
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return pl.read_measurement(tmp_path / name, **options)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("time [s],torque [N m],speed [rpm]\n0,1,60\n0.1,2,60\n0.2,3,60\n", {}),
        ("Time;torque / Nm;speed (1/min)\n0,0;1,0;60\n0,1;2,0;60\n0,2;3,0;60\n", {}),
        ("Logger 7\n\nt\ttorque\tspeed\ns\tN.m\trpm\n0\t1\t60\n0.1\t2\t60\n0.2\t3\t60\n", {}),
        ("# t [ms], torque [kN*mm], speed [rad/s]\n0 1 6.283185307179586\n100 2 6.283185307179586\n200 3 6.283185307179586\n", {}),
        ("time [s],torque [Nm],speed [Hz],\r\n0,1,1,\r\n0.1,2,1,\r\n0.2,3,1,\r\n", {}),
        ('"time","torque","speed"\n0,1,60\n0.1,2,60\n0.2,3,60', {"units": {"torque": "N*m", "speed": "rpm"}}),
        ("1|60\n2|60\n3|60\n", {"sample_rate": "10 Hz", "names": ["torque [Nm]", "speed [rpm]"]}),
        ("time [s],torque [Nm],speed [rpm]\n0,1,60\n0.1,2,60\n0.2,3,60\n".encode("utf-16"), {}),
        ("\ufefftime [s],torque [Nm],speed [rpm]\n0,1,60\n0.1,2,60\n0.2,3,60\n", {}),
        ("time [s];torque [N·m];speed [1/min]\n0;1;60\n0.1;2;60\n0.2;3;60\n".encode("cp1252"), {}),
    ],
)  # fmt: skip
def test_layouts_of_text_files(tmp_path, text, options):
    run = read(tmp_path, text, **options)
    assert run.kind == "measurement"
    assert run.time == pytest.approx([0.0, 0.1, 0.2])
    assert run["torque"].unit == "N*m"
    assert run["torque"].values == pytest.approx([1, 2, 3])
    assert run["speed"].unit == "rad/s"
    assert run["speed"].values == pytest.approx([60 * RPM] * 3)


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("t,a\n0,1\n1,x\n2,3\n", {}, ["line 3", "column 2", '"a"', "'x'"]),
        ("t,a,b\n0,1,5\n1,4\n2,3,4\n", {}, ["line 3", "2 columns, expected 3"]),
        ("t,a\n0,1\n2,2\n1,3\n", {}, ["line 4", "decreases from 2 s to 1 s"]),
        ("a,b\n0,1\n2,2\n", {}, ["times", "sample_rate"]),
        ("t,a [g]\n0,1\n1,2\n", {}, ["standard gravity or gram"]),
        ("t,a\n0,1\n1,2\n", {"units": {"a": "parsec"}}, ["parsec"]),
        ("t,a\n0,1\n1,2\n", {"units": {"b": "m"}}, ["no channel 'b'", "a"]),
        ("t,a\n0,1\n1,2\n", {"time": "b"}, ["no channel 'b'"]),
        ("t [kg],a\n0,1\n1,2\n", {}, ["kg", "not a unit of time"]),
        ("t,a\n0,1\n1,2\n", {"names": ["t"]}, ["1 names for 2 columns"]),
        ("t,a\n0,1\n1,2\n", {"channels": ["c"]}, ["no channel 'c'"]),
        ("t,a\n0,1\n1,\n", {"gaps": "refuse"}, ["1 samples without a value", "t = 1 s"]),
        ("t,a\n0,1\n,2\n", {}, ["line 3", "no value"]),
        ("t,a\n0,1\n1,2\n", {"gaps": "fill"}, ["gaps", "fill"]),
        ("t,a\n0,1\n1,2\n", {"separator": "x"}, ["separator"]),
        ("t,a\n0,1\n1,2\n", {"encoding": "klingon"}, ["klingon"]),
        ("t,a\n0,1\n1,2\n", {"header_lines": -1}, ["header_lines"]),
        ("t,a\n0,1\n1,2\n", {"group": "a"}, ["group"]),
        ("t,a\n2026-01-01,1\n2026-01-02,2\n", {}, ["no line of numbers"]),
        ("", {}, ["no line of numbers"]),
        (b"\x00\x01\x02", {}, ["character 0"]),
    ],
)  # fmt: skip
def test_errors_of_text_files_name_the_place(tmp_path, text, options, words):
    with pytest.raises(ExchangeError) as error:
        read(tmp_path, text, **options)
    for word in ("run.csv", *words):
        assert word in str(error.value)


def test_gaps(tmp_path):
    text = "t,a,b\n0,1,1\n1,,2\n2,3,nan\n3,4,4\n"
    kept = read(tmp_path, text)
    assert np.isnan(kept["a"].values[1])
    assert np.isnan(kept["b"].values[2])
    assert len(kept.warnings) == 2
    filled = read(tmp_path, text, gaps="interpolate")
    assert filled["a"].values == pytest.approx([1, 2, 3, 4])
    assert filled["b"].values == pytest.approx([1, 2, 3, 4])


def test_blocks_are_joined(tmp_path, monkeypatch):
    """Small blocks cut the file in the middle of lines, and of line ends; one cell is empty."""
    from pitchline.exchange.measurements import text_file

    monkeypatch.setattr(text_file, "BLOCK", 37)
    rng = np.random.default_rng(1)
    values = rng.normal(size=(300, 2)) * 10.0 ** rng.integers(-30, 30, (300, 2))
    rows = [f"{i},{a!r},{b!r}" for i, (a, b) in enumerate(values.tolist())]
    rows[150] = f"150,,{float(values[150, 1])!r}"
    for end in ("\n", "\r\n", "\r"):
        run = read(tmp_path, end.join(["time,a,b", *rows]) + end)
        want = values[:, 0].copy()
        want[150] = np.nan
        assert np.array_equal(run["a"].values, want, equal_nan=True)
        assert np.array_equal(run["b"].values, values[:, 1])
    with pytest.raises(ExchangeError, match="line 202, column 1"):
        read(tmp_path, "\n".join(["time,a,b", *rows[:200], "x,1,2", *rows[201:]]))


def test_compiled_numbers_are_correctly_rounded():
    rng = np.random.default_rng(2)
    texts = [f"{m}{'.' if d else ''}{f}e{e}" for m, d, f, e in zip(
        rng.integers(-(10**6), 10**6, 500), rng.integers(0, 2, 500), [""] * 500, rng.integers(-20, 20, 500), strict=True
    )]  # fmt: skip
    texts += ["0.1", "-0.30000000000000004", "1e22", "123456789012345", "+.5", "5.", "1e-22", "1E5", "-0"]
    out, hard = np.empty((len(texts), 1)), np.zeros(1 + 3 * len(texts), np.int64)
    data = "\n".join(texts).encode()
    assert parse_table(np.frombuffer(data, np.uint8), 44, 46, out, hard, np.array([POWERS])) == len(texts)
    left = {place: float(data[a:b]) for place, a, b in hard[1 : 1 + 3 * hard[0]].reshape(-1, 3).tolist()}
    for i, text in enumerate(texts):
        assert left.get(i, out[i, 0]) == float(text), text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("torque [N m]", ("torque", "N m")), ("n (1/min)", ("n", "1/min")), ("M / Nm", ("M", "Nm")), ("p", ("p", "")),
        ("speed (left)", ("speed (left)", "")), ("a/b", ("a/b", "")), ("[m]", ("", "m")),
    ],
)  # fmt: skip
def test_names_and_units(text, found):
    assert name_and_unit(text) == found


@pytest.mark.parametrize("kind", ["u1", "i2", "i4", "f4", "f8", "24"])
def test_wav(tmp_path, kind):
    rng = np.random.default_rng(3)
    exact = rng.uniform(-0.9, 0.9, (500, 2))
    path = tmp_path / "run.wav"
    if kind == "24":
        whole = np.round(exact * 2**23).astype("<i4")
        data = whole.reshape(-1, 1).view(np.uint8).reshape(-1, 4)[:, :3].tobytes()
        head = b"fmt " + np.array([16], "<u4").tobytes() + np.array([1, 2], "<u2").tobytes()
        head += np.array([8000, 48000], "<u4").tobytes() + np.array([6, 24], "<u2").tobytes()
        body = b"WAVE" + b"LIST\x03\x00\x00\x00abc\x00" + head + b"data" + np.array([len(data)], "<u4").tobytes() + data
        path.write_bytes(b"RIFF" + np.array([len(body)], "<u4").tobytes() + body)
    else:
        scale = {"u1": 128.0, "i2": 2.0**15, "i4": 2.0**31}.get(kind)
        shift = 128 if kind == "u1" else 0
        data = exact.astype(kind) if scale is None else (np.round(exact * scale) + shift).astype(kind)
        scipy.io.wavfile.write(path, 8000, data)
    run = pl.read_measurement(path, units={"channel 2": "50 m/s^2"})
    resolution = {"u1": 2.0**-8, "i2": 2.0**-16, "24": 2.0**-24, "i4": 2.0**-32, "f4": 1e-7, "f8": 0.0}[kind]
    assert np.abs(run["channel 1"].values - exact[:, 0]).max() <= resolution
    assert np.abs(run["channel 2"].values - 50 * exact[:, 1]).max() <= 50 * resolution + 1e-14
    assert run["channel 2"].unit == "m/s^2"
    assert run.time[-1] == pytest.approx(499 / 8000)


def test_wav_that_is_not_valid(tmp_path):
    path = tmp_path / "run.wav"
    scipy.io.wavfile.write(path, 8000, np.zeros(100, np.int16))
    data = path.read_bytes()
    for wrong, match in (
        (b"text", "not a WAV file"), (data[:60], "ends early"), (data[:36], "no samples"),
        (data[:20] + b"\x55\x00" + data[22:], "compressed"), (data[:22] + b"\x00\x00" + data[24:], "0 channels"),
    ):  # fmt: skip
        path.write_bytes(wrong)
        with pytest.raises(ExchangeError, match=match):
            pl.read_measurement(path)


@pytest.mark.parametrize("version", ["4", "5"])
def test_mat(tmp_path, version):
    t, a = np.linspace(0, 1, 11), np.arange(11.0)
    path = tmp_path / "run.mat"
    scipy.io.savemat(path, {"time": t, "force": a, "table": np.column_stack([a, 2 * a])}, format=version)
    run = pl.read_measurement(path, units={"force": "kN"})
    assert run["force"].values == pytest.approx(1000 * a)
    assert run["table 2"].values == pytest.approx(2 * a)


def test_mat_with_structs_and_rates(tmp_path):
    path = tmp_path / "run.mat"
    scipy.io.savemat(path, {"fast": {"acc": np.zeros(100), "fs": 1000.0}, "slow": {"temp": np.zeros(10), "fs": 10.0}})
    with pytest.raises(ExchangeError, match=r"100 samples: fast\.acc; 10 samples: slow\.temp.*group"):
        pl.read_measurement(path)
    run = pl.read_measurement(path, group="fast", sample_rate="1 kHz")
    assert list(run.signals) == ["acc"]
    assert run.time[1] == 1e-3
    with pytest.raises(ExchangeError, match="no variable or group 'fats'"):
        pl.read_measurement(path, group="fats")


def test_hdf5_and_mat_73(tmp_path):
    path = tmp_path / "run.h5"
    with h5py.File(path, "w") as file:
        file.attrs["sample_rate"] = 500.0
        data = file.create_dataset("bench/torque", data=np.arange(6.0))
        data.attrs["units"] = "kN*m"
        file["away"] = h5py.ExternalLink("/etc/passwd", "/x")
    run = pl.read_measurement(path)
    assert run["torque"].values == pytest.approx(1e3 * np.arange(6))
    assert run.time[1] == pytest.approx(2e-3)
    mat = tmp_path / "run.mat"
    with h5py.File(mat, "w", userblock_size=512) as file:
        file["t"] = np.linspace(0, 1, 5)[None, :]
        file["x"] = np.arange(5.0)[None, :]
    head = b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(512)
    with mat.open("r+b") as stream:
        stream.write(head)
    assert pl.read_measurement(mat)["x"].values == pytest.approx(np.arange(5))


def test_unknown_endings_and_files(tmp_path):
    with pytest.raises(ExchangeError, match=r"\.xls"):
        pl.read_measurement(tmp_path / "run.xls")
    with pytest.raises(ExchangeError, match="No such file"):
        pl.read_measurement(tmp_path / "run.csv")


# ---- tacho


def test_tacho_of_a_run_up():
    """Pulses of a shaft that accelerates: angle and speed within the error of the interpolation between pulses."""
    rate, pulses, accelerate = 50_000.0, 12, 60.0
    t = np.arange(int(2 * rate)) / rate
    exact = 40.0 * t + 0.5 * accelerate * t**2
    volts = 2.5 + 2.5 * np.tanh(8 * np.sin(pulses * exact)) + 0.1 * np.random.default_rng(4).normal(size=len(t))
    angle, speed = pl.tacho(pl.Signal("pulse", volts, t, "V"), pulses)
    middle = slice(len(t) // 10, -len(t) // 10)
    turned = angle.values[middle] - exact[middle]
    assert np.ptp(turned) < 3e-3  # noise of 0.1 V on flanks of 100 V per radian of the pulse
    assert speed.values[middle] == pytest.approx((40 + accelerate * t)[middle], rel=0.02)
    assert np.all(np.diff(angle.values) >= 0)
    assert (angle.name, speed.name, speed.unit) == ("pulse.angle", "pulse.angular_speed", "rad/s")


def test_tacho_errors():
    t = np.linspace(0, 1, 100)
    with pytest.raises(pl.PitchlineError, match="constant"):
        pl.tacho(pl.Signal("p", np.zeros(100), t, "V"), 1)
    with pytest.raises(pl.PitchlineError, match="0 pulses were found at the threshold 9"):
        pl.tacho(pl.Signal("p", np.sin(50 * t), t, "V"), 1, threshold="9 V")
    with pytest.raises(pl.PitchlineError, match="positive number"):
        pl.tacho(pl.Signal("p", np.sin(50 * t), t, "V"), 0)
    with pytest.raises(pl.PitchlineError, match="edge"):
        pl.tacho(pl.Signal("p", np.sin(50 * t), t, "V"), 1, edge="both")


# ---- export


@pytest.fixture(scope="module")
def run():
    m = pl.Model("fan")
    fan = m.body("fan", solid=pl.cylinder("20 cm", "3 cm", mass="2 kg"), centre_of_mass=("0.5 mm", 0, 0))
    m.drive("motor", m.revolute("axle", m.ground, fan, axis="z"), speed="1500 rpm")
    return pl.dynamics(m, duration="0.05 s", step="0.2 ms", output_step="1 ms")


@pytest.mark.parametrize("ending", ["csv", "parquet", "mat"])
def test_export_is_read_back(run, tmp_path, ending):
    """All numbers are equal, and so are the units."""
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    path = run.export(tmp_path / f"run.{ending}", "axle.*", "fan.position")
    back = pl.read_measurement(path)
    assert np.array_equal(back.time, run.time)
    for name in ("axle.force.x", "axle.angle", "fan.position.y"):
        found = "axle.force_x" if ending == "mat" and name == "axle.force.x" else name
        found = "fan.position_y" if ending == "mat" and name == "fan.position.y" else found
        assert np.array_equal(back[found].values, run[name].values)
        assert back[found].unit == run[name].unit


def test_export_of_a_lazy_result_in_blocks(run, tmp_path, monkeypatch):
    from pitchline.results import export_file

    pytest.importorskip("pyarrow")
    import pyarrow.parquet

    monkeypatch.setattr(export_file, "BLOCK", 7)
    run.save(tmp_path / "run.nc")
    for ending in ("csv", "parquet"):
        whole = run.export(tmp_path / f"a.{ending}")
        with pl.Result.load(tmp_path / "run.nc", lazy=True) as lazy:
            parts = lazy.export(tmp_path / f"b.{ending}")
        assert whole.read_bytes() == parts.read_bytes() if ending == "csv" else True
    assert pyarrow.parquet.ParquetFile(parts).num_row_groups == -(-run.samples // 7)
    schema = pyarrow.parquet.read_schema(parts)
    assert schema.field("axle.force.x").metadata[b"unit"] == b"N"
    assert schema.metadata[b"model_name"] == b"fan"


def test_export_errors(run, tmp_path, monkeypatch):
    with pytest.raises(pl.PitchlineError, match=r"\.parquet"):
        run.export(tmp_path / "run.xlsx")
    with pytest.raises(pl.PitchlineError, match="save"):
        run.export(tmp_path / "run.nc")
    run.export(tmp_path / "run.csv", "axle.angle")
    with pytest.raises(pl.PitchlineError, match="overwrite=True"):
        run.export(tmp_path / "run.csv")
    with pytest.raises(pl.PitchlineError, match="axle"):
        run.export(tmp_path / "other.csv", "axel.angle")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(pl.PitchlineError, match="pyarrow"):
        run.export(tmp_path / "run.parquet")
    (tmp_path / "x.parquet").write_bytes(b"PAR1")
    with pytest.raises(pl.PitchlineError, match=r'pip install "pitchline\[data\]"'):
        pl.read_measurement(tmp_path / "x.parquet")
    from pitchline.results import export_file as mat_file

    monkeypatch.setattr(mat_file, "MOST_BYTES", 1000)
    with pytest.raises(pl.PitchlineError, match="limited to 2 GB"):
        run.export(tmp_path / "run.mat")
    assert not (tmp_path / "run.mat").exists()


def test_commands(run, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run.save("run.nc")
    assert cli.main(["export", "run.nc", "-o", "out.csv", "axle.angle"]) == 0
    assert cli.main(["export", "run.nc", "-o", "out.csv"]) != 0
    assert cli.main(["export", "out.csv", "-o", "out.mat"]) == 0
    assert cli.main(["values", "out.csv"]) == 0
    assert "axle.angle" in capsys.readouterr().out
    assert cli.main(["plot", "run.nc", "axle.angle", "--measured", "out.csv", "-o", "a.png"]) == 0
    assert cli.main(["plot", "run.nc", "axle.angle", "--measured", "out.csv:axle.angle", "-o", "b.svg"]) == 0
    assert ">out<" in (tmp_path / "b.svg").read_text() or "out" in (tmp_path / "b.svg").read_text()
    assert cli.main(["plot", "run.nc", "axle.force.x", "--measured", "out.csv", "-o", "c.png"]) != 0
    assert cli.main(["compare", "run.nc", "out.csv"]) in (0, 1)
    assert cli.main(["info", "out.csv"]) == 0
