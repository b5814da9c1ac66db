"""Teeth from points and surfaces: what is read, what is refused, and that the involute comes out as it went in."""

import math

import numpy as np
import pytest

import pitchline as pl
from pitchline.errors import ModelError
from pitchline.parts.gears.surfaces import FlankPointSet, surface_teeth
from pitchline.parts.gears.surfaces.point_grid import ToothCoordinates

HELICAL = pl.Gear(teeth=25, normal_module="3 mm", face_width="30 mm", helix_angle="20 deg")
SPUR = pl.Gear(teeth=20, normal_module="2 mm", face_width="10 mm", profile_shift=0.2)
U = np.linspace(0.0, 1.0, 41)


@pytest.fixture(scope="module")
def exact():
    return surface_teeth(HELICAL)


@pytest.fixture(scope="module")
def grids(exact):
    return {side: exact.points(side, 17, 9) for side in ("left", "right")}


def turned(angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def apart(patch, reference):
    """Largest distance along the normal."""
    return float(np.abs(reference.project(patch.point(U[:, None], U)).height).max())


# ---- the same flank, however the points come


def test_a_grid_gives_the_flank_back_and_converges_with_order_six(exact):
    errors = {}
    for rows, lines in ((5, 5), (9, 9), (17, 17), (33, 33)):
        teeth = pl.Teeth.from_points(
            HELICAL, left=exact.points("left", rows, lines), right=exact.points("right", rows, lines)
        )
        errors[rows] = max(apart(teeth.flank(side), exact.flank(side)) for side in ("left", "right"))
        # the estimate that users see is not far too small
        assert errors[rows] < 10.0 * teeth.error
    assert errors[5] < 1e-5 and errors[17] < 1e-8 and errors[33] < 1e-10
    assert math.log2(errors[9] / errors[33]) / 2.0 > 4.5


@pytest.mark.parametrize("exchange", [False, True])
@pytest.mark.parametrize("rows", [1, -1])
@pytest.mark.parametrize("lines", [1, -1])
def test_order_and_direction_of_rows_and_lines_are_found(exact, grids, exchange, rows, lines):
    def changed(grid):
        grid = grid[::rows, ::lines]
        return np.swapaxes(grid, 0, 1) if exchange else grid

    teeth = pl.Teeth.from_points(HELICAL, left=changed(grids["left"]), right=changed(grids["right"]))
    np.testing.assert_allclose(teeth.points("left", 2, 2), grids["left"][::16, ::8], atol=1e-15)
    assert apart(teeth.left, exact.left) < 1e-8
    np.testing.assert_allclose(teeth.left.normal(0.5, 0.5), exact.left.normal(0.5, 0.5), atol=0.05)


def test_points_may_lie_on_any_tooth_and_in_any_unit(exact):
    left, right = exact.points("left", 17, 9, tooth=7), exact.points("right", 17, 9, tooth=24)
    teeth = pl.Teeth.from_points(HELICAL, left=1e3 * left, right=1e3 * right, unit="mm")
    assert apart(teeth.left, exact.left) < 1e-8 and apart(teeth.right, exact.right) < 1e-8


def test_points_are_rotated_to_the_middle_of_a_tooth(exact, grids):
    R = turned(0.12)
    moved = {side: grid @ R.T for side, grid in grids.items()}
    with pytest.raises(ModelError, match=r"4\.79 mm|6\.87549.* deg.*rotation=\"centre\""):
        pl.Teeth.from_points(HELICAL, **moved)
    for rotation in ("centre", -0.12, "-6.875493541569878 deg"):
        teeth = pl.Teeth.from_points(HELICAL, **moved, rotation=rotation)
        assert apart(teeth.left, exact.left) < 1e-8 and apart(teeth.right, exact.right) < 1e-8
    # one flank of a spur gear: by the nominal thickness
    grid = surface_teeth(SPUR).points("left", 17, 3) @ R.T
    teeth = pl.Teeth.from_points(SPUR, left=grid, rotation="centre")
    assert apart(teeth.right, surface_teeth(SPUR).right) < 1e-8


def test_straight_teeth_are_symmetrical_without_one_flank_and_helical_ones_are_not(grids):
    exact = surface_teeth(SPUR)
    teeth = pl.Teeth.from_points(SPUR, right=exact.points("right", 17, 3))
    assert apart(teeth.left, exact.left) < 1e-7
    assert teeth.left.facing == exact.left.facing
    with pytest.raises(ModelError, match=r"right is missing.*20 deg are not mirror images"):
        pl.Teeth.from_points(HELICAL, left=grids["left"])
    with pytest.raises(ModelError, match=r"specify left and right"):
        pl.Teeth.from_points(HELICAL)


def test_points_in_any_order(exact):
    random = np.random.default_rng(5)
    u, v = random.uniform(0.0, 1.0, (2, 1500))
    clouds = {side: exact.flank(side).point(u, v) for side in ("left", "right")}
    teeth = pl.Teeth.from_points(HELICAL, **clouds)
    places = exact.left.project(teeth.left.point(U[2:-2, None], U[2:-2]))
    assert np.abs(places.height).max() < 5e-8
    with pytest.raises(ModelError, match=r"not those of one flank"):
        pl.Teeth.from_points(HELICAL, left=np.concatenate(list(clouds.values())), right=clouds["right"])
    with pytest.raises(ModelError, match=r"20 different points in any order. Use at least 30"):
        pl.Teeth.from_points(HELICAL, left=clouds["left"][:20], right=clouds["right"])


def test_smoothing_removes_noise_and_reports_the_residuals(exact):
    random = np.random.default_rng(3)
    noise = 2e-6
    noisy = {}
    for side in ("left", "right"):
        normals = exact.flank(side).normal(np.linspace(0, 1, 40)[:, None], np.linspace(0, 1, 30))
        noisy[side] = exact.points(side, 40, 30) + noise * random.normal(size=(40, 30, 1)) * normals
    smooth = pl.Teeth.from_points(HELICAL, **noisy, smoothing="2.1 um")
    rough = pl.Teeth.from_points(HELICAL, **noisy)
    inner = U[4:-4]
    error = {
        name: np.abs(exact.left.project(teeth.left.point(inner[:, None], inner)).height).max()
        for name, teeth in (("smooth", smooth), ("rough", rough))
    }
    assert error["smooth"] < 0.5 * noise < noise < error["rough"]
    assert smooth.fits["left"].rms == pytest.approx(noise, rel=0.06)
    assert smooth.fits["left"].largest > 2.5 * noise
    assert "40 × 30 points: residuals" in smooth.report() and "right" in smooth.report()
    assert rough.fits["left"].largest < 1e-12


def test_beveloids_internal_and_bevel_gears_and_racks():
    gears = (
        pl.Gear(teeth=30, normal_module="3 mm", face_width="20 mm", profile_shift_angle="8 deg"),
        pl.Gear(teeth=60, normal_module="2 mm", face_width="20 mm", internal=True, rim_diameter="150 mm"),
        pl.Gear(teeth=20, normal_module="3 mm", face_width="15 mm", cone_angle="40 deg"),
        pl.Gear(teeth=20, normal_module="3 mm", face_width="15 mm", cone_angle="-40 deg"),
        pl.Rack(teeth=12, normal_module="2 mm", face_width="20 mm"),
        pl.Gear(starts=2, normal_module="2 mm", lead_angle="8 deg", face_width="20 mm"),
    )
    for gear in gears:
        exact = surface_teeth(gear)
        worm = getattr(gear, "worm", False)
        given = {
            side: exact.points(side, 33, 65 if worm else 9, tooth=0 if worm else 3)[::-1, ::-1]
            for side in ("left", "right")
        }
        teeth = pl.Teeth.from_points(gear, **given)
        for side in given:
            assert apart(teeth.flank(side), exact.flank(side)) < 1e-7, gear
            assert teeth.flank(side).facing == exact.flank(side).facing
        assert surface_teeth(teeth.gear).left == teeth.left


def test_single_teeth(exact, grids):
    normals = exact.left.normal(np.linspace(0, 1, 17)[:, None], np.linspace(0, 1, 9))
    own = exact.step.to_tooth(grids["left"] + 5e-6 * normals, 3)
    teeth = pl.Teeth.from_points(HELICAL, **grids, per_tooth={(3, "left"): own})
    np.testing.assert_allclose(exact.left.project(teeth.flank("left", 3).point(0.5, 0.5)).height, 5e-6, atol=1e-8)
    assert teeth.flank("left", 4) is teeth.left and teeth.flank("right", 3) is teeth.right
    with pytest.raises(ModelError, match=r"per_tooth, tooth 5 left: the points are located on tooth 3"):
        pl.Teeth.from_points(HELICAL, **grids, per_tooth={(5, "left"): own})
    for key in (3, (25, "left"), (1, "top")):
        with pytest.raises(ModelError, match=r'a key must be \(tooth, "left"\)'):
            pl.Teeth.from_points(HELICAL, **grids, per_tooth={key: own})


# ---- surfaces


def test_a_function_is_met_within_a_nanometre(exact):
    flank = pl.Teeth(HELICAL).left
    low, high = 1e3 * flank.range.form, 1e3 * flank.range.tip
    teeth = pl.Teeth.from_surface(
        HELICAL,
        left=lambda z, s: 1e3 * flank.point(1e-3 * s, 1e-3 * z),
        right=exact.right,
        unit="mm",
        domain=((15.0, -15.0), (high, low)),
    )
    assert teeth.error < 1e-9 and apart(teeth.left, exact.left) < 1e-9
    speed = np.linalg.norm(teeth.left.tangents(U, 0.5)[0], axis=-1)
    assert speed.max() < 2.0 * speed.min()


def test_a_function_may_take_single_numbers_and_return_a_list():
    rack = pl.Rack(teeth=12, normal_module="2 mm", face_width="20 mm")

    def left(x, z):
        return [x, float(0.25 * rack.transverse_pitch - x * math.tan(rack.normal_pressure_angle)), z]

    teeth = pl.Teeth.from_surface(rack, left=left, domain=((-1.8e-3, 2e-3), (-0.01, 0.01)))
    np.testing.assert_allclose(teeth.left.normal(U, 0.3), surface_teeth(rack).left.normal(U, 0.3), atol=1e-12)


def test_a_nurbs_patch_with_weights():
    """A profile that is an arc of a circle: exact only as a rational curve."""
    gear, half = SPUR, 0.005
    exact = surface_teeth(gear).left
    a, b, c = exact.point(np.array([0.1, 0.5, 0.9]), 0.5)[:, :2]
    # the circle through three points of the flank
    A = 2.0 * np.array([b - a, c - a])
    centre = np.linalg.solve(A, [b @ b - a @ a, c @ c - a @ a])
    r = np.linalg.norm(a - centre)
    angle = [math.atan2(*(p - centre)[::-1]) for p in (a, c)]
    middle, spread = 0.5 * sum(angle), 0.5 * (angle[1] - angle[0])
    tangent = centre + r / math.cos(spread) * np.array([math.cos(middle), math.sin(middle)])
    control = [[[*p, z] for z in (-half, half)] for p in (a, tangent, c)]
    weights = [[1.0, 1.0], [math.cos(spread)] * 2, [1.0, 1.0]]
    patch = {"control": control, "weights": weights, "knots_u": [0, 0, 0, 2, 2, 2], "knots_v": [5, 5, 7, 7]}
    teeth = pl.Teeth.from_surface(gear, left=patch)
    p = teeth.left.point(U[:, None], U)
    np.testing.assert_allclose(np.linalg.norm(p[..., :2] - centre, axis=-1), r, atol=1e-9)
    np.testing.assert_allclose(np.abs(teeth.left.curvatures(0.5, 0.5)[0]), 1.0 / r, rtol=1e-6)
    for changes, text in (
        ({"weights": [[1.0]]}, "weights"),
        ({"knots_u": [0, 0, 1]}, "knots_u must be increasing"),
        ({"colour": 1}, "a NURBS patch has no 'colour'"),
        ({"weights": [[1.0, 1.0], [-1.0, 1.0], [1.0, 1.0]]}, "weights positive"),
    ):
        with pytest.raises(ModelError, match=text):
            pl.Teeth.from_surface(gear, left=patch | changes)


def test_surfaces_that_are_refused(exact):
    def wrong(function, text, **options):
        with pytest.raises(ModelError, match=text):
            pl.Teeth.from_surface(HELICAL, left=function, right=exact.right, **options)

    point = exact.left.point
    wrong(lambda u, v: point(u, v)[..., :2], "three numbers")
    wrong(lambda u, v: point(u, v) * np.where(np.asarray(u) > 0.7, np.nan, 1.0)[..., None], "not finite at")
    wrong(lambda u, v: point(u, v) + np.abs(np.asarray(u + 0.3 * v) - 0.5)[..., None] * 1e-4, "kinks or jumps")
    wrong(exact.points("left", 9, 9), "expected a function.*Use Teeth.from_points for points")
    wrong(point, "domain must be", domain=(0.0, 1.0))
    wrong(exact.right, "lean like those of a right flank")
    wrong(exact.left.moved(np.eye(3), (0, 0, 0.1)), "moved by -100 mm along z")
    flipped = type(exact.left)(exact.left.control[::-1], 1.0 - exact.left.knots_u[::-1], exact.left.knots_v, facing=1.0)
    wrong(flipped, "u of a FlankPatch must go from root to tip")


# ---- points that are refused


def change(grid, index, value):
    found = grid.copy()
    found[index] = value
    return found


WRONG = {
    "mm taken as m": (lambda g: 1e3 * g, r'They are on the teeth if they are in mm\. Specify unit="mm"'),
    "inches": (lambda g: g / 25.4e-3, r'unit="in"'),
    "other axis": (
        lambda g: np.stack([g[..., 2], g[..., 0], g[..., 1]], -1) * [1, 1, 1.0],
        "nominal flank|their x axis|z is the axis of the gear",
    ),
    "origin at the end of the face": (lambda g: g + [0, 0, 0.015], r"moved by -15 mm along z"),
    "not a number": (
        lambda g: change(g, (3, 4), np.nan),
        "1 of 153 points are not finite, the first one at row 3, line 4",
    ),
    "double point": (lambda g: change(g, (3, 4), g[3, 5]), "two points are equal: row 3, line 4"),
    "rows out of order": (
        lambda g: g[[0, 1, 2, 9, 4, 5, 6, 7, 8, 3, 10, 11, 12, 13, 14, 15, 16]],
        "the grid is folded",
    ),
    "too few rows": (lambda g: g[[0, 8, 16]], "3 points from root to tip. Use at least 4"),
    "one line": (lambda g: g[:, :1], "face width of 30 mm. A flank requires at least 15 %"),
    "flat": (lambda g: g[..., :2], r"got shape \(17, 9, 2\)"),
    "text": (lambda g: "left", "the ending of the name must be one of .csv"),
    "object": (lambda g: object(), "expected points, a grid"),
    "function": (lambda g: len, "Use Teeth.from_surface"),
    "centimetres": (lambda g: 100.0 * g, r'unit="cm"'),
    "no points": (lambda g: g[:0].reshape(0, 3), r"there are no points, the shape is \(0, 3\)"),
    "complex": (lambda g: g + 0.0j, "must be real numbers, got complex ones"),
    "masked": (lambda g: np.ma.masked_less(g, -0.0149), r"\d+ of 153 points are not finite"),
    "left-handed axes": (lambda g: g * [1.0, 1.0, -1.0], "other hand: its helix angle is about -20 deg, but .* 20 deg"),
    "another helix": (
        lambda g: g[:, ::-1] * [1, 1, 0] + g * [0, 0, 1],
        "other hand|helix angle of the points is about",
    ),
    "an outlier": (lambda g: change(g, (8, 4), g[8, 4] + 3e-4), "degrees 5 and 3 through the points differ by .* µm"),
    "fillet": (
        lambda g: np.concatenate([g[:1] - [1e-3, -1e-3, 0], g[:1] - [5e-4, -2e-4, 0], g]),
        "include fillet or tip. Specify smoothing=",
    ),
    "integers": (lambda g: (1e3 * g).astype(int) * 1e-3, "two points are equal"),
    "gde": (lambda g: "flank.gde", "VDI/VDE 2610"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_points_are_refused(grids, name):
    wrong, text = WRONG[name]
    with pytest.raises(ModelError, match=text):
        pl.Teeth.from_points(HELICAL, left=wrong(grids["left"]), right=grids["right"])


def test_mirrored_points_with_exchanged_flanks_are_refused(grids):
    """Both mistakes together give a tooth, but one of the other hand."""
    mirrored = {"left": grids["right"] * [1, -1, 1], "right": grids["left"] * [1, -1, 1]}
    with pytest.raises(ModelError, match=r"other hand.*x to the middle of a tooth, z along the axis, y = z × x"):
        pl.Teeth.from_points(HELICAL, **mirrored)
    turned_over = {"left": grids["right"] * [1, -1, -1], "right": grids["left"] * [1, -1, -1]}
    assert apart(pl.Teeth.from_points(HELICAL, **turned_over).left, surface_teeth(HELICAL).left) < 1e-8
    with pytest.raises(ModelError, match=r"helix angle of the points is about 0 deg, but that of the gear is 5 deg"):
        exact = surface_teeth(SPUR)
        pl.Teeth.from_points(SPUR.with_(helix_angle="5 deg"), left=exact.left.point(U[:, None], U), right=exact.right)


@pytest.mark.parametrize("cone", ["40 deg", "-40 deg"])
def test_the_hand_of_spiral_bevel_gears(cone):
    gear = pl.Gear(teeth=20, normal_module="3 mm", face_width="15 mm", cone_angle=cone, helix_angle="35 deg")
    to = ToothCoordinates(gear)
    h, w = np.linspace(0.8 * to.root, to.tip, 9)[:, None], np.linspace(-0.5, 0.5, 7) * to.width
    spiral = {side: to.points(h, w, to.nominal_angle(side, h)) for side in ("left", "right")}
    assert pl.Teeth.from_points(gear, **spiral).left.control.shape[:2] == (9, 7)
    with pytest.raises(
        ModelError, match=r"other hand: its helix angle is about 35\.2 deg, but that of the gear is -35 deg"
    ):
        pl.Teeth.from_points(gear.with_(helix_angle="-35 deg"), **spiral)


def test_noise_is_noted_or_refused(exact, grids, capsys):
    random = np.random.default_rng(2)
    noise = random.normal(size=grids["left"].shape)
    pl.Teeth.from_points(HELICAL, left=grids["left"] + 3e-6 * noise, right=grids["right"])
    assert "left: the error between points is about" in capsys.readouterr().err
    with pytest.raises(ModelError, match=r'Specify smoothing="\.\.\." for noise'):
        pl.Teeth.from_points(HELICAL, left=grids["left"] + 5e-5 * noise, right=grids["right"])
    with pytest.raises(ModelError, match=r"left: the smoothing tolerance of 0.001 µm is not reached: .* are 0\.\d+ µm"):
        pl.Teeth.from_points(HELICAL, left=grids["left"] + 1e-6 * noise, right=grids["right"], smoothing="1 nm")


def test_a_tooth_of_another_gear_is_noted(capsys):
    exact = surface_teeth(SPUR)
    flanks = {side: exact.points(side, 17, 3) for side in ("left", "right")}
    pl.Teeth.from_points(SPUR, **flanks)
    assert not capsys.readouterr().err
    pl.Teeth.from_points(SPUR.with_(profile_shift=0.6), **flanks)
    assert "is 0.582 mm thinner than that of the nominal gear, as with a difference of the profile shift of 0.4" in (
        capsys.readouterr().err
    )
    pl.Teeth.from_points(SPUR.with_(teeth=21), **flanks)
    assert "Check the number of teeth" in capsys.readouterr().err


def test_exchanged_flanks_and_other_arguments_are_refused(grids):
    with pytest.raises(ModelError, match=r"lean like those of a right flank.*Exchange left and right"):
        pl.Teeth.from_points(HELICAL, left=grids["right"], right=grids["left"])
    for options, text in (
        ({"unit": 3}, "unit must be a unit of length"),
        ({"unit": "kg"}, "expected length"),
        ({"smoothing": "-1 um"}, "greater than zero"),
        ({"rotation": "auto"}, 'must be "centre" or an angle'),
    ):
        with pytest.raises(ModelError, match=text):
            pl.Teeth.from_points(HELICAL, **grids, **options)
    with pytest.raises(ModelError, match=r"expected a Gear or a Rack"):
        pl.Teeth.from_points("gear", **grids)
    with pytest.raises(ModelError, match=r"imported flanks contain their modifications"):
        pl.Teeth.from_points(HELICAL.with_(modifications=pl.LeadCrowning("5 um")), **grids)


# ---- the gear with its flanks


def test_the_gear_has_the_flanks(grids):
    teeth = pl.Teeth.from_points(HELICAL, **grids)
    gear = teeth.gear
    assert surface_teeth(gear).left is teeth.left
    assert gear == HELICAL.with_(flanks=grids) == HELICAL.with_(flanks=teeth) and hash(gear) == hash(teeth.gear)
    assert gear != HELICAL and gear.with_(flanks=None) == HELICAL
    assert "flanks: imported, 17 × 9 and 17 × 9 control points" in repr(gear)
    with pytest.raises(ModelError, match=r"Use surface_teeth\(gear\), or gear.with_\(flanks=None\)"):
        pl.Teeth(gear)
    with pytest.raises(ModelError, match=r"not on the teeth of the gear"):
        gear.with_(teeth=30)
    with pytest.raises(ModelError, match=r"there is no 'both'"):
        HELICAL.with_(flanks={"both": grids["left"]})
    with pytest.raises(ModelError, match=r"expected the flanks of Teeth.from_points"):
        HELICAL.with_(flanks=3)


def test_points_know_where_they_come_from(grids):
    teeth = pl.Teeth.from_points(
        HELICAL, left=FlankPointSet(grids["left"], "machine 3"), right=FlankPointSet(grids["right"], "machine 3")
    )
    assert teeth.fits["left"].source == "machine 3" and "machine 3" in teeth.report()
