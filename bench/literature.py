"""The literature beside symmom: the peer of `go run ./bench literature`.

MEITD is run as its authors published it, from the directory that SYMMOM_MEITD names; the
others are written here from their formulas. Seconds are as in gmm.py, the answers too.
"""
import contextlib
import hashlib
import io
import os
import sys
import time
import warnings

import numpy as np
import scipy.linalg
from scipy.optimize import least_squares, line_search, minimize, nnls
from scipy.stats import multivariate_normal

import gmm
from gmm import timed
from serve import serve


SOLVER = "48f352e0ac70248a212eca6e97942ff65d4c0180cbbaf567e07ff84d1e2d29b8"  # SHA-256 of MEITD's solver


class Peer(gmm.Peer):
    def demo(self, n, r, p, seed, path):
        """What MEITD's demo draws: means standard normal, standard deviations |N(0, 1)|, .01 at
        least, weights uniform in 1..5. The truth is, as there, that of the sample."""
        np.random.seed(seed)
        normal = multivariate_normal(cov=np.eye(n))
        w = np.random.uniform(1, 5, r)
        sd, means = np.maximum(np.abs(normal.rvs(r)), .01), normal.rvs(r)
        counts = np.bincount(np.random.choice(r, p, p=w / w.sum()), minlength=r)
        parts = [multivariate_normal(m, np.diag(s**2)).rvs(c) for m, s, c in zip(means, sd, counts)]
        return self.drawn(parts, path)

    def odd(self, n, r, p, spread, seed, path):
        """Independent variables within components, none of them normal."""
        rng = np.random.default_rng(seed)
        w = rng.uniform(1, 5, r)
        sd, means = .2 + np.abs(rng.standard_normal((r, n))), spread * rng.standard_normal((r, n))
        counts = np.bincount(rng.choice(r, p, p=w / w.sum()), minlength=r)
        kinds = [lambda c: rng.exponential(size=c) - 1, lambda c: rng.uniform(-3**.5, 3**.5, c),
                 lambda c: 1 - rng.exponential(size=c), lambda c: .95 * rng.choice([-1, 1], c) + .31 * rng.standard_normal(c)]
        parts = [np.column_stack([means[j, i] + sd[j, i] * kinds[(i + j) % 4](c) for i in range(n)]) for j, c in enumerate(counts)]
        return self.drawn(parts, path)

    def lowrank(self, n, r, p, rank, noise, radius, seed, path):
        """Means of that norm in random directions, covariances of that rank with roots uniform in
        1..2, and noise of that variance."""
        rng = np.random.default_rng(seed)
        w = rng.uniform(.1, .9 / (r - 1), r - 1)
        counts = np.bincount(rng.choice(r, p, p=np.append(w, 1 - w.sum())), minlength=r)
        parts = []
        for c in counts:
            mean = rng.standard_normal(n)
            V = np.linalg.qr(rng.standard_normal((n, n)))[0][:, :rank] * rng.uniform(1, 2, rank)
            parts.append(radius * mean / np.linalg.norm(mean) + rng.standard_normal((c, rank)) @ V.T
                         + noise**.5 * rng.standard_normal((c, n)))
        return self.drawn(parts, path)

    def drawn(self, parts, path):
        self.X = np.vstack(parts)
        np.save(path, self.X)
        return dict(means=[x.mean(axis=0).tolist() for x in parts], weights=[len(x) / len(self.X) for x in parts])

    def meitd(self, r, seconds):
        """As its demo: order 4, 200 iterations at most, from its start; after so many seconds of
        the processor what it has."""
        home = os.environ["SYMMOM_MEITD"]
        if home not in sys.path:
            with open(os.path.join(home, "solver", "MEITD.py"), "rb") as f:
                if hashlib.sha256(f.read()).hexdigest() != SOLVER:
                    raise RuntimeError(f"{f.name} is another version")
            sys.path.insert(0, home)
            np.int = int  # which NumPy 1.24 took away; SciPy 1.11, sym_pos
            solve = scipy.linalg.solve
            scipy.linalg.solve = lambda a, b, sym_pos=False, **o: solve(a, b, **(dict(assume_a="pos") if sym_pos else o))
        from qpsolvers import solve_ls
        from solver.MEITD import MEITD
        n = self.X.shape[1]
        np.random.seed(1234)
        start, eye, until = multivariate_normal(cov=np.eye(n)).rvs(r).T, np.eye(r), time.process_time() + seconds

        def blocks(m):
            if time.process_time() > until:
                raise TimeoutError
            return n // 2 if m.warmup else -1

        def search(f, g, x, step, most, fx0=None, dfx0=None):
            t = line_search(f, g, x, step, gfk=dfx0, old_fval=fx0, amax=most)[0]
            return x if t is None else x + t * step

        m = MEITD(4)
        m.set_optimizer(qp_solver=lambda b, W, lb: solve_ls(eye, b, A=np.ones(r), b=np.ones(1), lb=lb * np.ones(r), W=W, solver="quadprog"),
                        wt_lb_scheduler=lambda m: .1 / r, nb_scheduler=blocks, line_search_device=search)
        X = self.X.T.copy()  # which it changes

        def fit():
            with contextlib.redirect_stdout(io.StringIO()):
                try:
                    m.solve_mean_weight(X, start, np.ones(r) / r, 200, 1e-4, 1e-4, None, translate_init=False,
                                        warmup=20, AA_depth=15, AAtol=1e-4, monit=0)
                except TimeoutError:
                    return True
            return False
        stopped, took = timed(fit)
        means, weights = m.get_soln()
        return dict(took, means=means.T.tolist(), weights=np.asarray(weights).tolist(), stopped=stopped)

    def matching(self, r, order, weighted, rank, seed):
        """Moments of orders 1 to order, without their tensors (Pereira, Kileel & Kolda 2022); weighted
        by order with the diagonal of the best weights (Zhang et al. 2025), computed again once.
        Covariances are diagonal if rank is 0, else of that rank. The best of three k-means++
        starts."""
        def fit(k):
            return Matching(self.X, r, order, rank, np.random.default_rng([seed, k])).fit(weighted)
        (theta, _), took = timed(lambda: min(map(fit, range(3)), key=lambda t: t[1]))
        return dict(took, means=theta[1].tolist(), weights=theta[0].tolist())

    def generating(self, r, seed):
        """The third moment off its diagonals by generating polynomials (Guo, Nie & Yang 2021)."""
        (means, weights), took = timed(lambda: generating(self.X, r, np.random.default_rng(seed)))
        return dict(took, means=means.tolist(), weights=weights.tolist())

    def tensor(self, n, r, seed, path):
        """sum_j w_j a_j^(x 4): a_j uniform on the sphere, w_j |N(0, 1)|, of sum 1; r x (n + 1) to path."""
        rng = np.random.default_rng(seed)
        A = rng.standard_normal((r, n))
        A, w = A / np.linalg.norm(A, axis=1, keepdims=True), np.abs(rng.standard_normal(r))
        w /= w.sum()
        np.save(path, np.column_stack([A, w]))
        self.T = whole(A, w)

    def spm(self, r, seed):
        (A, w), took = timed(lambda: power(self.T, r, np.random.default_rng(seed)))
        return dict(took, **self.off(A.T, w))

    def off(self, a, w):
        """The norm of what the model of columns a, n x r, leaves of the tensor, relative to the tensor's."""
        A = np.reshape(a, (-1, len(w))).T
        return dict(left=np.linalg.norm(self.T - whole(A, np.array(w))) / np.linalg.norm(self.T))


