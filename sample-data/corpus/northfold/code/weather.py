"""When to close because of the weather."""

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
