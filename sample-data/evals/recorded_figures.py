"""The figures in the head of a recorded run, as this program computes them of its samples."""

import math

T24 = 2.0638985616280205  # 97.5 % of Student's distribution with 24 degrees of freedom: 25 clusters


def student(degrees, steps=2_000):
    """97.5 % of Student's distribution, by bisection: P(|T| < t) is the integral of cos^(v - 1) from 0 to atan(t / sqrt v)."""
    scale = 2 * math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(math.pi)

    def within(angle):
        width = angle / steps
        inner = sum((4 if place % 2 else 2) * math.cos(place * width) ** (degrees - 1) for place in range(1, steps))
        return scale * width / 3 * (1 + inner + math.cos(angle) ** (degrees - 1))

    low, high = 0.0, math.pi / 2 - 1e-9
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if within(middle) < 0.95 else (low, middle)
    return math.sqrt(degrees) * math.tan(low)


def wilson(share, error, degrees):
    """Wilson's interval of share (1 - share) / error² hits and misses, with t for z."""
    count, t = share * (1 - share) / error ** 2, student(degrees)
    center, half = share + t * t / (2 * count), t * math.sqrt(share * (1 - share) / count + t * t / (4 * count ** 2))
    return (center - half) / (1 + t * t / count), (center + half) / (1 + t * t / count)


def metric(score, place, records):
    """The mean with its clustered standard error (Liang, Zeger 1986) and interval."""
    scored = [(r["values"][place], r["cluster"]) for r in records if r["values"][place] is not None]
    mean = sum(v for v, _ in scored) / len(scored)
    sums = {}
    for value, cluster in scored:
        sums[cluster] = sums.get(cluster, 0.0) + value - mean
    groups, squares = len(sums), sum(s * s for s in sums.values())
    error = math.sqrt(squares * groups / (groups - 1)) / len(scored)
    if all(v in (0.0, 1.0) for v, _ in scored):
        kurtosis = groups * sum(s ** 4 for s in sums.values()) / squares ** 2
        degrees = min(2 * groups / (kurtosis - (groups - 3) / (groups - 1)), groups - 1)
        lower, upper = wilson(mean, error, degrees)
    else:
        lower, upper = mean - T24 * error, mean + T24 * error
    result = {
        "score": score, "name": "mean", "value": mean, "standard_error": error, "lower": lower, "upper": upper,
        "level": 0.95, "count": len(scored), "higher_is_better": True}
    missing = sum(1 for r in records if r["outcome"] != "error") - len(scored)
    if missing:
        result["note"] = f"{missing} of {len(scored) + missing} samples could not be scored"
    return result
