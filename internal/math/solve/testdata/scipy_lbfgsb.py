"""Runs SciPy's L-BFGS-B on a few problems and prints one JSON object a line.

The problems are those of e2e_test.go, written a second time from their sources.
"""
import json
import sys

import numpy as np
from scipy.optimize import minimize

INF = float("inf")


def rosenbrock(x):
    a, b = x[1:] - x[:-1] ** 2, 1 - x[:-1]
    g = np.zeros_like(x)
    g[:-1] = -400 * a * x[:-1] - 2 * b
    g[1:] += 200 * a
    return np.sum(100 * a**2 + b**2), g


def biggs5(x):
    f, g = 0.0, np.zeros(5)
    for i in range(1, 12):
        z = i / 10
        y = np.exp(-z) - 5 * np.exp(-10 * z) + 3 * np.exp(-4 * z)
        e1, e2, e5 = np.exp(-x[0] * z), np.exp(-x[1] * z), np.exp(-x[4] * z)
        r = x[2] * e1 - x[3] * e2 + 3 * e5 - y
        f += r * r
        g += 2 * r * np.array([-z * x[2] * e1, z * x[3] * e2, e1, -e2, -3 * z * e5])
    return f, g


def wood(x):
    p, q, u, v = x[1] - x[0] ** 2, x[3] - x[2] ** 2, x[1] - 1, x[3] - 1
    f = 100 * p**2 + (1 - x[0]) ** 2 + 90 * q**2 + (1 - x[2]) ** 2 + 10.1 * (u**2 + v**2) + 19.8 * u * v
    g = [-400 * p * x[0] - 2 * (1 - x[0]), 200 * p + 20.2 * u + 19.8 * v,
         -360 * q * x[2] - 2 * (1 - x[2]), 180 * q + 20.2 * v + 19.8 * u]
    return f, np.array(g)


def hs4(x):
    return (x[0] + 1) ** 3 / 3 + x[1], np.array([(x[0] + 1) ** 2, 1.0])


def hs5(x):
    c, d = np.cos(x[0] + x[1]), x[0] - x[1]
    f = np.sin(x[0] + x[1]) + d * d - 1.5 * x[0] + 2.5 * x[1] + 1
    return f, np.array([c + 2 * d - 1.5, c - 2 * d + 2.5])


def hs45(x):
    g = np.array([-np.prod(np.delete(x, i)) / 120 for i in range(5)])
    return 2 - np.prod(x) / 120, g


def hs110(x):
    p, q, prod = np.log(x - 2), np.log(10 - x), np.prod(x) ** 0.2
    return np.sum(p**2 + q**2) - prod, 2 * p / (x - 2) - 2 * q / (10 - x) - 0.2 * prod / x


def cubes(n, r):
    i, j = np.arange(n)[:, None], np.arange(r)[None, :]
    b = np.cos((i + 1.0) * (j + 1)) / np.sqrt(n)
    a0 = b + 0.3 * np.sin(7.0 * i + 3 * j + 1) / np.sqrt(n)

    def fg(x):
        a = x.reshape(r, n).T
        aa, ab, bb = a.T @ a, a.T @ b, b.T @ b
        f = np.sum(aa**3) - 2 * np.sum(ab**3) + np.sum(bb**3)
        return f, (6 * (a @ aa**2 - b @ (ab**2).T)).T.ravel()

    return fg, a0.T.ravel()


fg_cubes, x_cubes = cubes(20, 4)
PROBLEMS = {
    "Rosenbrock2": (rosenbrock, [-1.2, 1], None),
    "Rosenbrock100": (rosenbrock, [-1.2, 1] * 50, None),
    "BiggsEXP5": (biggs5, [1, 2, 1, 1, 1], None),
    "Wood": (wood, [-3, -1, -3, -1], None),
    "cubeSum": (fg_cubes, x_cubes, None),
    "HS1": (rosenbrock, [-2, 1], [(-INF, INF), (-1.5, INF)]),
    "HS2": (rosenbrock, [2, 1], [(-INF, INF), (1.5, INF)]),
    "HS4": (hs4, [1.125, 0.125], [(1, INF), (0, INF)]),
    "HS5": (hs5, [0, 0], [(-1.5, 4), (-3, 3)]),
    "HS38": (wood, [-3, -1, -3, -1], [(-10, 10)] * 4),
    "HS45": (hs45, [2] * 5, [(0, k) for k in range(1, 6)]),
    "HS110": (hs110, [9] * 10, [(2.001, 9.999)] * 10),
    "cubeSum nonnegative": (fg_cubes, x_cubes, [(0, INF)] * 80),
}

for name, (fg, x0, bounds) in PROBLEMS.items():
    res = minimize(fg, np.array(x0, float), jac=True, method="L-BFGS-B", bounds=bounds, options=dict(
        maxcor=5, ftol=float(sys.argv[1]), gtol=float(sys.argv[2]), maxiter=10000, maxfun=50000))
    print(json.dumps(dict(name=name, f=float(res.fun), x=list(map(float, res.x)), evaluations=int(res.nfev),
                          iterations=int(res.nit), message=str(res.message))))
