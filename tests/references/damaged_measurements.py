"""Files of measurements for damage, one set for each format."""

import io
import tempfile
from pathlib import Path

import numpy as np

import pitchline as pl

T = np.arange(40) / 1000.0
A, B = np.sin(200 * T), np.cos(300 * T)


def read(path: Path) -> object:
    """Signals of a file, and their mean values."""
    result = pl.read_measurement(path, tacho=None)
    return [signal.mean() for signal in result.signals.values()]


def texts() -> list[tuple[str, bytes]]:
    """Text files of several layouts."""
    rows = list(zip(T.tolist(), A.tolist(), B.tolist(), strict=True))
    plain = "time [s],acc [m/s^2],speed [rpm]\n" + "\n".join(f"{t:.4f},{a:.6g},{b!r}" for t, a, b in rows)
    german = "Logger\nZeit / ms;Kraft / kN;n (1/min)\n" + "\n".join(
        f"{1e3 * t:.2f};{a:.4f};{b:.4f}".replace(".", ",") for t, a, b in rows
    )
    tabs = "t\ta\tb\ns\tm\tN\n" + "\n".join(f"{t}\t{a:.3e}\t" for t, a, b in rows)
    return [
        ("plain.csv", plain.encode()), ("german.csv", german.encode("cp1252")), ("tabs.txt", tabs.encode()),
        ("wide.csv", plain.encode("utf-16")),
    ]  # fmt: skip


def wavs() -> list[tuple[str, bytes]]:
    """WAV files."""
    import scipy.io.wavfile

    found = []
    for kind in ("u1", "i2", "i4", "f4", "f8"):
        data = np.column_stack([A, B])
        made = data.astype(kind) if kind[0] == "f" else (data * 100 + (128 if kind == "u1" else 0)).astype(kind)
        stream = io.BytesIO()
        scipy.io.wavfile.write(stream, 1000, made)
        found.append((f"{kind}.wav", stream.getvalue()))
    return found


def mats() -> list[tuple[str, bytes]]:
    """MAT files of versions 4 and 5, with and without compression."""
    import scipy.io

    found = []
    for name, options in (("four", {"format": "4"}), ("five", {}), ("packed", {"do_compression": True})):
        data = {"time": T, "acc": A, "table": np.column_stack([A, B])}
        if name != "four":
            data["part"] = {"force": A, "unit": "N"}
        stream = io.BytesIO()
        scipy.io.savemat(stream, data, **options)
        found.append((f"{name}.mat", stream.getvalue()))
    return found


def hdf5s() -> list[tuple[str, bytes]]:
    """HDF5 files."""
    import h5py

    stream = io.BytesIO()
    with h5py.File(stream, "w") as file:
        file.attrs["sample_rate"] = 1000.0
        for name, values in (("acc", A), ("b", B)):
            file.create_dataset(f"run/{name}", data=values).attrs["units"] = "m/s^2"
    return [("run.h5", stream.getvalue())]


def parquets() -> list[tuple[str, bytes]]:
    """Parquet files."""
    signals = {"a": pl.Signal("a", A, T, "m/s^2"), "b": pl.Signal("b", B, T, "N")}
    result = pl.Result(kind="dynamics", model_name="run", time=T, signals=signals)
    with tempfile.TemporaryDirectory() as folder:
        return [("run.parquet", result.export(Path(folder) / "run.parquet").read_bytes())]
