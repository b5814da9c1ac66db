"""Random sessions with an FMU, right and wrong calls in any order: python fmu_sessions.py SETTINGS.

It needs the standard library only, as an importing program that is not pitchline.

SETTINGS is JSON: library, version, token, resources, inputs, outputs (value references), first, count (seeds), kills (whether the
process of the model is ended at times). Each session ends with a reset and a valid run, which must give the outputs of an instance
that saw nothing else, to the last bit. The program prints one line for each session, and the number of calls by status at the end.
"""

import ctypes
import json
import math
import os
import random
import signal
import sys
import time

HOSTILE = [math.nan, math.inf, -math.inf, 0.0, -0.0, -1.0, 1e300, -1e300, 5e-324, 1e-12, 1.0]
STEP = 1e-4
FINE, LARGEST = 0, 4
SESSIONS_OF_AN_INSTANCE = 10
double, size_t, void = ctypes.c_double, ctypes.c_size_t, ctypes.c_void_p


class Session:
    """One instance and its host."""

    def __init__(self, given: dict) -> None:
        self.given, self.version = given, given["version"]
        self.prefix = f"fmi{self.version}"
        self.library = ctypes.CDLL(given["library"])
        self.messages: list[str] = []
        kinds = [void, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p]
        if self.version == 3:
            kinds.pop(1)
        self.logger = ctypes.CFUNCTYPE(None, *kinds)(lambda *a: self.messages.append(a[-1].decode("utf-8", "replace")))
        self.callbacks = (void * 5)(ctypes.cast(self.logger, void))
        self.statuses = [0] * (LARGEST + 1)
        self.instance: void | None = None
        self.freed: list[int] = []
        self.states: list[void] = []
        self.blocks: list[bytes] = []
        self.t = 0.0

    # ---- calls

    def call(self, name: str, *arguments: object, instance: object = None) -> int:
        function = getattr(self.library, self.prefix + name)
        function.restype = ctypes.c_int
        status = function(self.instance if instance is None else instance, *arguments)
        if not 0 <= status <= LARGEST:
            raise AssertionError(f"{name} returned {status}")
        self.statuses[status] += 1
        return status

    def create(self, token: bytes | None = None, name: bytes | None = b"one") -> bool:
        token = self.given["token"].encode() if token is None else token
        resources = self.given["resources"]
        if self.version == 2:
            make = self.library.fmi2Instantiate
            make.restype = void
            made = make(name, 1, token, ("file://" + resources).encode(), self.callbacks, 0, 1)
        else:
            make = self.library.fmi3InstantiateCoSimulation
            make.restype = void
            false = ctypes.c_bool(False)
            made = make(
                name, token, resources.encode(), false, false, false, false, None, size_t(0), None, self.logger, None
            )
        if not made:
            return False
        self.instance = void(made)
        return True

    def free(self) -> None:
        function = getattr(self.library, self.prefix + "FreeInstance")
        function.restype = None
        for state in self.states:
            self.call("FreeFMUstate" if self.version == 2 else "FreeFMUState", ctypes.byref(state))
        function(self.instance)
        function(self.instance)  # once more than allowed
        self.states.clear()
        self.instance = None

    def start(self, at: float = 0.0, stop: float | None = None) -> int:
        has_stop, end = stop is not None, double(0.0 if stop is None else stop)
        if self.version == 2:
            status = self.call("SetupExperiment", 0, double(1e-6), double(at), int(has_stop), end)
            return status or self.call("EnterInitializationMode")
        flags = ctypes.c_bool(False), double(0.0), double(at), ctypes.c_bool(has_stop), end
        return self.call("EnterInitializationMode", *flags)

    def put(self, references: list[int], values: list[float], count: int | None = None) -> int:
        n = len(references)
        arrays = (ctypes.c_uint * n)(*references), size_t(n), (double * len(values))(*values)
        if self.version == 2:
            return self.call("SetReal", *arrays)
        return self.call("SetFloat64", *arrays, size_t(n if count is None else count))

    def take(self, references: list[int]) -> tuple[int, list[float]]:
        n = len(references)
        values = (double * (n + 1))()
        arrays = (ctypes.c_uint * n)(*references), size_t(n), values
        if self.version == 2:
            return self.call("GetReal", *arrays), list(values)[:n]
        return self.call("GetFloat64", *arrays, size_t(n)), list(values)[:n]

    def step(self, at: float, length: float) -> int:
        if self.version == 2:
            return self.call("DoStep", double(at), double(length), 1)
        flags, reached = (ctypes.c_bool * 3)(), double()
        places = [ctypes.byref(flags, k) for k in range(3)]
        return self.call("DoStep", double(at), double(length), ctypes.c_bool(True), *places, ctypes.byref(reached))

    # ---- a valid run

    def reference(self) -> list[str]:
        """Outputs of a valid run after the start, as hexadecimal numbers."""
        self.messages.clear()
        rows = []
        for status in (self.start(), self.call("ExitInitializationMode")):
            assert status == FINE, (status, self.messages)
        for k in range(3):
            assert self.put(self.given["inputs"][:1], [20.0 * (k + 1)]) == FINE
            assert self.step(k * STEP, STEP) == FINE, self.messages
            status, values = self.take(self.given["outputs"])
            assert status == FINE
            rows += [value.hex() for value in values]
        return rows

    # ---- random calls

    def act(self, r: random.Random) -> None:
        actions = [
            self.life,
            self.life,
            self.values,
            self.values,
            self.steps,
            self.steps,
            self.steps,
            self.state,
            self.state,
            self.others,
        ]
        r.choice(actions)(r)
        if self.given.get("kills") and r.random() < 0.004:
            kill(r)

    def number(self, r: random.Random) -> float:
        return r.choice(HOSTILE) if r.random() < 0.5 else r.uniform(-100.0, 100.0)

    def references(self, r: random.Random) -> list[int]:
        known = self.given["inputs"] + self.given["outputs"] + [0]
        others = [999, 2**32 - 1, 2**31, max(known) + 1]
        return [r.choice(known if r.random() < 0.8 else others) for _ in range(r.choice([0, 1, 1, 1, 2, 5]))]

    def life(self, r: random.Random) -> None:
        choice = r.randrange(5)
        if choice == 0:
            self.start(r.choice([0.0, 0.0, 0.0, self.number(r)]), r.choice([None, None, 1.0, self.number(r)]))
        elif choice == 1:
            self.call("EnterInitializationMode") if self.version == 2 else self.start()
        elif choice == 2:
            self.call("ExitInitializationMode")
        elif choice == 3:
            self.call(r.choice(["Terminate", "Reset", "Reset"]))
        elif self.start() == FINE:
            self.call("ExitInitializationMode")
        self.t = 0.0

    def values(self, r: random.Random) -> None:
        references = self.references(r)
        if r.random() < 0.5:
            self.take(references)
        elif r.random() < 0.9:
            self.put(references, [self.number(r) for _ in references])
        else:
            self.put(references, [self.number(r) for _ in references] + [0.0] * 9, count=r.choice([0, 1, 7]))

    def steps(self, r: random.Random) -> None:
        if r.random() < 0.7:
            length = r.choice([STEP, STEP, 3.3e-5])
            for _ in range(r.randrange(1, 4)):
                if self.step(self.t, length) == FINE:
                    self.t += length
        else:
            self.step(
                r.choice([self.t, 0.0, self.number(r)]), r.choice([0.0, -STEP, 1e-300, min(self.number(r), 1e-3)])
            )

    def state(self, r: random.Random) -> None:
        small = "FMUstate" if self.version == 2 else "FMUState"
        sized = "SerializedFMUstateSize" if self.version == 2 else "SerializedFMUStateSize"
        read = "DeSerializeFMUstate" if self.version == 2 else "DeserializeFMUState"
        choice = r.randrange(6)
        if choice == 0 or (choice < 4 and not self.states):
            state = void()
            if self.call("Get" + small, ctypes.byref(state)) == FINE:
                self.states.append(state)
        elif choice == 1:
            self.call("Set" + small, r.choice(self.states))
        elif choice == 2:
            state, size = r.choice(self.states), size_t()
            if self.call(sized, state, ctypes.byref(size)) == FINE:
                block = ctypes.create_string_buffer(size.value)
                if r.random() < 0.2:
                    size = size_t(r.randrange(size.value))
                if self.call("Serialize" + small, state, block, size) == FINE:
                    self.blocks.append(block.raw)
        elif choice == 3 and r.random() < 0.5:
            state = self.states.pop(r.randrange(len(self.states)))
            old = state.value
            self.call("Free" + small, ctypes.byref(state))
            self.call(r.choice(["Set", "Free"]) + small, void(old) if r.random() < 0.5 else ctypes.byref(void(old)))
        elif choice == 4:
            foreign = ctypes.create_string_buffer(4096)
            self.call("Set" + small, r.choice([None, ctypes.cast(foreign, void)]))
        elif self.blocks:
            data = bytearray(r.choice(self.blocks))
            kind = r.randrange(4)
            if kind == 0:
                for _ in range(r.randrange(1, 9)):
                    data[r.randrange(len(data))] ^= 1 << r.randrange(8)
            elif kind == 1:
                del data[r.randrange(len(data)) :]
            elif kind == 2:
                place = r.randrange(min(len(data) - 8, 200))
                data[place : place + 8] = r.choice([b"\xff" * 8, b"\0" * 8, b"\x7f" * 8])
            block, state = ctypes.create_string_buffer(bytes(data), len(data)), void()
            if self.call(read, block, size_t(len(data)), ctypes.byref(state)) == FINE:
                self.states.append(state)
                if r.random() < 0.7:
                    self.call("Set" + small, state)

    def others(self, r: random.Random) -> None:
        one = (ctypes.c_uint * 1)(r.choice([0, 1, 999]))
        out, text = (double * 1)(), (ctypes.c_char_p * 1)(b"text")
        choice = r.randrange(6)
        if choice == 0 and self.version == 2:
            self.call("GetDirectionalDerivative", one, size_t(1), one, size_t(1), out, out)
        elif choice == 1:
            more = () if self.version == 2 else (size_t(1),)
            self.call("SetString", one, size_t(1), text, *more)
            self.call("GetString", one, size_t(1), text, *more)
        elif choice == 2:
            more = () if self.version == 2 else (size_t(3),)
            name = "Real" if self.version == 2 else "Float64"
            self.call(r.choice(["Get", "Set"]) + name, None, size_t(3), None, *more)
        elif choice == 3:
            self.call("Terminate", instance=void(None))
            for pointer in self.freed[-2:]:
                self.call(r.choice(["Terminate", "Reset"]), instance=void(pointer))
        elif choice == 4 and self.version == 2:
            self.call("GetRealStatus", r.randrange(5), out)
            self.call("CancelStep")
        else:
            self.call("SetDebugLogging", r.choice([0, 1]), size_t(0), None)


