"""What was found: labelled signals with units, spectra, and the file that keeps them."""

from pitchline.results.errors import ResultFileError, SignalError, UnknownSignalError
from pitchline.results.result import Result
from pitchline.results.signal import Signal
from pitchline.results.spectrum import Spectrum, spectrum
from pitchline.results.status import Status

__all__ = [
    "Result",
    "ResultFileError",
    "Signal",
    "SignalError",
    "Spectrum",
    "Status",
    "UnknownSignalError",
    "spectrum",
]
