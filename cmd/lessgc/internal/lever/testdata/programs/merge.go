package programs

import "maps"

func mergedAll(defaults, own map[string]int) int {
	all := map[string]int{}
	maps.Copy(all, defaults) // want merge-map
	maps.Copy(all, own)
	return len(all)
}

// The map has its size.
func mergedSized(defaults, own map[string]int) int {
	all := make(map[string]int, len(defaults))
	maps.Copy(all, defaults)
	maps.Copy(all, own) // no merge-map
	return len(all)
}

type mergeKind string

func (m mergeKind) name() string { return string(m) }

type mergeNamed interface{ name() string }

var (
	mergeTable mergeKind = "table"
	mergeText  mergeKind = "text"
)

var mergeLast mergeKind = "last"

//go:noinline
func sameMergeKind(a, b mergeNamed) bool { return a.name() == b.name() }

func isMergeTable(m mergeNamed) bool { return sameMergeKind(m, mergeTable) } // want constant-variable

// It is set.
func isMergeLast(m mergeNamed) bool {
	return sameMergeKind(m, mergeLast) // no constant-variable
}

func setMergeLast(m mergeKind) { mergeLast = m }
