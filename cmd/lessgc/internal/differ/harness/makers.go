package harness

import "reflect"

var errorType = reflect.TypeOf((*error)(nil)).Elem()

// make sets a variable to what a function of the package makes of its type, if there is one that does not fail.
func (g *generator) make(v reflect.Value, depth int) bool {
	t := v.Type()
	if t.Name() == "" && t.Kind() != reflect.Ptr || g.plain == 1 {
		return false
	}
	var makers []reflect.Value
	for _, m := range g.target.Makers {
		f := reflect.ValueOf(m)
		if made := f.Type().Out(0); made == t || made.Kind() == reflect.Ptr && made.Elem() == t {
			makers = append(makers, f)
		}
	}
	if len(makers) == 0 || g.deep(depth) {
		return false
	}
	if g.absent(12) {
		return true // nil, or zero
	}
	for tries := 0; tries < 4; tries++ {
		if made, ok := g.call(makers[g.below(len(makers))], depth); ok {
			if made.Type() != t {
				made = made.Elem()
			}
			v.Set(made)
			g.exported(v, depth)
			return true
		}
	}
	return false
}

// call calls a maker with generated arguments; ok is false if it fails.
func (g *generator) call(f reflect.Value, depth int) (made reflect.Value, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if why, is := r.(cannot); is {
				panic(why)
			}
			ok = false
		}
	}()
	in := make([]reflect.Value, f.Type().NumIn())
	for i := range in {
		in[i] = reflect.New(f.Type().In(i)).Elem()
		g.fill(in[i], depth+1)
	}
	out := invoke(f, in)
	if len(out) == 2 && !out[1].IsNil() {
		return made, false
	}
	if k := out[0].Kind(); (k == reflect.Ptr || k == reflect.Interface) && out[0].IsNil() {
		return made, false
	}
	return out[0], true
}

// exported changes some exported fields of what a maker has made, as callers may.
func (g *generator) exported(v reflect.Value, depth int) {
	if v.Kind() == reflect.Ptr {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct || !g.once(3) {
		return
	}
	for i := 0; i < v.NumField(); i++ {
		f := v.Type().Field(i)
		if f.PkgPath != "" || f.Anonymous || passive[typeName(f.Type)] || !g.once(2) ||
			g.target.has(g.target.Added, v.Type(), f.Name) || g.target.has(g.target.Left, v.Type(), f.Name) {
			continue
		}
		g.fill(v.Field(i), depth+2)
	}
}

func invoke(f reflect.Value, in []reflect.Value) []reflect.Value {
	if f.Type().IsVariadic() {
		return f.CallSlice(in)
	}
	return f.Call(in)
}
