"""Runs Adam with reverted epochs in NumPy, after tt_opt_adam.m of the Tensor Toolbox, and prints JSON objects.

The problem is that of adam_test.go (noisy), written a second time.
"""
import json
import sys

import numpy as np


def adam(x0, fest, gest, rate=0.01, decay=0.1, maxfails=1, subiters=100, maxepochs=100, b1=0.9, b2=0.999, eps=1e-8):
    x = x0.copy()
    m, v = np.zeros_like(x), np.zeros_like(x)
    fbest, nf, t, its, trace = np.inf, 0, 0, 0, []
    xb, ms, vs = x.copy(), m.copy(), v.copy()
    for ep in range(1, maxepochs + 2):
        fe = fest(x)
        trace.append(fe)
        good = fe < fbest
        if not good:
            nf += 1
        stop = nf > maxfails or ep == maxepochs + 1
        if good:
            xb, fbest, ms, vs = x.copy(), fe, m.copy(), v.copy()
        else:
            x, m, v = xb.copy(), ms.copy(), vs.copy()
            t -= subiters
        if stop:
            break
        step = decay**nf * rate
        for _ in range(subiters):
            t += 1
            its += 1
            g = gest(x)
            m *= b1
            m += (1 - b1) * g
            v *= b2
            v += (1 - b2) * g * g
            x = x - step * (m / (1 - b1**t)) / (np.sqrt(v / (1 - b2**t)) + eps)
    return xb, fbest, its, trace


for n in map(int, sys.argv[1:]):
    i = np.arange(n)
    h, c, calls = 1.0 + i % 5, (i % 3) / 2, 0

    def fest(x):
        e = x - c
        return float(np.sum(h * e * e / 2 + np.abs(e**3) / 3))

    def gest(x):
        global calls
        calls += 1
        e = x - c
        return h * e + np.abs(e) * e + 3 * np.sin(calls * (i + 1.0))

    x, f, its, trace = adam(np.cos(i + 1.0), fest, gest)
    print(json.dumps(dict(n=n, x=list(map(float, x)), f=f, iterations=its, trace=trace)))