def children() -> list[int]:
    """Processes that this one started (Linux)."""
    found = []
    for task in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{task}/children") as file:
            found += [int(word) for word in file.read().split()]
    return found


def kill(r: random.Random) -> None:
    """End a process of a model, as a lack of memory does."""
    for child in children():
        os.kill(child, r.choice([signal.SIGKILL, signal.SIGSEGV]))
        while not has_ended(child):
            time.sleep(0.001)


def has_ended(child: int) -> bool:
    """Whether all threads of a process have ended, also if its status has not been read."""
    try:
        with open(f"/proc/{child}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z" and len(os.listdir(f"/proc/{child}/task")) == 1
    except OSError:
        return True


def main() -> None:
    with open(sys.argv[1]) as file:
        given = json.load(file)
    host = Session(given)
    assert not host.create(token=b"{other}") and host.messages
    assert host.create()
    expected = host.reference()
    host.call("Reset")
    for seed in range(given["first"], given["first"] + given["count"]):
        r = random.Random(seed)
        print(seed, end=" ", flush=True)
        if seed % SESSIONS_OF_AN_INSTANCE == SESSIONS_OF_AN_INSTANCE - 1:
            host.freed.append(host.instance.value)
            host.free()
            assert host.create(), host.messages
        host.t = 0.0
        for _ in range(r.randrange(5, 60)):
            host.act(r)
        host.messages.clear()
        assert host.call("Reset") == FINE, host.messages
        assert host.reference() == expected, "a valid run after the reset gives other numbers"
        assert host.call("Reset") == FINE
        host.blocks = host.blocks[-5:]
        print("passed", flush=True)
    host.free()
    print("calls by status:", *host.statuses)
    assert not children(), "a process is left over"


if __name__ == "__main__":
    main()
