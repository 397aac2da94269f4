"""Motion of the dome and its shutter."""

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
