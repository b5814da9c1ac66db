"""What an FMU without Python cannot do, said at export."""

from ....analyses.stepper import Stepper
from ...limits import ExchangeError

__all__ = ["refuse"]

_END = "Export the FMU with Python inside, or change the model"


def refuse(stepper: Stepper) -> None:
    """Raise ExchangeError for models whose runs need Python, and name the part."""
    if stepper._limited:
        raise ExchangeError(
            "a load or drive of the model is a Python function of time, which an FMU without Python cannot call. Specify a "
            f"table instead. {_END}"
        )
    for name, one in stepper.inputs.items():
        if one.quantity == "speed" and one.hold != "ramp":
            raise ExchangeError(
                f'input "{name}" is a speed that jumps. An FMU without Python has no impacts: use "ramp" for this input. {_END}'
            )
    system = stepper._run.integrator.system
    for row in system.layout.opening:
        raise ExchangeError(
            f'"{system.row_owner(int(row)).name}": its rigid parts open and close, and impacts are computed in Python. Specify '
            f"elastic teeth or a stiffness. {_END}"
        )
