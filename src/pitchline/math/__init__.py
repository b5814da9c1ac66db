"""Compiled basic functions: small vectors, rotations, functions of time. They do not depend on bodies or elements."""
