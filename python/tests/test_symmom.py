"""Tests of the estimators in an environment where the wheel is installed."""

import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings

import numpy as np
import symmom
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

X, species = load_iris(return_X_y=True, as_frame=True)

# Fits of repeated rows and of weights end at different digits: those of the tolerance.
TOLERANCE = {"check_sample_weight_equivalence_on_dense_data": "equal to 1e-6 and not to 1e-7: the search ends by its tolerance"}


class EstimatorChecks(unittest.TestCase):
    def check(self, estimator, expected=None):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results = check_estimator(estimator, on_fail=None, expected_failed_checks=expected)
        failed = [f"{r['check_name']}: {r['exception']}" for r in results if r["status"] == "failed"]
        passed = sum(r["status"] == "passed" for r in results)
        print(f"{estimator}: {passed} checks passed, {len(failed)} failed, expected to fail: {list(expected or ())}")
        self.assertFalse(failed)
        self.assertGreater(passed, 40)

    def test_cp(self):
        self.check(symmom.SymmetricCP(n_components=1), TOLERANCE)

    def test_mixture(self):
        self.check(symmom.MomentMixture())

    def test_ica(self):
        self.check(symmom.MomentICA())


class Estimators(unittest.TestCase):
    def test_cp_is_the_dense_tensor(self):
        Z = StandardScaler().fit_transform(X)
        fit = symmom.SymmetricCP(2, order=3).fit(Z)
        M = np.einsum("ki,kj,kl->ijl", Z, Z, Z) / len(Z)
        model = np.einsum("r,ri,rj,rl->ijl", fit.lambdas_, *[fit.components_] * 3)
        error = ((M - model) ** 2).sum() / (M**2).sum()
        self.assertAlmostEqual(fit.relative_error_, error, delta=1e-12)
        self.assertAlmostEqual(fit.score(Z), -error, delta=1e-12)
        np.testing.assert_allclose(np.linalg.norm(fit.components_, axis=1), 1, rtol=1e-14)
        np.testing.assert_allclose(fit.transform(fit.components_), np.eye(2), atol=1e-12)
        standardized = symmom.SymmetricCP(2, standardize=True).fit(X)
        np.testing.assert_allclose(standardized.relative_error_, error, rtol=1e-6)
        np.testing.assert_allclose(standardized.transform(X), fit.transform(Z), atol=1e-4)

    def test_mixture_is_scikit_learns(self):
        """What GaussianMixture makes of our parameters is what the command says."""
        for covariance in ("full", "tied", "diag", "spherical"):
            fit = symmom.MomentMixture(3, covariance_type=covariance).fit(X)
            peer = GaussianMixture(3, covariance_type=covariance)
            peer.weights_, peer.means_ = fit.weights_, fit.means_
            peer.covariances_ = fit.covariances_
            from sklearn.mixture._gaussian_mixture import _compute_precision_cholesky
            peer.precisions_cholesky_ = _compute_precision_cholesky(fit.covariances_, covariance)
            values = X.to_numpy()
            np.testing.assert_allclose(fit.score(X), peer.score(values), rtol=1e-10)
            np.testing.assert_allclose(fit.predict_proba(X), peer.predict_proba(values), atol=1e-9)
            np.testing.assert_array_equal(fit.predict(X), peer.predict(values))
            np.testing.assert_allclose(fit.log_likelihood_, peer.score(values) * len(X), rtol=1e-10)
            np.testing.assert_allclose(fit.bic_, peer.bic(values), rtol=1e-10)

    def test_nonparametric_mixture(self):
        """Skewed components overlap: normal ones cut them elsewhere."""
        rng = np.random.default_rng(1)
        side = rng.integers(0, 2, 4000)
        skewed = rng.exponential(size=(4000, 5)) - 1
        skewed[side == 1] *= -1
        fit = symmom.MomentMixture(2, nonparametric=True).fit(skewed)
        right = (fit.predict(skewed) == side).mean()
        self.assertGreater(max(right, 1 - right), .9)
        self.assertIsNone(fit.bic_)
        np.testing.assert_allclose(fit.score(skewed) * 4000, fit.log_likelihood_, rtol=1e-10)
        np.testing.assert_allclose(fit.predict_proba(skewed).sum(axis=1), 1)

    def test_ica(self):
        rng = np.random.default_rng(1)
        S = rng.uniform(-1, 1, (5000, 2))
        mixed = S @ [[1.0, 0.4], [0.3, 1.0]] + [5, -2]
        fit = symmom.MomentICA().fit(mixed)
        sources = fit.transform(mixed)
        corr = np.abs(np.corrcoef(sources.T, S.T)[:2, 2:])
        self.assertGreater(corr.max(axis=1).min(), 0.999)
        np.testing.assert_allclose(fit.inverse_transform(sources), mixed, atol=1e-10)
        np.testing.assert_allclose(sources.std(axis=0), 1, rtol=1e-10)

    def test_in_a_pipeline_and_a_grid(self):
        pipeline = make_pipeline(StandardScaler(), symmom.MomentMixture())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", symmom.Doubt)
            grid = GridSearchCV(pipeline, {"momentmixture__n_components": [1, 2, 3]}).fit(X)
        means = grid.cv_results_["mean_test_score"]
        self.assertTrue(np.isfinite(means).all() and means[1] > means[0] + 0.5, means)
        pipeline.set_params(momentmixture__n_components=3).fit(X)
        self.assertGreater(adjusted_rand_score(species, pipeline.predict(X)), 0.89)

    def test_names_pickles_and_clones(self):
        fit = symmom.MomentMixture(3).fit(X)
        self.assertEqual(list(fit.feature_names_in_), list(X.columns))
        with self.assertRaisesRegex(ValueError, "feature names"):
            fit.predict(X.rename(columns={X.columns[0]: "other"}))
        again = pickle.loads(pickle.dumps(fit))
        np.testing.assert_array_equal(again.predict(X), fit.predict(X))
        self.assertEqual(clone(fit).get_params(), fit.get_params())
        self.assertEqual(list(symmom.SymmetricCP(2).fit(X).get_feature_names_out()), ["symmetriccp0", "symmetriccp1"])

    def test_weights_and_seeds(self):
        w = np.ones(len(X))
        w[100:] = 0
        weighted, fewer = symmom.MomentMixture(2).fit(X, sample_weight=w), symmom.MomentMixture(2).fit(X[:100])
        np.testing.assert_allclose(weighted.means_, fewer.means_, rtol=1e-6)
        for seed in (0, 7, np.random.RandomState(3), np.random.default_rng(3)):
            symmom.MomentMixture(2, random_state=seed).fit(X)

    def test_doubts_and_errors_name_parameters(self):
        with self.assertWarns(symmom.Doubt) as caught:
            fit = symmom.MomentMixture(9, n_init=1).fit(X)
        self.assertIn("n_init", str(fit.warnings_))
        self.assertNotIn("--", str(fit.warnings_))
        self.assertIn(str(caught.warning), fit.warnings_)
        with self.assertRaisesRegex(ValueError, "n_components"):
            symmom.MomentMixture(0).fit(X)
        with self.assertRaisesRegex(ValueError, "covariance_type"):
            symmom.MomentMixture(2, covariance_type="round").fit(X)

    @unittest.skipIf(os.name == "nt", "signals of other systems")
    def test_interrupt_keeps_the_best(self):
        data = np.random.default_rng(1).standard_normal((20000, 60)) ** 3
        threading.Timer(2, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertWarnsRegex(symmom.Doubt, "interrupted"):
            fit = symmom.SymmetricCP(25, order=3, n_init=100000).fit(data)
        self.assertEqual(fit.components_.shape, (25, 60))
        self.assertLess(fit.relative_error_, 1)
        self.assertFalse(fit.converged_)

    @unittest.skipUnless(sys.platform == "linux", "elsewhere files have names")
    def test_killed_leaves_no_data(self):
        code = """if True:
            import numpy as np, symmom
            print(flush=True)
            symmom.SymmetricCP(25, n_init=100000).fit(np.random.default_rng(1).standard_normal((20000, 60)) ** 3)
            """
        own = tempfile.TemporaryDirectory()
        def data():
            return [folder for place in ("/dev/shm", own.name) for folder, _, names in os.walk(place) if "data.npy" in names]
        before = data()
        fit = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": own.name})
        fit.stdout.readline()
        child = None
        while not child:
            child = open(f"/proc/{fit.pid}/task/{fit.pid}/children").read().split()
        fit.kill()
        fit.communicate()
        os.kill(int(child[0]), signal.SIGKILL)
        self.assertEqual(data(), before)
        own.cleanup()

    def test_with_numpy_alone(self):
        code = """if True:
            import sys
            sys.modules["sklearn"] = None
            import numpy as np, symmom
            X = np.random.default_rng(1).standard_normal((200, 3)) ** 3
            fit = symmom.SymmetricCP(2).fit(X)
            assert fit.transform(X).shape == (200, 2) and fit.set_params(order=4).order == 4, fit
            assert symmom.MomentMixture(2).fit(X).predict(X).shape == (200,)
            print(fit)
            try:
                symmom.MomentICA().transform(X)
            except ValueError as error:
                assert "not fitted" in str(error)
            else:
                raise AssertionError
            """
        out = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True)
        self.assertEqual((out.returncode, out.stderr, out.stdout), (0, "", "SymmetricCP(order=4)\n"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
