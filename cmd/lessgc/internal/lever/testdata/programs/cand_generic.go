package programs

import "strings"

// genStore is generic: what runs are its instances, of the tests alone.
type genStore[K comparable, V any] struct {
	items  map[K]*genNode[V]
	first  []*genNode[V]
	notify chan struct{}
	keyOf  func(V) K
}

type genNode[V any] struct {
	value V
	leaf  *genLeaf[V]
	done  chan struct{}
}

type genLeaf[V any] struct {
	all  [4]V
	used int
}

func newGenNode[V any](v V) *genNode[V] {
	n := &genNode[V]{value: v}
	n.leaf = &genLeaf[V]{used: 1} // want embed
	n.done = make(chan struct{})  // no fewer-goroutines
	return n
}

func (s *genStore[K, V]) load(all []V) {
	items := make(map[K]*genNode[V]) // no presize-map
	for _, v := range all {
		items[s.keyOf(v)] = newGenNode(v) // want presize-map
	}
	s.items = items
}

// The first ones, as many as there are.
func (s *genStore[K, V]) order(all []V) {
	var first []*genNode[V]
	for _, v := range all {
		first = append(first, s.items[s.keyOf(v)]) // want preallocate
	}
	s.first = first
	for _, n := range first {
		n.leaf.used++
	}
}

func genJoin[T ~string](all []T) (text string) {
	for _, t := range all {
		text += strings.ToUpper(string(t)) + " " // want builder
	}
	return text
}

func genEach[T any](all []T, do func(T)) {
	done := make(chan struct{}) // want fewer-goroutines
	for _, v := range all {
		go func() { // want fewer-goroutines
			do(v)
			done <- struct{}{}
		}()
	}
	for range all {
		<-done
	}
}

// An instance, as those of the tests are not loaded here.
func genNumbers(keyOf func(int) string) *genStore[string, int] {
	s := &genStore[string, int]{keyOf: keyOf}
	s.load([]int{1, 2, 3})
	s.order([]int{1, 2, 3})
	return s
}
