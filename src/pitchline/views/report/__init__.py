"""The report: one HTML file with model, results and method."""

from pitchline.views.report.write_report import write_report

__all__ = ["write_report"]
