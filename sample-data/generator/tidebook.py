"""The invented project of the first story: a small package that prints tide tables."""

HARMONIC = '''"""Water level as a sum of harmonic constituents."""

from dataclasses import dataclass
from datetime import datetime, timezone
from math import cos, radians

EPOCH = datetime(2026, 1, 1, tzinfo=timezone.utc)

# Speeds in degrees per mean solar hour.
SPEED = {
    "M2": 28.9841042,
    "S2": 30.0000000,
    "N2": 28.4397295,
    "K1": 15.0410686,
    "O1": 13.9430356,
}


@dataclass(frozen=True)
class Station:
    name: str
    zone: str
    mean: float
    # constituent: (amplitude in metres, phase lag in degrees at EPOCH)
    constituents: dict[str, tuple[float, float]]

    def height(self, when: datetime) -> float:
        """Height above chart datum in metres at an aware datetime."""
        hours = (when - EPOCH).total_seconds() / 3600
        return self.mean + sum(
            amplitude * cos(radians(SPEED[name] * hours - phase))
            for name, (amplitude, phase) in self.constituents.items()
        )
'''

STATIONS = '''"""The stations that we publish tables for."""

from .harmonic import Station

LEIXOES = Station(
    "Leixões",
    "Europe/Lisbon",
    2.00,
    {"M2": (1.05, 76.0), "S2": (0.37, 103.0), "N2": (0.22, 57.0), "K1": (0.07, 61.0), "O1": (0.06, 316.0)},
)
AVEIRO = Station(
    "Aveiro",
    "Europe/Lisbon",
    1.98,
    {"M2": (0.94, 93.0), "S2": (0.32, 123.0), "N2": (0.20, 74.0), "K1": (0.07, 70.0), "O1": (0.06, 324.0)},
)
ALL = {station.name: station for station in (LEIXOES, AVEIRO)}
'''

EXTREMA = '''"""High and low waters of a day."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from .harmonic import Station

STEP = timedelta(minutes=6)


@dataclass(frozen=True)
class Extremum:
    when: datetime
    height: float
    kind: str  # "high" or "low"


def day_extrema(station: Station, day: date) -> list[Extremum]:
    """Return the high and low waters of a local day, in order of time."""
    start = datetime.combine(day, time.min, ZoneInfo(station.zone))
    end = start + timedelta(days=1)
    times = []
    when = start
    while when < end:
        times.append(when)
        when += STEP
    heights = [station.height(when) for when in times]
    found = []
    for i in range(1, len(times) - 1):
        before, here, after = heights[i - 1 : i + 2]
        if before < here >= after:
            found.append(refine(station, times[i], "high"))
        elif before > here <= after:
            found.append(refine(station, times[i], "low"))
    return found


def refine(station: Station, near: datetime, kind: str) -> Extremum:
    """Fit a parabola through three samples and return its vertex."""
    a, b, c = (station.height(near + n * STEP) for n in (-1, 0, 1))
    shift = (a - c) / (2 * (a - 2 * b + c))
    when = near + shift * STEP
    return Extremum(when, station.height(when), kind)
'''

TABLE = '''"""A day of tides as people read it."""

from datetime import date

from .extrema import day_extrema
from .harmonic import Station


def day_table(station: Station, day: date) -> str:
    """Return one line a tide: local time, kind, height in metres."""
    lines = [f"{station.name}, {day:%A %d %B %Y}"]
    for tide in day_extrema(station, day):
        lines.append(f"  {tide.when:%H:%M}  {tide.kind:<4}  {tide.height:4.1f} m")
    return "\\n".join(lines)
'''

TEST_EXTREMA = """from datetime import date, timedelta
from itertools import pairwise

import pytest

from tidebook.extrema import day_extrema
from tidebook.stations import ALL, AVEIRO, LEIXOES

MONTH = [date(2026, 10, 1) + timedelta(days=n) for n in range(31)]


def test_high_and_low_take_turns():
    kinds = [tide.kind for tide in day_extrema(LEIXOES, date(2026, 10, 5))]
    assert kinds in (["high", "low"] * 2, ["low", "high"] * 2)


def test_spring_tides_are_higher_than_neaps():
    spring = max(tide.height for tide in day_extrema(LEIXOES, date(2026, 10, 28)))
    neap = max(tide.height for tide in day_extrema(LEIXOES, date(2026, 10, 19)))
    assert spring - neap > 0.5


@pytest.mark.parametrize("station", ALL.values(), ids=lambda station: station.name)
def test_no_tide_is_listed_twice(station):
    listed = [tide.when for day in MONTH for tide in day_extrema(station, day)]
    gaps = [later - earlier for earlier, later in pairwise(listed)]
    assert min(gaps) > timedelta(hours=4)


def test_low_water_near_midnight():
    tides = day_extrema(AVEIRO, date(2026, 10, 28))
    assert [tide.kind for tide in tides] == ["low", "high", "low", "high"]
    assert tides[0].when.strftime("%H:%M") == "00:01"
"""

TEST_TABLE = """from datetime import date

from tidebook.stations import LEIXOES
from tidebook.table import day_table


def test_a_day_of_tides():
    assert day_table(LEIXOES, date(2026, 10, 5)).splitlines()[0] == "Leixões, Monday 05 October 2026"


def test_heights_have_one_decimal():
    for line in day_table(LEIXOES, date(2026, 10, 5)).splitlines()[1:]:
        assert line.endswith(" m") and line.split()[2].count(".") == 1
"""

# The agent writes this one; the unused import and the bare zip are what the linter complains of.
TEST_YEAR = """from collections import Counter
from datetime import date, timedelta

import pytest

from tidebook.extrema import day_extrema
from tidebook.stations import ALL

YEAR = [date(2026, 1, 1) + timedelta(days=n) for n in range(365)]


@pytest.mark.parametrize("station", ALL.values(), ids=lambda station: station.name)
def test_high_and_low_take_turns_all_year(station):
    tides = [tide for day in YEAR for tide in day_extrema(station, day)]
    twice = [
        f"{later.when:%Y-%m-%d %H:%M} {later.kind}"
        for earlier, later in zip(tides, tides[1:])
        if earlier.kind == later.kind
    ]
    assert twice == []
"""

PROJECT = """[project]
name = "tidebook"
version = "0.4.0"
requires-python = ">=3.11"

[tool.pytest.ini_options]
pythonpath = ["."]

[tool.ruff]
line-length = 110

[tool.ruff.lint]
select = ["E", "F", "I", "B"]
"""

FILES = {
    "pyproject.toml": PROJECT,
    "tidebook/__init__.py": '"""Tide tables from harmonic constituents."""\n',
    "tidebook/extrema.py": EXTREMA,
    "tidebook/harmonic.py": HARMONIC,
    "tidebook/stations.py": STATIONS,
    "tidebook/table.py": TABLE,
    "tests/test_extrema.py": TEST_EXTREMA,
    "tests/test_table.py": TEST_TABLE,
}
