"""Errors of a model that name the component of the file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...errors import ModelError
from .component import RexsComponent

__all__ = ["about"]


@contextmanager
def about(component: RexsComponent) -> Iterator[None]:
    """Add file, line and component to errors of the model."""
    try:
        yield
    except ModelError as error:
        raise component.error(None, str(error)) from error
