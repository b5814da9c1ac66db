"""`make validation`: run all reference cases and write the page. Keys as arguments: run only these and print them."""

import sys

from references.cases.table import SUBJECTS, TABLE, compute, page, rows


def main(keys: list[str]) -> None:
    done = []
    for subject in SUBJECTS:
        found = []
        for case in subject.cases:
            if keys and case.key not in keys:
                continue
            computed = compute(case)
            found.append(computed)
            print(
                f"{case.key:24} {computed.seconds:6.1f} s  largest difference {computed.worst.difference:.1e}",
                flush=True,
            )
            if keys:
                for row in rows(computed):
                    print("   ", " | ".join(row))
        done.append((subject, found))
    if not keys:
        TABLE.parent.mkdir(exist_ok=True)
        TABLE.write_text(page(done), encoding="utf-8")
        print(TABLE)


if __name__ == "__main__":
    main(sys.argv[1:])
