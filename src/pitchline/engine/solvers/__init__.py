"""Numerical methods: linear solvers, projections onto constraints, statics, time integration. One method in each file."""
