"""Drives, forces, torques, springs, bushings, stops, and loads that depend on the speed."""
