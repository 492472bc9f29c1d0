"""What the estimators need of scikit-learn, where only NumPy is installed."""

import inspect

import numpy as np


class BaseEstimator:
    def get_params(self, deep=True):
        names = list(inspect.signature(type(self).__init__).parameters)[1:]
        return {name: getattr(self, name) for name in names}

    def set_params(self, **params):
        for name, value in params.items():
            if name not in self.get_params():
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}")
            setattr(self, name, value)
        return self

    def __repr__(self):
        default = type(self)()
        changed = {k: v for k, v in self.get_params().items() if v != getattr(default, k)}
        return type(self).__name__ + "(" + ", ".join(f"{k}={v!r}" for k, v in changed.items()) + ")"


class ClassNamePrefixFeaturesOutMixin:
    def get_feature_names_out(self, input_features=None):
        prefix = type(self).__name__.lower()
        return np.asarray([f"{prefix}{j}" for j in range(self._n_features_out)], dtype=object)


class DensityMixin:
    pass


class TransformerMixin:
    def fit_transform(self, X, y=None, **options):
        return self.fit(X, y, **options).transform(X)


def check_is_fitted(estimator):
    if not estimator.__sklearn_is_fitted__():
        raise ValueError(f"this {type(estimator).__name__} is not fitted yet: call fit first")


def _check_sample_weight(sample_weight, X, dtype):
    weights = np.asarray(sample_weight, dtype=dtype)
    if weights.shape != (len(X),):
        raise ValueError(f"sample_weight has shape {weights.shape}, want ({len(X)},)")
    return weights


def validate_data(estimator, X, *, reset, dtype, order, ensure_min_samples=1):
    names = getattr(X, "columns", None)
    X = np.asarray(X, dtype=dtype, order=order)
    if X.ndim != 2:
        raise ValueError(f"X has {X.ndim} dimensions, want 2: one observation a row")
    if not np.isfinite(X).all():
        raise ValueError("X contains NaN or infinity")
    if len(X) < ensure_min_samples or X.shape[1] == 0:
        raise ValueError(f"X is {X.shape[0]} x {X.shape[1]}, want at least {ensure_min_samples} x 1")
    if reset:
        estimator.n_features_in_ = X.shape[1]
        if names is not None:
            estimator.feature_names_in_ = np.asarray(names, dtype=object)
    elif X.shape[1] != estimator.n_features_in_:
        raise ValueError(f"X has {X.shape[1]} variables, want {estimator.n_features_in_}")
    return X
