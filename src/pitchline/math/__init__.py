"""Compiled leaves: small vectors, rotations, functions of time. Nothing here knows of bodies or elements."""
