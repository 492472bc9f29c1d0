"""Higher-order moments by symmetric tensor decomposition, for scikit-learn.

The estimators here hand the data to the command symmom of the same wheel, in a file in
memory where there is such a thing, and read its answer: nothing is computed twice.
"""

import json
import numbers
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import warnings
from importlib import metadata

import numpy as np

try:
    from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, DensityMixin, TransformerMixin
    from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data
except ImportError:  # NumPy alone
    from ._alone import (
        BaseEstimator, ClassNamePrefixFeaturesOutMixin, DensityMixin, TransformerMixin,
        _check_sample_weight, check_is_fitted, validate_data,
    )

__all__ = ["Doubt", "MomentICA", "MomentMixture", "SymmetricCP", "program"]


class Doubt(UserWarning):
    """What the command says is doubtful about a result, and what to do about it."""


def program():
    """Return the path of the command symmom that was installed with this package."""
    try:
        for file in metadata.files("symmom") or ():
            if file.stem == "symmom" and file.parent.name in ("bin", "Scripts"):
                return str(file.locate().resolve())
    except metadata.PackageNotFoundError:
        pass
    found = shutil.which("symmom")
    if found is None:
        raise FileNotFoundError("symmom: the command is not installed; pip install symmom")
    return found


def _scratch(size):
    """Return a directory for files of size bytes, in memory if there is room for twice that."""
    if os.path.isdir("/dev/shm") and os.access("/dev/shm", os.W_OK):
        if shutil.disk_usage("/dev/shm").free > 2 * size:
            return "/dev/shm"
    return None


class _Run:
    """Runs one command over data, which are gone afterwards."""

    def __init__(self, X, sample_weight=None):
        self.folder = tempfile.TemporaryDirectory(prefix="symmom-")
        self.nameless = []
        self.data = self.write("data.npy", X)
        self.options = []
        if sample_weight is not None:
            self.options = ["--weights", self.write("weights.npy", sample_weight.reshape(-1, 1))]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for file in self.nameless:
            file.close()
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, array):
        array = np.ascontiguousarray(array, dtype=np.float64)
        if sys.platform != "linux":
            np.save(self.path(name), array)
            return self.path(name)
        # Without a name it is gone with this process, however that ends.
        file = tempfile.TemporaryFile(buffering=0, dir=_scratch(array.nbytes))
        self.nameless.append(file)
        np.save(file, array)
        return f"/proc/self/fd/{file.fileno()}"

    def __call__(self, command, *options, verbose=False):
        """Return the object that a command prints. An interrupt keeps its best result."""
        args = [program(), command, self.data, "--json", *self.options, *map(str, options)]
        group = {"creationflags": 0x200} if os.name == "nt" else {
            "start_new_session": True, "pass_fds": [file.fileno() for file in self.nameless]}
        # A group of its own: Ctrl-C reaches this process, which then asks once.
        child = subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=None if verbose else subprocess.PIPE, text=True, encoding="utf-8", **group)
        interrupted = False
        while True:
            try:
                out, messages = child.communicate()
                break
            except KeyboardInterrupt:
                if interrupted:
                    child.kill()
                    child.wait()
                    raise
                interrupted = True
                child.send_signal(signal.CTRL_BREAK_EVENT if os.name == "nt" else signal.SIGINT)
            except BaseException:
                child.kill()
                child.wait()
                raise
        if child.returncode not in (0, 130) or not out.strip():
            if interrupted:
                raise KeyboardInterrupt
            lines = [line for line in (messages or "").splitlines() if not line.startswith(("symmom: warning: ", "see "))]
            raise ValueError(_parameters("\n".join(lines)) or f"symmom: {command} ended with exit code {child.returncode}")
        answer = json.loads(out)
        if interrupted:
            warnings.warn("symmom: interrupted; the best result so far is kept", Doubt, stacklevel=4)
        return answer


# What the command's advice calls a flag is a parameter here.
_PARAMETERS = {"starts": "n_init", "rank": "n_components", "components": "n_components", "center": "center",
               "standardize": "standardize", "debias": "debias", "nonnegative": "nonnegative",
               "covariance": "covariance_type", "reg-covar": "reg_covar", "max-iters": "max_iter", "order": "order"}


def _parameters(text):
    """Return text with the names of parameters in place of those of flags."""
    return re.sub("--([a-z-]+)", lambda m: _PARAMETERS.get(m[1], m[0]), text)


