package cgroup

import (
	"os"
	"strings"
	"testing"
)

// FuzzParse checks that no text breaks the parsers, and that paths they return can be used.
func FuzzParse(f *testing.F) {
	f.Add("4:memory:/a\n0::/\n", v1+v2+other)
	f.Add("0::/../x (deleted)\n", `33 25 0:26 /../.. /my\040groups\134 rw - cgroup2 cgroup2 rw`+"\n")
	f.Add("1:name=memory:/:\n\n", "30 25\n")
	for _, name := range []string{"/proc/self/cgroup", "/proc/self/mountinfo"} {
		if text, err := os.ReadFile(name); err == nil {
			f.Add(string(text), string(text))
		}
	}
	f.Fuzz(func(t *testing.T, cgroup, mountinfo string) {
		group, version, err := membership(cgroup)
		if err == nil && (version != 0) != strings.HasPrefix(group, "/") {
			t.Errorf("version %d, path %q", version, group)
		}
		for _, version := range []int{1, 2} {
			all, err := mounts(mountinfo, version)
			if err != nil {
				continue
			}
			for _, folders := range candidates(t.TempDir(), group, all) {
				for i, folder := range folders {
					if !strings.HasPrefix(folder, "/") || i > 0 && len(folder) >= len(folders[i-1]) {
						t.Errorf("%q in %q", folder, folders)
					}
				}
			}
		}
	})
}

// FuzzNumber checks numbers and keyed files.
func FuzzNumber(f *testing.F) {
	for _, text := range []string{"0\n", "max\n", v1none, "99999999999999999999", "-1", "", "12 x", "anon 7\nfile 8\nfile_mapped 9", "file", " \n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := number(data)
		if n < 0 || err != nil && n != 0 {
			t.Errorf("%d, %v", n, err)
		}
		if n := stat(data, "file"); n < 0 {
			t.Errorf("file %d", n)
		}
	})
}
