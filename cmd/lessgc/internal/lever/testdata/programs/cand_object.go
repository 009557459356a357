package programs

import "reflect"

// The functions have few types.
func objectCalled(fn reflect.Value, text string) string {
	return fn.Call([]reflect.Value{reflect.ValueOf(text)})[0].String() // want reflect-direct
}

// The element is copied into the map, and made again for the next.
func objectDecoded(m reflect.Value, names []string, set func(reflect.Value, string)) {
	for _, name := range names {
		e := reflect.New(m.Type().Elem()).Elem() // want reflect-direct
		set(e, name)
		m.SetMapIndex(reflect.ValueOf(name), e)
	}
}

// Only the type is asked for.
func objectAsserted(v reflect.Value) int {
	switch x := v.Interface().(type) { // want reflect-direct
	case objectPair:
		return x.a
	}
	return 0
}

func objectRead(v reflect.Value) int64 {
	return v.Convert(reflect.TypeFor[int64]()).Int() // want reflect-direct
}

func objectIndexed(v, key reflect.Value) int {
	return v.MapIndex(key).Len() // want reflect-direct
}

// The pointer is what the slice has.
func objectPointers(v reflect.Value, n int) {
	for i := range n {
		v.Index(i).Set(reflect.New(v.Type().Elem().Elem())) // no reflect-direct
	}
}

// Each Value is kept.
func objectValues(t reflect.Type, n int) (all []reflect.Value) {
	for range n {
		all = append(all, reflect.New(t).Elem()) // no reflect-direct
	}
	return all
}

// The interface is what is wanted.
func objectInterface(v reflect.Value) any {
	return v.Interface() // no reflect-direct
}

// The map grows.
func objectMap(m reflect.Value, key, value reflect.Value) {
	m.SetMapIndex(key, value) // no reflect-direct
}

// One object for all.
func objectOnce(t reflect.Type, m reflect.Value, names []string) {
	e := reflect.New(t).Elem() // no reflect-direct
	for _, name := range names {
		e.SetString(name)
		m.SetMapIndex(reflect.ValueOf(name), e)
	}
}

type objectPair struct{ a, b int }

type objectRequest struct {
	attributes map[string]any
	counts     map[string]int
	Headers    map[string]string
	shared     map[string]int
	many       map[string]int
}

func objectRequested() *objectRequest {
	return &objectRequest{attributes: map[string]any{}, counts: make(map[string]int), Headers: map[string]string{}, shared: map[string]int{}, many: map[string]int{}}
}

var objectLast *objectRequest

func objectServed(names, many []string) int {
	r := objectRequested()
	objectLast = r
	r.set(names[0], names)
	r.count(names[1])
	r.header(names[0], names[1])
	return r.sum() + r.fill(many) + len(r.share(names[2])) + len(r.attribute(names[0]).([]string))
}

func (r *objectRequest) set(name string, value any) {
	r.attributes[name] = value // want few-entries
}

func (r *objectRequest) attribute(name string) any { return r.attributes[name] }

func (r *objectRequest) count(name string) {
	r.counts[name]++ // want few-entries
}

func (r *objectRequest) sum() (n int) {
	for _, c := range r.counts {
		n += c
	}
	clear(r.counts)
	return n
}

// Everybody may have the map.
func (r *objectRequest) header(name, value string) {
	r.Headers[name] = value // no few-entries
}

// The map is handed out.
func (r *objectRequest) share(name string) map[string]int {
	r.shared[name] = len(name) // no few-entries
	return r.shared
}

// It has many entries.
func (r *objectRequest) fill(names []string) int {
	for _, name := range names {
		r.many[name]++ // no few-entries
	}
	return len(r.many)
}

// It leaves the function.
func objectLengths(names []string) map[string]int {
	lengths := map[string]int{}
	for _, name := range names {
		lengths[name] = len(name) // no few-entries
	}
	return lengths
}
