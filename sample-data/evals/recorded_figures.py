"""The figures in the head of a recorded run, as this program computes them of its samples."""

import math

Z = 1.959963984540054  # 97.5 % of the normal distribution
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


def score(share, spread):
    """All q with (share - q)² <= spread q (1 - q): Wilson's interval for spread z² / n."""
    center, half = share + spread / 2, math.sqrt(spread * share * (1 - share) + spread ** 2 / 4)
    return (center - half) / (1 + spread), (center + half) / (1 + spread)


def averaged(clusters):
    """The score interval averaged over correlations of clusters (ClusteredShare); of each cluster, its size and hits."""
    count, hits = sum(size for size, _ in clusters), sum(hits for _, hits in clusters)
    share, size = hits / count, sum(size * size for size, _ in clusters) / count
    edges = [(place / 40) ** 2 for place in range(41)]
    nodes = [((a + b) / 2, b - a) for a, b in zip(edges, edges[1:])]

    def rising(number, start, step):
        return sum(math.log(start + place * step) for place in range(number))

    def beta(q, r):
        return sum(rising(h, q * (1 - r), r) + rising(m - h, (1 - q) * (1 - r), r) - rising(m, 1 - r, r)
                   for m, h in clusters)

    def common(q, r):
        s, total = math.sqrt(r), 0.0
        for m, h in clusters:
            one, other = (math.log(w) + h * math.log(c) + (m - h) * math.log1p(-c)
                          for w, c in ((1 - q, (1 - s) * q), (q, s + (1 - s) * q)))
            total += max(one, other) + math.log1p(math.exp(min(one, other) - max(one, other)))
        return total

    def p(q):
        z = abs(share - q) / math.sqrt(q * (1 - q) / count)
        found = [(math.log(2 / 3) + hits * math.log(q) + (count - hits) * math.log1p(-q), 0.0)]
        for r, width in nodes:
            found.append((math.log(width / 6) + beta(q, r), r))
            found.append((math.log(width / 6) + common(q, 0.6 * r), 0.6 * r))
        largest = max(weight for weight, _ in found)
        weights = [math.exp(weight - largest) for weight, _ in found]
        tails = [math.erfc(z / math.sqrt(2 * (1 + (size - 1) * r))) for _, r in found]
        return sum(w * t for w, t in zip(weights, tails)) / sum(weights)

    least, most = score(share, Z * Z / count), score(share, Z * Z * size / count)

    def edge(outer, inner):
        for _ in range(20):
            middle = (outer + inner) / 2
            outer, inner = (middle, inner) if p(middle) < 0.05 else (outer, middle)
        return (outer + inner) / 2

    return edge(most[0], least[0]), edge(most[1], least[1])


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
        sizes, hits = {}, {}
        for value, cluster in scored:
            sizes[cluster] = sizes.get(cluster, 0) + 1
            hits[cluster] = hits.get(cluster, 0) + int(value)
        clusters = [(sizes[cluster], hits[cluster]) for cluster in sums]
        # Many clusters with hits and misses tell their own standard error; 20 degrees of freedom do not.
        weight = min(max((degrees - 20) / 40, 0), 1)
        known = wilson(mean, error, degrees)
        lower, upper = (a + weight * (b - a) for a, b in zip(averaged(clusters), known))
    else:
        lower, upper = mean - T24 * error, mean + T24 * error
    result = {
        "score": score, "name": "mean", "value": mean, "standard_error": error, "lower": lower, "upper": upper,
        "level": 0.95, "count": len(scored), "higher_is_better": True}
    missing = sum(1 for r in records if r["outcome"] != "error") - len(scored)
    if missing:
        result["note"] = f"{missing} of {len(scored) + missing} samples could not be scored"
    return result
