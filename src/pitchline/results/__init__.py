"""What was found: labelled signals with units, spectra, and the file that keeps them."""

from .folding import Folded, fold
from .linear_files import FrequencyResponse, LinearModel, load_found
from .modes import Campbell, Crossing, Floquet, Modes
from .order_track import (
    OrderMap,
    OrderSpectrum,
    OrderTrack,
    Spectrogram,
    Spectrum,
    order_map,
    order_spectrum,
    order_track,
    spectrogram,
    spectrum,
)
from .result import Result
from .signal import PeakHold, Signal, peak_hold
from .status import ResultFileError, SignalError, Status, UnknownSignalError

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
