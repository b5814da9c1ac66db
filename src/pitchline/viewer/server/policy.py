"""Who may ask the server, and what browsers may do with its answers.

Any page that the user looks at can send requests to this machine, and every user of this machine can reach the port. So a
request must name this server as its host (a name that was made to point here does not), must not come from a page of another
origin, and must carry the token, which only the printed address and the page know.
"""

from __future__ import annotations

import hmac
from collections.abc import Set as AbstractSet
from email.message import Message

from .answers import Refusal

__all__ = ["HEADERS", "check_sender", "check_token"]

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Of every answer, refusals too. None of them lets another origin read anything."""


def check_sender(headers: Message, hosts: AbstractSet[str], *, page: bool) -> None:
    """Refuse what was not sent to this server by its own page.

    page: whether the page itself is asked for, which holds nothing secret. A file or a link may lead to it; parts of it, and
    all data, only go to the page.
    """
    named = headers.get_all("Host", [])
    if len(named) != 1 or named[0].lower() not in hosts:
        # the name of an attacker may point here: DNS rebinding
        names = " or ".join(sorted(hosts))
        raise Refusal(421, f"this server answers as {names} only; where a port is forwarded, forward the same one")
    for origin in headers.get_all("Origin", []):
        if origin not in {f"http://{host}" for host in hosts}:
            raise Refusal(403, "asked by a page of another origin")
    for site in headers.get_all("Sec-Fetch-Site", []):
        leads_here = (
            page and headers.get("Sec-Fetch-Mode") == "navigate" and headers.get("Sec-Fetch-Dest") == "document"
        )
        if site not in ("same-origin", "none") and not leads_here:
            raise Refusal(403, "asked by a page of another origin")


def check_token(headers: Message, token: str) -> None:
    """Refuse requests without the token. The token is in a header: cookies do not depend on the port, so that every other server
    of this machine would receive it, and addresses are logged and forwarded.
    """
    given = headers.get_all("Authorization", [])
    expected = f"Bearer {token}".encode()
    if len(given) != 1 or not hmac.compare_digest(given[0].encode("utf-8", "replace"), expected):
        raise Refusal(
            401,
            "the token is missing or wrong: open the address that pitchline view printed",
            {"WWW-Authenticate": "Bearer"},
        )
