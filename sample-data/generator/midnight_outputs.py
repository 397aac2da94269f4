"""What the commands of story_midnight printed."""

FIRST_RUN = """....F..                                                                  [100%]
=================================== FAILURES ===================================
_________________________ test_low_water_near_midnight _________________________

    def test_low_water_near_midnight():
        tides = day_extrema(AVEIRO, date(2026, 10, 28))
>       assert [tide.kind for tide in tides] == ["low", "high", "low", "high"]
E       AssertionError: assert ['high', 'low', 'high'] == ['low', 'high', 'low', 'high']
E         
E         At index 0 diff: 'high' != 'low'
E         Right contains one more item: 'high'
E         Use -v to get more diff

tests/test_extrema.py:32: AssertionError
=========================== short test summary info ============================
FAILED tests/test_extrema.py::test_low_water_near_midnight - AssertionError: ...
1 failed, 6 passed in 0.09s"""

AROUND_MIDNIGHT = """27 23:48 0.8192
27 23:54 0.8138
28 00:00 0.8113
28 00:06 0.8119
28 00:12 0.8155
28 00:18 0.8222"""

TWICE = """..FFF..                                                                  [100%]
=================================== FAILURES ===================================
___________________ test_no_tide_is_listed_twice[Leix\\xf5es] ___________________

station = Station(name='Leixões', zone='Europe/Lisbon', mean=2.0, constituents={'M2': (1.05, 76.0), 'S2': (0.37, 103.0), 'N2': (0.22, 57.0), 'K1': (0.07, 61.0), 'O1': (0.06, 316.0)})

    @pytest.mark.parametrize("station", ALL.values(), ids=lambda station: station.name)
    def test_no_tide_is_listed_twice(station):
        listed = [tide.when for day in MONTH for tide in day_extrema(station, day)]
        gaps = [later - earlier for earlier, later in pairwise(listed)]
>       assert min(gaps) > timedelta(hours=4)
E       assert datetime.timedelta(0) > datetime.timedelta(seconds=14400)
E        +  where datetime.timedelta(0) = min([datetime.timedelta(seconds=22906, microseconds=106782), datetime.timedelta(seconds=23139, microseconds=385515), datet...), datetime.timedelta(seconds=23057, microseconds=106668), datetime.timedelta(seconds=23383, microseconds=265576), ...])
E        +  and   datetime.timedelta(seconds=14400) = timedelta(hours=4)

tests/test_extrema.py:27: AssertionError
_____________________ test_no_tide_is_listed_twice[Aveiro] _____________________

station = Station(name='Aveiro', zone='Europe/Lisbon', mean=1.98, constituents={'M2': (0.94, 93.0), 'S2': (0.32, 123.0), 'N2': (0.2, 74.0), 'K1': (0.07, 70.0), 'O1': (0.06, 324.0)})

    @pytest.mark.parametrize("station", ALL.values(), ids=lambda station: station.name)
    def test_no_tide_is_listed_twice(station):
        listed = [tide.when for day in MONTH for tide in day_extrema(station, day)]
        gaps = [later - earlier for earlier, later in pairwise(listed)]
>       assert min(gaps) > timedelta(hours=4)
E       assert datetime.timedelta(0) > datetime.timedelta(seconds=14400)

tests/test_extrema.py:27: AssertionError
_________________________ test_low_water_near_midnight _________________________

    def test_low_water_near_midnight():
        tides = day_extrema(AVEIRO, date(2026, 10, 28))
>       assert [tide.kind for tide in tides] == ["low", "high", "low", "high"]
E       AssertionError: assert ['low', 'high...'high', 'low'] == ['low', 'high', 'low', 'high']
E         
E         Left contains one more item: 'low'
E         Use -v to get more diff

tests/test_extrema.py:32: AssertionError
=========================== short test summary info ============================
FAILED tests/test_extrema.py::test_no_tide_is_listed_twice[Leix\\xf5es] - asse...
FAILED tests/test_extrema.py::test_no_tide_is_listed_twice[Aveiro] - assert d...
FAILED tests/test_extrema.py::test_low_water_near_midnight - AssertionError: ...
3 failed, 4 passed in 0.11s"""

SEVEN_PASS = """.......                                                                  [100%]
7 passed in 0.05s"""

YEAR_FAILS = """.......FF                                                                [100%]
=================================== FAILURES ===================================
______________ test_high_and_low_take_turns_all_year[Leix\\xf5es] _______________

station = Station(name='Leixões', zone='Europe/Lisbon', mean=2.0, constituents={'M2': (1.05, 76.0), 'S2': (0.37, 103.0), 'N2': (0.22, 57.0), 'K1': (0.07, 61.0), 'O1': (0.06, 316.0)})

    @pytest.mark.parametrize("station", ALL.values(), ids=lambda station: station.name)
    def test_high_and_low_take_turns_all_year(station):
        tides = [tide for day in YEAR for tide in day_extrema(station, day)]
        twice = [
            f"{later.when:%Y-%m-%d %H:%M} {later.kind}"
            for earlier, later in zip(tides, tides[1:])
            if earlier.kind == later.kind
        ]
>       assert twice == []
E       AssertionError: assert ['2026-11-03 ...2 06:15 high'] == []
E         
E         Left contains 2 more items, first extra item: '2026-11-03 06:03 low'
E         Use -v to get more diff

tests/test_year.py:20: AssertionError
________________ test_high_and_low_take_turns_all_year[Aveiro] _________________

>       assert twice == []
E       AssertionError: assert ['2026-01-05 ...1 06:09 high'] == []
E         
E         Left contains 4 more items, first extra item: '2026-01-05 06:11 high'
E         Use -v to get more diff

tests/test_year.py:20: AssertionError
=========================== short test summary info ============================
FAILED tests/test_year.py::test_high_and_low_take_turns_all_year[Leix\\xf5es]
FAILED tests/test_year.py::test_high_and_low_take_turns_all_year[Aveiro] - As...
2 failed, 7 passed in 0.37s"""

