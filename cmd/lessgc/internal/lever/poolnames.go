package lever

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// vague are names of variables that do not tell what is in them, or that get and put make something else of: getSet.
var vague = map[string]bool{
	"set": true, "map": true, "list": true, "dict": true, "hash": true, "slice": true,
	"tmp": true, "temp": true, "data": true, "info": true, "item": true, "items": true, "obj": true, "elem": true, "entry": true, "all": true,
	"res": true, "result": true, "results": true, "ret": true, "out": true, "output": true, "val": true, "vals": true, "value": true, "values": true,
	"buf": true, "mem": true, "pool": true, "new": true, "old": true, "get": true, "put": true, "add": true,
}

// participles are names that say what has become of the elements, and not what these are.
var participles = map[string]bool{
	"seen": true, "visited": true, "done": true, "used": true, "found": true, "known": true, "added": true, "checked": true, "processed": true,
	"handled": true, "unique": true, "distinct": true, "ignored": true, "skipped": true, "missing": true, "existing": true, "wanted": true, "got": true,
}

func isVague(name string) bool { return len(name) <= 2 || vague[strings.ToLower(name)] }

// newLender makes names that tell what is in the pool: of the variable's, its type and, where the package has these, the function. ok
// is false if it has them all: a number tells nothing. limited says that the pool has a limit of its own.
func (x *pooling) newLender(limited bool) (l lender, ok bool) {
	what, isNew := x.pooledWord(), x.newNames()
	of := upper(x.decl.Name.Name)
	for _, verb := range []string{"Get", "Put", "Set"} {
		if after, ok := strings.CutPrefix(of, verb); ok && ast.IsExported(after) {
			of = after
		}
	}
	words := []string{what, lower(of) + upper(what)}
	if x.decl.Recv != nil {
		words = append(words, lower(receiverName(x.decl))+of+upper(what))
	}
	if isVague(what) {
		words = words[1:]
	}
	for _, word := range words {
		l = lender{pool: word + "Pool", get: "get" + upper(word), put: "put" + upper(word)}
		for _, name := range []*string{&l.pool, &l.get, &l.put} {
			ok = isNew(*name) && (ok || name == &l.pool)
		}
		if limited {
			l.most = "max" + upper(word) + "Cap"
			ok = ok && isNew(l.most)
		}
		if ok {
			return l, true
		}
	}
	return lender{}, false
}

// pooledWord is a word for what is pooled: the name of its type, or that of the variable if it is a map and the name tells what is in it.
func (x *pooling) pooledWord() string {
	m, ok := x.v.Type().Underlying().(*types.Map)
	if !ok {
		return lower(kindOf(x.lent()))
	}
	name := lower(x.v.Name())
	key, value := elementWord(m.Key()), elementWord(m.Elem())
	kind := "Map"
	if b, ok := m.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Bool || isEmptyStruct(m.Elem()) {
		kind = "Set"
	}
	switch {
	case participles[name] && key != "":
		return name + upper(plural(key))
	case participles[name]:
		return name + kind
	case !isVague(name) && (strings.HasSuffix(name, "s") || strings.HasSuffix(strings.ToLower(name), strings.ToLower(kind))):
		return name
	case !isVague(name):
		return name + kind
	case namedOf(x.v.Type()) != nil:
		return lower(kindOf(x.v.Type()))
	case kind == "Set" && key != "":
		return key + kind
	case kind == "Map" && namedOf(m.Elem()) != nil && value != "":
		return value + kind
	case namedOf(m.Key()) != nil && key != "":
		return key + kind
	}
	return lower(kind) // with the function's name
}

// elementWord is a word for a type with a name, or a pointer to one; "" if there is none.
func elementWord(t types.Type) string {
	if named := namedOf(t); named != nil {
		return lower(named.Obj().Name())
	}
	if basic, ok := types.Unalias(t).(*types.Basic); ok {
		return basic.Name()
	}
	return ""
}

func isEmptyStruct(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}

// plural is a noun for many.
func plural(noun string) string {
	switch {
	case slices.ContainsFunc([]string{"s", "x", "z", "ch", "sh"}, func(end string) bool { return strings.HasSuffix(noun, end) }):
		return noun + "es"
	case strings.HasSuffix(noun, "y") && len(noun) > 1 && !strings.ContainsRune("aeiou", rune(noun[len(noun)-2])):
		return noun[:len(noun)-1] + "ies"
	}
	return noun + "s"
}
