#!/usr/bin/env python3
"""What scikit-learn finds on seeded data: logistic regression of two and three classes, linear discriminants.
Writes probes.safetensors beside itself (needs: pip install scikit-learn safetensors)."""
import pathlib
import numpy as np
from safetensors.numpy import save_file
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

random = np.random.default_rng(7)
n, d = 150, 12
# Columns of unlike scales, one that is constant, and classes that overlap.
rows = random.normal(size=(n, d)) * np.geomspace(0.1, 20, d) + random.normal(size=d)
rows[:, 5] = 3.0
rows = rows.astype(np.float32)
wide = rows.astype(np.float64)
scaled = StandardScaler().fit_transform(wide)
noisy = scaled @ random.normal(size=(d, 3)) + 2 * random.normal(size=(n, 3))
three = noisy.argmax(1)
two = (noisy[:, 0] > noisy[:, 1]).astype(np.int64)

out = {"rows": rows, "two": two.astype(np.int32), "three": three.astype(np.int32)}
for name, labels in (("two", two), ("three", three)):
    for c in (1.0, 0.05):
        fit = LogisticRegression(C=c, tol=1e-12, max_iter=100_000).fit(scaled, labels)
        out[f"{name}.{c}.coefficients"] = fit.coef_
        out[f"{name}.{c}.intercepts"] = fit.intercept_
        out[f"{name}.{c}.probabilities"] = fit.predict_proba(scaled)
raw = LogisticRegression(C=1.0, tol=1e-12, max_iter=1_000_000).fit(wide[:, 4:], two)
out["raw.coefficients"], out["raw.intercepts"] = raw.coef_, raw.intercept_
# Without the constant column its covariance is regular.
free = np.delete(wide, 5, axis=1)
out["free"] = free.astype(np.float32)
one, other = free[two == 1], free[two == 0]
out["mean.direction"] = one.mean(0) - other.mean(0)
within = ((one - one.mean(0)).T @ (one - one.mean(0)) + (other - other.mean(0)).T @ (other - other.mean(0))) / n
out["covariance.direction"] = np.linalg.solve(within, one.mean(0) - other.mean(0))
sized = LinearDiscriminantAnalysis(solver="lsqr").fit(free, two)
assert np.allclose(sized.coef_[0], out["covariance.direction"], rtol=1e-8)
out["covariance.threshold"] = np.array([out["covariance.direction"] @ (one.mean(0) + other.mean(0)) / 2])
save_file({k: np.ascontiguousarray(v) for k, v in out.items()}, pathlib.Path(__file__).with_name("probes.safetensors"))
