"""The looks of series: colours that everybody tells apart, on both themes."""

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from bpeviz.charts.frame import SERIES

Color = npt.NDArray[np.float64]

#: Linear RGB to XYZ, and linear RGB as people see it who lack one kind of cone (Machado et al. 2009).
XYZ = np.array([[0.4125, 0.3576, 0.1804], [0.2127, 0.7152, 0.0722], [0.0193, 0.1192, 0.9503]])
SIGHTS = {
    "all cones": np.eye(3),
    "no red": np.array([[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]]),
    "no green": np.array([[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]]),
    "no blue": np.array([[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]]),
}


def linear(color: str) -> Color:
    shares = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)


def lab(color: Color) -> Color:
    relative = XYZ @ color / (0.9505, 1, 1.0888)
    bent = np.where(relative > 0.008856, np.cbrt(relative), 7.787 * relative + 16 / 116)
    return np.array([116 * bent[1] - 16, 500 * (bent[0] - bent[1]), 200 * (bent[1] - bent[2])])


@pytest.mark.parametrize("sight", SIGHTS)
def test_any_two_colours_differ_for_every_sight(sight: str) -> None:
    seen = [lab(np.clip(SIGHTS[sight] @ linear(look.color), 0, 1)) for look in SERIES]
    assert len(seen) == 8
    assert min(float(np.linalg.norm(a - b)) for a, b in combinations(seen, 2)) > 20


@pytest.mark.parametrize("page", ["#ffffff", "#262730"])
def test_every_colour_stands_out_from_both_themes(page: str) -> None:
    ground = float(XYZ[1] @ linear(page))
    for look in SERIES:
        bright, dark = sorted([ground, float(XYZ[1] @ linear(look.color))], reverse=True)
        assert (bright + 0.05) / (dark + 0.05) >= 3


def test_no_two_series_have_the_same_mark_or_the_same_sign() -> None:
    for name in ("symbol", "sign", "open_sign"):
        assert len({getattr(look, name) for look in SERIES}) == len(SERIES)
