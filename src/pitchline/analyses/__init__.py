"""Analyses of a model: statics, kinematics, dynamics, modes, frequency response, tooth contact."""
