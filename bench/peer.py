"""The NumPy/SciPy peer of `go run ./bench`.

It reads one JSON object a line ({"do": name, ...}) and answers with one
({"error": text} when it fails). Times are taken here, with perf_counter, so
that the pipe is in none of them.

The methods are those of Sherman & Kolda (2020) and the Tensor Toolbox
(fg_implicit, fg_explicit, tt_opt_adam), tuned for NumPy: no pow(), products
in the shapes that OpenBLAS is fastest in, observations in blocks that stay in
cache. L-BFGS-B is SciPy's.

W is V transposed, (p, n) in C order: one observation contiguous. x packs
lambda and then the columns of A, one after the other.
"""
import platform
import time

import numpy as np
import scipy
import scipy.sparse
from scipy.optimize import linear_sum_assignment, minimize

from serve import serve

now = time.perf_counter


def ipow(Z, k):
    """Elementwise integer power by multiplication; NumPy's ** calls pow() from 3 on."""
    if k == 1:
        return Z.copy()
    if k == 2:
        return Z * Z
    h = ipow(Z, k // 2)
    h *= h
    if k & 1:
        h *= Z
    return h


def objective(x, Yt, r, d):
    """f without ||X||^2, and its gradient, given Y transposed (r, n)."""
    lam, At = x[:r], x[r:].reshape(r, -1)
    w = np.einsum("ij,ij->i", At, Yt)
    B = At @ At.T
    C = ipow(B, d - 1)
    u = (B * C) @ lam
    g = np.empty_like(x)
    g[:r] = u - w
    g[:r] *= 2.0
    G = g[r:].reshape(Yt.shape)
    np.dot(C * lam, At, out=G)
    G -= Yt
    G *= (2.0 * d) * lam[:, None]
    return float(lam @ u - 2.0 * (w @ lam)), g


def implicit(W, d, r, block):
    """fg(x) from the observations, block of them at a time (0: all at once)."""
    p, n = W.shape
    block = min(block or p, p)
    Zb = np.empty((r, block))

    def fg(x):
        At = x[r:].reshape(r, n)
        Yt = None
        for s in range(0, p, block):
            Wb = W[s:s + block]
            Z = np.dot(At, Wb.T, out=Zb[:, :len(Wb)] if len(Wb) == block else None)
            if d == 3:
                np.multiply(Z, Z, out=Z)
            elif d == 4:
                np.multiply(Z * Z, Z, out=Z)
            else:
                Z = ipow(Z, d - 1)
            if Yt is None:
                Yt = Z @ Wb
            else:
                Yt += Z @ Wb
        Yt *= 1.0 / p
        return objective(x, Yt, r, d)
    return fg


def implicit_sparse(S, St, d, r):
    """fg(x) from observations in CSR, and the rows of its transposed matrix, which may be CSC."""
    p, n = S.shape

    def fg(x):
        Z = S @ np.ascontiguousarray(x[r:].reshape(r, n).T)
        Y = St @ ipow(Z, d - 1)
        Y *= 1.0 / p
        return objective(x, np.ascontiguousarray(Y.T), r, d)
    return fg


def explicit(X, d, r, how):
    """fg(x) from the dense tensor. "gemm": one product for all columns, the rest
    by einsum; "transposed": the same product the other way round, then a chain
    of matrix-vector products; "chains": one for each column throughout."""
    n = X.shape[0]
    Xm = X.reshape(-1, n)

    def fg(x):
        At = x[r:].reshape(r, n)
        Yt = np.empty((r, n))
        if how == "gemm":
            T = Xm @ At.T
            while T.shape[0] > n:
                T = np.einsum("ikj,jk->ij", T.reshape(-1, n, r), At, optimize=False)
            Yt[...] = T.T
        else:
            T = At @ Xm.T if how == "transposed" else None
            for j in range(r):
                t = Xm @ At[j] if T is None else T[j]
                while t.size > n:
                    t = t.reshape(-1, n) @ At[j]
                Yt[j] = t
        return objective(x, Yt, r, d)
    return fg


def form(W, d):
    """The dense moment, by products of row-wise Kronecker products."""
    p, n = W.shape
    if d not in (3, 4):
        raise ValueError("the dense moment is formed for d = 3 and 4")
    X = np.zeros((n * n, n if d == 3 else n * n))
    for s in range(0, p, 256):
        Wb = W[s:s + 256]
        KR = (Wb[:, :, None] * Wb[:, None, :]).reshape(len(Wb), n * n)
        X += KR.T @ (Wb if d == 3 else KR)
    X /= p
    return X.reshape((n,) * d)


def norm_squared(W, d):
    """||X||^2, from all pairs of observations."""
    total = 0.0
    for s in range(0, len(W), 1024):
        total += ipow(W[s:s + 1024] @ W.T, d).sum()
    return total / len(W) ** 2


def start(W, r, rng):
    """The paper's start: lambda at ones, A by the randomized range finder."""
    A = W.T @ rng.standard_normal((len(W), r))
    return np.concatenate([np.ones(r), (A / np.linalg.norm(A, axis=0)).T.ravel()])


def lbfgsb(fg, x0, tol):
    """With the defaults that the paper had: factr = 1e7, 5 pairs."""
    return minimize(fg, x0, jac=True, method="L-BFGS-B", options=dict(
        maxcor=5, maxiter=10000, maxfun=50000, gtol=tol, ftol=1e7 * np.finfo(float).eps))


def adam(x0, estimate, gradient, rate=.01, epoch=100, epochs=100):
    """As tt_opt_adam: a failed epoch is undone and lowers the rate, a second ends the run."""
    b1, b2, eps = .9, .999, 1e-8
    x, m, v, t, fails = x0.copy(), np.zeros_like(x0), np.zeros_like(x0), 0, 0
    best, kept = np.inf, None
    for e in range(epochs + 1):
        f = estimate(x)
        if f < best:
            best, kept = f, (x.copy(), m.copy(), v.copy())
        else:
            fails += 1
            if kept is None:
                return best, x0
            x, m, v = (k.copy() for k in kept)
            t -= epoch
        if fails > 1 or e == epochs:
            return best, kept[0]
        step = rate * .1 ** fails
        for _ in range(epoch):
            t += 1
            g = gradient(x)
            m *= b1
            m += (1 - b1) * g
            v *= b2
            v += (1 - b2) * g * g
            x = x - step * (m / (1 - b1 ** t)) / (np.sqrt(v / (1 - b2 ** t)) + eps)


def score(x, r, truth):
    At = x[r:].reshape(r, -1)
    At = At / np.linalg.norm(At, axis=1, keepdims=True)
    C = np.abs(At @ truth)
    i, j = linear_sum_assignment(-C)
    return float(C[i, j].mean())


def congruent(n, r, c, rng):
    """n x r, columns of unit norm with pairwise cosine c (Tomasi & Bro 2006)."""
    R = np.linalg.cholesky(c * np.ones((r, r)) + (1 - c) * np.eye(r)).T
    Q, _ = np.linalg.qr(rng.standard_normal((n, r)))
    return Q @ R


class Peer:
    def hello(self, **_):
        blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
        return dict(python=platform.python_version(), numpy=np.__version__, scipy=scipy.__version__,
                    blas=f"{blas['name']} {blas['version']}")

    def dgemm(self, n, repeats):
        rng = np.random.default_rng(1)
        a, b = rng.random((n, n)), rng.random((n, n))
        a @ b
        times = []
        for _ in range(repeats):
            t = now()
            a @ b
            times.append(now() - t)
        return dict(gflops=2e-9 * n ** 3 / min(times))

    def uniform(self, path, n, p, seed):
        np.save(path, np.random.default_rng(seed).random((p, n)))

    def mixture(self, path, truth, n, r, per, sigma, seed):
        """per observations of each component; cosine .5 between any two means."""
        rng = np.random.default_rng(seed)
        M = congruent(n, r, .5, rng)
        np.save(truth, M)
        V = np.lib.format.open_memmap(path, mode="w+", dtype=np.float64, shape=(per * r, n))
        for j in range(r):
            for s in range(j * per, (j + 1) * per, 10000):
                e = min(s + 10000, (j + 1) * per)
                V[s:e] = M[:, j] + sigma * rng.standard_normal((e - s, n))
        V.flush()

    def sparse(self, path, n, p, stored, skew, seed):
        """Counts: 1 or more in about stored places, of variables that are equally frequent
        (skew 1) or as words are (3: the density of variable i falls as i^(-2/3))."""
        rng = np.random.default_rng(seed)
        at = np.empty(0, np.int64)
        while len(at) < stored:
            more = rng.integers(0, p, stored // 2) * n + (n * rng.random(stored // 2) ** skew).astype(np.int64)
            at = np.union1d(at, more)
        at = np.sort(rng.choice(at, stored, replace=False))
        values = rng.geometric(.5, stored).astype(float)
        scipy.sparse.save_npz(path, scipy.sparse.csr_matrix((values, (at // n, at % n)), shape=(p, n)), compressed=False)

    def load_sparse(self, path):
        self.S = scipy.sparse.load_npz(path)
        self.St = self.S.T.tocsr()
        return dict(stored=self.S.nnz, bytes=self.S.data.nbytes + self.S.indices.nbytes + self.S.indptr.nbytes)

    def load(self, path):
        self.X = self.W = None  # never two of them in memory
        self.W = np.load(path)
        return dict(p=self.W.shape[0], n=self.W.shape[1])

    def once(self, path):
        """Load a file, and one product with it."""
        t = now()
        V = np.load(path)
        loaded = now()
        V.T @ V
        return dict(load=loaded - t, product=now() - loaded)

    def form(self, d):
        self.X = None
        t = now()
        self.X = form(self.W, d)
        return dict(seconds=now() - t)

    def drop(self):
        self.X = self.W = self.S = self.St = None

    def _fg(self, how, d, r, block=0):
        if how in ("csr", "both"):
            return implicit_sparse(self.S, self.S.T if how == "csr" else self.St, d, r)
        return implicit(self.W, d, r, block) if how == "implicit" else explicit(self.X, d, r, how)

    def time(self, how, d, r, x, seconds, block=0):
        """Seconds a call: the mean over about that many seconds, after one call to warm up."""
        fg, x = self._fg(how, d, r, block), np.array(x)
        t = now()
        f, g = fg(x)
        calls = max(1, int(seconds / max(now() - t, 1e-9)))
        t = now()
        for _ in range(calls):
            fg(x)
        return dict(seconds=(now() - t) / calls, f=f, g=float(np.abs(g).max()))

    def lbfgs(self, d, r, block, starts, seed, tol, truth):
        """Plain starts, one after the other; their drawing is timed too."""
        rng, fg = np.random.default_rng(seed), implicit(self.W, d, r, block)
        t, best, evaluations = now(), None, 0
        for _ in range(starts):
            res = lbfgsb(fg, start(self.W, r, rng), tol)
            evaluations += res.nfev
            if best is None or res.fun < best.fun:
                best = res
        seconds = now() - t
        return dict(seconds=seconds, f=float(best.fun), g=float(np.abs(fg(best.x)[1]).max()),
                    evaluations=int(evaluations), score=score(best.x, r, np.load(truth)))

    def norm(self, d):
        t = now()
        value = norm_squared(self.W, d)
        return dict(value=float(value), seconds=now() - t)

    def adam(self, d, r, s, starts, seed, block, truth):
        """Stochastic gradients of s observations, f estimated on 1,000 fixed ones,
        starts from 4,096. The exact f of the best is not timed."""
        W, rng = self.W, np.random.default_rng(seed)
        p = len(W)
        t = now()
        estimate = implicit(W[rng.integers(0, p, 1000)], d, r, 0)
        best, xbest = np.inf, None
        for _ in range(starts):
            x0 = start(W[rng.integers(0, p, 4096)], r, rng)
            f, x = adam(x0, lambda x: estimate(x)[0],
                        lambda x: implicit(W[rng.integers(0, p, s)], d, r, 0)(x)[1])
            if f < best:
                best, xbest = f, x
        seconds = now() - t
        f, g = implicit(W, d, r, block)(xbest)
        return dict(seconds=seconds, f=f, g=float(np.abs(g).max()), score=score(xbest, r, np.load(truth)))


if __name__ == "__main__":
    serve(Peer)
