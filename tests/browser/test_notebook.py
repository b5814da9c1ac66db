"""Views in a notebook: frames of a page, each with a page of its own."""

import re
from pathlib import Path

import numpy as np
import pytest

import pitchline as pl


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory, browser: object) -> object:
    m = pl.Model("crank <i>1</i>")
    rod = m.body("rod", solid=pl.bar("1 m", "2 cm", "2 cm", mass="1 kg"), position=("0.5 m", 0, 0))
    m.wheel("gear", rod, pl.Gear(normal_module="5 mm", teeth=20, face_width="20 mm"))
    outputs = [m.view(show=False, height=400, theme=theme)._repr_html_() for theme in ("system", "dark")]
    path = Path(tmp_path_factory.mktemp("notebook")) / "notebook.html"
    style = "<style>:root { color-scheme: dark; background: #111 }</style>"
    path.write_text(f"<!doctype html><meta charset='utf-8'>{style}<h1>a notebook</h1>{''.join(outputs)}", "utf-8")
    context = browser.new_context(viewport={"width": 1000, "height": 900}, color_scheme="light")
    page = context.new_page()
    page.said = []
    page.on("console", lambda message: page.said.append(message.text))
    page.on("pageerror", lambda error: page.said.append(str(error)))
    page.asked = []
    page.on("request", lambda request: page.asked.append(request.url))
    page.goto(path.as_uri())
    for k in range(2):
        page.frame_locator("iframe").nth(k).locator("html[data-ready=yes]").wait_for(state="attached", timeout=60_000)
    yield page
    context.close()


def test_two_views_show_their_models(notebook: object) -> None:
    for k in range(2):
        frame = notebook.locator("iframe").nth(k)
        frame.scroll_into_view_if_needed()
        assert frame.bounding_box()["height"] == pytest.approx(402, abs=2)
        picture = _picture(notebook.frame_locator("iframe").nth(k).locator("#view").screenshot())
        assert picture.var() > 100.0
        assert notebook.frame_locator("iframe").nth(k).locator("header b").text_content() == "crank <i>1</i>"


def test_the_colours_are_those_that_were_asked_for(notebook: object) -> None:
    backs = [frame.evaluate("() => getComputedStyle(document.body).backgroundColor") for frame in notebook.frames[1:]]
    light, dark = (sum(int(part) for part in re.findall(r"\d+", back)[:3]) for back in backs)
    assert light > 700 and dark < 150


def test_they_are_shut_off_from_the_notebook(notebook: object) -> None:
    inside = notebook.frames[1]
    assert (
        inside.evaluate("() => { try { return parent.document.title } catch (e) { return e.name } }") == "SecurityError"
    )
    assert inside.evaluate("() => origin") == "null"
    assert len([address for address in notebook.asked if not address.startswith(("about:", "data:", "blob:"))]) == 1
    assert notebook.said == []


def _picture(raw: bytes) -> np.ndarray:
    import io

    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(raw)).convert("RGB")).astype(float)
