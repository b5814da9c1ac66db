"""The pages of the papers show every entry, and their numbers are those of a new run.

Entries that take long are not run again here: `make papers` runs them all.
"""

import pytest
from references.papers.entry import NO, PARTLY, YES, Entry, Paper
from references.papers.page import PAPERS, number_row, page_path

ENTRIES = [(paper, entry) for paper in PAPERS for entry in paper.entries]


def committed(paper: Paper) -> dict[str, list[list[str]]]:
    """Rows of numbers by the place of their entry."""
    found: dict[str, list[list[str]]] = {}
    place = ""
    for line in page_path(paper).read_text(encoding="utf-8").splitlines():
        if line.startswith("| **"):
            place = line[4:].split("**")[0]
            found[place] = []
        elif line.startswith("| | ") and place:
            found[place].append([cell.strip() for cell in line.strip("|").split("|")][1:])
        elif not line.startswith("|"):
            place = ""
    return found


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_every_entry_is_on_the_page(paper: Paper) -> None:
    places = [entry.place for entry in paper.entries]
    assert len(set(places)) == len(places)
    rows = committed(paper)
    assert sorted(rows) == sorted(places)
    for entry in paper.entries:
        assert bool(rows[entry.place]) == (entry.numbers is not None), entry.place
        assert entry.reproduced in (YES, PARTLY, NO)
        assert entry.reproduced == YES or entry.why, f"{entry.place} says why it is not reproduced"


@pytest.mark.parametrize(
    ("paper", "entry"),
    [(paper, entry) for paper, entry in ENTRIES if entry.numbers is not None and not entry.slow],
    ids=lambda x: x.place if isinstance(x, Entry) else x.name,
)
def test_numbers_are_those_of_a_new_run(paper: Paper, entry: Entry) -> None:
    """To the five digits shown, up to one unit of the last digit."""
    assert entry.numbers is not None
    expected = committed(paper)[entry.place]
    found = [list(number_row(number)) for number in entry.numbers()]
    assert len(found) == len(expected)
    for new, old in zip(found, expected, strict=True):
        assert new[:2] == old[:2]
        try:
            assert float(new[2]) == pytest.approx(float(old[2]), rel=2e-4, abs=1e-9)
        except ValueError:
            assert new[2] == old[2]
