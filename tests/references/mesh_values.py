"""Values shared by tests of tooth contact: a turn, and a wave over it."""

import math

from pitchline.model import Fourier

TURN = 2 * math.pi

WAVE = Fourier("360 deg", "2e8 N/m", sin=("5e7 N/m",), over="angle")
