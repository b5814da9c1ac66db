"""Gear pairs: force laws, tables of loaded teeth, kernels, signals, pictures."""
