"""The shipped models: each a small module that builds a model, runs it and says what it found.

A module of this folder has

- `build()`: the model, with the equation that it can be held against in the docstring of the module;
- `run()`: its analyses by name, in the order in which they follow from each other; the last one is what it is about;
- `figures(run)`: the values that matter, each with key, unit and, where there is one, its closed form;
- `PLOT`: the signals of the last analysis worth a picture.

>>> from pitchline import gallery
>>> top = gallery.model("heavy-top")
>>> run = top.run()
>>> figures = top.figures(run)

In a shell, ``pitchline gallery`` lists them and ``pitchline run heavy-top`` runs one.
"""

from .catalogue import MODELS, GalleryModel, model
from .figures import Figure, Run

__all__ = ["MODELS", "Figure", "GalleryModel", "Run", "model"]
