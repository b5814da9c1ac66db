"""Pictures of all gallery models for the cards of the gallery: solid pictures of the models as built.

python docs/figures/gallery_thumbnails.py FOLDER writes NAME.png for every model.
"""

import io
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import pitchline as pl
from pitchline import gallery

WIDTH, HEIGHT = 320, 240
"""Pixels."""
OPTIONS: dict[str, dict[str, object]] = {
    "gearbox": {"transparent": "housing*"},
    "impact-spur": {"focus": "mesh", "view": (10.0, 50.0)},
    "table1-ltca": {"focus": "mesh"},
    "table1-modes": {"view": (60.0, 35.0)},
    "torque-stages": {"view": (-30.0, 40.0)},
    "beveloid-50": {"view": (60.0, 30.0)},
    "run-up": {"view": (20.0, 60.0)},
    "cam-follower": {"hide": "*spring*"},
}
"""Options of `plot_state`; most models need none."""
STUDIES: dict[str, dict[str, object]] = {
    "backlash-map": {"speeds": 160, "torques": 120},
    "jump": {"speeds": 81},
    "bifurcation": {"speeds": 401},
    "planet-tolerances": {"samples": 128},
    "relief-map": {"amounts": 9, "lengths": 7},
    "relief-optimum": {"evaluations": 40},
    "mesh-phasing": {},
}
"""Parameters of studies for the picture of their results, which is their card."""


def picture(name: str) -> np.ndarray:
    """(HEIGHT, WIDTH, 3) picture of a model, white around it; of a study, the picture of its results."""
    if name in STUDIES:
        return study_picture(name)
    model = gallery.model(name).build()
    figure = pl.views.plot_state(model, title="", width=4.0, **OPTIONS.get(name, {}))
    for axes in figure.axes:  # scale and directions are too small to read on a card
        for artist in (*axes.texts, *axes.lines, *axes.patches, *axes.collections):
            artist.set_visible(False)
    data = io.BytesIO()
    figure.savefig(data, dpi=110, facecolor="white")
    plt.close(figure)
    data.seek(0)
    return fitted(plt.imread(data)[:, :, :3])


def study_picture(name: str) -> np.ndarray:
    """Picture of the results of a study with fewer points."""
    one = gallery.model(name, **STUDIES[name])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.png"
        one.plot(one.run(), path)
        return fitted(plt.imread(path)[:, :, :3])


def fitted(image: np.ndarray) -> np.ndarray:
    """The inked part of an image, scaled to the size of a card by averaging pixels."""
    ink = np.argwhere(np.min(image, axis=2) < 0.99)
    if len(ink):
        (top, left), (bottom, right) = ink.min(axis=0), ink.max(axis=0) + 1
        image = image[top:bottom, left:right]
    rows, columns = image.shape[:2]
    scale = min(0.94 * WIDTH / columns, 0.94 * HEIGHT / rows)
    shown = resized(image, max(1, round(scale * rows)), max(1, round(scale * columns)))
    card = np.ones((HEIGHT, WIDTH, 3))
    y, x = (HEIGHT - shown.shape[0]) // 2, (WIDTH - shown.shape[1]) // 2
    card[y : y + shown.shape[0], x : x + shown.shape[1]] = shown
    return card


def resized(image: np.ndarray, rows: int, columns: int) -> np.ndarray:
    """An image of another size: each pixel is the mean of the area that it covers."""
    for axis, count in ((0, rows), (1, columns)):
        size = image.shape[axis]
        total = np.concatenate([np.zeros_like(np.take(image, [0], axis)), np.cumsum(image, axis=axis)], axis=axis)
        edges = np.linspace(0, size, count + 1)
        low = np.floor(edges).astype(int)
        low = np.minimum(low, size - 1)
        part = (edges - low).reshape([-1 if k == axis else 1 for k in range(3)])
        at = np.take(total, low, axis) * (1 - part) + np.take(total, low + 1, axis) * part
        image = np.diff(at, axis=axis) * (count / size)
    return np.clip(image, 0.0, 1.0)


def write_all(folder: Path, names: Iterable[str] = gallery.MODELS) -> None:
    """NAME.png for every name; pictures that are there are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        path = folder / f"{name}.png"
        if not path.exists():
            plt.imsave(path, picture(name))


if __name__ == "__main__":
    write_all(Path(sys.argv[1]))
