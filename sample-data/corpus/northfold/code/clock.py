"""Time of the mount: receivers, rubidium, leap seconds."""

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
