"""scikit-learn beside symmom: the peer of `go run ./bench gmm`.

It reads one JSON object a line ({"do": name, ...}) and answers with one
({"error": text} when it fails). Seconds are those of the clock and of all
threads of the process, taken here around the fit alone.
"""
import platform
import time
import warnings

import numpy as np
import scipy
import sklearn
from sklearn import datasets
from sklearn.cluster import KMeans
from sklearn.decomposition import FastICA
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture
from sklearn.mixture._gaussian_mixture import _compute_precision_cholesky
from sklearn.preprocessing import StandardScaler

from serve import serve

INITS = 10


def timed(fit):
    """The answer of fit(), its seconds and those of the processor."""
    wall, processor = time.perf_counter(), time.process_time()
    result = fit()
    return result, dict(seconds=time.perf_counter() - wall, processor=time.process_time() - processor)


class Peer:
    def hello(self, **_):
        blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
        return dict(python=platform.python_version(), numpy=np.__version__, scipy=scipy.__version__,
                    scikitlearn=sklearn.__version__, blas=f"{blas['name']} {blas['version']}")

    def load(self, path, labels=None):
        self.X, self.y = np.load(path), labels

    def write(self, path, truth, n, r, p, sigma, seed):
        """p observations in float32, each of a random component, cosine .5
        between any two means; never more than 100,000 of them in memory."""
        rng = np.random.default_rng(seed)
        Q, _ = np.linalg.qr(rng.standard_normal((n, r)))
        M = Q @ np.linalg.cholesky(.5 * np.ones((r, r)) + .5 * np.eye(r)).T
        np.save(truth, M)
        with open(path, "wb") as f:
            np.lib.format.write_array_header_2_0(f, dict(descr="<f4", fortran_order=False, shape=(p, n)))
            for s in range(0, p, 100_000):
                rows = min(100_000, p - s)
                V = rng.standard_normal((rows, n), dtype=np.float32)
                V *= sigma
                V += M.T[rng.integers(0, r, rows)].astype(np.float32)
                V.tofile(f)

    def dataset(self, name, path):
        """One of scikit-learn's, standardized but for the digits, whose pixels
        have one unit; saved to path."""
        d = getattr(datasets, "load_" + name)()
        self.X, self.y = d.data.astype(float), d.target
        if name != "digits":
            self.X = StandardScaler().fit_transform(self.X)
        np.save(path, self.X)
        return dict(p=self.X.shape[0], n=self.X.shape[1], classes=len(d.target_names))

    def rand(self, labels):
        """The adjusted Rand index with the classes of the data set."""
        return dict(index=float(adjusted_rand_score(self.y, labels)))

    def kmeans(self, r, seed):
        m, took = timed(lambda: KMeans(r, n_init=INITS, random_state=seed).fit(self.X))
        return dict(took, means=m.cluster_centers_.tolist(), labels=m.labels_.tolist())

    def fastica(self, k, seed):
        m, took = timed(lambda: FastICA(k, random_state=seed, whiten="unit-variance", max_iter=1000).fit(self.X))
        return dict(took, unmixing=m.components_.ravel().tolist())

    def gaussian(self, r, covariance, seed):
        """Log-likelihood is that of an observation. reg_covar is 1e-6 of the mean
        variance, as symmom's least variance: of standardized data, the default."""
        floor = 1e-6 * self.X.var(axis=0).mean()
        m, took = timed(lambda: GaussianMixture(r, covariance_type=covariance, n_init=INITS, reg_covar=floor, random_state=seed).fit(self.X))
        return dict(took, means=m.means_.tolist(), labels=m.predict(self.X).tolist(), weights=m.weights_.tolist(),
                    covariances=m.covariances_.ravel().tolist(), loglikelihood=float(m.score(self.X)), bic=float(m.bic(self.X)))

    def starts(self, r, covariance, inits):
        """The log-likelihoods of single starts, how many observations for each of its
        parameters the least component of each has, and its least variance, of the
        observations' in that direction; and the seconds of ten starts in one call."""
        X, found = self.X, []
        (p, n), reg = X.shape, 1e-6 * X.var(axis=0).mean()
        own = dict(spherical=1, diag=n, tied=n * (n + 1) / 2, full=n * (n + 1) / 2)[covariance] + n
        root = np.linalg.cholesky(np.atleast_2d(np.cov(X.T)))
        _, took = timed(lambda: GaussianMixture(r, covariance_type=covariance, n_init=INITS, reg_covar=reg, random_state=0).fit(X))
        for seed in range(inits):
            m = GaussianMixture(r, covariance_type=covariance, reg_covar=reg, random_state=seed, tol=1e-6, max_iter=1000).fit(X)
            P = dict(spherical=lambda: m.precisions_[:, None, None] * np.eye(n), tied=lambda: m.precisions_[None],
                     diag=lambda: m.precisions_[:, :, None] * np.eye(n), full=lambda: m.precisions_)[covariance]()
            found.append(dict(loglikelihood=p * float(m.score(X)), members=float(m.weights_.min() * p / own),
                              least=float(1 / np.linalg.norm(root.T @ P @ root, 2, axis=(-2, -1)).max())))
        return dict(took, starts=found)

    def default(self, r, covariance, inits):
        """As most people call it, of the data in their own units."""
        m = GaussianMixture(r, covariance_type=covariance, n_init=inits, random_state=0).fit(self.X)
        return dict(labels=m.predict(self.X).tolist(), loglikelihood=float(m.score(self.X)))

    def judge(self, covariance, weights, means, covariances):
        """The log-likelihood of an observation, of a mixture that somebody else found."""
        m = GaussianMixture(len(weights), covariance_type=covariance)
        m.weights_, m.means_ = np.array(weights), np.array(means)
        r, n = m.means_.shape
        shape = dict(spherical=(r,), diag=(r, n), tied=(n, n), full=(r, n, n))[covariance]
        m.covariances_ = np.array(covariances).reshape(shape)
        m.precisions_cholesky_ = _compute_precision_cholesky(m.covariances_, covariance)
        return dict(loglikelihood=float(m.score(self.X)))


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # of what has not converged: the likelihood tells
    serve(Peer)
