"""What was found: labelled signals with units, spectra, and the file that keeps them."""

from pitchline.results.campbell import Campbell, Crossing
from pitchline.results.errors import ResultFileError, SignalError, UnknownSignalError
from pitchline.results.floquet import Floquet
from pitchline.results.folding import Folded, fold
from pitchline.results.linear import FrequencyResponse, LinearModel
from pitchline.results.linear_files import load_found
from pitchline.results.modes import Modes
from pitchline.results.order_map import OrderMap, order_map
from pitchline.results.order_spectrum import OrderSpectrum, order_spectrum
from pitchline.results.order_track import OrderTrack, order_track
from pitchline.results.peak_hold import PeakHold, peak_hold
from pitchline.results.result import Result
from pitchline.results.signal import Signal
from pitchline.results.spectrogram import Spectrogram, spectrogram
from pitchline.results.spectrum import Spectrum, spectrum
from pitchline.results.status import Status

__all__ = [
    "Campbell",
    "Crossing",
    "Floquet",
    "Folded",
    "FrequencyResponse",
    "LinearModel",
    "Modes",
    "OrderMap",
    "OrderSpectrum",
    "OrderTrack",
    "PeakHold",
    "Result",
    "ResultFileError",
    "Signal",
    "SignalError",
    "Spectrogram",
    "Spectrum",
    "Status",
    "UnknownSignalError",
    "fold",
    "load_found",
    "order_map",
    "order_spectrum",
    "order_track",
    "peak_hold",
    "spectrogram",
    "spectrum",
]
