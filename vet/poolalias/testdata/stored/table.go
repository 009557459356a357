package stored

import "sync"

// A table has the jobs that are under way, by their number.
type table struct {
	mu   sync.Mutex
	jobs map[int]*job
	done map[int]bool
}

type job struct{ n int }

var jobs = sync.Pool{New: func() any { return new(job) }}

func getJob() *job  { return jobs.Get().(*job) }
func putJob(j *job) { jobs.Put(j) }

func (t *table) start(n int, j *job) {
	t.mu.Lock()
	t.jobs[n] = j
	t.mu.Unlock()
}

// finish takes a job out of the table.
func (t *table) finish(n int) {
	t.mu.Lock()
	delete(t.jobs, n)
	t.mu.Unlock()
}

// forget takes nothing out of it that was put there.
func (t *table) forget(n int) {
	t.mu.Lock()
	delete(t.done, n)
	t.mu.Unlock()
}

// A worker has a table.
type worker struct{ table *table }

func (w *worker) goodRun(n int) {
	j := getJob()
	w.table.start(n, j)
	defer putJob(j)
	defer func() { w.table.finish(n) }()
	j.n++
}

func (w *worker) goodTwo(n int) {
	j := getJob()
	w.table.start(n, j)
	w.run(j, n)
}

func (w *worker) run(j *job, n int) {
	defer putJob(j)
	defer func() { w.table.finish(n) }()
	j.n++
}

func (w *worker) goodMore(n int) {
	j, other := getJob(), getJob()
	w.table.start(n, j)
	w.runMore(j, other, n)
}

// runMore puts another job back in the deferred function that takes j out of the table.
func (w *worker) runMore(j, other *job, n int) {
	defer putJob(j)
	defer func() {
		putJob(other)
		w.table.finish(n)
	}()
	j.n += other.n
}

func (w *worker) goodNow(n int) {
	j := getJob()
	w.table.start(n, j)
	j.n++
	w.table.finish(n)
	putJob(j)
}

func (w *worker) badOther(n int) {
	j := getJob()
	w.table.start(n, j) // want "aliases j"
	defer putJob(j)
	defer func() { w.table.forget(n) }()
	j.n++
}

// The table still has the job when it is put back.
func (w *worker) badOrder(n int) {
	j := getJob()
	w.table.start(n, j) // want "aliases j"
	defer func() { w.table.finish(n) }()
	defer putJob(j)
	j.n++
}

func (w *worker) badTwo(n int) {
	j := getJob()
	w.table.start(n, j) // want "aliases j"
	w.late(j, n)
}

func (w *worker) late(j *job, n int) {
	defer func() { w.table.finish(n) }()
	defer putJob(j)
	j.n++
}
