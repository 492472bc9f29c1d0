"""Topic models beside symmom: the peer of `go run ./bench topics`.

Counts come as compressed rows in three raw files, topics go back in one, k x n, of rows
with sum 1. Seconds are as in gmm.py. gensim, lda and tomotopy are those of topics.txt.
"""
from importlib.metadata import PackageNotFoundError, version

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.decomposition import LatentDirichletAllocation

import gmm
from gmm import timed
from serve import serve

PASSES = 10


def installed(name):
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"


class Peer(gmm.Peer):
    def hello(self, **_):
        return dict(super().hello(), **{p: installed(p) for p in ("gensim", "tomotopy", "lda")})

    def counts(self, path, n):
        start, index = (np.fromfile(path + "." + part, dtype=np.int64) for part in ("start", "index"))
        self.X = csr_matrix((np.fromfile(path + ".count"), index, start), shape=(len(start) - 1, n))

    def reuters(self, path):
        """The documents of the lda package, to files as those of counts; the names of the words."""
        import lda.datasets
        X = csr_matrix(lda.datasets.load_reuters())
        for part, values in dict(start=X.indptr.astype(np.int64), index=X.indices.astype(np.int64), count=X.data.astype(float)).items():
            values.tofile(path + "." + part)
        return dict(words=list(lda.datasets.load_reuters_vocab()))

    def find(self, method, k, alpha, seed, sweeps, out):
        """Topics by a method, to the file out. alpha, the parameters of the shares, is None for
        the method's own."""
        topics, alpha, took = getattr(self, method)(k, alpha, seed, sweeps)
        np.ascontiguousarray(topics, dtype=float).tofile(out)
        return dict(took, alpha=[float(a) for a in alpha])

    def batch(self, k, alpha, seed, _, learning="batch"):
        """scikit-learn takes one alpha for all topics."""
        prior = None if alpha is None else float(np.mean(alpha))
        m, took = timed(lambda: LatentDirichletAllocation(
            k, doc_topic_prior=prior, learning_method=learning, max_iter=PASSES, random_state=seed, n_jobs=1).fit(self.X))
        return m.components_ / m.components_.sum(axis=1, keepdims=True), np.full(k, m.doc_topic_prior_), took

    def online(self, k, alpha, seed, sweeps):
        return self.batch(k, alpha, seed, sweeps, "online")

    def gensim(self, k, alpha, seed, _):
        from gensim.models import LdaModel
        X = self.X
        corpus = [list(zip(X.indices[s:e].tolist(), X.data[s:e].tolist())) for s, e in zip(X.indptr, X.indptr[1:])]
        names = {i: str(i) for i in range(X.shape[1])}
        m, took = timed(lambda: LdaModel(
            corpus, k, names, passes=PASSES, alpha="symmetric" if alpha is None else np.array(alpha, dtype=np.float32),
            eval_every=None, random_state=seed))
        return m.get_topics(), m.alpha, took

    def tomotopy(self, k, alpha, seed, sweeps):
        from tomotopy import LDAModel
        m = LDAModel(k=k, seed=seed) if alpha is None else LDAModel(k=k, alpha=alpha, seed=seed)
        if alpha is not None:
            m.optim_interval = 0
        X = self.X
        for s, e in zip(X.indptr, X.indptr[1:]):
            if e > s:
                m.add_doc(np.repeat(X.indices[s:e], X.data[s:e].astype(int)).astype(str).tolist())
        _, took = timed(lambda: m.train(sweeps, workers=1))
        topics = np.zeros((k, X.shape[1]))
        of = np.array(m.used_vocabs, dtype=int)
        for j in range(k):
            topics[j, of] = m.get_topic_word_dist(j)
        return topics, m.alpha, took


if __name__ == "__main__":
    serve(Peer)
