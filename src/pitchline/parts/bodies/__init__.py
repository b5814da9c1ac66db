"""Rigid bodies, joints, relations between joints, and planar models."""
