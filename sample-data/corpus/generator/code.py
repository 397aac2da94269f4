"""Control code in Python: a module a subsystem, with the figures of the manuals (and one that disagrees)."""

MODULES = {
    "dome.py": '''"""Motion of the dome and its shutter."""

FOLLOW_ERROR_DEG = 1.5
GUST_CLOSE_MS = 18.0
GUST_OPEN_MS = 14.0
GUST_WAIT_S = 20 * 60
HEARTBEAT_S = 3.0


def shutter_speed(dome_air):
    """The share of full speed at which the shutter may move."""
    # The manual says -15; the drive stalls from -12 on, see WO-2143.
    if dome_air < -12.0:
        return 0.5
    return 1.0


def may_open(gusts, since_calm, wind_from):
    """Whether wind allows the shutter to open, and which leaves.

    gusts: the strongest of the last ten minutes, m/s
    since_calm: seconds since they fell below GUST_OPEN_MS
    wind_from: degrees, 0 is north
    """
    if gusts >= GUST_CLOSE_MS or since_calm < GUST_WAIT_S:
        return set()
    leaves = {"upper", "lower"}
    if gusts >= 11.0 and (wind_from > 315 or wind_from < 45):
        leaves.discard("lower")
    return leaves


def follow(dome, telescope):
    """The turn that brings the slit over the telescope, 0 while the error is small."""
    error = (telescope - dome + 180.0) % 360.0 - 180.0
    return error if abs(error) > FOLLOW_ERROR_DEG else 0.0
''',
    "guider.py": '''"""Corrections from the guide camera."""

WAIT_AFTER_LOSS_S = 12.0
LOST_AFTER_S = 5.0


class Guider:
    """Finds the guide star ten times a second and says how far to move."""

    def __init__(self, camera, mount):
        self.camera = camera
        self.mount = mount
        self.seen = None

    def step(self, now):
        stars = self.camera.stars()
        if len(stars) > 1:
            raise GuideError("GS-32", "two stars in the window")
        if not stars:
            if self.seen is not None and now - self.seen > LOST_AFTER_S:
                raise GuideError("GS-31", "the star is lost")
            return None
        self.seen = now
        return stars[0].offset

    def recover(self, now, lost_at):
        """After a loss the telescope is not moved until the wait is over."""
        return now - lost_at >= WAIT_AFTER_LOSS_S


class GuideError(Exception):
    def __init__(self, code, text):
        super().__init__(f"{code}: {text}")
        self.code = code
''',
    "weather.py": '''"""When to close because of the weather."""

HUMIDITY_END = 88.0
DEW_MARGIN_C = 2.0
DRY_FOR_S = 30 * 60
RAIN_WARM_UP_S = 90


def reason_to_end(humidity, air, dew_point):
    """A sentence, or None where observing may go on."""
    if humidity >= HUMIDITY_END:
        return "humidity"
    if air - dew_point <= DEW_MARGIN_C:
        return "dew"
    return None


def is_wet(sensors, up_for):
    """One wet sensor is enough; RS-2 does not count while it warms up."""
    return any(s.wet for s in sensors if not (s.name == "RS-2" and up_for < RAIN_WARM_UP_S))
''',
    "mirror.py": '''"""Air supports of the primary."""

FAULT_N = 8.0
PARK_AT = 3


def faulty(forces, neighbors):
    """Supports that hold more than their neighbors do by FAULT_N."""
    wrong = []
    for index, force in enumerate(forces):
        around = [forces[n] for n in neighbors[index]]
        if abs(force - sum(around) / len(around)) > FAULT_N:
            wrong.append(index)
    return wrong


def must_park(forces, neighbors):
    return len(faulty(forces, neighbors)) >= PARK_AT
''',
    "cryo.py": '''"""Alarms of the helium compressors."""

LOW_PRESSURE_BAR = 15.2
WATER_HOT_C = 27.0
STOP_AFTER_S = 60


def alarms(pressure, water, hot_for):
    found = []
    if pressure < LOW_PRESSURE_BAR:
        found.append(("CR-12", "low helium pressure", False))
    if water > WATER_HOT_C:
        found.append(("CR-14", "cooling water is hot", hot_for > STOP_AFTER_S))
    return found
''',
    "clock.py": '''"""Time of the mount: receivers, rubidium, leap seconds."""

HOLDOVER_S = 19 * 3600


def source(receivers, lost_for):
    """Which clock is to be believed."""
    if any(r.locked for r in receivers):
        return "satellite"
    return "rubidium" if lost_for < HOLDOVER_S else "none"


def leap_set(mount, seconds):
    """Tells the mount how many leap seconds there are: it does not ask the receivers."""
    if not 10 <= seconds <= 60:
        raise ValueError("leap seconds are between 10 and 60")
    mount.write("LEAP", seconds)
''',
    "laser.py": '''"""Interlocks of the rangefinder."""

MINIMUM_ALTITUDE_DEG = 20.0
AIRCRAFT_DEG = 6.0


def may_fire(altitude, aircraft, people_with_course):
    """Never below the altitude, never near an aircraft, never alone."""
    if altitude < MINIMUM_ALTITUDE_DEG:
        return False
    if any(distance < AIRCRAFT_DEG for distance in aircraft):
        return False
    return people_with_course >= 2
''',
}


def files(_):
    for name, text in MODULES.items():
        yield f"code/{name}", text
