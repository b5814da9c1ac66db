"""The shipped models: each a model file, to read, to run, to copy and to change.

A file of the folder `models` says a model, its parameters, its analyses in the order in which they follow from each other,
the values that matter, each with its closed form where there is one, and what is worth a picture. A few models, which no
file can say, are programs: modules with `build()`, `run()`, `figures(run)`, and `PLOT` or `draw(run, path)`.

>>> from pitchline import gallery
>>> top = gallery.model("heavy-top")
>>> run = top.run()
>>> figures = top.figures(run)

In a shell, ``pitchline gallery`` lists them, ``pitchline run heavy-top`` runs one, and ``pitchline gallery --copy heavy-top``
writes its file, to change and to run.
"""

from .catalogue import MODELS, model
from .figures import Figure, Run
from .model_kinds import GalleryFile, GalleryModel, GalleryProgram

__all__ = ["MODELS", "Figure", "GalleryFile", "GalleryModel", "GalleryProgram", "Run", "model"]
