"""Reference cases that pitchline cannot compute yet, or that have no number to compare."""

__all__ = ["NOT_SUPPORTED"]

NOT_SUPPORTED = [
    (
        "Pitch point geometry of a hypoid pair with pitch radii 0.11 and 0.045",
        "A. Cardona (1997), equations (7) to (16)",
        "The radii and helix angles of this case do not correspond to whole numbers of teeth. The gallery model hypoid checks "
        "the same equations with 11 and 41 teeth.",
    ),
    (
        "Measured dynamic factors of the rig of Kubo",
        "A. Kubo et al., JSME 38 (1972)",
        "The measured curve is not available as numbers.",
    ),
    (
        "Robot KUKA KR 15/2",
        "D. Vlasenko, R. Kasper (2009)",
        "Masses and inertias are not published. The gallery model robot-arm has the published numbers of bodies and joints.",
    ),
    (
        "Beveloid pairs in motion and in contact",
        "P. Do, P. Ziegler, P. Eberhard, Arch. Mech. Eng. 60 (2013), figures 14 and 15",
        "Not in this table because the finite elements take more than a minute. The paper prints curves only; tests check its "
        "statements.",
    ),
    (
        "Bearing loads and gear forces of the gallery model demo-gearbox",
        "Hand calculation, written in the model file",
        "Not in this table because its tables of loaded contact take more than a minute. `pitchline run demo-gearbox` prints both "
        "numbers. The model gearbox is compared above.",
    ),
]