def whole(A, w):
    B = np.einsum("ji,jk->jik", A, A).reshape(len(A), -1)
    return B.T * w @ B


def power(T, r, rng, steps=5000, tries=3):
    """The subspace power method at order 4: T as a n^2 x n^2 matrix, components of its column
    space by power iterations with the shift of Kileel & Pereira, each deflated."""
    n = round(len(T)**.5)
    d, V = np.linalg.eigh(T)
    top = np.argsort(-abs(d))[:r]
    C, V = np.diag(1 / d[top]), V[:, top]
    A, w = np.empty((r, n)), np.empty(r)
    for k in range(r):
        U, best = V.reshape(n, n, -1), -1.
        for _ in range(tries):
            x = rng.standard_normal(n)
            x /= np.linalg.norm(x)
            for _ in range(steps):
                P = np.tensordot(x, U, 1)
                y = P @ (x @ P)
                f = min(max(x @ y, .5), 1)
                y += (f * (1 - f))**.5 * x  # c = sqrt(2 (m - 1) / m) = 1 at m = 2
                y /= np.linalg.norm(y)
                moved, x = np.linalg.norm(x - y), y
                if moved < 1e-14:
                    break
            f = np.sum((np.outer(x, x).ravel() @ V)**2)
            if f > best:
                best, A[k] = f, x
            if 1 - best < 1e-8:
                break
        c = np.outer(A[k], A[k]).ravel() @ V
        u = C @ c
        w[k] = 1 / (c @ u)
        Q = np.linalg.qr(u[:, None], mode="complete")[0][:, 1:]  # what is orthogonal to u
        C, V = Q.T @ C @ Q, V @ Q
    return A, w


