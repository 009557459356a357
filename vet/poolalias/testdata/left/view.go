package left

import "sync"

type view struct{ data []byte }

var views = sync.Pool{New: func() any { return new(view) }}

type holder struct {
	view *view
	size int
}

// What is returned where the view goes back does not have it.
func goodHolder(v *view) holder {
	h := holder{size: len(v.data)}
	if h.size == 0 {
		views.Put(v)
		return h
	}
	h.view = v
	return h
}

func badHolder(v *view) holder {
	h := holder{size: len(v.data)}
	h.view = v
	if h.size == 0 {
		views.Put(v)
		return h // want "the value returned aliases v"
	}
	return h
}
