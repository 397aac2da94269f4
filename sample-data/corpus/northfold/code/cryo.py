"""Alarms of the helium compressors."""

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
