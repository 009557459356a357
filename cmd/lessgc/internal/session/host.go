package session

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"lessgc/internal/cgroup"
)

// Host describes the machine of a measurement.
type Host struct {
	OS     string  `json:"os"`
	Arch   string  `json:"arch"`
	Kernel string  `json:"kernel,omitempty"`
	CPU    string  `json:"cpu,omitempty"`
	NumCPU int     `json:"numCPU"`
	Cores  int     `json:"cores,omitempty"`  // physical ones, of all sockets; 0 if not known
	Quota  float64 `json:"quota,omitempty"`  // CPUs that the container may use on average; 0 for no limit
	Memory int64   `json:"memory,omitempty"` // bytes
	Limit  int64   `json:"limit,omitempty"`  // of the container's memory, in bytes; 0 for none
	Level  string  `json:"level,omitempty"`  // GOAMD64, GOARM64 and so on in the environment, such as GOAMD64=v3
	Load   float64 `json:"load"`             // load average at the start; -1 unknown

	NoCounter string `json:"noCounter,omitempty"` // why instructions are not counted; "" if they are
}

// NewHost describes the machine that this process runs on, and its container. What the system does not
// tell is left out.
func NewHost() Host {
	h := Host{OS: runtime.GOOS, Arch: runtime.GOARCH, NumCPU: runtime.NumCPU(), Load: -1, Level: level(os.LookupEnv)}
	if data, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		h.CPU, h.Cores = field(data, "model name"), cores(string(data))
	}
	if data, err := os.ReadFile("/proc/meminfo"); err == nil {
		var kib int64
		if _, err := fmt.Sscanf(field(data, "MemTotal"), "%d kB", &kib); err == nil {
			h.Memory = kib << 10
		}
	}
	if data, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		h.Kernel = strings.TrimSpace(string(data))
	}
	if data, err := os.ReadFile("/proc/loadavg"); err == nil {
		fmt.Sscan(string(data), &h.Load)
	}
	h.Quota = quota("")
	if g, err := cgroup.Find(""); err == nil {
		if limit, ok, err := g.Limit(); err == nil && ok {
			h.Limit = limit
		}
		g.Close()
	}
	return h
}

// Class names what kind of machine it is: its CPU, and the instructions that its binaries may use.
func (h Host) Class() string {
	name := cmp.Or(h.CPU, "unknown CPU") + ", " + h.OS + "/" + h.Arch
	if h.Level != "" {
		name += " " + h.Level
	}
	return name
}

// levels are the variables that choose instructions, by GOARCH.
var levels = map[string]string{"386": "GO386", "amd64": "GOAMD64", "arm": "GOARM", "arm64": "GOARM64", "mips": "GOMIPS", "mips64": "GOMIPS64",
	"ppc64": "GOPPC64", "ppc64le": "GOPPC64", "riscv64": "GORISCV64", "wasm": "GOWASM"}

// level is the variable of this architecture with its value, "" if it is not set.
func level(lookup func(string) (string, bool)) string {
	name := levels[runtime.GOARCH]
	if value, ok := lookup(name); ok && name != "" && value != "" {
		return name + "=" + value
	}
	return ""
}

// cores counts the physical cores that /proc/cpuinfo tells of; 0 if it does not.
func cores(info string) int {
	seen := map[[2]string]bool{}
	for cpu := range strings.SplitSeq(info, "\n\n") {
		if core := field([]byte(cpu), "core id"); core != "" {
			seen[[2]string{field([]byte(cpu), "physical id"), core}] = true
		}
	}
	return len(seen)
}

// quota is the number of CPUs that this process's control group and its parents may use on average: of version 2
// by cpu.max, a time and a period, both in microseconds, or "max" for no limit; of version 1 by cpu.cfs_quota_us and
// cpu.cfs_period_us, -1 for no limit. See admin-guide/cgroup-v2.rst and scheduler/sched-bwc.rst of the kernel. It is 0 for no
// limit, and on other systems. The root is put before all paths.
func quota(root string) float64 {
	data, err := os.ReadFile(root + "/proc/self/cgroup")
	if err != nil {
		return 0
	}
	least := 0.0
	for line := range strings.Lines(string(data)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		for dir := path.Clean("/" + parts[2]); ; dir = path.Dir(dir) {
			if cpus := groupQuota(root, parts[1], dir); cpus > 0 && (least == 0 || cpus < least) {
				least = cpus
			}
			if dir == "/" {
				break
			}
		}
	}
	return least
}

// groupQuota is the quota of one group, in the hierarchy of some controllers; those of version 2 have no names.
func groupQuota(root, controllers, dir string) float64 {
	read := func(name string) string {
		data, _ := os.ReadFile(root + name)
		return strings.TrimSpace(string(data))
	}
	switch {
	case controllers == "":
		used, period, _ := strings.Cut(read(path.Join("/sys/fs/cgroup", dir, "cpu.max")), " ")
		return cpus(used, period)
	case slices.Contains(strings.Split(controllers, ","), "cpu"):
		at := path.Join("/sys/fs/cgroup", controllers, dir)
		return cpus(read(path.Join(at, "cpu.cfs_quota_us")), read(path.Join(at, "cpu.cfs_period_us")))
	}
	return 0
}

// cpus is a time by a period, 0 if it is no limit.
func cpus(used, period string) float64 {
	u, err1 := strconv.ParseFloat(used, 64)
	p, err2 := strconv.ParseFloat(period, 64)
	if err1 != nil || err2 != nil || !(u > 0 && p > 0) || u/p > 1<<20 {
		return 0
	}
	return u / p
}

// field returns the value of the first "key : value" line.
func field(data []byte, key string) string {
	for line := range strings.Lines(string(data)) {
		k, v, ok := strings.Cut(line, ":")
		if ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}