def generating(X, r, rng, orders=10):
    """q_c = w_c^(1/3) mu_c from the third moment, by generating polynomials in some orders of the variables
    and then least squares, over entries whose indices all differ; the mean is sum_c w_c^(2/3) q_c."""
    p, n = X.shape
    if 2 * r > n - 2:
        raise ValueError(f"at most {(n - 2) // 2} components of {n} variables")
    third = np.einsum("pi,pj,pk->ijk", X, X, X, optimize=True) / p
    i, j, k = np.array([t for t in np.ndindex(n, n, n) if t[0] < t[1] < t[2]]).T

    def off(x):
        q = x.reshape(r, n)
        return (q[:, i] * q[:, j] * q[:, k]).sum(axis=0) - third[i, j, k]
    best = None
    for _ in range(orders):
        order = rng.permutation(n)
        u = directions(third[np.ix_(order, order, order)], r, rng)[:, np.argsort(order)]
        cubes = np.linalg.lstsq((u[:, i] * u[:, j] * u[:, k]).T, third[i, j, k], rcond=None)[0]
        found = least_squares(off, (np.cbrt(cubes)[:, None] * u).ravel(), max_nfev=100)
        if best is None or found.cost < best.cost:
            best = found
    q = best.x.reshape(r, n)
    w = np.maximum(nnls(q.T, X.mean(axis=0))[0], (.1 / r)**(2 / 3))**1.5  # none vanishes, as in MEITD
    return q / np.cbrt(w)[:, None], w / w.sum()


def directions(third, r, rng):
    """x_i x_j = sum_k N_j[i, k] x_k x_0 for i, k in 1..r and j > r, at the components; times x_l for all
    other l > r these are linear equations between entries of the third moment. Of length x_0 = 1."""
    n = len(third)
    low, high = np.arange(1, r + 1), np.arange(r + 1, n)
    N = np.empty((n, r, r))
    for j in high:
        l = high[high != j]
        N[j] = np.linalg.lstsq(third[0][np.ix_(l, low)], third[np.ix_(low, [j], l)][:, 0].T, rcond=None)[0].T
    xi = rng.standard_normal(len(high))
    vectors = np.linalg.eig(np.tensordot(xi / np.linalg.norm(xi), N[high], 1))[1].real
    vectors /= np.linalg.norm(vectors, axis=0)
    upper = np.einsum("kc,jkl,lc->cj", vectors, N[high], vectors)
    # third[0, a, b] = sum_c g_c u_ca u_cb over a != b > r gives g; third[0, i, b] the rest.
    a, b = np.triu_indices(len(high), 1)
    g = np.linalg.lstsq((upper[:, a] * upper[:, b]).T, third[0][high[a], high[b]], rcond=None)[0]
    lower = np.linalg.lstsq(upper.T, third[0][np.ix_(high, low)], rcond=None)[0] / g[:, None]
    return np.column_stack([np.ones(r), lower, upper])


