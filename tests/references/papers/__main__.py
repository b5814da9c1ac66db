"""`make papers`: run the models of the five papers and write their pages. Names as arguments: only these papers."""

import sys
import time

from references.papers.page import FOLDER, PAPERS, page, page_path


def main(names: list[str]) -> None:
    unknown = set(names) - {paper.name for paper in PAPERS}
    if unknown:
        raise SystemExit(f"no such paper: {', '.join(sorted(unknown))}. Choose of {', '.join(p.name for p in PAPERS)}")
    FOLDER.mkdir(exist_ok=True)
    for paper in PAPERS:
        if names and paper.name not in names:
            continue
        computed = {}
        for entry in paper.entries:
            if entry.numbers is None:
                continue
            start = time.perf_counter()
            computed[entry.place] = entry.numbers()
            print(f"{paper.name:20} {entry.place:24} {time.perf_counter() - start:6.1f} s", flush=True)
        page_path(paper).write_text(page(paper, computed), encoding="utf-8")
        print(page_path(paper))


if __name__ == "__main__":
    main(sys.argv[1:])
