package second

import "sync"

type reader struct {
	data []byte
	from *sync.Pool
}

func (r *reader) finish() {
	r.data = nil
	r.from.Put(r)
}

type request struct {
	id string
	r  *reader
}

func (q *request) reset() {
	q.id = ""
	q.r = nil
}

var (
	requests = sync.Pool{New: func() any { return new(request) }}
	readers  = sync.Pool{New: func() any { return &reader{} }}
)

func newRequest() *request {
	q := requests.Get().(*request)
	q.reset()
	q.r = readers.Get().(*reader)
	return q
}

func (q *request) putBoth() {
	readers.Put(q.r)
	q.reset()
	requests.Put(q)
}

func (q *request) put() {
	q.reset()
	requests.Put(q)
}

func badFinishedBoth(fetch func(string) []byte) int {
	q := newRequest()
	q.r.data = fetch(q.id)
	if q.r.data == nil {
		q.putBoth()
		return 0
	}
	n := len(q.r.data)
	q.r.finish()
	q.putBoth() // want "put back twice"
	return n
}

func goodFinishedBoth(fetch func(string) []byte) int {
	q := newRequest()
	q.r.data = fetch(q.id)
	if q.r.data == nil {
		q.putBoth()
		return 0
	}
	n := len(q.r.data)
	q.r.finish()
	q.put()
	return n
}

// release can be called again.
func (q *request) release() {
	if q.r != nil {
		readers.Put(q.r)
	}
	q.reset()
}

func goodRelease(q *request) {
	q.release()
	q.release()
}

func badRelease(q *request) {
	q.r.finish()
	q.release() // want "put back twice"
}

func goodReleaseReset(q *request) {
	q.r.finish()
	q.reset()
	q.release()
}
