package stored

import "io"

type chunk struct{ data []byte }

type request struct{ chunk *chunk }

type requests interface{ Send(*request) error }

type uploader struct {
	next *request
	to   requests
}

// The request that was kept moves out of its field, as in storj.io/uplink: whoever gets it has it alone.
func (u *uploader) goodMoved(r io.Reader) (err error) {
	defer func() {
		if err != nil {
			u.close()
		}
	}()
	b := blocks.Get().(*[]byte)
	defer blocks.Put(b)
	for {
		n, err := r.Read(*b)
		if err != nil {
			return err
		}
		q := u.next
		u.next = nil
		if q == nil {
			q = &request{}
		}
		q.chunk = &chunk{data: (*b)[:n]}
		if err := u.to.Send(q); err != nil {
			return err
		}
	}
}

func (u *uploader) close() {}

// The field keeps it.
func (u *uploader) badKept(r io.Reader) (err error) {
	defer func() {
		if err != nil {
			u.close()
		}
	}()
	b := blocks.Get().(*[]byte)
	defer blocks.Put(b)
	n, err := r.Read(*b)
	if err != nil {
		return err
	}
	q := u.next
	q.chunk = &chunk{data: (*b)[:n]} // want "which is put back"
	return u.to.Send(q)
}
