"""The drawing in "Gears": a helical wheel with web and hub. Writes docs/images/gear_drawing.png."""

from pathlib import Path

import pitchline as pl

if __name__ == "__main__":
    wheel = pl.Gear(
        teeth=57, normal_module="3 mm", helix_angle="-12 deg", face_width="40 mm",
        modifications=[pl.TipRelief("20 um", length="2 mm"), pl.LeadCrowning("5 um")],
        tool=pl.Hob(protuberance="0.05 mm"),
        body=pl.GearBody(bore="30 mm", hub_diameter="50 mm", web_thickness="10 mm", rim_thickness="8 mm"),
    )  # fmt: skip
    wheel.plot(path=Path(__file__).parents[1] / "images" / "gear_drawing.png")
