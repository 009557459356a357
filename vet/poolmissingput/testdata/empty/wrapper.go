package empty

import (
	"encoding/json"
	"sync"
)

type wrapper struct{ b []byte }

func (w *wrapper) Write(p []byte) (int, error) {
	w.b = append(w.b, p...)
	return len(p), nil
}

var wrappers = sync.Pool{New: func() any { return new(wrapper) }}

type entry struct{ buf []byte }

func (e *entry) badEncoded(v any) {
	w := wrappers.Get().(*wrapper) // want "is never put back"
	w.b = w.b[:0]
	if err := json.NewEncoder(w).Encode(v); err != nil {
		e.buf = append(e.buf, "null"...)
	} else {
		e.buf = append(e.buf, w.b...)
	}
}

func (e *entry) goodEncoded(v any) {
	w := wrappers.Get().(*wrapper)
	defer wrappers.Put(w)
	w.b = w.b[:0]
	if err := json.NewEncoder(w).Encode(v); err != nil {
		e.buf = append(e.buf, "null"...)
	} else {
		e.buf = append(e.buf, w.b...)
	}
}
