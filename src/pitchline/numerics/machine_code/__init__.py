"""Compilation of functions, and the cache of their machine code."""
