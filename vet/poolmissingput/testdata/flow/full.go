package flow

import "io"

var queue = make(chan *[]byte, 8)

func consume(w io.Writer) {
	for b := range queue {
		w.Write(*b)
		blocks.Put(b)
	}
}

func badQueueFull(r io.Reader, drops *int) error {
	b := blocks.Get().(*[]byte) // want "is not put back"
	if _, err := r.Read(*b); err != nil {
		blocks.Put(b)
		return err
	}
	select {
	case queue <- b:
	default:
		*drops++
	}
	return nil
}

func goodQueueFull(r io.Reader, drops *int) error {
	b := blocks.Get().(*[]byte)
	if _, err := r.Read(*b); err != nil {
		blocks.Put(b)
		return err
	}
	select {
	case queue <- b:
	default:
		blocks.Put(b)
		*drops++
	}
	return nil
}

// It waits until there is room.
func goodQueueAgain(r io.Reader, wait func()) error {
	b := blocks.Get().(*[]byte)
	if _, err := r.Read(*b); err != nil {
		blocks.Put(b)
		return err
	}
	for {
		select {
		case queue <- b:
			return nil
		default:
			wait()
		}
	}
}

func goodQueueBlocks(r io.Reader, done <-chan bool) error {
	b := blocks.Get().(*[]byte)
	if _, err := r.Read(*b); err != nil {
		blocks.Put(b)
		return err
	}
	select {
	case queue <- b:
	case <-done:
		blocks.Put(b)
	}
	return nil
}
