"""Places of the numbers of a flank, as compiled contact kernels read them."""

SIDE, SENSE, BASE_RADIUS, BASE_ANGLE, TWIST, COS_BETA, SIN_BETA, PITCH, TEETH, HALF_FACE = range(10)
LENGTH_0, PER_LENGTH, FACE_0, PER_FACE, MODIFIED, LIMIT_0, PER_LIMIT = range(10, 17)
"""Places in `FlankShape.numbers`."""
