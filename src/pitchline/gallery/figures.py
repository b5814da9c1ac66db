"""Figures of the gallery: the named values of a run for readers and programs; see `results.figures`."""

from pitchline.results.figures import Figure, Run, Value, figures_table, report, report_text, status_of

__all__ = ["Figure", "Run", "Value", "figures_table", "report", "report_text", "status_of"]
