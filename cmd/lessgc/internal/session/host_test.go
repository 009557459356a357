package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestQuota checks how many CPUs a group may use, that of a parent included, in both versions.
func TestQuota(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  float64
	}{
		{"none", nil, 0},
		{"no limit", map[string]string{"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/cpu.max": "max 100000\n"}, 0},
		{"version 2", map[string]string{"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/cpu.max": "150000 100000\n"}, 1.5},
		{"a parent", map[string]string{"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/cpu.max": "50000 100000\n", "sys/fs/cgroup/a/b/cpu.max": "150000 100000\n"}, 0.5},
		{"the root of a namespace", map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "200000 100000\n"}, 2},
		{"version 1", map[string]string{"proc/self/cgroup": "3:memory:/m\n2:cpu,cpuacct:/a\n0::/\n", "sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us": "250000\n",
			"sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us": "100000\n"}, 2.5},
		{"version 1, no limit", map[string]string{"proc/self/cgroup": "1:cpu:/\n", "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n"}, 0},
		{"nonsense", map[string]string{"proc/self/cgroup": "x\n0::/../../a\n", "sys/fs/cgroup/a/cpu.max": "1e999 0 x\n"}, 0},
	} {
		root := t.TempDir()
		for name, text := range c.files {
			file := filepath.Join(root, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got := quota(root); got != c.want {
			t.Errorf("%s: %v CPUs, want %v", c.name, got, c.want)
		}
	}
}

func TestCores(t *testing.T) {
	info := "processor\t: 0\nphysical id\t: 0\ncore id\t: 0\n\nprocessor\t: 1\nphysical id\t: 0\ncore id\t: 0\n\nprocessor\t: 2\nphysical id\t: 0\ncore id\t: 1\n\n"
	if n := cores(info + strings.ReplaceAll(info, "physical id\t: 0", "physical id\t: 1")); n != 4 {
		t.Errorf("%d cores, want 4", n)
	}
	if n := cores("processor : 0\n"); n != 0 {
		t.Errorf("%d cores where none are told", n)
	}
}