class _Estimator(BaseEstimator):
    def _data(self, X, reset, **checks):
        return validate_data(self, X, reset=reset, dtype=np.float64, order="C", **checks)

    def _weighted(self, X, sample_weight):
        """Return a run over observations of X with weights; those without weight are left out."""
        if sample_weight is None:
            return _Run(X)
        sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64)
        if (sample_weight < 0).any():
            raise ValueError("sample_weight has negative values")
        return _Run(X[sample_weight > 0], sample_weight[sample_weight > 0])

    def _common(self):
        """Return the options that all commands have."""
        options = []
        seed = self.random_state
        if seed is not None:
            if not isinstance(seed, numbers.Integral):
                seed = seed.randint(1, 2**31 - 1) if hasattr(seed, "randint") else seed.integers(1, 2**31 - 1)
            options += ["--seed", int(seed) or 2**32]  # the command's are 1 and above, scikit-learn's below 2**32
        if self.n_init is not None:
            options += ["--starts", self.n_init]
        if self.n_jobs is not None and self.n_jobs > 0:
            options += ["--threads", self.n_jobs]
        return options

    def _tell(self, answer):
        self.warnings_ = [_parameters(text) for text in answer["warnings"]]
        for text in self.warnings_:
            warnings.warn(text, Doubt, stacklevel=3)

    def __sklearn_is_fitted__(self):
        return hasattr(self, "warnings_")


class SymmetricCP(ClassNamePrefixFeaturesOutMixin, TransformerMixin, _Estimator):
    """Symmetric rank-one terms whose sum is closest to the moment of order `order`.

    Parameters
    ----------
    n_components : int, the rank
    order : int, the order of the moment
    center, standardize : bool, take the moment about the mean, or of standardized data
    debias : bool, remove what noise common to all components adds
    nonnegative : bool, factors without negative entries
    n_init : int, starts of the search; None: as many as the evidence asks for
    random_state : int, the seed; None: 1
    n_jobs : int, threads; None: all. Results do not depend on it.
    verbose : bool, show the command's progress

    Attributes
    ----------
    components_ : (n_components, n_features), of unit length
    lambdas_ : (n_components,), the weights of the terms
    relative_error_ : the squared distance, relative to that of the moment from 0
    converged_ : bool
    warnings_ : list of str
    """

    def __init__(self, n_components=2, order=3, *, center=False, standardize=False, debias=False,
                 nonnegative=False, n_init=None, random_state=None, n_jobs=None, verbose=False):
        self.n_components = n_components
        self.order = order
        self.center = center
        self.standardize = standardize
        self.debias = debias
        self.nonnegative = nonnegative
        self.n_init = n_init
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X, y=None, sample_weight=None):
        X = self._data(X, reset=True, ensure_min_samples=2)
        with self._weighted(X, sample_weight) as run:
            options = ["--order", self.order, "--rank", self.n_components, *self._common()]
            for name in ("center", "standardize", "debias", "nonnegative"):
                if getattr(self, name):
                    options.append("--" + name)
            answer = run("decompose", *options, "--save", run.path("model.json"), verbose=self.verbose)
            with open(run.path("model.json"), encoding="utf-8") as file:
                self.model_ = file.read()
        model = json.loads(self.model_)
        self.components_ = np.array(answer["factors"])
        self.lambdas_ = np.array(answer["lambda"])
        self.relative_error_ = answer["relative_error"]
        self.converged_ = answer["status"] == "converged"
        self.n_iter_ = answer["evaluations"]
        self.mean_ = np.array(model.get("center") or np.zeros(X.shape[1]))
        self.scale_ = np.array(model.get("scale") or np.ones(X.shape[1]))
        self._tell(answer)
        return self

    def transform(self, X):
        """Return how much of each component an observation has, by least squares."""
        check_is_fitted(self)
        X = self._data(X, reset=False)
        return (X - self.mean_) / self.scale_ @ np.linalg.pinv(self.components_)

    def score(self, X, y=None):
        """Return minus the relative error of the model for the moment of X."""
        check_is_fitted(self)
        with _Run(self._data(X, reset=False)) as run:
            with open(run.path("model.json"), "w", encoding="utf-8") as file:
                file.write(self.model_)
            options = ["--" + name for name in ("center", "standardize", "debias") if getattr(self, name)]
            return -run("evaluate", "--model", run.path("model.json"), *options)["relative_error"]

    @property
    def _n_features_out(self):
        return len(self.lambdas_)


