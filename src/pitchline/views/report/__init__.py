"""The report: one HTML file that says what was modelled, what was found and how it was computed."""

from pitchline.views.report.write_report import write_report

__all__ = ["write_report"]
