"""Damaged files for readers: random changes of valid files, and the rule for what a reader may do with them."""

import random
import re
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from pitchline.errors import PitchlineError

MOST_SECONDS = 20.0
"""A reader that needs longer for a small file is not limited by the size of the file."""

NUMBERS = (
    b"0", b"-1", b"1e308", b"-1e-308", b"1e999", b"nan", b"inf", b"-inf", b"99999999999999999999", b"1e9", b"0.1.2", b"",
    b"1,5", b"0x10", b"true", b"2147483648", b"-0", b"1e-400",
)  # fmt: skip
JUNK = (
    b"\x00", b"\xff\xfe", b"<", b">", b"&", b"&x;", b'"', b"]]>", b"<!--", b"{", b"}", b"[", b"]", b",", b"../../etc/passwd",
    b"\n", b"\xc3\xa9", b"\xf0\x9f\x98\x80", b"%s", b"$(x)", b"=", b";", b"\t", b"  ", b"#", b"'" * 3,
)  # fmt: skip
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_TOKEN = re.compile(rb"[A-Za-z_][A-Za-z_0-9]*")


def mutated(seed: int, data: bytes) -> bytes:
    """The file with one to four random changes; the same seed gives the same changes."""
    chance = random.Random(seed)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        data = chance.choice(CHANGES)(chance, data)
    return data


def _flip(chance: random.Random, data: bytes) -> bytes:
    if not data:
        return data
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :]


def _cut(chance: random.Random, data: bytes) -> bytes:
    a, b = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    if chance.random() < 0.7:
        b = min(b, a + chance.randrange(1, 60))
    return data[:a] + data[b:]


def _end(chance: random.Random, data: bytes) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _repeat(chance: random.Random, data: bytes) -> bytes:
    a = chance.randrange(len(data) + 1)
    piece = data[a : a + chance.randrange(1, 400)]
    return data[:a] + piece * chance.choice((2, 2, 3, 50)) + data[a:]


def _insert(chance: random.Random, data: bytes) -> bytes:
    a = chance.randrange(len(data) + 1)
    return data[:a] + chance.choice(JUNK) + data[a:]


def _number(chance: random.Random, data: bytes) -> bytes:
    found = list(_NUMBER.finditer(data))
    if not found:
        return _insert(chance, data)
    one = chance.choice(found)
    return data[: one.start()] + chance.choice(NUMBERS) + data[one.end() :]


def _swap_tokens(chance: random.Random, data: bytes) -> bytes:
    found = list(_TOKEN.finditer(data))
    if len(found) < 2:
        return _flip(chance, data)
    a, b = sorted(chance.sample(range(len(found)), 2))
    first, second = found[a], found[b]
    return (
        data[: first.start()]
        + second.group()
        + data[first.end() : second.start()]
        + first.group()
        + data[second.end() :]
    )


def _swap_lines(chance: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    if len(lines) < 2:
        return _cut(chance, data)
    a, b = chance.sample(range(len(lines)), 2)
    lines[a], lines[b] = lines[b], lines[a]
    return b"\n".join(lines)


def _drop_line(chance: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    del lines[chance.randrange(len(lines))]
    return b"\n".join(lines)


CHANGES = (_flip, _cut, _end, _repeat, _insert, _number, _number, _number, _swap_tokens, _swap_lines, _drop_line)


def survives(
    read: Callable[[Path], object],
    files: Sequence[tuple[str, bytes]],
    seeds: Iterable[int],
    folder: Path,
    *,
    errors: tuple[type[Exception], ...] = (PitchlineError,),
    on_seed: Callable[[int, bool], None] = lambda seed, read: None,
) -> int:
    """Read mutations of the files, each from its own file name in `folder`. Returns how many were read without an error.

    Every reading must succeed, or raise one of `errors` with a message, within `MOST_SECONDS`.
    """
    fine = 0
    for seed in seeds:
        name, data = files[seed % len(files)]
        path = folder / name
        path.write_bytes(mutated(seed, data))
        start = time.monotonic()
        try:
            read(path)
            good = True
        except errors as error:
            good = False
            assert str(error).strip(), f"seed {seed}: the error has no message"
            assert len(str(error)) < 20_000, f"seed {seed}: the message is very long"
        except Exception as error:
            raise AssertionError(f"seed {seed} of {name}: {type(error).__name__}: {error}") from error
        assert time.monotonic() - start < MOST_SECONDS, f"seed {seed} of {name}: took more than {MOST_SECONDS} s"
        fine += good
        on_seed(seed, good)
    return fine
