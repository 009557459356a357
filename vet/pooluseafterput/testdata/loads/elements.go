package loads

import "time"

type window struct {
	queue [256][]byte
	list  [][]byte
	byID  map[int][]byte
	sent  [256]time.Time
	lost  int
	next  func(int)
}

func (w *window) put(b []byte) { blocks.Put(&b) }

func (w *window) badTrack(id uint16, b []byte) {
	i := id % uint16(len(w.queue))
	old := w.queue[i]
	if old != nil {
		w.put(w.queue[i])
	}
	w.queue[i] = b
	w.sent[i] = time.Now()
	if old != nil && w.lost > 0 {
		old[0] = 1 // want "is used after it was put back"
		w.lost++
	}
}

func (w *window) goodTrack(id uint16, b []byte) {
	i := id % uint16(len(w.queue))
	old := w.queue[i]
	if old != nil {
		old[0] = 1
		w.put(w.queue[i])
	}
	w.queue[i] = b
}

func (w *window) badList(i int) byte {
	put(w.list[i])
	return w.list[i][0] // want "is used after it was put back"
}

func (w *window) goodListReplaced(i int, b []byte) byte {
	put(w.list[i])
	w.list[i] = b
	return w.list[i][0]
}

func (w *window) goodNextElement(i int) byte {
	put(w.list[i])
	i++
	return w.list[i][0]
}

func (w *window) goodMoved(i int) byte {
	put(w.list[i])
	w.list = append(w.list[:i], w.list[i+1:]...)
	return w.list[i][0]
}

func (w *window) set(i int, b []byte) { w.list[i] = b }

func (w *window) goodSet(i int, b []byte) byte {
	put(w.list[i])
	w.set(i, b)
	return w.list[i][0]
}

func (w *window) count() { w.lost++ }

func (w *window) badCounted(i int) byte {
	put(w.list[i])
	w.count()
	return w.list[i][0] // want "is used after it was put back"
}

func (w *window) goodFunc(i int) byte {
	put(w.list[i])
	w.next(i)
	return w.list[i][0]
}

func (w *window) badMap(id int) {
	b, ok := w.byID[id]
	if !ok {
		return
	}
	put(w.byID[id])
	delete(w.byID, id)
	b[0] = 0 // want "is used after it was put back"
}

func (w *window) goodMap(id, other int) {
	b, ok := w.byID[id]
	if !ok {
		return
	}
	put(w.byID[other])
	delete(w.byID, other)
	b[0] = 0
}

func (w *window) goodMapReplaced(id int, n []byte) {
	b := w.byID[id]
	w.byID[id] = n
	put(b)
	w.byID[id][0] = 1
}

func badLocal(bufs [][]byte, n int) int {
	sum := 0
	for i := range n {
		b := bufs[i]
		put(bufs[i])
		sum += int(b[0]) // want "is used after it was put back"
	}
	return sum
}

func goodLocal(bufs [][]byte, n int) int {
	sum := 0
	for i := range n {
		b := bufs[i]
		sum += int(b[0])
		put(bufs[i])
	}
	return sum
}

func badFirst(bufs [][]byte) int {
	put(bufs[0])
	return len(bufs) + int(bufs[0][1]) // want "is used after it was put back"
}

func goodFirst(bufs [][]byte) int {
	put(bufs[0])
	return len(bufs) + int(bufs[1][1])
}

func goodSwapped(bufs [][]byte, i, j int) byte {
	put(bufs[i])
	bufs[i], bufs[j] = bufs[j], nil
	return bufs[i][0]
}
