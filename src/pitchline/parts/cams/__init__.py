"""Disc cams: motion laws, lift, pitch curves and support functions, and the profile that a user specifies."""

from .profile import CamProfile

__all__ = ["CamProfile"]
