"""Motors, loads over speed, converters, belts and chains in files, summaries, lists of signals and every analysis."""

import re
from pathlib import Path

import numpy as np
import pytest

import pitchline as pl

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "api" / "actuators.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def models() -> list[pl.Model]:
    """The models of the reference, which use every method."""
    found = []
    space: dict[str, object] = {}
    for block in BLOCKS:
        exec(block.partition("run = ")[0], space)
        found.append(space["m"])
    return found  # type: ignore[return-value]


MODELS = models()


@pytest.mark.parametrize("m", MODELS, ids=lambda m: m.name)
def test_files_have_the_same_elements(m: pl.Model, tmp_path: Path) -> None:
    path = tmp_path / "model.toml"
    path.write_text(m.to_toml(), encoding="utf-8")
    again = pl.load(path).model
    assert again.to_toml() == m.to_toml()
    assert again.summary() == m.summary()
    first, second = (pl.dynamics(x, duration="2 ms", step="0.2 ms") for x in (m, again))
    for name in first.signals:
        np.testing.assert_allclose(second[name].values, first[name].values, rtol=1e-9, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("m", MODELS, ids=lambda m: m.name)
def test_lists_of_signals_are_complete(m: pl.Model) -> None:
    run = pl.dynamics(m, duration="1 ms", step="0.2 ms")
    assert {name for name in run.signals if not name.startswith("energy.")} <= set(pl.signals_of(m))
    assert all(np.all(np.isfinite(run[name].values)) for name in run.signals)


@pytest.mark.parametrize("m", MODELS, ids=lambda m: m.name)
def test_energies_are_balanced(m: pl.Model) -> None:
    run = pl.dynamics(m, duration="20 ms", step="20 us")
    exchanged = np.abs(run["energy.work"].values[-1]) + np.abs(run["energy.dissipated"].values[-1])
    assert abs(run["energy.balance_error"].values[-1]) < 1e-5 * exchanged
