#!/usr/bin/env python3
"""Writes statistics.json, the reference values for distributions, tests, agreement, and drift.

The inputs include edge cases: ties, one class, constants, and single values. All random inputs use a fixed seed. The
file is written next to this script. None means "undefined".

Needs numpy, scipy, scikit-learn, statsmodels, krippendorff, and fairlearn.
"""
import json
import math
import os
import warnings

import krippendorff
import numpy as np
from fairlearn import metrics as fair
from scipy import stats
from scipy.spatial.distance import jensenshannon
from sklearn import metrics
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

warnings.simplefilter("ignore")
random = np.random.default_rng(20)
out = {}


def number(value):
    value = float(value)
    return value if math.isfinite(value) else None


points = [-38.0, -9.5, -3.0, -1.0, -1e-9, 0.0, 0.4, 1.0, 2.5, 6.0, 12.0]
shares = [1e-12, 1e-6, 0.001, 0.025, 0.2, 0.5, 0.7, 0.975, 0.999999]
out["normal"] = {
    "x": points, "cdf": stats.norm.cdf(points).tolist(), "sf": stats.norm.sf(points).tolist(),
    "p": shares, "quantile": stats.norm.ppf(shares).tolist(),
}
out["student"] = [
    {"degrees": v, "x": points, "cdf": stats.t.cdf(points, v).tolist(), "sf": stats.t.sf(points, v).tolist(),
     "p": shares, "quantile": stats.t.ppf(shares, v).tolist()}
    for v in [1, 2, 3.5, 10, 49, 1000, 100000]
]
out["chi_squared"] = [
    {"degrees": v, "x": [0.0, 0.001, 0.5, 1, 4, 30, 120, 900], "p": shares,
     "cdf": stats.chi2.cdf([0, 0.001, 0.5, 1, 4, 30, 120, 900], v).tolist(),
     "sf": stats.chi2.sf([0, 0.001, 0.5, 1, 4, 30, 120, 900], v).tolist(),
     "quantile": stats.chi2.ppf(shares, v).tolist()}
    for v in [1, 2, 9, 64, 500]
]
out["beta"] = [
    {"a": a, "b": b, "x": [0.0, 1e-6, 0.01, 0.3, 0.5, 0.9, 1.0], "p": shares,
     "cdf": stats.beta.cdf([0.0, 1e-6, 0.01, 0.3, 0.5, 0.9, 1.0], a, b).tolist(),
     "quantile": stats.beta.ppf(shares, a, b).tolist()}
    for a, b in [(0.5, 0.5), (1, 1), (2, 7), (40, 3), (3000, 5000)]
]
out["binomial"] = [
    {"n": n, "p": p, "k": ks, "pmf": stats.binom.pmf(ks, n, p).tolist(), "cdf": stats.binom.cdf(ks, n, p).tolist(),
     "sf": stats.binom.sf(ks, n, p).tolist()}
    for n, p, ks in [(1, 0.5, [-1, 0, 1, 2]), (10, 0.0, [0, 1]), (10, 1.0, [9, 10]), (20, 0.3, [0, 3, 6, 20]),
                     (5000, 0.5, [2300, 2500, 2600])]
]
kolmogorov = []
for n, m, shift in [(1, 1, 0), (3, 4, 0.5), (7, 7, 1.5), (40, 60, 0.3), (200, 150, 0.9), (500, 400, 0)]:
    a, b = random.normal(size=n).round(6), (random.normal(size=m) + shift).round(6)
    test = stats.ks_2samp(a, b)
    kolmogorov.append({"a": a.tolist(), "b": b.tolist(), "statistic": test.statistic, "p": test.pvalue})
a, b = random.integers(0, 4, 30).astype(float), random.integers(0, 5, 25).astype(float)
test = stats.ks_2samp(a, b)
kolmogorov.append({"a": a.tolist(), "b": b.tolist(), "statistic": test.statistic, "p": test.pvalue})
out["kolmogorov"] = kolmogorov

out["proportions"] = [
    {"hits": h, "n": n, "level": level, "wilson": list(proportion_confint(h, n, 1 - level, "wilson")),
     "exact": list(proportion_confint(h, n, 1 - level, "beta"))}
    for h, n, level in [(0, 1, 0.95), (1, 1, 0.95), (0, 50, 0.9), (50, 50, 0.99), (3, 17, 0.95), (4321, 9999, 0.95)]
]
out["mcnemar"] = [
    {"fixed": f, "broken": b, "exact": mcnemar([[0, b], [f, 0]], exact=True).pvalue,
     "corrected": mcnemar([[0, b], [f, 0]], exact=False, correction=True).pvalue}
    for f, b in [(0, 1), (1, 5), (30, 62), (500, 400), (12, 0)]
]
wilcoxon = []
for values in [random.normal(0.2, 1, 40).round(1), random.integers(-2, 3, 60).astype(float), np.array([0, 0, 1.0]),
               np.array([3.0])]:
    test = stats.wilcoxon(values, zero_method="pratt", correction=False, method="asymptotic")
    wilcoxon.append({"d": values.tolist(), "statistic": float(test.statistic), "p": float(test.pvalue)})
