"""Counts words with scikit-learn's CountVectorizer. DIR: in it documents.json, a list of texts;
tokens.json, the words of each; and options.json, a list of settings. Writes for each setting
K.npz and K.json, the vocabulary; and theirs.json, the words by CountVectorizer's own rules."""
import json, pathlib, sys
import scipy.sparse
from sklearn.feature_extraction.text import CountVectorizer

folder = pathlib.Path(sys.argv[1])
load = lambda name: json.loads((folder / name).read_text("utf-8"))
documents, tokens = load("documents.json"), load("tokens.json")
for k, o in enumerate(load("options.json")):
    if "ngram_range" in o:
        o["ngram_range"] = tuple(o["ngram_range"])
    v = CountVectorizer(tokenizer=lambda i: tokens[int(i)] or [], token_pattern=None, lowercase=False, **o)
    x = v.fit_transform([str(i) for i in range(len(documents))])
    scipy.sparse.save_npz(folder / f"{k}.npz", x)
    (folder / f"{k}.json").write_text(json.dumps({"words": list(v.get_feature_names_out()), "type": str(x.dtype)}))
own = CountVectorizer().build_analyzer()
(folder / "theirs.json").write_text(json.dumps([own(d) for d in documents]))
