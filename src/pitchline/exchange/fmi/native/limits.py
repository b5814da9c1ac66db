"""What an FMU without Python cannot do: refused at export."""

from ....analyses.stepper import Stepper
from ....math.slow_laws import SlowFunction
from ...limits import ExchangeError

__all__ = ["OTHER_WAY", "refuse"]

OTHER_WAY = "Export the FMU with Python inside, or change the model"


def refuse(stepper: Stepper) -> None:
    """Raise ExchangeError for models whose runs need Python, and name the part."""
    if stepper._limited:
        raise ExchangeError(
            "a load or drive of the model is a Python function of time, which an FMU without Python cannot call. Specify a "
            f"table instead. {OTHER_WAY}"
        )
    for element in stepper.model.elements.values():
        for name, value in element.values.items():
            if name == "program" or isinstance(value, SlowFunction):
                raise ExchangeError(
                    f'"{element.name}" calls a program or a function that runs in Python, which an FMU without Python does not '
                    f"have. {OTHER_WAY}"
                )
    for name, one in stepper.inputs.items():
        if one.quantity == "speed" and one.hold != "ramp":
            raise ExchangeError(
                f'input "{name}" is a speed that jumps, which changes speeds instantaneously as an impact does. Impacts are '
                'computed in Python: use "ramp" for this input, or export the FMU with Python inside'
            )
    system = stepper._run.integrator.system
    for row in system.layout.opening:
        raise ExchangeError(
            f'"{system.row_owner(int(row)).name}": its rigid parts open and close, and impacts are computed in Python. Specify '
            f"elastic teeth or a stiffness. {OTHER_WAY}"
        )
