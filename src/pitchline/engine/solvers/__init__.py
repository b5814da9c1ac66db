"""Numerical methods: linear equations, projections onto constraints, statics, time integration, impacts, modes."""
