"""Batches on a GPU: speed, and agreement with the CPU.

    python bench/gpu_batch.py prepare FOLDER     # here: kernels as assembler text, numbers, results of the CPU
    python bench/gpu_batch.py run FOLDER         # on a machine with a GPU, numpy and CuPy; pitchline and numba are not needed

`prepare` needs numba-cuda and the compiler of CUDA, but not a GPU. The assembler text is for GPUs of compute capability 9.0.

Agreement: the sums of 2048 lanes after 400 cycles, relative to the largest of each lane. Lanes are calm if the result of the CPU
itself changes by less than 1e-10 when the start changes by 1e-13; only for these is a comparison meaningful.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

STEPS, COMPARED, NUDGE, CALM = 100, 2048, 1e-13, 1e-10
THREADS = 128
SIZES = {"pair": (1_000_000, 1000), "rattling pair": (1_000_000, 100), "planetary": (200_000, 20)}
"""Lanes and cycles of the measurement of speed."""
SETTLE, RECORD = 300, 100
TURN = 2.0 * np.pi


def prepare(folder: Path) -> None:
    """Write a file for each kernel."""
    from batch_cases import SIGNALS, spread

    from pitchline.studies.batch.kernels.cuda_text import ptx
    from pitchline.studies.batch.kernels.kernel_text import KernelText
    from pitchline.studies.batch.kernels.lane_frame import LaneFrame
    from pitchline.studies.batch.kernels.lane_kernel import LaneKernel
    from pitchline.studies.batch.kernels.launch import launches
    from pitchline.studies.batch.kernels.phase_table import PhaseTable

    folder.mkdir(parents=True, exist_ok=True)
    for name in SIZES:
        train, start = spread(COMPARED, name)
        for cut in (False, True):
            text = KernelText(train, SIGNALS, cut=cut)
            numbers = text.force.numbers
            code, function = ptx(LaneFrame(text, looped=True).cuda_text(), len(numbers.uniform))
            own = []
            for nudge in (0.0, NUDGE):
                kernel = LaneKernel(train, SIGNALS, cut=cut)
                own.append(kernel.run(start + nudge, settle=SETTLE, record=RECORD, steps=STEPS))
            counts: dict[str, Any] = {"settle": 1, "record": 0, "points": 0, "first_cycle": 0, "most": 1}
            (one,) = launches(PhaseTable(text.force.phases, STEPS), steps=STEPS, **counts)
            arrays: dict[str, Any] = dict(
                zip("SORD", LaneKernel(train, SIGNALS, cut=cut, device="cuda").arrays(start), strict=True)
            )
            harmonics = kernel._harmonics(STEPS)
            file = folder / f"{name.replace(' ', '_')}_{'cut' if cut else 'plain'}.npz"
            np.savez_compressed(
                file, code=code, function=function, V=numbers.rows(), U=numbers.vector(), T=one.table, H=harmonics,
                G=text.force.tables.vector(), whole=one.whole, kept=list(text.kept), cpu=[figures(r) for r in own], **arrays,
            )  # fmt: skip
            print(file, f"{file.stat().st_size / 1e3:.0f} kB", flush=True)


def figures(result: Any) -> np.ndarray:
    """Numbers of a run that are compared: (figures, lanes)."""
    force = result.signals[0]
    return np.array([force.min, force.max, force.mean, force.rms, force.amplitudes[0], result.contact_loss[0]])


def figures_of_sums(kept: list[str], R: np.ndarray, samples: int) -> np.ndarray:
    """The same from the sums of a kernel."""
    row = dict(zip(kept, R, strict=False))
    order = np.hypot(row["cos0_1"], row["sin0_1"]) * 2.0 / samples
    rest = [row["mean0_"] / samples, np.sqrt(row["square0_"] / samples), order, row["lost0_"] / samples]
    return np.array([row["low0_"], row["high0_"], *rest])


class OnGpu:
    """A kernel on a GPU, loaded from a file of `prepare`."""

    def __init__(self, file: Path) -> None:
        import cupy

        self.cupy, self.data = cupy, dict(np.load(file))
        path = file.with_suffix(".ptx")
        path.write_text(str(self.data["code"]))
        module = cupy.RawModule(path=str(path))
        self.kernel = module.get_function(str(self.data["function"]))
        self.tables = [cupy.asarray(self.data[name]) for name in "THG"]

    def start(self, lanes: int) -> list[Any]:
        """Arrays of so many lanes: those of the file, repeated."""
        at = np.arange(lanes) % COMPARED
        return [self.cupy.asarray(np.ascontiguousarray(self.data[name][:, at])) for name in "SORDV"]

    def launch(self, arrays: list[Any], cycles: int, keep: bool, first: int) -> None:
        """Run cycles of all lanes."""
        whole = np.array(self.data["whole"], np.int64)
        whole[0], whole[2], whole[3] = cycles, keep, first
        angles = np.array([TURN, TURN / STEPS, 0.5 * TURN / STEPS])
        given = [*whole, *angles]
        for array in arrays:
            given += _described(array)
        given += list(np.atleast_1d(self.data["U"]))
        for table in self.tables:
            given += _described(table)
        lanes = arrays[0].shape[1]
        self.kernel((-(-lanes // THREADS),), (THREADS,), tuple(given))

    def wait(self) -> None:
        self.cupy.cuda.Stream.null.synchronize()


def _described(array: Any) -> list[Any]:
    """An array as numba passes it: owner, parent, count, size of a number, address, shape, strides."""
    fields = [0, 0, array.size, 8, array.data.ptr, *array.shape, *array.strides]
    return [np.uint64(field) for field in fields]


def run(folder: Path) -> None:
    """Print agreement and speed of all kernels."""
    for file in sorted(folder.glob("*.npz")):
        gpu = OnGpu(file)
        arrays = gpu.start(COMPARED)
        gpu.launch(arrays, SETTLE, False, 0)
        gpu.launch(arrays, RECORD, True, SETTLE)
        found = figures_of_sums(list(gpu.data["kept"]), arrays[2].get(), RECORD * STEPS)
        cpu, nudged = gpu.data["cpu"]
        size = np.abs(cpu).max(axis=0)
        own, other = (np.abs(cpu - values).max(axis=0) / size for values in (nudged, found))
        calm = own < CALM
        worst = f"{other[calm].max():.1e}" if calm.any() else "-"
        print(
            f"{file.stem}: {calm.sum()} calm lanes of {COMPARED} differ by at most {worst}, median of all {np.median(other):.1e}"
        )
        name = file.stem.rpartition("_")[0].replace("_", " ")
        lanes, cycles = SIZES[name]
        arrays, times = gpu.start(lanes), []
        for _ in range(3):
            gpu.wait()
            began = time.perf_counter()
            gpu.launch(arrays, cycles // 2, False, 0)
            gpu.launch(arrays, cycles // 2, True, cycles // 2)
            gpu.wait()
            times.append(time.perf_counter() - began)
        steps = lanes * cycles * STEPS
        print(
            f"    {lanes} lanes, {cycles * STEPS} steps: {min(times):.3f} s, {steps / min(times):.3g} steps/s, "
            f"{getattr(gpu.kernel, 'num_regs', '?')} registers, {getattr(gpu.kernel, 'local_size_bytes', '?')} bytes local",
            flush=True,
        )


if __name__ == "__main__":
    {"prepare": prepare, "run": run}[sys.argv[1]](Path(sys.argv[2]))
