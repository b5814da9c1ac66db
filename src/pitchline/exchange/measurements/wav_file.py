"""WAV files: integers of 8 to 32 bits and floating point numbers, any number of channels, also larger than 4 GB (RF64)."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..limits import ExchangeError
from .channels import RawChannel, RawRecord

__all__ = ["read_wav"]

PCM, FLOAT, EXTENSIBLE = 1, 3, 0xFFFE
MOST_CHANNELS = 1024
MOST_CHUNKS = 10_000
_UNKNOWN = 2**32 - 1


def read_wav(path: Path, name: str) -> RawRecord:
    """Channels of a WAV file. Integers are fractions of full scale, from -1 to 1; floating point numbers are unchanged."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        head = stream.read(12)
        if len(head) < 12 or head[:4] not in (b"RIFF", b"RF64", b"BW64") or head[8:12] != b"WAVE":
            raise ExchangeError(f"{name}: not a WAV file (it does not begin with RIFF ... WAVE)")
        layout: tuple[int, int, int, int] | None = None
        large: int | None = None
        for _ in range(MOST_CHUNKS):
            start = stream.read(8)
            if len(start) < 8:
                break
            kind, length = start[:4], struct.unpack("<I", start[4:])[0]
            if kind == b"ds64" and length >= 24:
                large = struct.unpack("<QQ", stream.read(16))[1]
                stream.seek(length - 16, 1)
            elif kind == b"fmt ":
                layout = _layout(stream, length, name)
            elif kind == b"data":
                if layout is None:
                    raise ExchangeError(f"{name}: the data come before the format (chunk fmt)")
                if length == _UNKNOWN:
                    length = large if large is not None else size - stream.tell()
                return _samples(stream, layout, length, size - stream.tell(), name)
            else:
                stream.seek(length + length % 2, 1)
    raise ExchangeError(f"{name}: there are no samples (chunk data is missing)")


def _layout(stream: BinaryIO, length: int, name: str) -> tuple[int, int, int, int]:
    """Code, channels, samples per second, bits of a sample."""
    data = stream.read(min(length, 64))
    stream.seek(length + length % 2 - len(data), 1)
    if len(data) < 16:
        raise ExchangeError(f"{name}: the format (chunk fmt) has {len(data)} bytes, expected 16 or more")
    code, channels, rate, _, align, bits = struct.unpack("<HHIIHH", data[:16])
    if code == EXTENSIBLE and len(data) >= 26:
        code = struct.unpack("<H", data[24:26])[0]
    if code not in (PCM, FLOAT):
        raise ExchangeError(
            f"{name}: the samples are compressed (format {code:#06x}). Convert the file to PCM or floating point numbers"
        )
    if not 1 <= channels <= MOST_CHANNELS or rate == 0:
        raise ExchangeError(f"{name}: {channels} channels with {rate} samples per second are not a valid format")
    if bits not in ((8, 16, 24, 32) if code == PCM else (32, 64)) or align != channels * bits // 8:
        raise ExchangeError(f"{name}: samples of {bits} bits in blocks of {align} bytes are not supported")
    return code, channels, rate, bits


def _samples(stream: BinaryIO, layout: tuple[int, int, int, int], length: int, left: int, name: str) -> RawRecord:
    code, channels, rate, bits = layout
    block = channels * bits // 8
    if length > left + 1:
        raise ExchangeError(f"{name}: the file ends early: {length} bytes of samples are stated, {left} are there")
    data = stream.read(min(length, left) // block * block)
    if not data:
        raise ExchangeError(f"{name}: there are no samples")
    values = _numbers(data, code, bits).reshape(-1, channels)
    found = [
        RawChannel(
            f"channel {k + 1}", np.ascontiguousarray(values[:, k]), description=f"channel {k + 1} of the WAV file"
        )
        for k in range(channels)
    ]
    return RawRecord(found, rate=float(rate), about={"bits": bits})


def _numbers(data: bytes, code: int, bits: int) -> NDArray[np.float64]:
    if code == FLOAT:
        return np.frombuffer(data, f"<f{bits // 8}").astype(np.float64)
    if bits == 8:
        return (np.frombuffer(data, np.uint8).astype(np.float64) - 128.0) / 128.0
    if bits == 24:
        wide = np.zeros((len(data) // 3, 4), np.uint8)
        wide[:, 1:] = np.frombuffer(data, np.uint8).reshape(-1, 3)
        return wide.view("<i4")[:, 0] / 2.0**31
    return np.frombuffer(data, f"<i{bits // 8}") / 2.0 ** (bits - 1)
