"""Pictures of teeth: what is on them."""

import numpy as np
import pytest

import pitchline.parts.gears.teeth as t
from pitchline.errors import PitchlineError
from pitchline.gears import Gear
from pitchline.parts.gears.drawing import plot_contact_pattern, plot_profile, plot_transmission_error

GEAR = Gear(teeth=24, normal_module="2 mm", face_width="20 mm", helix_angle="15 deg")


@pytest.mark.parametrize(
    "gear, tool", [(GEAR, "rack"), (Gear(teeth=60, normal_module="2 mm", internal=True), "cutter")]
)
def test_profile(gear, tool, tmp_path):
    figure = plot_profile(t.Teeth(gear), path=tmp_path / "profile.png")
    assert (tmp_path / "profile.png").stat().st_size > 20_000
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == ["root", "fillet", "involute", "tip", tool]
    circles = {text.get_text() for text in figure.axes[0].texts}
    assert {"tip", "root", "reference", "base", "form"} & circles >= {"tip", "reference", "form"}
    assert len(plot_profile(t.Teeth(gear), rack=False, title="").legends[0].get_texts()) == 4


def test_transmission_error_and_pattern(tmp_path):
    wheel = GEAR.with_(teeth=41, helix_angle="-15 deg")
    crowned = t.Teeth(GEAR, both=t.LeadCrowning("5 um"))
    run = t.rigid_contact(crowned, t.Teeth(wheel), positions=6, strips=7)
    figure = plot_transmission_error(run, run, labels=("first", "second"), path=tmp_path / "te.svg")
    line = figure.axes[0].lines[0]
    assert np.array_equal(line.get_xdata(), run.phase)
    assert "µm" in figure.axes[0].get_ylabel()
    figure = plot_contact_pattern(run, path=tmp_path / "pattern.png")
    assert len(figure.axes[0].collections[0].get_segments()) > 20
    assert figure._suptitle.get_text() == "Contact on the left flank of gear A"
    with pytest.raises(PitchlineError, match="nowhere nearer"):
        plot_contact_pattern(run, thickness=-1.0)
    with pytest.raises(PitchlineError, match="2 curves and 1 labels"):
        plot_transmission_error(run, run, labels=("one",))
    with pytest.raises(PitchlineError, match="nothing to plot"):
        plot_transmission_error()
