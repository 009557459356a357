package cgroup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"lessgc/internal/alloctest"
)

const (
	v1none = "9223372036854771712\n" // what a kernel of pages of 4 KiB says for no limit
	v1     = "30 25 0:26 / /sys/fs/cgroup/memory rw,nosuid shared:9 - cgroup cgroup rw,memory\n"
	v2     = "30 25 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
	other  = "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/root rw\n29 25 0:25 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
)

// tree makes files below a folder, which it returns. Names have / before them.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		write(t, root+name, text)
	}
	return root
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestLimit checks what is found in trees as kernels and container runtimes make them.
func TestLimit(t *testing.T) {
	pid := fmt.Sprintf("1\n%d\n", os.Getpid())
	check := func(name, membership, mountinfo string, limit int64, path string, files map[string]string) {
		t.Run(name, func(t *testing.T) {
			all := map[string]string{"/proc/self/cgroup": membership, "/proc/self/mountinfo": other + mountinfo}
			for file, text := range files {
				all[file] = text
			}
			g, err := Find(tree(t, all))
			if path == "" {
				if !errors.Is(err, ErrNone) {
					t.Fatalf("%v, %v; want ErrNone", g, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer g.Close()
			got, ok, err := g.Limit()
			if err != nil || ok != (limit > 0) || got != limit || g.Path() != path {
				t.Errorf("limit %d, %t, %v in %s; want %d in %s", got, ok, err, g.Path(), limit, path)
			}
		})
	}
	const dir1, dir2 = "/sys/fs/cgroup/memory", "/sys/fs/cgroup"
	check("v1", "5:cpu:/\n4:memory:/a\n", v1, 100, dir1+"/a", map[string]string{
		dir1 + "/a/memory.limit_in_bytes": "100\n", dir1 + "/memory.limit_in_bytes": v1none})
	check("v1, a parent's", "4:memory:/a/b/c\n", v1, 90, dir1+"/a/b/c", map[string]string{
		dir1 + "/a/b/c/memory.limit_in_bytes": "100\n", dir1 + "/a/b/memory.limit_in_bytes": "90\n", dir1 + "/a/memory.limit_in_bytes": "95\n"})
	check("v1, of a parent that is not mounted", "4:memory:/docker/x\n", "30 25 0:26 /docker/x "+dir1+" ro - cgroup cgroup rw,memory\n", 80, dir1, map[string]string{
		dir1 + "/memory.limit_in_bytes": "100\n", dir1 + "/memory.stat": "cache 1\nhierarchical_memory_limit 80\nhierarchical_memsw_limit 7\n"})
	check("v1, none", "4:memory:/\n", v1, 0, dir1, map[string]string{dir1 + "/memory.limit_in_bytes": v1none})
	check("v1, none, pages of 64 KiB", "4:memory:/\n", v1, 0, dir1, map[string]string{dir1 + "/memory.limit_in_bytes": "9223372036854710272\n"})
	check("v1, none, 32 bits", "4:memory:/\n", v1, 0, dir1, map[string]string{
		dir1 + "/memory.limit_in_bytes": "8796093018112\n", "/proc/meminfo": "MemTotal:       32768 kB\nMemFree: 1 kB\n"})
	check("above the machine's memory", "0::/\n", v2, 0, dir2, map[string]string{
		dir2 + "/memory.max": "33554433\n", "/proc/meminfo": "MemTotal:       32768 kB\n"})
	check("v2", "0::/a\n", v2, 100, dir2+"/a", map[string]string{dir2 + "/a/memory.max": "100\n", dir2 + "/a/memory.high": "max\n"})
	check("v2, high", "0::/a\n", v2, 70, dir2+"/a", map[string]string{dir2 + "/a/memory.max": "100\n", dir2 + "/a/memory.high": "70\n"})
	check("v2, a parent's", "0::/a/b\n", v2, 60, dir2+"/a/b", map[string]string{
		dir2 + "/a/b/memory.max": "max\n", dir2 + "/a/memory.max": "60\n"})
	check("v2, none", "0::/a\n", v2, 0, dir2+"/a", map[string]string{dir2 + "/a/memory.max": "max\n"})
	check("v2, a parent has the controller and the group has not", "0::/a/b\n", v2, 60, dir2+"/a/b", map[string]string{dir2 + "/a/memory.max": "60\n"})
	check("v2, no controller", "0::/a\n", v2, 0, "", map[string]string{dir2 + "/a/cgroup.procs": "1\n"})
	check("hybrid, memory in v1", "4:memory:/a\n1:name=systemd:/a\n0::/b\n", v1+"31 25 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n", 100, dir1+"/a", map[string]string{
		dir1 + "/a/memory.limit_in_bytes": "100\n", dir2 + "/unified/b/memory.max": "50\n"})
	check("hybrid, memory in v2", "1:name=memory:/a\n0::/b\n", "31 25 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n", 50, dir2+"/unified/b", map[string]string{dir2 + "/unified/b/memory.max": "50\n"})
	check("namespace", "0::/\n", v2, 100, dir2, map[string]string{dir2 + "/memory.max": "100\n"})
	check("bind mount of the group", "4:memory:/docker/x/sub\n", "30 25 0:26 /docker/x "+dir1+" ro - cgroup cgroup rw,memory\n", 40, dir1+"/sub", map[string]string{
		dir1 + "/memory.limit_in_bytes": "100\n", dir1 + "/sub/memory.limit_in_bytes": "40\n"})
	check("bind mounts: the one that shows parents", "0::/x/y\n", "33 25 0:26 /x/y /one rw - cgroup2 cgroup2 rw\n34 25 0:26 / /all rw - cgroup2 cgroup2 rw\n", 30, "/all/x/y", map[string]string{
		"/one/memory.max": "100\n", "/all/x/y/memory.max": "100\n", "/all/x/memory.max": "30\n"})
	check("bind mount of another group", "0::/x\n", "33 25 0:26 /y /y rw - cgroup2 cgroup2 rw\n", 0, "", map[string]string{"/y/memory.max": "100\n", "/y/cgroup.procs": "1\n"})
	check("a name that begins alike", "0::/xy\n", "33 25 0:26 /x /x rw - cgroup2 cgroup2 rw\n", 0, "", map[string]string{"/x/memory.max": "100\n", "/xy/memory.max": "100\n"})
	check("a mount that is not related, with this process", "0::/\n", "33 25 0:26 /docker/x /x rw - cgroup2 cgroup2 rw\n", 100, "/x", map[string]string{"/x/memory.max": "100\n", "/x/cgroup.procs": pid})
	check("a mount from before the namespace", "4:memory:/\n", "30 25 0:26 /../.. "+dir1+" rw - cgroup cgroup rw,memory\n", 20, dir1, map[string]string{dir1 + "/memory.limit_in_bytes": "20\n"})
	check("outside the namespace", "0::/../init\n", "33 25 0:26 / /in rw - cgroup2 cgroup2 rw\n", 0, "", map[string]string{"/in/memory.max": "100\n"})
	check("outside the namespace, seen", "0::/../init\n", "33 25 0:26 /.. /all rw - cgroup2 cgroup2 rw\n", 10, "/all/init", map[string]string{"/all/init/memory.max": "10\n"})
	check("spaces and colons", "0::/a b:c\n", `33 25 0:26 / /my\040groups\134 rw - cgroup2 cgroup2 rw`+"\n", 100, `/my groups\/a b:c`, map[string]string{`/my groups\/a b:c/memory.max`: "100\n"})
	check("covered by a later mount", "0::/\n", "33 25 0:26 / /old rw - cgroup2 cgroup2 rw\n34 25 0:26 / /new rw - cgroup2 cgroup2 rw\n", 2, "/new", map[string]string{"/old/memory.max": "1\n", "/new/memory.max": "2\n"})
	check("no group", "", v2, 0, "", nil)
	check("not mounted", "4:memory:/a\n", "", 0, "", nil)
}

// TestMalformed checks that an error says which file is wrong, and how.
func TestMalformed(t *testing.T) {
	check := func(want string, files map[string]string) {
		t.Helper()
		all := map[string]string{"/proc/self/cgroup": "0::/\n", "/proc/self/mountinfo": v2, "/sys/fs/cgroup/memory.max": "1\n"}
		for name, text := range files {
			all[name] = text
		}
		g, err := Find(tree(t, all))
		if err == nil {
			defer g.Close()
			_, _, err = g.Limit()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	check(`read /proc/self/cgroup: line 2: "nonsense" is not ID:CONTROLLERS:/PATH`, map[string]string{"/proc/self/cgroup": "0::/\nnonsense\n"})
	check(`line 1: "x::/" is not`, map[string]string{"/proc/self/cgroup": "x::/\n"})
	check(`line 1: "0::a" is not`, map[string]string{"/proc/self/cgroup": "0::a\n"})
	check(`read /proc/self/mountinfo: line 1: "30 25" has too few fields`, map[string]string{"/proc/self/mountinfo": "30 25\n"})
	check(`has a path that does not begin with /`, map[string]string{"/proc/self/mountinfo": "30 25 0:26 / x rw - cgroup2 cgroup2 rw\n"})
	check(`memory.max: "12k\n" is not a number of bytes`, map[string]string{"/sys/fs/cgroup/memory.max": "12k\n"})
	check(`memory.max: "" is not a number`, map[string]string{"/sys/fs/cgroup/memory.max": ""})
	check(`memory.max: "-1" is not a number`, map[string]string{"/sys/fs/cgroup/memory.max": "-1"})
}

// TestChange changes a limit while the files are open, in place as the kernel does.
func TestChange(t *testing.T) {
	root := tree(t, map[string]string{"/proc/self/cgroup": "0::/a\n", "/proc/self/mountinfo": v2,
		"/sys/fs/cgroup/a/memory.max": "100000\n", "/sys/fs/cgroup/a/memory.current": "900\n", "/sys/fs/cgroup/a/memory.stat": "anon 1\nfile 2\ninactive_file 300\nactive_file 50\nslab_reclaimable 10\n",
		"/sys/fs/cgroup/memory.max": "200000\n", "/sys/fs/cgroup/memory.current": "5000\n"})
	g, err := Find(root)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	check := func(limit, usage int64) {
		t.Helper()
		got, ok, err := g.Limit()
		if got != limit || ok != (limit > 0) || err != nil {
			t.Errorf("limit %d, %t, %v; want %d", got, ok, err, limit)
		}
		if got, ok, err := g.Usage(); got != usage || !ok || err != nil {
			t.Errorf("usage %d, %t, %v; want %d", got, ok, err, usage)
		}
	}
	check(100000, 540)
	write(t, root+"/sys/fs/cgroup/a/memory.max", "700\n")
	check(700, 540)
	write(t, root+"/sys/fs/cgroup/a/memory.max", "max\n")
	check(200000, 5000) // the parent's, and what all processes below it use
	write(t, root+"/sys/fs/cgroup/memory.max", "max\n")
	check(0, 5000)
	if n := alloctest.PerRun(t, func() { g.Limit(); g.Usage() }); n != 0 {
		t.Errorf("%d allocations", n)
	}
}

// TestUsageV1 checks what version 1 counts.
func TestUsageV1(t *testing.T) {
	const dir = "/sys/fs/cgroup/memory"
	g, err := Find(tree(t, map[string]string{"/proc/self/cgroup": "4:memory:/\n", "/proc/self/mountinfo": v1, dir + "/memory.limit_in_bytes": "1000\n",
		dir + "/memory.usage_in_bytes": "900\n", dir + "/memory.stat": "inactive_file 1\nactive_file 1\ntotal_inactive_file 200\ntotal_active_file 100\n"}))
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if n, ok, err := g.Usage(); n != 600 || !ok || err != nil {
		t.Errorf("%d, %t, %v", n, ok, err)
	}
}

// TestNil checks that a nil Group has no limit.
func TestNil(t *testing.T) {
	var g *Group
	if n, ok, err := g.Limit(); n != 0 || ok || err != nil {
		t.Error(n, ok, err)
	}
	if n, ok, err := g.Usage(); n != 0 || ok || err != nil {
		t.Error(n, ok, err)
	}
	if g.Path() != "" || g.Version() != 0 || g.Close() != nil {
		t.Error("a nil group has something")
	}
}

// TestHere finds the group of this process, whatever that is.
func TestHere(t *testing.T) {
	g, err := Find("")
	if errors.Is(err, ErrNone) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if runtime.GOOS != "linux" {
		t.Fatalf("%s has no groups, found %s", runtime.GOOS, g.Path())
	}
	limit, ok, err := g.Limit()
	if err != nil || ok != (limit > 0) {
		t.Errorf("limit %d, %t, %v", limit, ok, err)
	}
	usage, _, err := g.Usage()
	if err != nil || ok && usage > 2*limit {
		t.Errorf("usage %d, limit %d, %v", usage, limit, err)
	}
	if n := alloctest.PerRun(t, func() { g.Limit(); g.Usage() }); n != 0 {
		t.Errorf("%d allocations", n)
	}
	t.Logf("version %d, %s: limit %d, %t; usage %d", g.Version(), g.Path(), limit, ok, usage)
}

func TestBelow(t *testing.T) {
	check := func(root, path, rel string, above, ok bool) {
		t.Helper()
		r, a, o := below(root, path)
		if r != rel || a != above || o != ok {
			t.Errorf("below(%q, %q) = %q, %t, %t", root, path, r, a, o)
		}
	}
	check("/", "/", "", false, true)
	check("/", "/a/b", "/a/b", false, true)
	check("/a", "/a/b", "/b", false, true)
	check("/a", "/a", "", false, true)
	check("/a", "/ab", "", false, false)
	check("/a", "/", "", false, false)
	check("/..", "/../x", "/x", false, true)
	check("/../..", "/../x", "", true, false)
	check("/../../y", "/../x", "", false, false)
	check("/..", "/../../init", "", false, false)
	check("/..x", "/..x/y", "/y", false, true)
	if got := upwards("/m/", "/a/b"); !slices.Equal(got, []string{"/m/a/b", "/m/a", "/m"}) {
		t.Error(got)
	}
}

func TestUnescape(t *testing.T) {
	check := func(in, want string) {
		t.Helper()
		if got := unescape(in); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	check(`/a\040b\011c\012d\134e`, "/a b\tc\nd\\e")
	check(`\04`, `\04`)
	check(`\999\777`, `\999\777`)
	check(`\`, `\`)
	check(`\1340`, `\0`)
}
