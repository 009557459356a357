package lockfile

import (
	"fmt"
	"os"
	"strings"
)

// birth is the time at which a process started, in ticks since the machine did,
// and which start of the machine that was.
func birth(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	// The name in parentheses may hold anything. See proc_pid_stat(5).
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	const starttime = 22 - 3 // field 3 is the first behind the name
	if len(fields) <= starttime {
		return ""
	}
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return fields[starttime] + " " + strings.TrimSpace(string(boot))
}
