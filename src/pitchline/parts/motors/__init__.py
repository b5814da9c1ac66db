"""Motors and engines on joints, and the inertia of their rotors."""
