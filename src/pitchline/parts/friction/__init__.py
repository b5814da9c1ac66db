"""Friction that sticks: on joints, between shafts, in brakes, clutches, freewheels and torque converters."""
