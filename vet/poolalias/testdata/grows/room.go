package grows

import "sync"

// Memory that gets more room where it has too little is the same memory on all other days.

var rooms = sync.Pool{New: func() any { return new([]byte) }}

func room(n int) *[]byte {
	b := rooms.Get().(*[]byte)
	if cap(*b) < n {
		*b = make([]byte, n)
	}
	*b = (*b)[:n]
	return b
}

func badRoom(text string) []byte {
	b := room(len(text))
	defer rooms.Put(b)
	copy(*b, text)
	return *b // want "aliases b"
}

func goodRoom(text string) []byte {
	b := room(len(text))
	defer rooms.Put(b)
	copy(*b, text)
	return append([]byte(nil), *b...)
}

func badRoomHere(text string) []byte {
	b := rooms.Get().(*[]byte)
	defer rooms.Put(b)
	if n := len(text); n > cap(*b) {
		*b = make([]byte, n)
	}
	return append((*b)[:0], text...) // want "aliases b"
}

// It gets new memory each time.
func goodNewRoom(text string) []byte {
	b := rooms.Get().(*[]byte)
	defer rooms.Put(b)
	out := append((*b)[:0], text...)
	*b = make([]byte, 0, cap(out))
	return out
}

// What is too large to be kept is not put back.
func goodTooLarge(text string) []byte {
	b := rooms.Get().(*[]byte)
	out := append((*b)[:0], text...)
	*b = out
	if cap(*b) > 1<<16 {
		*b = make([]byte, 0, 1<<10)
		rooms.Put(b)
		return out
	}
	defer rooms.Put(b)
	return append([]byte(nil), out...)
}