class MomentMixture(DensityMixin, _Estimator):
    """A Gaussian mixture, found from moments of orders 1 to 3 and refined by EM.

    Parameters
    ----------
    n_components : int
    covariance_type : "full", "tied", "diag" or "spherical"
    nonparametric : bool, components have any distributions of independent variables:
        covariance_type and reg_covar are not used, bic_ and icl_ are None
    reg_covar : float, the lower bound of variances; None: by the spacing of the data
    max_iter : int, iterations of EM; None: 1000
    n_init : int, k-means++ starts beside the moments; None: as many as the evidence asks for
    random_state, n_jobs, verbose : as in SymmetricCP

    Attributes
    ----------
    weights_, means_, covariances_ : as in sklearn.mixture.GaussianMixture
    log_likelihood_, bic_, icl_ : of the data that were fitted
    converged_ : bool
    warnings_ : list of str
    """

    def __init__(self, n_components=1, *, covariance_type="full", nonparametric=False, reg_covar=None,
                 max_iter=None, n_init=None, random_state=None, n_jobs=None, verbose=False):
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.nonparametric = nonparametric
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.n_init = n_init
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X, y=None, sample_weight=None):
        X = self._data(X, reset=True, ensure_min_samples=2)
        with self._weighted(X, sample_weight) as run:
            options = ["--components", self.n_components, *self._common()]
            options += ["--nonparametric"] if self.nonparametric else ["--covariance", self.covariance_type]
            if self.reg_covar is not None and not self.nonparametric:
                options += ["--reg-covar", self.reg_covar]
            if self.max_iter is not None:
                options += ["--max-iters", self.max_iter]
            answer = run("mixture", *options, "--save", run.path("model.json"), verbose=self.verbose)
            with open(run.path("model.json"), encoding="utf-8") as file:
                self.model_ = file.read()
        self.weights_ = np.array(answer["weights"])
        self.means_ = np.array(answer["means"])
        self.covariances_ = np.array(answer["covariance"])
        self.log_likelihood_, self.bic_, self.icl_ = answer["log_likelihood"], answer["bic"], answer["icl"]
        self.converged_ = answer["converged"]
        self.n_iter_ = answer["iterations"]
        self._tell(answer)
        return self

    def _evaluate(self, X, flag=None):
        check_is_fitted(self)
        with _Run(self._data(X, reset=False)) as run:
            with open(run.path("model.json"), "w", encoding="utf-8") as file:
                file.write(self.model_)
            out = [flag, run.path("out.npy")] if flag else []
            answer = run("evaluate", "--model", run.path("model.json"), *out)
            return np.load(run.path("out.npy")) if flag else answer

    def predict(self, X):
        """Return the most probable component of each observation, from 0 as in scikit-learn."""
        return self._evaluate(X, "--predict").ravel().astype(np.intp) - 1

    def predict_proba(self, X):
        """Return the probability of each component for each observation."""
        return self._evaluate(X, "--responsibilities").reshape(len(X), -1)

    def fit_predict(self, X, y=None, **options):
        return self.fit(X, **options).predict(X)

    def score(self, X, y=None):
        """Return the log-likelihood per observation."""
        return self._evaluate(X)["log_likelihood_per_observation"]


class MomentICA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, _Estimator):
    """Independent sources, by the fourth cumulant and a refinement after it.

    Parameters
    ----------
    n_components : int, sources; None: as many as variables
    n_init, random_state, n_jobs, verbose : as in SymmetricCP

    Attributes
    ----------
    components_ : (n_components, n_features), sources are (X - mean_) @ components_.T
    mixing_ : (n_features, n_components), its pseudo-inverse
    mean_ : (n_features,)
    kurtosis_ : (n_components,)
    converged_ : bool
    warnings_ : list of str
    """

    def __init__(self, n_components=None, *, n_init=None, random_state=None, n_jobs=None, verbose=False):
        self.n_components = n_components
        self.n_init = n_init
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X, y=None):
        X = self._data(X, reset=True, ensure_min_samples=2)
        sources = X.shape[1] if self.n_components is None else self.n_components
        with _Run(X) as run:
            answer = run("ica", "--components", sources, *self._common(), verbose=self.verbose)
        self.components_ = np.array(answer["unmixing"])
        self.mixing_ = np.array(answer["mixing"])
        self.mean_ = np.array(answer["mean"])
        self.kurtosis_ = np.array(answer["kurtosis"])
        self.converged_ = answer["converged"]
        self.n_iter_ = answer["iterations"]
        self._tell(answer)
        return self

    def transform(self, X):
        """Return the sources of X, of mean 0 and variance 1 in the data that were fitted."""
        check_is_fitted(self)
        return (self._data(X, reset=False) - self.mean_) @ self.components_.T

    def inverse_transform(self, S):
        """Return the observations that the sources S make."""
        check_is_fitted(self)
        return np.asarray(S, dtype=np.float64) @ self.mixing_.T + self.mean_

    @property
    def _n_features_out(self):
        return len(self.components_)
