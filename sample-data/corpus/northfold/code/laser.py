"""Interlocks of the rangefinder."""

MINIMUM_ALTITUDE_DEG = 20.0
AIRCRAFT_DEG = 6.0


def may_fire(altitude, aircraft, people_with_course):
    """Never below the altitude, never near an aircraft, never alone."""
    if altitude < MINIMUM_ALTITUDE_DEG:
        return False
    if any(distance < AIRCRAFT_DEG for distance in aircraft):
        return False
    return people_with_course >= 2
