"""Damaged files: whatever is in them, reading ends in a FileError with file, line and key, or in a model; in nothing else."""

import copy
import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from references.machine import FILE

from pitchline import files
from pitchline.files import written_values as toml_text
from pitchline.gallery import model

NAMES = ("kubo-d", "planetary", "press", "worm", "rack-and-pinion", "governor", "rotor", "planar-spur", "run-up")
STEPS = """
[[analyses]]
kind = "statics"
[[analyses]]
name = "run"
kind = "dynamics"
start = "statics"
duration = "1 ms"
[figures]
x = { signal = "energy.kinetic", of = "amplitude", frequency = "3 kHz", analysis = "run" }
[plot]
signals = ["energy.kinetic"]
"""
TEXTS = [FILE.read_text(encoding="utf-8"), *(model(name).build().to_toml() + STEPS for name in NAMES)]
JUNK: list[Any] = [
    0,
    -1,
    1e300,
    float("nan"),
    float("inf"),
    10**30,
    -(10**400),
    True,
    "",
    "x",
    "= 1 / 0",
    "= teeth",
    "=",
    "2 mm",
    "-3 kg",
    "1e400 m",
    "= 9**9**9",
    "\x00",
    "é" * 50,
    [],
    [1],
    [1, 2, 3],
    [[1, 2], [3]],
    {},
    {"kind": "ramp"},
    {"kind": "sum", "terms": []},
    {"kind": "elastic"},
    "ground",
    "mesh",
    "1 " + "(" * 190,
    {"body": "ground"},
    [{"kind": "sphere"}],
    "steel",
    "z",
    {"axis": "z", "angle": "1 deg"},
    "= sin(pi) * module",
]
SETTINGS = settings(max_examples=150, deadline=5000, suppress_health_check=list(HealthCheck), print_blob=True)


def end(text: str) -> None:
    """Read a text that may be damaged."""
    try:
        files.read(text if "\n" in text else text + "\n", source="file.toml")
    except files.FileError as error:
        assert error.found
        for problem in error.found:
            assert problem.file == "file.toml"
            assert 1 <= problem.line <= text.count("\n") + 2
            assert problem.message and len(problem.message) < 2000
            # a key, unless it is the text itself that cannot be read, or the model as a whole
            assert (
                problem.key
                or "is not TOML" in problem.message
                or "nested" in problem.message
                or problem.message.startswith("model")
            )
            assert "cannot be read" not in problem.message, problem  # the net below the API caught it


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield (*path, key)
        yield from places(value, (*path, key))


def part(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        data = data[key]
    return data


def text_of(data: dict[str, Any]) -> str:
    lines = [f"{toml_text.key(k)} = {toml_text.inline(v)}" for k, v in data.items() if not isinstance(v, dict)]
    for key, table in data.items():
        if isinstance(table, dict):
            lines += [
                f"[{toml_text.key(key)}]",
                *(f"{toml_text.key(k)} = {toml_text.inline(v)}" for k, v in table.items()),
            ]
    return "\n".join(lines) + "\n"


@SETTINGS
@given(st.data())
def test_values_taken_out_put_in_and_exchanged(draw: st.DataObject) -> None:
    data = tomllib.loads(draw.draw(st.sampled_from(TEXTS)))
    for _ in range(draw.draw(st.integers(1, 3))):
        known = list(places(data))
        if not known:
            break
        path = known[draw.draw(st.integers(0, len(known) - 1))]
        parent, key = part(data, path[:-1]), path[-1]
        change = draw.draw(st.sampled_from(["junk", "junk", "delete", "rename", "copy"]))
        if change == "delete":
            del parent[key]
        elif change == "rename" and isinstance(parent, dict):
            parent[f"{key}{draw.draw(st.sampled_from(['x', '_', '']))}"] = parent.pop(key)
        elif change == "copy":
            parent[key] = copy.deepcopy(part(data, known[draw.draw(st.integers(0, len(known) - 1))]))
        else:
            parent[key] = copy.deepcopy(JUNK[draw.draw(st.integers(0, len(JUNK) - 1))])
    end(text_of(data))


@SETTINGS
@given(st.sampled_from(TEXTS), st.integers(0, 10**6), st.sampled_from(JUNK))
def test_one_value_replaced_in_its_line(text: str, n: int, junk: Any) -> None:
    spots = list(re.finditer(r" = (.+)", text))
    spot = spots[n % len(spots)]
    end(text[: spot.start(1)] + toml_text.inline(junk) + text[spot.end(1) :])


@SETTINGS
@given(st.sampled_from(TEXTS), st.integers(0, 10**6), st.integers(0, 10**6), st.booleans())
def test_lines_taken_out_and_doubled(text: str, n: int, where: int, double: bool) -> None:
    lines = text.split("\n")
    line = lines[n % len(lines)]
    if double:
        lines.insert(where % len(lines), line)
    else:
        del lines[n % len(lines)]
    end("\n".join(lines))


@SETTINGS
@given(
    st.sampled_from(TEXTS),
    st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from("[]{}\"'=.,#09ax-+*/ \n\t\\é\x00\r")), max_size=6),
)
def test_signs_changed(text: str, changes: list[tuple[int, str]]) -> None:
    signs = list(text)
    for n, sign in changes:
        signs[n % len(signs)] = sign
    end("".join(signs))


@SETTINGS
@given(st.sampled_from(TEXTS), st.integers(0, 10**6))
def test_texts_cut_off(text: str, n: int) -> None:
    end(text[: n % len(text)])


@SETTINGS
@given(st.sampled_from(TEXTS), st.binary(max_size=12), st.integers(0, 10**6))
def test_bytes_put_in(tmp_path_factory: pytest.TempPathFactory, text: str, junk: bytes, n: int) -> None:
    content = text.encode()
    file = tmp_path_factory.getbasetemp() / "damaged.toml"
    file.write_bytes(content[: n % len(content)] + junk + content[n % len(content) :])
    for problem in files.check(file, source="file.toml"):
        assert problem.file == "file.toml" and problem.line >= 1


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f'p{n} = "= p{n + 1} + p{n + 2}"' for n in range(3000)),  # each needs two others: no doubling of work
        "\n".join(f'p{n} = "= p{n - 1} * 2"' if n else "p0 = 1" for n in range(3000)),
        "\n".join(f'p{n} = "= p{(n + 1) % 3000}"' for n in range(3000)),
    ],
    ids=["fan", "chain", "ring"],
)
def test_many_parameters_end_soon(text: str) -> None:
    end("[parameters]\n" + text + "\n[bodies.a]\nmass = 1\ninertia = [1, 1, 1]\n")


def test_many_bodies_in_the_wrong_order_end_soon() -> None:
    gear = '[gears.g]\nteeth = 20\nnormal_module = "1 mm"\nface_width = "1 mm"\n'
    wheels = "".join(f'[bodies.b{n}]\ngear = "g"\nmesh_with = "b{n + 1}"\n' for n in range(2000))
    end(gear + wheels + '[bodies.b2000]\ngear = "g"\nposition = [0, 0, 0]\n')
    end(gear + wheels)
