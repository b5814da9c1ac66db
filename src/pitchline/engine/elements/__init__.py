"""Mechanics: one element in each file, with its equations, its compiled kernel and its output signals."""
