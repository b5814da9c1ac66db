"""The local server of `pitchline view`: it answers only requests from this machine that have its token.

`Server(records)` holds records and a table of routes. Routes are added by `server.add("POST", "/api/run", handler)`: a handler
takes a `Question` and returns an `Answer` or an `EventStream`, or raises a `Refusal`. Host, origin, token and the size and form
of what was sent have been checked before a handler is called.
"""

from .question import Answer, EventStream, Question, Refusal, json_answer
from .server import Server, open_page

__all__ = ["Answer", "EventStream", "Question", "Refusal", "Server", "json_answer", "open_page"]
