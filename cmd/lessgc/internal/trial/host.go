package trial

import (
	"os"
	"strconv"
	"strings"
)

// loadAverage is the number of runnable tasks, averaged over a minute, or -1.
func loadAverage() float64 {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return -1
	}
	first, _, _ := strings.Cut(string(data), " ")
	load, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return -1
	}
	return load
}

// cpuTicks are the counters of the first line of /proc/stat, see proc_stat(5).
type cpuTicks struct{ total, steal uint64 }

func readCPUTicks() (t cpuTicks, ok bool) {
	data, err := os.ReadFile("/proc/stat")
	if err != nil {
		return t, false
	}
	return parseCPUTicks(string(data))
}

func parseCPUTicks(stat string) (t cpuTicks, ok bool) {
	line, _, _ := strings.Cut(stat, "\n")
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return t, false
	}
	// user nice system idle iowait irq softirq steal; the guest times that
	// follow are already part of user and nice.
	for i, f := range fields[1:9] {
		n, err := strconv.ParseUint(f, 10, 64)
		if err != nil {
			return t, false
		}
		t.total += n
		if i == 7 {
			t.steal = n
		}
	}
	return t, true
}

func (t cpuTicks) stealSince(before cpuTicks) float64 {
	if t.total <= before.total || t.steal < before.steal { // the counters may go back a little
		return 0
	}
	return float64(t.steal-before.steal) / float64(t.total-before.total)
}
