"""The table of the documentation shows every reference case, and its numbers are those of a new run.

Cases that take long, or that are chaotic, are not run again here: `make validation` runs them all.
"""

import re

import pytest
from references.cases.case import Case
from references.cases.not_supported import NOT_SUPPORTED
from references.cases.table import ROUNDING, SUBJECTS, TABLE, compute, rows

CASES = [case for subject in SUBJECTS for case in subject.cases]
HEAD = re.compile(r"^\| \*\*([^:*]+): ")


def committed() -> dict[str, list[list[str]]]:
    """Rows of the page by case: quantity, reference, pitchline, difference."""
    found: dict[str, list[list[str]]] = {}
    key = ""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        head = HEAD.match(line)
        if head:
            key = head[1]
            found[key] = []
        elif key and line.startswith("| ") and not line.startswith("| ---"):
            found[key].append([cell.strip() for cell in line.strip("|").split("|")])
        elif not line.startswith("|"):
            key = ""
    return found


def test_every_case_is_in_the_table() -> None:
    keys = [case.key for case in CASES]
    assert len(set(keys)) == len(keys)
    assert list(committed()) == keys
    assert all(committed().values())


def test_the_summary_counts_all_numbers() -> None:
    text = TABLE.read_text(encoding="utf-8")
    assert f"{len(CASES)} cases with " in text
    assert f"not in the table: {len(NOT_SUPPORTED)} cases." in text
    counted = [int(n) for n in re.findall(r"^\| (?:below|5 %)[^|]*\| (\d+) \|", text, re.MULTILINE)]
    assert sum(counted) == len(CASES)


def test_differences_have_a_reason() -> None:
    """Every case whose row shows a difference above rounding says where it comes from."""
    heads = {m[1]: line for line in TABLE.read_text(encoding="utf-8").splitlines() if (m := HEAD.match(line))}
    for key, shown in committed().items():
        different = any(not row[-1].startswith("< ") for row in shown)
        assert different != heads[key].rstrip(" |").endswith("Difference: rounding."), key


@pytest.mark.parametrize("case", [case for case in CASES if not case.table_only], ids=lambda case: case.key)
def test_numbers_are_those_of_a_new_run(case: Case) -> None:
    """To the six digits shown, up to one unit of the last digit."""
    computed = compute(case)
    assert computed.worst.difference <= ROUNDING or case.reason
    expected = committed()[case.key]
    found = [list(row) for row in rows(computed)]
    assert len(found) == len(expected)
    for new, old in zip(found, expected, strict=True):
        assert new[:2] == old[:2]
        if new[2]:
            assert float(new[2]) == pytest.approx(float(old[2]), rel=2e-5, abs=1e-8)
