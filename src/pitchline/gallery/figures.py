"""Figures of the gallery: the few named values of a run that a reader, or a program, requires; see `results.figures`."""

from ..results.figures import Figure, Run, Value, figures_table, report, report_text, status_of

__all__ = ["Figure", "Run", "Value", "figures_table", "report", "report_text", "status_of"]
