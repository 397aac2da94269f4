"""Air supports of the primary."""

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
