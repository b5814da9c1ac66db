"""Numerical methods: linear solves, projections onto constraints, statics, time integration. One method a file."""
