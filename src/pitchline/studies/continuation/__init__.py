"""Branches of periodic motions over a parameter: shooting, pseudo-arclength, folds, period doublings, Floquet multipliers."""
