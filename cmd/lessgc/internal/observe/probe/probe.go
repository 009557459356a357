// The probe is compiled into a program that lessgc tune observes, beside the program's own files and without
// changing them: into its package main, or into package testing of a test binary. After each collection it appends what
// the runtime accounted for to a file, and does nothing if the environment does not name one.
//
// All names of the file begin with lessgc, those of its imports too: a name that the program declares would else
// not compile. It is compiled in the language version of the program's module, which may be Go 1.12.
package main

import (
	lessgcBinary "encoding/binary"
	lessgcOs "os"
	lessgcRuntime "runtime"
	lessgcMetrics "runtime/metrics"
	lessgcTime "time"
)

// lessgcNames are the metrics of a record, in the order of package observe's.
var lessgcNames = [...]string{
	"/gc/cycles/automatic:gc-cycles",
	"/gc/cycles/forced:gc-cycles",
	"/gc/heap/allocs:bytes",
	"/gc/heap/live:bytes",
	"/gc/scan/stack:bytes",
	"/gc/scan/globals:bytes",
	"/gc/gogc:percent",
	"/gc/gomemlimit:bytes",
	"/sched/gomaxprocs:threads",
	"/cpu/classes/gc/mark/assist:cpu-seconds",
	"/cpu/classes/gc/mark/dedicated:cpu-seconds",
	"/cpu/classes/gc/mark/idle:cpu-seconds",
	"/cpu/classes/gc/pause:cpu-seconds",
	"/cpu/classes/total:cpu-seconds",
	"/cpu/classes/idle:cpu-seconds",
	"/memory/classes/total:bytes",
	"/memory/classes/heap/released:bytes",
	"/memory/classes/heap/free:bytes",
	"/memory/classes/heap/objects:bytes",
}

// lessgcWords is the number of words of 8 bytes in a record: nanoseconds since the start, then the metrics; those in
// seconds as nanoseconds.
const lessgcWords = 1 + len(lessgcNames)

// A lessgcSentinel is an object that nothing refers to. Its finalizer runs after each collection.
type lessgcSentinel struct {
	file    *lessgcOs.File
	start   lessgcTime.Time
	samples [len(lessgcNames)]lessgcMetrics.Sample
	record  [8 * lessgcWords]byte
}

func init() {
	const variable = "LESSGC_CYCLES"
	name := lessgcOs.Getenv(variable)
	if name == "" {
		return
	}
	lessgcOs.Unsetenv(variable) // for what the program starts
	f, err := lessgcOs.OpenFile(name, lessgcOs.O_WRONLY|lessgcOs.O_APPEND, 0)
	if err != nil {
		return // who reads the file finds out
	}
	s := &lessgcSentinel{file: f, start: lessgcTime.Now()}
	for i, name := range lessgcNames {
		s.samples[i].Name = name
	}
	lessgcRecord(s)
}

// lessgcRecord writes a record, and has itself called after the next collection.
func lessgcRecord(s *lessgcSentinel) {
	lessgcMetrics.Read(s.samples[:])
	s.put(0, uint64(lessgcTime.Since(s.start)))
	for i := range s.samples {
		switch v := s.samples[i].Value; v.Kind() {
		case lessgcMetrics.KindUint64:
			s.put(1+i, v.Uint64())
		case lessgcMetrics.KindFloat64:
			s.put(1+i, uint64(1e9*v.Float64()))
		}
	}
	if _, err := s.file.Write(s.record[:]); err == nil {
		lessgcRuntime.SetFinalizer(s, lessgcRecord)
	}
}

func (s *lessgcSentinel) put(word int, v uint64) {
	lessgcBinary.LittleEndian.PutUint64(s.record[8*word:], v)
}
