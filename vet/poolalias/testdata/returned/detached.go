package returned

import "sync"

// A machine hands out what it has computed, and keeps its stack.
type machine struct {
	out, log []byte
	stack    []int
}

type output struct{ out, log []byte }

type program interface{ Run(m *machine) }

var machines = sync.Pool{New: func() any { return new(machine) }}

func (m *machine) result() output { return output{out: m.out} }

func (m *machine) both() output { return output{out: m.out, log: m.log} }

// release leaves out to whoever has it.
func release(m *machine) {
	m.out = nil
	m.log = m.log[:0]
	machines.Put(m)
}

func goodResult(p program) output {
	m := machines.Get().(*machine)
	p.Run(m)
	r := m.result()
	release(m)
	return r
}

func goodInline(p program) output {
	m := machines.Get().(*machine)
	p.Run(m)
	r := m.result()
	m.out = nil
	machines.Put(m)
	return r
}

// The next user of the machine writes into log.
func badBoth(p program) output {
	m := machines.Get().(*machine)
	p.Run(m)
	r := m.both()
	release(m)
	return r // want "aliases m"
}

func badKept(p program) output {
	m := machines.Get().(*machine)
	p.Run(m)
	r := m.result()
	machines.Put(m)
	return r // want "aliases m"
}
