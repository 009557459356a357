package html

// A joiner puts a text together from parts. A text of one part is that part
// and is copied once, into the tree; the parts of others meet in a buffer.
type joiner struct {
	first string // not in buf yet
	buf   []byte
}

func (j *joiner) reset() {
	j.first = ""
	j.buf = j.buf[:0]
}

// add adds a part that stays as it is until reset.
func (j *joiner) add(part string) {
	if part != "" {
		j.buf = append(j.buf, j.first...)
		j.first = part
	}
}

// addCopy adds a part that may be overwritten.
func (j *joiner) addCopy(part string) {
	j.buf = append(j.buf, j.first...)
	j.buf = append(j.buf, part...)
	j.first = ""
}

// text returns the text. It is valid until reset.
func (j *joiner) text() string {
	if len(j.buf) == 0 {
		return j.first
	}
	j.addCopy("")
	return view(j.buf)
}

// maxKept is the largest capacity of a buffer that is kept, in bytes.
const maxKept = 64 << 10

// release forgets the parts and keeps the buffer, unless it is large.
func (j *joiner) release() {
	if cap(j.buf) > maxKept {
		j.buf = nil
	}
	j.reset()
}
