// Package tools has something of everything that a kernel can have compiled in.
package tools

import (
	"errors"
	"fmt"

	"example.org/me/tools/internal/secret"
)

// Limit is how many things a Shelf holds.
const Limit = 3

// ErrFull is returned by a Shelf with Limit things on it.
var ErrFull = errors.New("the shelf is full")

// Clock is compiled: sessions see its methods, not its fields.
type Clock struct{ ticks int }

// Tick moves the clock on.
func (c *Clock) Tick() int { c.ticks++; return c.ticks }

// Sizer is implemented by what cells declare.
type Sizer interface{ Size() int }

// Sizes calls methods of cells from compiled code.
func Sizes(list ...Sizer) (total int) {
	for _, s := range list {
		total += s.Size()
	}
	return total
}

// Shelf is generic, with fields and methods that are not exported.
type Shelf[T any] struct {
	things []place[T]
	clock  Clock
}

type place[T any] struct {
	thing T
	at    int
}

// Put puts a thing on the shelf.
func (s *Shelf[T]) Put(thing T) error {
	if s.full() {
		return fmt.Errorf("%w: %d of %d", ErrFull, len(s.things), Limit)
	}
	s.things = append(s.things, place[T]{thing, s.clock.Tick()})
	return nil
}

func (s *Shelf[T]) full() bool { return len(s.things) >= Limit }

// Each calls f for the things, in the order in which they came.
func (s *Shelf[T]) Each(f func(at int, thing T)) {
	for _, p := range s.things {
		f(p.at, p.thing)
	}
}

// All is an iterator.
func (s *Shelf[T]) All() func(yield func(int, T) bool) {
	return func(yield func(int, T) bool) {
		for _, p := range s.things {
			if !yield(p.at, p.thing) {
				return
			}
		}
	}
}

// Number is a constraint.
type Number interface{ ~int | ~float64 }

// Double needs a function of an internal package, and one that is not exported.
func Double[N Number](x N) N { return secret.Times(twice(), x) }

func twice() int { return 2 }

// Numbers is no generic function, but has an instance in its signature: it runs from
// source.
func Numbers() *Shelf[int] {
	s := &Shelf[int]{}
	for i := range Limit {
		_ = s.Put(i * i)
	}
	return s
}

// Store is compiled, and has an instance in a field: cells cannot have it.
type Store struct{ Shelf *Shelf[string] }

// Counted uses a variable that is not exported: the one of Count.
func Counted[T any](x T) (T, int) {
	count++
	return x, count
}

// Count is compiled.
func Count() int { count++; return count }

var count int

// Secret needs a field of a compiled type that is not exported.
func Secret[T any](x T) int {
	var c Clock
	return c.ticks
}

// Zero asks with an interface that is not exported.
func Zero[T comparable](x T) bool {
	var zero T
	if z, ok := any(x).(zeroer); ok {
		return z.IsZero()
	}
	return x == zero
}

type zeroer interface{ IsZero() bool }

// Bag is a generic interface that refers to itself.
type Bag[T comparable] interface {
	Add(x T) bool
	Union(other Bag[T]) Bag[T]
	Len() int
	String() string
}

type bag[T comparable] map[T]struct{}

// NewBag returns a Bag.
func NewBag[T comparable](xs ...T) Bag[T] {
	b := bag[T]{}
	for _, x := range xs {
		b.Add(x)
	}
	return b
}

func (b bag[T]) Add(x T) bool {
	_, there := b[x]
	b[x] = struct{}{}
	return !there
}

func (b bag[T]) Union(other Bag[T]) Bag[T] {
	out := NewBag[T]()
	for x := range b {
		out.Add(x)
	}
	if o, ok := other.(bag[T]); ok {
		for x := range o {
			out.Add(x)
		}
	}
	return out
}

func (b bag[T]) Len() int { return len(b) }

func (b bag[T]) String() string {
	var xs []T
	for x := range b {
		xs = append(xs, x)
	}
	return fmt.Sprint("a bag of ", xs)
}

// Envelope has a method that cannot run from source, and others that can.
type Envelope[T any] struct {
	thing T
	clock Clock
}

// Set and Get run.
func (e *Envelope[T]) Set(thing T) { e.thing = thing }

// Get returns the value of Set.
func (e *Envelope[T]) Get() T { return e.thing }

// Ticks needs a field of a compiled type that is not exported.
func (e *Envelope[T]) Ticks() int { return e.clock.ticks }
