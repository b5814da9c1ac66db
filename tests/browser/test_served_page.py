"""The page from the local server in a real browser: from the printed address to the end of the server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline.results import Result, Signal
from pitchline.viewer import ViewRecord, record_of
from pitchline.viewer.server import Server
from pitchline.viewer.server import server as opening

COUNT = 60_001
ODD = '<b>"x",&#'


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    model = pl.Model("rig")
    body = model.body("wheel", solid=pl.cylinder("20 cm", "3 cm", mass="2 kg"))
    model.revolute("axle", model.ground, body, axis="z")
    from pitchline.model.describe import describe

    time = np.linspace(0.0, 3.0, COUNT)
    half = 0.5 * time
    turn = np.stack([np.cos(half), 0.0 * half, 0.0 * half, np.sin(half)], axis=1)
    peak = np.where(np.arange(COUNT) == 23_456, 9.0, np.sin(2000.0 * time))
    signals = [
        Signal("wheel.position", np.zeros((COUNT, 3)), time, "m"),
        Signal("wheel.orientation", turn, time, components=("w", "x", "y", "z")),
        Signal("mesh.normal_force", peak, time, "N", "with <i>one</i> peak"),
        Signal(ODD, 1e6 + 1e-3 * np.sin(time), time, "N"),
    ]
    result = Result(
        kind="dynamics", model_name=ODD, time=time, signals={s.name: s for s in signals}, model=describe(model)
    )
    lazy = pl.load(result.save(tmp_path_factory.mktemp("served") / "long.nc"), lazy=True)
    with Server([record_of(lazy, signals=False)]) as made:
        made.start()
        yield made


@pytest.fixture(scope="module")
def page(server: Server, open_page: Any) -> Any:
    return open_page(server.address)


def test_it_opens_by_the_printed_address(server: Server, page: Any) -> None:
    assert page.messages == []
    assert page.page.url == f"http://127.0.0.1:{server.port}/"  # the token is not left in the address bar
    assert page.page.title() and page.page.evaluate("pitchlineView.source.live")
    said = page.page.evaluate(
        "() => pitchlineView.blocks.flatMap(({ head, time }) => [head.bodies[0].name, time.length])"
    )
    assert said == ["wheel", 3751]  # poses at every 16th sample
    page.page.wait_for_selector("#plot canvas")


def test_no_request_leaves_the_machine(server: Server, page: Any) -> None:
    assert page.requests
    assert all(url.startswith(f"http://127.0.0.1:{server.port}/") or url.startswith("data:") for url in page.requests)
    assert not any(server.token in url for url in page.requests[1:])
    assert page.context.cookies() == []


SERIES = """async ([names, from, to, columns]) => {
  const { time, low, high } = await pitchlineView.source.series(0, names, from, to, columns);
  const same = low.every((row, k) => row === high[k]);
  return { time: [...time], low: low.map((row) => [...row]), high: high.map((row) => [...row]), same };
}"""


def test_series_come_from_the_server(page: Any) -> None:
    whole = page.page.evaluate(SERIES, [["mesh.normal_force", "wheel.position.x"], -1e9, 1e9, 500])
    assert len(whole["time"]) <= 502 and (whole["time"][0], whole["time"][-1]) == (0.0, 3.0)
    assert max(whole["high"][0]) == 9.0 and not whole["same"]
    near = page.page.evaluate(SERIES, [[ODD], 1.0, 1.0005, 500])
    assert near["same"] and len(near["time"]) == 13
    # double precision: a thousandth of a millionth of the value is still a curve
    assert near["low"][0] == [1e6 + 1e-3 * np.sin(t) for t in near["time"]]


def test_of_several_questions_the_latest_counts(page: Any) -> None:
    found = page.page.evaluate(
        """async () => {
          const ask = (to) => pitchlineView.source.series(0, ["mesh.normal_force"], 0, to, 777);
          return Promise.all([1, 2, 3].map((to) => ask(to).then((s) => s.time.at(-1), (e) => e.name)));
        }"""
    )
    assert found[:2] == ["AbortError", "AbortError"] and found[2] == pytest.approx(3.0)


def test_errors_are_told_in_words(page: Any) -> None:
    told = page.page.evaluate(
        "() => pitchlineView.source.series(0, ['none'], 0, 1, 9).catch((e) => [e.message, e.status])"
    )
    assert told == ['record 0 has no curve "none"', 404]


def test_events_and_posts(server: Server, page: Any) -> None:
    from pitchline.viewer.server import EventStream, json_answer

    server.add("GET", "/api/count", lambda _: EventStream(iter([{"n": 1}, None, {"n": "zwei\n\n"}])))
    server.add("POST", "/api/echo", lambda question: json_answer(dict(question.data)))
    found = page.page.evaluate(
        """async () => {
          const { source } = pitchlineView, events = [];
          for await (const event of source.events("/api/count")) events.push(event);
          return [events, await source.post("/api/echo", { a: [1, "µ"] })];
        }"""
    )
    assert found == [[{"n": 1}, {"n": "zwei\n\n"}], {"a": [1, "µ"]}]


def test_names_of_strangers_stay_text(page: Any) -> None:
    assert page.page.title().startswith(ODD)
    assert ODD in page.page.locator("body").inner_text()
    made = page.page.evaluate("() => [...document.querySelectorAll('b, i')].map((e) => e.textContent)")
    assert not [text for text in made if text.startswith(('"x"', "one"))]


def test_it_can_be_loaded_again_and_in_a_second_tab(server: Server, page: Any, browser: Any) -> None:
    page.page.reload()
    page.page.wait_for_selector('html[data-ready="yes"]')
    second = page.context.new_page()
    second.goto(f"http://127.0.0.1:{server.port}/")
    second.wait_for_selector('html[data-ready="failed"]')
    assert "Open the complete address that pitchline view printed" in second.locator("#failure").inner_text()
    second.goto(f"http://127.0.0.1:{server.port}/#wrong")
    second.wait_for_selector('html[data-ready="failed"]')
    second.goto(server.address)  # differs behind the # only
    second.wait_for_selector('html[data-ready="yes"]')
    second.close()


def test_a_file_of_the_user_leads_to_it(
    server: Server, page: Any, open_page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.page.wait_for_load_state("networkidle")  # what the page before still asks for would count as the visit
    page.page.wait_for_timeout(200)
    opened: list[str] = []
    monkeypatch.setattr(opening, "open_in_browser", lambda address: opened.append(address) or True)
    server.visited.clear()
    assert opening.open_page(server)
    led = open_page(opened[0])
    led.page.wait_for_url(f"http://127.0.0.1:{server.port}/**")
    led.page.wait_for_selector('html[data-ready="yes"]')
    assert led.messages == []


def test_pages_of_other_origins_read_nothing(server: Server, page: Any) -> None:
    stranger = page.context.new_page()
    stranger.route("http://stranger.example/**", lambda route: route.fulfill(body="<p>hello", content_type="text/html"))
    stranger.goto("http://stranger.example/")
    told = stranger.evaluate(
        """async ([address, token]) => {
          const end = (promise) => promise.then(() => "read", () => "blocked");
          const loaded = (tag) => new Promise((done, failed) => {
            const made = Object.assign(document.createElement(tag), { onload: done, onerror: failed, src: `${address}viewer.js` });
            document.body.append(made);
          });
          return Promise.all([
            end(fetch(`${address}api/records`, { headers: { Authorization: `Bearer ${token}` } })), // though it knew the token
            end(fetch(`${address}api/records`)), end(fetch(address)), end(loaded("script")),
          ]);
        }""",
        [server.address.partition("#")[0], server.token],
    )
    assert told == ["blocked"] * 4
    stranger.close()


def test_damaged_blocks_are_refused_in_words(server: Server, open_page: Any) -> None:
    good = server.records[0].block
    assert good.count(b'"offset":0}') == 1
    length = int.from_bytes(good[8:12], "little") + 2
    wrong = good[:8] + length.to_bytes(4, "little") + good[12:].replace(b'"offset":0}', b'"offset":8e9}')
    with Server([ViewRecord("x", wrong)]) as own:
        own.start()
        page = open_page(own.address)
        assert "damaged" in page.page.locator("#failure").inner_text()


def test_it_says_when_the_server_has_gone(open_page: Any, server: Server) -> None:
    with Server(list(server.records)) as own:
        own.start()
        page = open_page(own.address)
        port, token = own.port, own.token
    told = page.page.evaluate(
        "() => pitchlineView.source.series(0, ['mesh.normal_force'], 0, 1, 9).catch((e) => e.message)"
    )
    assert told == page.page.locator("#server-gone").inner_text() and "has ended" in told
    assert page.view(1.0) is not None  # what was there can still be looked at
    with Server(list(server.records), port=port) as again:
        again.token = token
        again.start()
        page.page.evaluate("() => pitchlineView.source.records()")
        assert page.page.locator("#server-gone").count() == 0
