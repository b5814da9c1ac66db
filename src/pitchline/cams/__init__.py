"""Disc cams: motion laws, lift, pitch curves and support functions, and the profile that a user gives."""

from .profile import CamProfile

__all__ = ["CamProfile"]
