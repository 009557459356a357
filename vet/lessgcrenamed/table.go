package lessgcrenamed

import (
	"path"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// A change is a name, or a form of call, that a release removed.
type change struct {
	pkg  string // import path
	recv string // type of a method or field
	name string
	args string // such as "(v)": only calls with this many arguments or more are gone
	now  string // what to write, in the words of docs/migrating.md

	to  string // import path of the package that the fix refers to by name, if any
	fix fixer  // nil if there is no mechanical rewrite
}

// A fixer returns the edits that rewrite a use, or nil if the result might not be equivalent.
// The file imports change.to under the name pkg.
type fixer func(u *use, pkg string) []analysis.TextEdit

// changes holds the rows of docs/migrating.md about code that no longer compiles.
var changes = []change{
	{pkg: "lessgc/arena", name: "AppendSlice", now: "use arena.Append(a, s, v...)", fix: spread("Append")},
	{pkg: "lessgc/arena", name: "Grow", now: "use arena.MakeSlice(a, len, cap), or just append"},
	{pkg: "lessgc/arena", recv: "Arena", name: "Bytes", args: "(b, c)", now: "use arena.Append(a, a.Bytes(b), c...)", to: "lessgc/arena", fix: appendParts},
	{pkg: "lessgc/arena", recv: "Arena", name: "Concat", now: "use a.String(x + y)", fix: concat},
	{pkg: "lessgc/arena", recv: "Arena", name: "Sprintf", now: "use a.String(fmt.Sprintf(...))", to: "fmt", fix: sprintf},
	{pkg: "lessgc/arena", recv: "Arena", name: "KeepAll", now: "use a.Keep()", fix: rename("Keep")},
	{pkg: "lessgc/arena", recv: "Arena", name: "Keep", args: "(v)", now: "use a variable that lives as long, and runtime.KeepAlive(v)"},
	{pkg: "lessgc/arena", name: "UseHeap", now: "pass nil arenas or use LESSGC_ARENA=heap in the environment or (*arenagrpc.Registrar).UseHeap"},
	{pkg: "lessgc/arena", name: "Heap", now: "use a nil arena or arenagrpc.Options{Heap: true}", fix: heapOption},
	{pkg: "lessgc/arena", name: "Default", now: "use RecycleTyped", fix: rename("RecycleTyped")},
	{pkg: "lessgc/arena", name: "Audit", now: "use Pool.AuditEvery"},
	{pkg: "lessgc/arena", name: "Std", now: "use package arena of the standard library itself"},
	{pkg: "lessgc/arena", name: "Map", now: "use amap.Map[K, V]", to: "lessgc/arena/amap", fix: moved("Map")},
	{pkg: "lessgc/arena", name: "NewMap", now: "use amap.New[K, V](a, hint)", to: "lessgc/arena/amap", fix: moved("New")},
	{pkg: "lessgc/arena", name: "Index", now: "use index.Index[T]", to: "lessgc/arena/index", fix: moved("Index")},
	{pkg: "lessgc/arena", name: "Handle", now: "use index.Handle[T]", to: "lessgc/arena/index", fix: moved("Handle")},
	{pkg: "lessgc/arena", name: "List", now: list},
	{pkg: "lessgc/arena", name: "NewList", now: list},
	{pkg: "lessgc/arena", name: "Element", now: list},
	{pkg: "lessgc/arena", name: "Builder", now: "use abytes.Buffer", to: "lessgc/arena/abytes", fix: moved("Buffer")},
	{pkg: "lessgc/arena", name: "NewBuilder", now: "use abytes.NewBuffer(a)", to: "lessgc/arena/abytes", fix: moved("NewBuffer")},
	{pkg: "lessgc/arena", name: "DeepClone", now: "use deep.Clone(v)", to: "lessgc/arena/deep", fix: moved("Clone")},
	{pkg: "lessgc/arena", name: "Detach", now: "use deep.Detach(a, v)", to: "lessgc/arena/deep", fix: moved("Detach")},
	{pkg: "lessgc/arena", recv: "Pool", name: "Audit", now: "use audit.Of(p)", to: "lessgc/arena/audit", fix: auditOf},
	{pkg: "lessgc/arena", name: "Escapes", now: "use audit.All()", to: "lessgc/arena/audit", fix: moved("All")},
	{pkg: "lessgc/arena", name: "Verify", now: "use audit.Verify()", to: "lessgc/arena/audit", fix: moved("Verify")},
	{pkg: "lessgc/arena", name: "Report", now: "use audit.Report", to: "lessgc/arena/audit", fix: moved("Report")},
	{pkg: "lessgc/arena", name: "Escape", now: "use audit.Escape", to: "lessgc/arena/audit", fix: moved("Escape")},
	{pkg: "lessgc/arena", name: "DefaultAuditEvery", now: "use 100", fix: constant("100")},

	{pkg: "lessgc/seq", name: "And2", now: and, fix: conjunction},
	{pkg: "lessgc/seq", name: "And3", now: and, fix: conjunction},
	{pkg: "lessgc/seq", name: "And4", now: and, fix: conjunction},
	{pkg: "lessgc/seq", name: "And", now: "use a function that loops over rules"},
	{pkg: "lessgc/seq", name: "Chunk", now: "use slices.Chunk(v, n) or buf = append(buf, v) in the loop"},
	{pkg: "lessgc/seq", name: "Zip", now: "use for i := range min(len(a), len(b)) or next, stop := iter.Pull(b)"},
	{pkg: "lessgc/seq", name: "Pairs", now: "use for k, v := range m with the conditions in the loop or maps.Keys(m), and m[k] in the functions"},
	{pkg: "lessgc/seq", name: "Split", now: "use m[p.Key] = p.Value in a loop over s"},
	{pkg: "lessgc/seq", name: "Pair", now: "use a struct of your own, of up to four words"},
	{pkg: "lessgc/seq", name: "Sort", now: "use slices.SortedFunc(s, cmp)"}, // no fix: a range over the slice yields the index first
	{pkg: "lessgc/seq", name: "Least", now: "use slices.SortedFunc(s, cmp), and its first min(n, len) elements"},
	{pkg: "lessgc/seq", name: "Reduce", now: "use for v := range s { acc = f(acc, v) }"},
	{pkg: "lessgc/seq", name: "Collect", now: "use for v := range s { all = arena.Append(a, all, v) } or slices.Collect(s)", to: "slices", fix: collect},

	{pkg: "lessgc/pool", recv: "Stats", name: "Gets", now: "count your requests; Stats.Misses is how many of them allocated"},
	{pkg: "lessgc/pool", recv: "Stats", name: "HitRate", now: "use 1 - Stats.Misses / your requests"},

	{pkg: "lessgc/rpc/arenagrpc", name: "ServerCodec", now: "use no option: the package registers its codec when it is imported"},
	{pkg: "lessgc/rpc/arenagrpc", name: "ClientInterceptor", now: "use no interceptor: arenagrpc.In(a) works without, for streams, too"},

	// Left out is what still compiles: the zero arena.Pool and arenagrpc.Options, arena.Clone,
	// and the zero pool.Buffer.
}

// Replacements of several names.
const (
	list = "use a type with a field next of its own type, each made by arena.New or container/list"
	and  = "use func(v T) bool { return a(v) && b(v) }"
)

// members names, for each type with changes, a member that it still has. A value whose member
// of that name is declared by lessgc has the type, or embeds it.
var members = map[string]string{"Arena": "StringFrom", "Pool": "Trim", "Stats": "Misses"}

// lookup returns the change of a name, or nil.
func lookup(pkg, recv, name string) *change {
	for i := range changes {
		if c := &changes[i]; c.pkg == pkg && c.recv == recv && c.name == name {
			return c
		}
	}
	return nil
}

// old returns the name that is gone, as for go doc.
func (c *change) old() string {
	name := c.name + c.args
	if c.recv != "" {
		name = c.recv + "." + name
	}
	return path.Base(c.pkg) + "." + name
}

// message returns the text of a finding.
func (c *change) message() string {
	text := c.old() + " is gone: " + c.now
	if strings.HasPrefix(c.to, root) && c.to != c.pkg {
		text += ", package " + c.to
	}
	return text
}

// root is the prefix of the import paths of lessgc.
var root = path.Dir("lessgc/arena") + "/"
