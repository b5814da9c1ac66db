"""The catalogue of the gallery: which models there are, and the module behind each name.

Names have dashes; underscores are understood as well. Nothing is imported before a model is asked for.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..errors import ModelError, near_names
from .parameters import Parameter, read_parameters

if TYPE_CHECKING:
    from pathlib import Path

    from ..model import Model
    from .figures import Figure, Run

__all__ = ["MODELS", "GalleryModel", "model"]

MODELS: dict[str, str] = {
    "bevel-pair": "a bevel wheel rolls round a fixed one, carried by a bar: forces on the foundation (Cardona 7.1)",
    "three-wheels": "three spur wheels on a bar that pulls a string (Cardona 7.2)",
    "kubo-a": "Kubo's gear rig at 12000 rpm with an error of the teeth: rigid supports, no backlash (Cardona 7.3)",
    "kubo-b": "the same on elastic supports",
    "kubo-c": "the same on rigid supports, with backlash",
    "kubo-d": "the same on elastic supports, with backlash",
    "worm": "a worm gear with friction: efficiency of either way to drive it, and a worm that locks itself",
    "helical-pair": "two helical wheels with elastic teeth: ratio and the forces on their bearings",
    "crossed-helical": "two helical wheels on crossed axes: ratio, sliding and the forces on their bearings",
    "internal-pair": "a pinion in an internal wheel: ratio and the forces on their bearings",
    "hypoid": "a hypoid pair: ratio, sliding and the forces on their bearings",
    "spiral-bevel": "a spiral bevel pair: ratio and the forces on their bearings, in either sense of rotation",
    "rack-and-pinion": "a helical pinion moves a rack: ratio and the forces on bearing and guide",
    "planetary": "a planetary train with three planets, the ring held: ratio, mesh and bearing forces",
    "planar-spur": "two elastic spur wheels in a plane: their frequency and damping (van der Linden)",
    "epicyclic": "an epicyclic train with stepped planets: resonances, antiresonances, a hidden mode (van der Linden)",
    "epicyclic-detuned": "the same with one soft spring, which brings the hidden mode to light",
    "planetary-modes": "free vibration of a planetary train on elastic bearings: rotational and translational modes (Lin, Parker)",
    "robot-arm": "a six-axis arm as CAD delivers it, 43 bodies and 95 joints, 20 of them gears, moved by its motors",
    "run-up": "two wheels whose stiffness ripples with their teeth, run up through their resonance (van der Linden)",
    "table1-spur": "spur gears of 18 and 37 teeth as solid grids of the published size (Do, Ziegler, Eberhard)",
    "table1-helical": "the same with a helix angle of 8 deg",
    "table3-beveloid": "beveloid gears of 19 and 38 teeth on shafts at 20 deg as solid grids (Do, Ziegler, Eberhard)",
    "table1-modes": "natural modes of two elastic spur gears by nodal diameters (Do, Ziegler, Eberhard)",
    "table1-ltca": "a spur pair under load: transmission error, mesh stiffness, load sharing (Do, Ziegler, Eberhard)",
    "table1-ltca-relieved": "the same with tip relief",
    "impact-spur": "an elastic pinion thrown against a held gear: three impacts (Do, Ziegler, Eberhard)",
    "impact-helical": "the same with a helix angle of 8 deg",
    "meshing-spur-20": "elastic spur gears run under 20 N m: contact forces tooth by tooth (Do, Ziegler, Eberhard)",
    "meshing-spur-100": "the same under 100 N m",
    "meshing-helical-20": "elastic helical gears run under 20 N m",
    "meshing-helical-100": "the same under 100 N m",
    "meshing-spur-20-relieved": "elastic spur gears with tip relief under 20 N m",
    "meshing-spur-100-relieved": "the same under 100 N m",
    "meshing-helical-20-relieved": "elastic helical gears with tip relief under 20 N m",
    "meshing-helical-100-relieved": "the same under 100 N m",
    "torque-stages": "elastic spur gears under 100, 200 and 300 N m in one run: overlap and speed (Do, Ziegler, Eberhard)",
    "torque-stages-helical": "the same with helical gears",
    "beveloid-50": "elastic beveloid gears under 1000 N m at 50 rad/s: two tooth pairs at all times (Do, Ziegler, Eberhard)",
    "beveloid-200": "the same at 200 rad/s",
    "beveloid-contact": "contact patches of elastic beveloid gears under 2500 and 10000 N m (Do, Ziegler, Eberhard)",
    "press": "a forging press on rubber mounts: it settles, is brought to speed, and spends its flywheel on blows",
    "four-bar": "Hoeken's linkage: a crank whose coupler point runs straight for half a turn",
    "double-pendulum": "two rods on ball joints: chaotic, but energy and vertical angular momentum stay",
    "heavy-top": "a gyroscope in steady precession",
    "governor": "a loaded centrifugal governor that follows the speed of its spindle",
    "rotor": "an unbalanced rotor on elastic bearings, run through its critical speed",
    "speed-control": "a gear pair under load, brought to speed by a PI controller with a state of its own",
}
"""Every model and what it is, in one line."""

_VARIANTS: dict[str, tuple[str, dict[str, str]]] = {
    **{f"kubo-{case}": ("kubo", {"case": case}) for case in "abcd"},
    "epicyclic-detuned": ("epicyclic", {"train": "detuned"}),
    "table1-ltca": ("table1_ltca", {"flanks": "ideal"}),
    "table1-ltca-relieved": ("table1_ltca", {"flanks": "relieved"}),
    **{f"impact-{p}": ("elastic_impact", {"pair": p}) for p in ("spur", "helical")},
    **{
        f"meshing-{p}-{t}{r}": ("elastic_meshing", {"pair": p, "torque": t, "relief": r.strip("-")})
        for p in ("spur", "helical")
        for t in ("20", "100")
        for r in ("", "-relieved")
    },
    **{f"torque-stages{s}": ("torque_stages", {"pair": p}) for s, p in (("", "spur"), ("-helical", "helical"))},
    **{f"beveloid-{s}": ("beveloid_motion", {"speed": s}) for s in ("50", "200")},
    **{f"table{n}-{p}": ("elastic_pair_grids", {"pair": p}) for n, p in ((1, "spur"), (1, "helical"), (3, "beveloid"))},
}
"""Names that share a module: the module and the arguments of its functions."""
_MODULES = {name: _VARIANTS.get(name, (name.replace("-", "_"), {})) for name in MODELS}
"""The module of this package behind every name, and the arguments of its functions."""


@dataclass(frozen=True)
class GalleryModel:
    """One model of the gallery.

    name, line:  as in `MODELS`
    module:      the module behind it, with `build`, `run`, `figures`, and `PLOT` or `draw`
    arguments:   what its functions are called with, where several models share a module
    settings:    other values of its parameters, in SI units
    """

    name: str
    line: str
    module: Any = field(repr=False)
    arguments: dict[str, str] = field(default_factory=dict)
    settings: dict[str, float] = field(default_factory=dict)

    @property
    def parameters(self) -> dict[str, Parameter]:
        """What can be set, by name; most models have no parameters."""
        return dict(getattr(self.module, "PARAMETERS", {}))

    def build(self) -> Model:
        """The model."""
        return self.module.build(**self.arguments, **self.settings)

    def run(self) -> Run:
        """Its analyses by name; the last one is what it is about. Stopped from the keyboard, it has no figures."""
        from ..results import Status
        from .figures import status_of

        run: Run = self.module.run(**self.arguments, **self.settings)
        if any(status_of(found) is Status.INTERRUPTED for found in run.values()):
            raise KeyboardInterrupt
        return run

    def figures(self, run: Run) -> list[Figure]:
        """What to look at in the run."""
        return self.module.figures(run, **self.arguments, **self.settings)

    @property
    def plot_signals(self) -> tuple[str, ...]:
        """The signals of the last analysis worth a picture; none where the module draws its own."""
        return getattr(self.module, "PLOT", ())

    def plot(self, run: Run, path: Path) -> None:
        """Save the picture: the module's own, where it has one."""
        draw = getattr(self.module, "draw", None)
        if draw is not None:
            draw(run, path)
            return
        choose = getattr(self.module, "plot_options", None)
        options = {} if choose is None else choose(run)
        list(run.values())[-1].plot(*self.plot_signals, path=path, **options)


def model(name: str, **settings: object) -> GalleryModel:
    """The model of this name, with other values of its parameters, such as ``drag="0.1 N*m*s/rad"``."""
    wanted = name.replace("_", "-")
    if wanted not in MODELS:
        raise ModelError(f'the gallery has no model "{name}"; {near_names(wanted, MODELS)}')
    module = importlib.import_module(f"{__package__}.{_MODULES[wanted][0]}")
    found = GalleryModel(wanted, MODELS[wanted], module, _MODULES[wanted][1])
    return replace(found, settings=read_parameters(wanted, found.parameters, settings)) if settings else found
