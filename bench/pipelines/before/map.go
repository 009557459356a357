package before

import "iter"

// Map returns f of every value of s.
func Map[T, U any](s iter.Seq[T], f func(T) U) iter.Seq[U] {
	return func(yield func(U) bool) {
		s(func(v T) bool { return yield(f(v)) })
	}
}

// FlatMap returns the values of f of the first value of s, then those of f of
// the second, and so on. f does not return nil.
//
// What f returns may be an object on the heap for each value of s, unless the
// compiler sees s and f: func(v T) iter.Seq[U] { return slices.Values(v.items) },
// for example, then allocates nothing.
func FlatMap[T, U any](s iter.Seq[T], f func(T) iter.Seq[U]) iter.Seq[U] {
	return func(yield func(U) bool) {
		more := true
		each := func(u U) bool {
			more = yield(u)
			return more
		}
		s(func(v T) bool {
			f(v)(each)
			return more
		})
	}
}

// A Pair is one step of an [iter.Seq2].
type Pair[K, V any] struct {
	Key   K
	Value V
}

// Pairs returns the steps of s as values, so that they can go through a chain:
// those of maps.All, for example, or of [Zip].
func Pairs[K, V any](s iter.Seq2[K, V]) iter.Seq[Pair[K, V]] {
	return func(yield func(Pair[K, V]) bool) {
		s(func(k K, v V) bool { return yield(Pair[K, V]{k, v}) })
	}
}

// Split undoes [Pairs], for maps.Collect and maps.Insert for example.
func Split[K, V any](s iter.Seq[Pair[K, V]]) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		s(func(p Pair[K, V]) bool { return yield(p.Key, p.Value) })
	}
}

// Zip returns the first value of a with the first of b, then the second with
// the second, and so on, until one of them has no more. If that is b, one value
// of a more has been taken and is lost.
//
// A loop over the result runs b as a coroutine, see [iter.Pull]: that is a few
// objects on the heap, and about a hundred times the time of another stage for
// each value. If b is a slice, count its index in a loop over a instead.
func Zip[A, B any](a iter.Seq[A], b iter.Seq[B]) iter.Seq2[A, B] {
	return func(yield func(A, B) bool) {
		next, stop := iter.Pull(b)
		defer stop()
		a(func(v A) bool {
			w, ok := next()
			return ok && yield(v, w)
		})
	}
}

// Chunk returns the values of s in slices of len(buf) values, the last one
// shorter if they do not come out even. It panics if buf is empty.
//
// Every slice is buf, overwritten as soon as the loop asks for the next one:
// copy what must stay. So two loops over the result must not overlap.
func Chunk[T any](s iter.Seq[T], buf []T) iter.Seq[[]T] {
	if len(buf) == 0 {
		panic("seq: Chunk with an empty buffer")
	}
	buf = buf[:len(buf):len(buf)] // append to a slice must not write behind it
	return func(yield func([]T) bool) {
		n := 0
		s(func(v T) bool {
			buf[n] = v
			n++
			if n < len(buf) {
				return true
			}
			n = 0
			return yield(buf)
		})
		if n > 0 {
			yield(buf[:n:n])
		}
	}
}
