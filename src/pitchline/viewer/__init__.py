"""Models and results in a browser: one page to pass on, or a local server.

Importing this package is cheap: what it needs is loaded when something is looked at.
"""

from .records import ViewRecord, page_html, record_of
from .view import View

__all__ = ["ViewRecord", "View", "page_html", "record_of"]
