//go:build !lessgc_short

package grow

import (
	"bytes"
	"net/http"
	"sync"
)

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func goodMaxBytes(w http.ResponseWriter, r *http.Request) error {
	b := bodies.Get().(*bytes.Buffer)
	defer bodies.Put(b)
	b.Reset()
	_, err := b.ReadFrom(http.MaxBytesReader(w, r.Body, 1<<16))
	return err
}
