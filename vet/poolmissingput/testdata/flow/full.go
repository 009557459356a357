package flow

// What a full channel has no room for is lost, in a branch without a statement.
func badFull(ch chan *task, stop chan bool) {
	for {
		t := tasks.Get().(*task) // want "t is not put back on the path to line 8"
		t.id++
		select {
		case ch <- t:
		case <-stop:
			tasks.Put(t)
			return
		default:
		}
	}
}

func goodFull(ch chan *task, stop chan bool) {
	for {
		t := tasks.Get().(*task)
		t.id++
		select {
		case ch <- t:
		case <-stop:
			tasks.Put(t)
			return
		default:
			tasks.Put(t)
		}
	}
}
