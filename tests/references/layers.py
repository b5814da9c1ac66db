"""The layers of the package: a file imports only from its own layer and from those before it."""

import re
from pathlib import Path

LAYERS = {
    "version": r"version",
    "startup": r"startup",
    "errors": r"errors",
    "base": r"base(?!\.budget\b).*",
    "numerics": r"numerics.*",
    "units": r"units.*",
    "budget": r"base\.budget",
    "solids": r"solids.*",
    "geometry": r"gears|parts\.gears\.(geometry|modifications|surfaces|teeth).*",
    "sections of shafts": r"parts\.shafts(\.(sections|segment))?",
    "design of bearings": r"parts\.bearings(\.(ball_types|design|law|life|mounting|roller_types))?",
    "cams and couplings": r"parts\.(cams(\.(law|outline|profile))?|couplings(\.design)?)",
    "finite elements": r"fem.*",
    "reduced bodies": r"parts\.flexible(?!\.(part|kernel|drawing|scene|text)).*|parts\.membranes(\.mesh)?",
    "declarations of elements": (
        r"parts\.(bearings|belts|cams|couplings|friction|motors)\.part|parts\.control\.(?!methods|kernel|compile).*"
        r"|parts\.bodies\.relations|parts\.friction\.torque_converter|parts\.motors\.(?!methods).*|parts\.planetary\.ratios"
        r"|parts\.springs\.speed_loads|declare\.search"
    ),
    "kernels": r"engine\.elements.*|parts\.\w+\.kernel\w*",
    "compile": r"engine\.compile.*|parts\.\w+\.compile",
    "results": r"results.*|parts\.\w+\.results\w*",
    "analyses": r"analyses.*|parts\.contact\.(?!drawing|scene).*|parts\.\w+\.analysis\w*",
    "files": r"files.*|parts\.\w+\.text|parts\.gears\.(solid_surface|triangles)",
    "viewer": r"viewer.*|parts\.\w+\.scene\w*",
    "views": r"views.*|parts\.\w+\.drawing\w*",
    "parts": r"functions.*|declare.*|model.*|parts.*",
    "contact": r"contact.*",
    "extend": r"extend",
    "solvers": r"engine\.solvers|engine\.solvers\..*|engine",
    "studies": r"studies.*",
    "exchange": r"exchange.*",
    "gallery": r"gallery.*",
    "facades": r"facades",
    "cli": r"cli.*",
    "__main__": r"__main__",
}
"""Pattern of the names of the modules of each layer. The first layer that fits is that of a module."""

ORDER = (
    "version", "startup", "errors", "base", "numerics", "units", "budget", "solids", "geometry", "sections of shafts",
    "design of bearings", "cams and couplings", "finite elements", "reduced bodies", "parts", "contact", "kernels", "extend",
    "declarations of elements", "compile", "solvers", "results", "analyses", "studies", "files", "exchange", "viewer", "views",
    "gallery", "facades", "cli", "__main__",
)  # fmt: skip


def layer_of(module: str) -> str | None:
    """The layer of a module, whose dotted name is without the name of the package."""
    return next((name for name, pattern in LAYERS.items() if re.fullmatch(pattern, module)), None)


def module_of(file: Path, source: Path) -> str:
    return ".".join(file.relative_to(source).with_suffix("").parts).removesuffix("__init__").removesuffix(".")