out["wilcoxon"] = wilcoxon
unpaired = []
for a, b in [(random.normal(size=12), random.normal(0.8, 3, 9)), (np.array([1.0, 2.0]), np.array([2.0, 5.0, 9.0]))]:
    test = stats.ttest_ind(b, a, equal_var=False)
    bounds = test.confidence_interval(0.95)
    # SciPy doubles the smaller tail; this counts both tails.
    exact = stats.permutation_test((b, a), lambda x, y: abs(x.mean() - y.mean()), n_resamples=10**7, alternative="greater")
    unpaired.append({"a": a.tolist(), "b": b.tolist(), "p": test.pvalue, "degrees": test.df, "lower": bounds.low,
                     "upper": bounds.high, "permutation": exact.pvalue if len(a) < 10 else None})
out["unpaired"] = unpaired
signs = []
for d in [random.normal(0.4, 1, 12), np.array([1.0, 2.0, -3.0, 0.0, 5.0]), np.array([2.0, 2.0, -2.0, 2.0, 2.0, 0.0])]:
    ways = [abs(sum(v if way >> i & 1 else -v for i, v in enumerate(d))) for way in range(1 << len(d))]
    seen = abs(d.sum())
    signs.append({"d": d.tolist(), "p": sum(w >= seen - 1e-9 for w in ways) / len(ways)})
out["sign_flip"] = signs
out["adjusted"] = [
    {"p": p, "holm": multipletests(p, method="holm")[1].tolist(), "bh": multipletests(p, method="fdr_bh")[1].tolist()}
    for p in [[0.04], [0.5, 0.5, 0.01, 0.01], [0.9, 0.8, 1.0, 0.0], random.uniform(0, 0.2, 25).tolist()]
]

classes = []
for n, k, noise in [(60, 4, 0.4), (200, 7, 0.9), (1, 2, 0.0), (30, 1, 0.0), (40, 2, 1.0)]:
    y = random.integers(0, k, n)
    p = np.where(random.random(n) < noise, random.integers(0, k + 1, n), y)
    third = np.where(random.random(n) < noise, random.integers(0, k, n), y)
    entry = {"y": y.tolist(), "p": p.tolist(), "third": third.tolist()}
    for average in ["macro", "micro", "weighted"]:
        entry[average] = [metrics.precision_score(y, p, average=average), metrics.recall_score(y, p, average=average),
                          metrics.f1_score(y, p, average=average), metrics.fbeta_score(y, p, beta=2, average=average),
                          metrics.fbeta_score(y, p, beta=0.5, average=average)]
    entry["balanced"] = metrics.balanced_accuracy_score(y, p)
    single = len(set(y)) == 1 or len(set(p)) == 1
    entry["mcc"] = None if single else metrics.matthews_corrcoef(y, p)
    for weights in [None, "linear", "quadratic"]:
        entry[f"kappa_{weights or 'none'}"] = number(metrics.cohen_kappa_score(y, p, weights=weights))
    table = aggregate_raters(np.array([y, p, third]).T)[0]
    entry["fleiss"] = number(fleiss_kappa(table)) if table.shape[1] > 1 else None
    classes.append(entry)
out["classes"] = classes
alphas = []
for raters, items, gaps in [(3, 20, 0.2), (5, 12, 0.5), (2, 30, 0.0)]:
    truth = random.integers(1, 6, items)
    ratings = np.array([np.where(random.random(items) < 0.6, truth, random.integers(1, 6, items)) for _ in range(raters)], float)
    ratings[random.random(ratings.shape) < gaps] = np.nan
    entry = {"ratings": [[number(v) for v in row] for row in ratings]}
    for level in ["nominal", "ordinal", "interval"]:
        entry[level] = krippendorff.alpha(reliability_data=ratings, level_of_measurement=level)
    alphas.append(entry)
out["alpha"] = alphas

