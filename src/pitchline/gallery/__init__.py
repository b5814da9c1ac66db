"""The shipped models: model files to read, run, copy and change.

A file in the folder `models` describes a model, its parameters, its analyses in order, its figures (with reference
values if there
are any) and its pictures. A few models that cannot be written as files are programs: modules with `build()`, `run()`,
`figures(run)`, and `PLOT` or `draw(run, path)`.

>>> from pitchline import gallery
>>> top = gallery.model("heavy-top")
>>> run = top.run()
>>> figures = top.figures(run)

In a shell, ``pitchline gallery`` lists them, ``pitchline run heavy-top`` runs one, and ``pitchline gallery --copy
heavy-top``
writes its file, to edit and run.
"""

from .catalogue import MODELS, model
from .figures import Figure, Run
from .model_kinds import GalleryFile, GalleryModel, GalleryProgram

__all__ = ["MODELS", "Figure", "GalleryFile", "GalleryModel", "GalleryProgram", "Run", "model"]
