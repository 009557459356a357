package perhaps

// A worker that is idle tells so itself, and waits for the next task, as in github.com/lindb/lindb: the
// channel of those that are ready is not a pool.
type worker struct {
	pool  *workers
	tasks chan func()
	stop  chan struct{}
}

type workers struct{ ready chan *worker }

func (p *workers) get() *worker {
	select {
	case w := <-p.ready:
		return w
	default:
		return newWorker(p)
	}
}

func newWorker(p *workers) *worker {
	w := &worker{pool: p, tasks: make(chan func()), stop: make(chan struct{})}
	go w.goodRun()
	return w
}

func (w *worker) goodRun() {
	for {
		select {
		case <-w.stop:
			return
		case t := <-w.tasks:
			t()
			select {
			case w.pool.ready <- w:
			default:
				return
			}
		}
	}
}

// A goroutine that has done with it gives it back.
type task struct{ data []byte }

type tasks struct{ free chan *task }

func (p *tasks) get() *task {
	select {
	case t := <-p.free:
		return t
	default:
		return new(task)
	}
}

func (p *tasks) start() { go p.badRun(p.get()) }

func (p *tasks) badRun(t *task) int {
	select {
	case p.free <- t:
	default:
	}
	return len(t.data) // want "t is used after it was put back"
}
