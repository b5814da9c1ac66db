"""Loaded tooth contact: time a mesh position, for the spur and the helical pair of Do, Ziegler and Eberhard.

Elastic gears come from the cache, or are made first. The time is that of whole analyses with 64 positions, the best of
several, setting up the contact included; what finding the elasticity took stands beside it. Below, the same gears as surfaces,
by strips and by general cells, in the ratio to the closed form of involutes.
"""

import time
from dataclasses import replace

from pitchline import gallery
from pitchline.contact.loaded_tables import GeneralPair
from pitchline.fem.elastic_gear import ElasticGear, elastic_gear
from pitchline.gears import Gear, GearPair
from pitchline.parts.contact.loaded_contact import loaded_contact
from pitchline.parts.contact.results_flank import LoadedContact
from pitchline.parts.gears.surfaces import surface_teeth

POSITIONS = 64


def bench(repeats: int = 5) -> None:
    """One line a pair and torque."""
    header = (
        f"{'pair':<10}{'torque':>10}{'elasticity':>13}{'a position':>13}{'rounds':>9}{'cells':>8}{'that carry':>12}"
    )
    print(f"\nLoaded contact, {POSITIONS} positions a pitch\n{header}\n{'-' * len(header)}")
    for name in ("spur", "helical"):
        pair = gallery.model(f"table1-{name}").build()
        begin = time.perf_counter()
        gears = [elastic_gear(wheel.gear) for wheel in pair.wheels.values() if isinstance(wheel.gear, Gear)]
        elasticity = time.perf_counter() - begin
        loaded_contact(*gears, torque=1.0, positions=1)  # loads the machine code
        for torque in (20.0, 100.0):
            best = float("inf")
            for _ in range(repeats):
                begin = time.perf_counter()
                found = loaded_contact(*gears, torque=torque, positions=POSITIONS)
                best = min(best, time.perf_counter() - begin)
            assert isinstance(found, LoadedContact)
            cells = sum(len(one.loads) for one in found.contacts[0]) / POSITIONS
            carry = sum(int((one.loads > 0.0).sum()) for one in found.contacts[0]) / POSITIONS
            print(
                f"{name:<10}{torque:>6g} N m{elasticity:>11.2f} s{1e3 * best / POSITIONS:>10.3f} ms"
                f"{found.rounds.mean():>9.2f}{cells:>8.0f}{carry:>12.0f}"
            )
        _by_surfaces(name, gears, 1e3 * best / POSITIONS)


def _by_surfaces(name: str, gears: list[ElasticGear], closed: float) -> None:
    """The same pair at 100 N m with flanks as surfaces: time a position, and its ratio to that of the closed form [ms]."""
    surfaces = [replace(gear, teeth=surface_teeth(gear.teeth)) for gear in gears]
    loaded_contact(*surfaces, torque=1.0, positions=1)
    begin = time.perf_counter()
    loaded_contact(*surfaces, torque=100.0, positions=POSITIONS)
    strips = 1e3 * (time.perf_counter() - begin) / POSITIONS
    pair = GearPair(*(gear.teeth.gear for gear in gears))
    general = GeneralPair(gears[0], gears[1], pair.place(), side="left", ratio=pair.speed_ratio)
    general.press(0.0, 100.0)
    count = 16
    begin = time.perf_counter()
    for i in range(count):
        general.press(i / count * general.pitch, 100.0)
    cells = 1e3 * (time.perf_counter() - begin) / count
    print(
        f"{name:<10} surfaces, strips {strips:.2f} ms ({strips / closed:.1f}), cells {cells:.1f} ms ({cells / closed:.0f})"
    )


if __name__ == "__main__":
    bench()
