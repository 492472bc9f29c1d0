"""Writes optima.json: the lowest f of 100 long runs of SciPy's L-BFGS-B on each
of the problems of TestConvergedMeansOptimal, whose generator is repeated here.

    python3 optima.py        # NumPy and SciPy; some minutes

f is that of the data divided by the root of the largest eigenvalue of their
second moment, as a share of ||X||^2.
"""

import json
import os

import numpy as np
from scipy.optimize import minimize

HERE = os.path.dirname(os.path.abspath(__file__))
RUNS = 100


class Draws:
    """SplitMix64, and normal numbers from two draws each (Box and Muller)."""

    def __init__(self, seed):
        self.state = np.uint64(seed)

    def uniform(self, count):
        with np.errstate(over="ignore"):
            z = self.state + np.uint64(0x9E3779B97F4A7C15) * np.arange(1, count + 1, dtype=np.uint64)
            self.state = z[-1]
            z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            z = z ^ (z >> np.uint64(31))
        return ((z >> np.uint64(11)) + 0.5) / 2.0**53

    def normal(self, count):
        u = self.uniform(2 * count)
        return np.sqrt(-2 * np.log(u[::2])) * np.cos(2 * np.pi * u[1::2])


def clusters(offset):
    """Four clusters far from the origin, in turn."""
    n, p, r = 12, 4000, 4
    g = Draws(1)
    means = g.normal(r * n).reshape(r, n)
    return offset + 2 * means[np.arange(p) % r] + 0.1 * g.normal(p * n).reshape(p, n)


def skewed():
    """Symmetric data with a small skewed part in three variables."""
    n, p = 12, 4000
    g = Draws(1)
    z = g.normal(p * n).reshape(p, n)
    x = np.repeat(z, 2, axis=0)
    x[1::2] *= -1
    x[:, :3] += 0.02 * (-np.log(g.uniform(2 * p * 3)).reshape(2 * p, 3) - 1)
    return 1000 * x


def wine():
    return np.loadtxt(os.path.join(HERE, "wine.csv"), delimiter=",", skiprows=1)


def tensor(x, d):
    """The moment, unfolded: n x n^(d-1)."""
    p, n = x.shape
    left = x / p
    right = np.ones((p, 1))
    for _ in range(d - 1):
        right = (right[:, :, None] * x[:, None, :]).reshape(p, -1)
    return left.T @ right


def best(x, d, r):
    p, n = x.shape
    unit = np.sqrt(np.linalg.eigvalsh(x.T @ x / p)[-1])
    x = x / unit
    t = tensor(x, d)
    alpha = np.sum(t * t)

    def fg(v):
        lam, a = v[:r], v[r:].reshape(r, n)
        power = np.ones((r, 1))
        for _ in range(d - 1):
            power = (power[:, :, None] * a[:, None, :]).reshape(r, -1)
        y = power @ t.T
        w = np.sum(a * y, axis=1)
        b = a @ a.T
        c = b ** (d - 1)
        u = (b * c) @ lam
        f = alpha + lam @ u - 2 * w @ lam
        ga = -2 * d * lam[:, None] * (y - (c * lam) @ a)
        return f / alpha, np.concatenate([-2 * (w - u), ga.ravel()]) / alpha

    found = []
    for k in range(RUNS):
        rng = np.random.default_rng(k)
        a = rng.standard_normal((r, p)) @ x
        a /= np.linalg.norm(a, axis=1, keepdims=True)
        if d % 2:
            a *= np.where(np.sum((x @ a.T) ** d, axis=0) < 0, -1, 1)[:, None]
        v = np.concatenate([np.ones(r), a.ravel()])
        # Again from where it stopped: a new memory gets past a failed line search.
        for _ in range(5):
            v = minimize(fg, v, jac=True, method="L-BFGS-B",
                         options=dict(maxcor=20, maxiter=20000, maxfun=40000, ftol=0, gtol=0)).x
        found.append(fg(v)[0])
    return min(found), float(np.median(found))


if __name__ == "__main__":
    problems = {
        "clusters at 10": (clusters(10), 3, 4),
        "clusters at 30": (clusters(30), 3, 4),
        "skewed": (skewed(), 3, 2),
        "wine": (wine(), 4, 3),
    }
    out = {}
    for name, (x, d, r) in problems.items():
        f, median = best(x, d, r)
        out[name] = {"order": d, "rank": r, "relative_error": f}
        print(f"{name}: {f:.6g}, median {median:.6g}", flush=True)
    with open(os.path.join(HERE, "optima.json"), "w") as file:
        json.dump(out, file, indent=1)
        file.write("\n")