class Matching:
    """f = sum_k weight_k || E x^(x k) - M_k ||^2, less what the model does not change."""

    def __init__(self, X, r, order, rank, rng):
        from sklearn.cluster import kmeans_plusplus
        self.scale = X.std()
        self.X, self.r, self.order, self.rank = X / self.scale, r, order, rank
        p, n = X.shape
        means = kmeans_plusplus(self.X, r, random_state=int(rng.integers(1 << 31)))[0]
        roots = np.ones((r, n)) / 2 if rank == 0 else rng.standard_normal((r, n, rank)) / n**.5
        self.start, self.shape = np.concatenate([np.zeros(r), means.ravel(), roots.ravel()]), roots.shape

    def parts(self, theta):
        r, n = self.r, self.X.shape[1]
        w = np.exp(theta[:r] - theta[:r].max())
        L = theta[r + r * n:].reshape(self.shape)
        S = np.einsum("ji,ik->jik", L**2, np.eye(n)) if self.rank == 0 else L @ L.transpose(0, 2, 1)
        return w / w.sum(), theta[r:r + r * n].reshape(r, n), L, S

    def ofData(self, A, S):
        """E (x'z)^k of an observation x and z of a component, k = 0 to order, p x r each; x'z is normal."""
        m, s = self.X @ A.T, np.stack([np.sum(self.X @ C * self.X, axis=1) for C in S], axis=1)
        return [np.ones_like(m), m, m**2 + s, m**3 + 3 * m * s, m**4 + 6 * m**2 * s + 3 * s**2][:self.order + 1]

    def ofModel(self, A, S):
        """E (y'z)^k of components y and z, r x r each, by the cumulants of y'z."""
        q = np.einsum("li,jik,lk->jl", A, S, A, optimize=True)  # a_l' S_j a_l
        SS = np.einsum("jab,kbc->jkac", S, S)
        c = [A @ A.T, np.einsum("jkaa->jk", SS) + q + q.T, 6 * np.einsum("ja,kjab,kb->jk", A, SS, A, optimize=True)]
        t = np.einsum("ja,kjab,kbc,jc->jk", A, SS, S, A, optimize=True)  # a_j' S_k S_j S_k a_j
        c.append(6 * np.einsum("jkab,jkba->jk", SS, SS) + 12 * (t + t.T))
        k1, k2, k3, k4 = c
        return [1, k1, k2 + k1**2, k3 + 3 * k2 * k1 + k1**3, k4 + 4 * k3 * k1 + 3 * k2**2 + 6 * k2 * k1**2 + k1**4]

    def value(self, theta, weight):
        w, A, L, S = self.parts(theta)
        d, p, r = self.order, len(self.X), self.r
        m, q = self.ofModel(A, S), self.ofData(A, S)
        f = sum(weight[k] * (w @ m[k] @ w - 2 * q[k].mean(axis=0) @ w) for k in range(1, d + 1))
        gw = 2 * sum(weight[k] * (m[k] @ w - q[k].mean(axis=0)) for k in range(1, d + 1))
        # By the mean and the variance of x'z, then by those of z.
        by = sum(weight[k] * k * q[k - 1] for k in range(1, d + 1)) * w * (-2 / p)
        bs = sum(weight[k] * k * (k - 1) / 2 * q[k - 2] for k in range(2, d + 1)) * w * (-2 / p)
        gA = by.T @ self.X
        gS = np.stack([(self.X * bs[:, j:j + 1]).T @ self.X for j in range(r)])
        # By the cumulants of y'z; a moment's derivative by the cumulant c is C(k, c) times the moment k - c.
        choose = {1: 1, 2: (0, 0, 1, 3, 6), 3: (0, 0, 0, 1, 4), 4: (0, 0, 0, 0, 1)}
        ww = 2 * np.outer(w, w)
        b1 = ww * sum(weight[k] * k * m[k - 1] for k in range(1, d + 1))
        b2, b3, b4 = (ww * sum(weight[k] * choose[c][k] * m[k - c] for k in range(c, d + 1)) for c in (2, 3, 4))
        for j in range(r):
            for k in range(r):
                a, b, P, Q = A[j], A[k], S[j], S[k]
                Qa, Pb, QPQ = Q @ a, P @ b, Q @ P @ Q
                gA[j] += b1[j, k] * b + b2[j, k] * 2 * Qa + b3[j, k] * 6 * Q @ Pb + b4[j, k] * 24 * QPQ @ a
                gS[j] += b2[j, k] * (Q + np.outer(b, b)) + b3[j, k] * 6 * np.outer(Qa, b) + b4[j, k] * 12 * (QPQ + np.outer(Qa, Qa) + 2 * np.outer(b, Q @ Pb))
        gL = 2 * L * np.einsum("jii->ji", gS) if self.rank == 0 else (gS + gS.transpose(0, 2, 1)) @ L
        return f, np.concatenate([w * (gw - gw @ w), gA.ravel(), gL.ravel()])

    def weights(self, theta, most=2000):
        """trace S_kk / sum_l || S_kl ||^2 of the blocks of the covariance S of the moments' residuals, from
        some observations: the multiples of the identity that are nearest to its inverse."""
        w, A, _, S = self.parts(theta)
        whole, self.X = self.X, self.X[np.random.default_rng(1).permutation(len(self.X))[:most]]
        m, q = self.ofModel(A, S), self.ofData(A, S)
        G, inner = [], self.X @ self.X.T
        for k in range(1, self.order + 1):
            v = q[k] @ w
            G.append(w @ m[k] @ w - v[:, None] - v + inner**k)
        self.X = whole
        return np.array([0] + [np.trace(g) / len(g) / sum(np.mean(g * h) for h in G) for g in G])

    def fit(self, weighted):
        """[weights, means] and f."""
        weight = np.array([0.] + [1.] * self.order) if not weighted else self.weights(self.start)
        theta = self.start
        for _ in range(2 if weighted else 1):
            found = minimize(self.value, theta, args=(weight / weight.sum(),), jac=True, method="L-BFGS-B", options=dict(maxiter=100 if weighted else 200))
            theta = found.x
            if weighted:
                weight = self.weights(theta)
        w, A = self.parts(theta)[:2]
        return (w, A * self.scale), found.fun


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    serve(Peer)
