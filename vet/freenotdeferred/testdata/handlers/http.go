//go:build !lessgc_short

package handlers

import (
	"io"
	"net/http"
	"strconv"
)

func badHandler(w http.ResponseWriter, r *http.Request) {
	a := pool.Get()
	o, err := parse(a, r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
	} else {
		io.WriteString(w, strconv.Itoa(o.ID))
	}
	a.Free() // want `a is not freed if parse panics: defer it`
}

func goodHandler(w http.ResponseWriter, r *http.Request) {
	a := pool.Get()
	defer a.Free()
	o, err := parse(a, r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
	} else {
		io.WriteString(w, strconv.Itoa(o.ID))
	}
}
