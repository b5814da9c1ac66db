"""Memory of compiled records as one relocatable block of bytes.

Records for compiled code contain addresses: of other records, of arrays and of compiled functions. From the address of the
first record, all arrays that it reaches are collected into one block, in which addresses are offsets. A process that loads the
block adds its start to the integers at `relocations`, and writes the addresses of functions to those at `functions`.

An address is an integer of eight bytes that lies within an array that one of the given objects keeps. Integers that lie in
mapped memory of the process, but in none of these arrays, are addresses that cannot be moved: they are refused.
"""

import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["MemoryImage", "MovedBlock", "UnknownAddress", "arrays_of", "collect"]


class UnknownAddress(LookupError):
    """An address of something that cannot be moved to another process."""

    def __init__(self, address: int) -> None:
        super().__init__(f"unknown address {address:#x}")
        self.address = address


ALIGNMENT = 64
_PACKAGE = __name__.partition(".")[0]


@dataclass(frozen=True)
class MovedBlock:
    """Part of the image: an array of the process, and where it is in the image."""

    address: int
    size: int
    offset: int


@dataclass(frozen=True)
class MemoryImage:
    """Content of a memory block, with the places of addresses in it [bytes from its start].

    root:        place of the first record
    fixed:       size of the first part, which a run never changes
    relocations: places of offsets within the image
    functions:   places of addresses of functions, and their names
    """

    content: bytes
    root: int
    fixed: int
    relocations: np.ndarray
    functions: tuple[tuple[int, str], ...]
    blocks: tuple[MovedBlock, ...]

    def offset(self, address: int) -> int:
        """Place in the image of an address of this process."""
        starts = [b.address for b in self.blocks]
        i = bisect.bisect_right(starts, address) - 1
        block = self.blocks[i]
        if i < 0 or address > block.address + block.size:
            raise ValueError(f"address {address:#x} is not in the image")
        return block.offset + address - block.address


def arrays_of(*roots: Any) -> Iterator[np.ndarray]:
    """All numpy arrays that objects of this package keep, directly or through others; an array instead of its views."""
    seen: set[int] = set()
    waiting: list[Any] = list(roots)
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, np.ndarray):
            while isinstance(one.base, np.ndarray):
                one = one.base
            yield one
        elif isinstance(one, Mapping):
            waiting += one.values()
        elif isinstance(one, list | tuple | set | frozenset):
            waiting += one
        elif type(one).__module__.partition(".")[0] == _PACKAGE:
            waiting += getattr(one, "__dict__", {}).values()
            for cls in type(one).__mro__:
                names = cls.__dict__.get("__slots__", ())
                waiting += [getattr(one, n, None) for n in ((names,) if isinstance(names, str) else names)]


def collect(
    root: np.ndarray,
    arrays: Iterable[np.ndarray],
    fixed: Iterable[np.ndarray],
    function_name: Callable[[int], str | None],
) -> MemoryImage:
    """Image of all arrays that are reached from a record.

    arrays:        arrays to which addresses may refer
    fixed:         those that a run does not change
    function_name: name of the compiled function at an address; None: there is none
    """
    known = _Blocks([root, *arrays])
    unchanged = {known.find(_start(a)) for a in fixed}
    reached, mapped = _reach(known, root, function_name)
    order = sorted(reached, key=lambda i: (i not in unchanged, known.start[i]))
    offsets, at, first_changing = {}, 0, None
    for i in order:
        if first_changing is None and i not in unchanged:
            first_changing = at
        offsets[i] = at
        at += -(-max(known.size[i], 8) // ALIGNMENT) * ALIGNMENT
    content = np.zeros(at // 8, np.int64)
    relocations: list[int] = []
    functions: list[tuple[int, str]] = []
    for i in order:
        part = np.zeros(-(-known.size[i] // 8) * 8, np.uint8)
        part[: known.size[i]] = np.frombuffer(known.content(i), np.uint8)
        words, first = part.view(np.int64), offsets[i] // 8
        content[first : first + words.size] = words
        for k, target in mapped[i]:
            if isinstance(target, str):
                functions.append((8 * (first + k), target))
                content[first + k] = 0
            else:
                to, distance = target
                relocations.append(8 * (first + k))
                content[first + k] = offsets[to] + distance
    blocks = tuple(
        MovedBlock(known.start[i], known.size[i], offsets[i]) for i in sorted(reached, key=lambda i: known.start[i])
    )
    start = known.find(_start(root))
    assert start is not None
    return MemoryImage(
        content.tobytes(),
        offsets[start] + _start(root) - known.start[start],
        at if first_changing is None else first_changing,
        np.array(sorted(relocations), np.int64),
        tuple(sorted(functions)),
        blocks,
    )


Target = str | tuple[int, int]
"""Name of a function, or an array and the distance from its start."""


def _reach(
    known: "_Blocks", root: np.ndarray, function_name: Callable[[int], str | None]
) -> tuple[set[int], dict[int, list[tuple[int, Target]]]]:
    """Arrays that are reached, and the addresses in each of them."""
    regions = mapped_memory()
    first = known.find(_start(root))
    assert first is not None
    waiting, reached = [first], {first}
    found: dict[int, list[tuple[int, Target]]] = {}
    while waiting:
        i = waiting.pop()
        found[i] = []
        for k, word in known.words(i):
            if not regions.holds(word):
                continue
            place = known.find(word)
            if place is not None:
                found[i].append((k, (place, word - known.start[place])))
                if place not in reached:
                    reached.add(place)
                    waiting.append(place)
            elif (name := function_name(word)) is not None:
                found[i].append((k, name))
            else:
                raise UnknownAddress(word)
    return reached, found


class _Blocks:
    """Arrays by their addresses."""

    def __init__(self, arrays: Iterable[np.ndarray]) -> None:
        owners: dict[int, np.ndarray] = {}
        for array in arrays:
            start = _start(array)
            if start not in owners or array.nbytes > owners[start].nbytes:
                owners[start] = array
        self.start: list[int] = sorted(owners)
        self._arrays = [owners[s] for s in self.start]
        self.size = [a.nbytes for a in self._arrays]

    def find(self, address: int) -> int | None:
        """The array that contains an address, or ends there: the address of an empty part at its end."""
        i = bisect.bisect_right(self.start, address) - 1
        return i if i >= 0 and address <= self.start[i] + self.size[i] else None

    def content(self, i: int) -> bytes:
        return self._arrays[i].tobytes()

    def words(self, i: int) -> Iterator[tuple[int, int]]:
        """Integers of an array that may be addresses, with their places."""
        array = self._arrays[i]
        if array.dtype.itemsize % 8 or array.dtype.kind not in "ifuV" or not array.nbytes:
            return
        words = np.frombuffer(array.tobytes(), np.int64)
        for k in np.flatnonzero((words > 4096) & (words < (1 << 47))).tolist():
            yield k, int(words[k])


class MappedMemory:
    """Regions of the memory of this process."""

    def __init__(self, regions: list[tuple[int, int]]) -> None:
        self._starts, self._ends = [a for a, _ in regions], [b for _, b in regions]

    def holds(self, address: int) -> bool:
        i = bisect.bisect_right(self._starts, address) - 1
        return i >= 0 and address < self._ends[i]


def mapped_memory() -> MappedMemory:
    """Regions of this process, from the operating system."""
    regions = []
    with open("/proc/self/maps") as lines:
        for line in lines:
            first, _, last = line.split(" ", 1)[0].partition("-")
            regions.append((int(first, 16), int(last, 16)))
    return MappedMemory(sorted(regions))


def _start(array: np.ndarray) -> int:
    return int(array.ctypes.data)
