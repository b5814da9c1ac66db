"""Version number of the package. The build, the command line, result files and the documentation read it here."""

__all__ = ["__version__"]

__version__ = "0.1.0"