ranked = []
for n, digits in [(80, 1), (300, 6), (25, 0)]:
    y = random.integers(0, 2, n)
    s = np.clip(random.normal(0.4 + 0.2 * y, 0.25), 0, 1).round(digits)
    fpr, tpr, _ = metrics.roc_curve(y, s, drop_intermediate=False)
    ranked.append({"y": y.tolist(), "s": s.tolist(), "area": metrics.roc_auc_score(y, s),
                   "average_precision": metrics.average_precision_score(y, s), "fpr": fpr.tolist(), "tpr": tpr.tolist(),
                   "log_loss": metrics.log_loss(y, s), "brier": metrics.brier_score_loss(y, s)})
out["ranked"] = ranked
y = random.integers(0, 3, 50)
p = random.dirichlet([1, 1, 1], 50)
out["probabilities"] = {"y": y.tolist(), "p": p.tolist(), "log_loss": metrics.log_loss(y, p),
                        "brier": float((((p - np.eye(3)[y]) ** 2).sum(1)).mean())}

pairs = []
for x, y in [(random.normal(size=30), random.normal(size=30)), (random.integers(0, 4, 50), random.integers(0, 3, 50)),
             (np.arange(6), np.arange(6)[::-1]), (np.ones(5), np.arange(5)), (np.array([1.0]), np.array([2.0])),
             (np.repeat(np.arange(5), 4), np.tile(np.arange(4), 5))]:
    short = len(x) < 2
    pairs.append({"x": x.tolist(), "y": y.tolist(), "pearson": None if short else number(stats.pearsonr(x, y)[0]),
                  "spearman": None if short else number(stats.spearmanr(x, y)[0]),
                  "kendall": None if short else number(stats.kendalltau(x, y)[0])})
out["correlation"] = pairs

drifts = []
for reference, current in [(random.normal(size=300), random.normal(0.5, 1, 200)), (random.exponential(1, 100), random.exponential(3, 120)),
                           (np.ones(40), np.full(30, 2.0)), (random.integers(0, 3, 90).astype(float), random.integers(1, 4, 80).astype(float)),
                           (np.array([1.0]), np.array([1.0]))]:
    reference, current = reference.round(4), current.round(4)
    edges = np.histogram_bin_edges(np.concatenate([reference, current]), bins="sturges")
    h0, h1 = np.histogram(reference, edges)[0] / len(reference), np.histogram(current, edges)[0] / len(current)

    def filled(h):
        least = h[h > 0].min()
        return np.where(h == 0, least / 1e6 if least <= 1e-4 else 1e-4, h)

    if len(set(reference)) > 20:
        r, c = filled(h0), filled(h1)
    else:
        keys = sorted(set(reference) | set(current))
        r = filled(np.array([(reference == k).mean() for k in keys]))
        c = filled(np.array([(current == k).mean() for k in keys]))
    distance = stats.wasserstein_distance(reference, current)
    drifts.append({"reference": reference.tolist(), "current": current.tolist(), "psi": float(((r - c) * np.log(r / c)).sum()),
                   "wasserstein": distance, "normed": distance / max(np.std(reference), 0.001),
                   "shannon": number(jensenshannon(h0, h1, base=2))})
out["drift"] = drifts

y = random.integers(0, 2, 120)
p = np.where(random.random(120) < 0.7, y, random.integers(0, 2, 120))
g = np.array(["p", "q", "r"])[random.integers(0, 3, 120)]
out["fairness"] = {"y": y.tolist(), "p": p.tolist(), "g": g.tolist(),
                   "figures": [fair.demographic_parity_difference(y, p, sensitive_features=g),
                               fair.demographic_parity_ratio(y, p, sensitive_features=g),
                               fair.equalized_odds_difference(y, p, sensitive_features=g),
                               fair.equalized_odds_ratio(y, p, sensitive_features=g),
                               fair.equal_opportunity_difference(y, p, sensitive_features=g)]}

import statsmodels.api as sm  # noqa: E402  (heavy; only here)

clustered = []
for sizes in [[3, 1, 8, 2, 2, 5], [1] * 20, [10, 10]]:
    groups = np.repeat(np.arange(len(sizes)), sizes)
    values = random.normal(size=len(groups)) + random.normal(size=len(sizes))[groups]
    fit = sm.OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False})
    clustered.append({"values": values.tolist(), "groups": groups.tolist(), "mean": values.mean(), "error": float(fit.bse[0])})
out["clustered"] = clustered

data = random.exponential(1, 40)
boot = stats.bootstrap((data,), np.mean, n_resamples=100000, method="BCa", random_state=1)
plain = stats.bootstrap((data,), np.mean, n_resamples=100000, method="percentile", random_state=1)
out["bootstrap"] = {"values": data.tolist(), "bca": list(boot.confidence_interval), "percentile": list(plain.confidence_interval)}

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "statistics.json"), "w") as file:
    json.dump(out, file, default=float)
    file.write("\n")
