"""Kernels of batches for CUDA, on machines without a GPU: the same text in numba's simulator, and as assembler text."""

import os
import subprocess
import sys

import numpy as np
import pytest
from references.lane_kernels import kernel_of, starts
from references.lane_trains import pair, rich_pair

from pitchline.studies.batch.kernels import small_text as cuda_text
from pitchline.studies.batch.kernels.kernel_text import KernelText, LaneFrame
from pitchline.studies.batch.kernels.lane_kernel import THREADS, lanes_in_memory
from pitchline.studies.batch.kernels.small_text import CudaError, LaneSignal, cuda_module, ptx, usable_cuda

SIMULATED = """
import sys
import warnings
import numpy as np
from references.lane_trains import rich_pair
from pitchline.studies.batch.kernels import lane_kernel as cuda_lanes
from pitchline.studies.batch.kernels.lane_kernel import LaneKernel
from pitchline.studies.batch.kernels.small_text import LaneSignal

warnings.simplefilter("ignore")  # divisions by zero in Python, whose results are not used
cuda_lanes.lanes_in_memory = lambda free, rows: 2  # two parts
train = rich_pair(np.array([0.7, 0.9, 1.3]))
start = np.random.default_rng(1).normal(0.0, 0.3, (6, 3))
signals = [LaneSignal("mesh", 0, "signed_force", (1,)), LaneSignal("rotor", 1, "speed")]
found = []
for device in ("looped", "cuda"):
    kernel = LaneKernel(train, signals, [("mesh", 0)], device=device, threads=1)
    run = kernel.run(start, settle=1, record=1, steps=16, points=1)
    force = run.signals[0]
    parts = (run.states, run.before, run.contact_loss, run.points, run.closure, force.max, force.mean, force.amplitudes)
    found.append(np.concatenate([np.ravel(one) for one in parts]))
assert np.isfinite(found[0]).all() and np.ptp(found[0]) > 0.1
print(np.abs(found[0] - found[1]).max())
"""


def test_the_kernel_in_the_simulator_of_numba() -> None:
    """The text for CUDA, its arguments, and lanes in parts: the same numbers as on the CPU."""
    environment = os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run(
        [sys.executable, "-c", SIMULATED], env=environment, capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, run.stderr
    assert float(run.stdout) < 1e-12


def test_assembler_text_where_the_compiler_of_cuda_is_installed() -> None:
    text = KernelText(pair(), [LaneSignal("mesh", 0, "signed_force", (1,))])
    try:
        code, name = ptx(LaneFrame(text, looped=True).cuda_text(), len(text.force.numbers.uniform))
    except Exception as error:  # each version of numba-cuda reports a missing library in its own way
        pytest.skip(f"the compiler of CUDA is not installed: {type(error).__name__}")
    assert ".target sm_90" in code and name in code
    assert "fma.rn.f64" in code and "div.rn.f64" in code  # divisions: only in steps that are cut
    plain = KernelText(pair(), [LaneSignal("mesh", 0, "signed_force", (1,), extremes=False)], cut=False)
    code, _ = ptx(LaneFrame(plain, looped=True).cuda_text(), len(plain.force.numbers.uniform))
    assert "rem.s64" not in code


def test_a_run_on_a_gpu() -> None:
    try:
        usable_cuda()
    except CudaError as error:
        pytest.skip(str(error))
    train = rich_pair(np.linspace(0.7, 1.3, 500))
    start = starts(train, 500)
    cpu, gpu = (kernel_of(train, device=device).run(start, settle=2, record=2, steps=100) for device in ("cpu", "cuda"))
    assert gpu.states == pytest.approx(cpu.states, rel=1e-9, abs=1e-11)


def test_a_missing_gpu_is_reported_with_a_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    class Without:
        @staticmethod
        def is_available() -> bool:
            return False

        @staticmethod
        def cuda_error() -> Exception:
            return OSError("CUDA driver library cannot be found.\nEnsure that a driver is installed")

    monkeypatch.setattr(cuda_text, "cuda_module", Without)
    with pytest.raises(CudaError) as caught:
        kernel_of(pair(), device="cuda").run(starts(pair(), 1), settle=1, record=0, steps=10)
    message = str(caught.value)
    assert "CUDA driver library cannot be found. Ensure" in message
    assert 'pip install "pitchline[cuda]"' in message and 'device="cpu"' in message


@pytest.mark.parametrize(
    "error, advice", [(ImportError("no numba_cuda"), "pitchline\\[cuda\\]"), (AttributeError("row_stack"), "numpy<2.5")]
)
def test_a_package_that_cannot_be_imported(error: Exception, advice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def find_spec(self, name: str, path: object = None, target: object = None) -> None:
            if name == "numba.cuda":
                raise error

    import numba

    monkeypatch.delattr(numba, "cuda", raising=False)
    for name in [name for name in sys.modules if name == "numba.cuda" or name.startswith("numba.cuda.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Broken(), *sys.meta_path])
    with pytest.raises(CudaError, match=advice):
        cuda_module()


def test_lanes_in_memory() -> None:
    assert lanes_in_memory(80e9, 20) * 20 * 8 <= 0.8 * 80e9
    assert lanes_in_memory(80e9, 20) % THREADS == 0
    assert (
        lanes_in_memory(0, 20) == THREADS
    )  # at least a block: the GPU itself reports that its memory is not sufficient
