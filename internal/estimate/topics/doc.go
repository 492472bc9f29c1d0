// Package topics finds what documents are about: topics mu_1 .. mu_k, distributions over n
// words, of which each document mixes some, in shares drawn from a Dirichlet distribution with
// parameters alpha_1 .. alpha_k of sum a0, the concentration (latent Dirichlet allocation; Blei,
// Ng & Jordan 2003).
//
// For a document of counts c and length L the moments over d distinct places, at which words
// are drawn independently given its shares, are
//
//	X2 = E [c c' - diag c] / (L (L-1)),   X3 likewise,   M1 = E c / L,
//
// and with the concentration
//
//	M2 = X2 - a0/(a0+1) M1 M1'                       = sum alpha_i / (a0 (a0+1)) mu_i mu_i'
//	M3 = X3 - a0/(a0+2) (X2 x M1, in three orders)
//	   + 2 a0^2/((a0+1) (a0+2)) M1 x M1 x M1         = sum 2 alpha_i / (a0 (a0+1) (a0+2)) mu_i x mu_i x mu_i
//
// (Anandkumar, Ge, Hsu, Kakade & Telgarsky 2014). In the k coordinates in which M2 is the
// identity, M3 is a sum of orthonormal terms, which the symmetric power method finds
// (moments.go). Neither the n x n nor the n x n x n moment is formed. Without a given
// concentration it is the one that leaves least of M3 unexplained (concentration.go).
//
// From there zero-order collapsed variational inference (polish.go) makes them better: a pass
// over the counts for each step, one update of a document in each. It needs no start of its
// own, and of sampled documents it errs less than the usual variational inference, and than one
// sample of Gibbs sampling. The concentration is then that of pairs of different words, and
// standard errors are those of resampled documents (bootstrap.go).
//
// All that is computed from documents is sums over them, which also parts of a table that is on other
// machines can make (far.go).
package topics
