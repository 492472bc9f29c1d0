// Package block reads observations block by block, wherever they are stored. Source is
// the interface that every computation on a table uses. Dense holds all observations
// in memory, Chain joins several sources into one, and package load reads
// files.
//
// # Sparse observations
//
// Sparse stores a block without zeros. Its products keep the columns of A side by side for
// each variable (linalg.SparseTTSV), because each stored value then touches one or two
// cache lines. The implicit moment, projections and starts use these products; everything
// else reads dense rows, a few at a time (Block.Values). Centering and standardizing are a
// shift and a scale stored with the values: they are applied to the columns of A before
// the products and to the sums after them.
package block