NINE_PASS = """.........                                                                [100%]
9 passed in 0.36s"""

LINT_YEAR = """F401 [*] `collections.Counter` imported but unused
 --> tests/test_year.py:1:25
  |
1 | from collections import Counter
  |                         ^^^^^^^
  |
help: Remove unused import: `collections.Counter`

B905 `zip()` without an explicit `strict=` parameter
  --> tests/test_year.py:17:31
   |
17 |         for earlier, later in zip(tides, tides[1:])
   |                               ^^^^^^^^^^^^^^^^^^^^^
   |
help: Add explicit value for parameter `strict=`

Found 2 errors.
[*] 1 fixable with `--fix` (1 unsafe fix available with `--fix --unsafe-fixes`)."""

YEAR_COUNTS = """Leixões 2026-03-29 ['01:51 high', '02:01 low', '02:53 high', '09:11 low', '15:21 high', '21:25 low']
Leixões 1412
Aveiro 2026-03-29 ['01:51 high', '02:02 low', '03:28 high', '09:47 low', '15:57 high', '22:01 low']
Aveiro 1412"""

SLOW_RUN = """collected 9 items

tests/test_extrema.py .....                                              [ 55%]
tests/test_table.py ..                                                   [ 77%]
tests/test_year.py ..                                                    [100%]

============================= slowest 2 durations ==============================
2.91s call     tests/test_year.py::test_high_and_low_take_turns_all_year[Aveiro]
2.88s call     tests/test_year.py::test_high_and_low_take_turns_all_year[Leix\\xf5es]
9 passed in 6.04s"""

SPRING_STEPS = """local                      UTC    height
2026-03-29T00:54:00+00:00  00:54  2.977
2026-03-29T01:00:00+00:00  01:00  3.023
2026-03-29T01:06:00+00:00  01:06  3.067
...
2026-03-29T01:48:00+00:00  01:48  3.295
2026-03-29T01:54:00+00:00  01:54  3.316
2026-03-29T02:00:00+01:00  01:00  3.023
2026-03-29T02:06:00+01:00  01:06  3.067
2026-03-29T02:12:00+01:00  01:12  3.108"""

CLOCK_FAILS = """FF.                                                                      [100%]
=================================== FAILURES ===================================
_________ test_tides_of_days_on_which_the_clocks_change[Aveiro spring] _________

    def test_tides_of_days_on_which_the_clocks_change(station, day, times):
>       assert [f"{tide.when:%H:%M}" for tide in day_extrema(station, day)] == times
E       AssertionError: assert ['01:51', '02...:57', '22:01'] == ['03:28', '09...:57', '22:01']
E         
E         At index 0 diff: '01:51' != '03:28'
E         Left contains 2 more items, first extra item: '15:57'

tests/test_clock_change.py:19: AssertionError
_______ test_tides_of_days_on_which_the_clocks_change[Leix\\xf5es spring] _______

    def test_tides_of_days_on_which_the_clocks_change(station, day, times):
>       assert [f"{tide.when:%H:%M}" for tide in day_extrema(station, day)] == times
E       AssertionError: assert ['01:51', '02...:21', '21:25'] == ['02:53', '09...:21', '21:25']
E         
E         At index 0 diff: '01:51' != '02:53'
E         Left contains 2 more items, first extra item: '15:21'

tests/test_clock_change.py:19: AssertionError
=========================== short test summary info ============================
FAILED tests/test_clock_change.py::test_tides_of_days_on_which_the_clocks_change[Aveiro spring]
FAILED tests/test_clock_change.py::test_tides_of_days_on_which_the_clocks_change[Leix\\xf5es spring]
2 failed, 1 passed in 0.03s"""

LINT_LINE = '''E501 Line too long (117 > 110)
  --> tidebook/extrema.py:22:111
   |
20 |     """Return the high and low waters of a local day, in order of time."""
21 |     zone = ZoneInfo(station.zone)
22 |     # Steps are counted in UTC: on local times they would be hours of the clock, and twice a year a day has 23 or 25.
   |                                                                                                               ^^^^^^^
   |

Found 1 error.'''

TWELVE_PASS = """............                                                             [100%]
12 passed in 0.30s"""

SPRING_TABLE = """Aveiro, Sunday 29 March 2026
  03:28  high   3.4 m
  09:47  low    0.6 m
  15:57  high   3.2 m
  22:01  low    0.7 m
Leixões 1410
Aveiro 1410"""

REFUSED = """The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the \
new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed."""
