package lever

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// chainedAt are the edits that make one loop of a chain that has a statement as a stage; nil for none.
func (p *Line) chainedAt(stage ast.Stmt) (edits []Edit, to *ast.RangeStmt) {
	list := p.listOf(stage)
	at := slices.Index(list, stage)
	if at < 0 || p.jumps(stage.Pos()) {
		return nil, nil
	}
	for _, s := range list[at+1:] {
		loop, ok := s.(*ast.RangeStmt)
		if !ok || p.stageHere(s) != nil {
			continue
		}
		c := p.chainTo(loop)
		if c == nil || !slices.ContainsFunc(c.stages, func(s *stageCall) bool { return s.stmt == stage }) || !p.onlyChained(c) {
			return nil, nil
		}
		return p.chainEdits(c), loop
	}
	return nil, nil
}

// chainInterleaves reports whether the conditions of a chain may be asked for one element after the other, between the iterations
// of the loop at its end.
func (p *Line) chainInterleaves(c *chain) bool {
	consumes, ok := p.stageOf(c.to, p.local(c.to.X), nil, c.to.End())
	if !ok {
		return false
	}
	failing := 0
	for _, s := range c.stages {
		asks, ok := p.conditionOf(s, c)
		if !ok || s.over != nil && asks.fails {
			return false
		}
		if asks.fails || asks.null {
			failing++
		}
		for v := range consumes.sets {
			if asks.reads[v] {
				return false
			}
		}
	}
	if failing > 0 && (consumes.fails || consumes.null || consumes.leaves || consumes.breaks) {
		return false
	}
	return failing <= 1
}

// conditionOf looks at the condition of a stage, and what it is made of in the function of the chain.
func (p *Line) conditionOf(s *stageCall, c *chain) (asks *stage, ok bool) {
	loop := ast.Stmt(s.filter.loop)
	if s.over != nil && s.call == nil {
		loop = s.over
	}
	asks = &stage{p: s.filter.p, loop: loop, until: c.to.End(), reads: map[*types.Var]bool{s.from: true}, sets: map[*types.Var]bool{}, given: map[*types.Var]conduct{}}
	if s.over != nil {
		asks.reads[p.local(s.over.X)] = true
		if !isList(p.typeOf(s.over.X)) || p.sharedVariable(p.local(s.over.X)) {
			return nil, false
		}
	}
	if s.call != nil && !p.argumentsOf(s, asks) {
		return nil, false
	}
	return asks, asks.expr(s.filter.cond)
}

// isList reports whether a type is that of a slice or array.
func isList(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Array:
		return true
	}
	return false
}

// argumentsOf notes what the arguments of a stage read, and what functions among them do; false if one is not as good later.
func (p *Line) argumentsOf(s *stageCall, asks *stage) bool {
	in := p.ssaCall(s.call)
	if in == nil || len(in.Call.Args) != len(s.call.Args) {
		return false
	}
	for v, arg := range s.params {
		if local := p.local(arg); local != nil {
			if p.sharedVariable(local) {
				return false
			}
			asks.reads[local] = true
		} else if !p.constant(arg) && !p.isFunction(arg) && !p.makesQuietly(arg) {
			return false
		}
		if _, function := v.Type().Underlying().(*types.Signature); function {
			given := in.Call.Args[slices.Index(s.call.Args, arg)]
			asks.given[v] = p.conductOf(given)
		}
	}
	return true
}

// isFunction reports whether an expression is the name of a function.
func (p *Line) isFunction(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		_, ok := p.object(e).(*types.Func)
		return ok
	case *ast.SelectorExpr:
		_, ok := p.pkg.TypesInfo.Uses[e.Sel].(*types.Func)
		return ok && p.pkg.TypesInfo.Selections[e] == nil
	}
	return false
}

// makesQuietly reports whether an expression is a function literal, or the call of a function that makes something quietly of
// constants and variables.
func (p *Line) makesQuietly(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		return true
	case *ast.CallExpr:
		fn := p.callee(e)
		if fn == nil || p.declared(fn) == nil || fn.Signature().Recv() != nil || fn.Signature().TypeParams().Len() > 0 ||
			slices.ContainsFunc(e.Args, func(arg ast.Expr) bool { return !p.constant(arg) && p.local(arg) == nil }) {
			return false
		}
		f := p.fns[p.declared(fn).node]
		if f == nil {
			return false
		}
		c := p.conductOfFunc(f)
		return c.quiet && !c.fails
	}
	return false
}

// chainEdits leave out the stages of a chain, and ask their conditions in the loop at its end.
func (p *Line) chainEdits(c *chain) []Edit {
	indent, alone := p.indentOf(c.to)
	if !alone || !p.chainInterleaves(c) || len(c.to.Body.List) == 0 || p.line(c.to.Body.Lbrace) == p.line(c.to.Body.List[0].Pos()) {
		return nil
	}
	label, steps, edits := "", "", []Edit{}
	if slices.ContainsFunc(c.stages, func(s *stageCall) bool { return s.over != nil }) {
		if label = p.freshName(c.to, "next"); label == "" {
			return nil
		}
	}
	for _, s := range c.stages {
		text, edit, ok := p.step(s, c, indent+"\t", label)
		if !ok {
			return nil
		}
		steps += text
		edits = append(edits, edit)
	}
	source := c.stages[0].from.Name()
	if !p.meansSame(c.stages[0].from, source, c) {
		return nil
	}
	if label != "" {
		edits = append(edits, p.edit(c.to.Pos(), c.to.Pos(), label+":\n"+indent))
	}
	first := c.to.Body.List[0]
	if comment := p.firstComment(c.to.Body); comment != nil && comment.Pos() < first.Pos() {
		if p.line(comment.Pos()) == p.line(c.to.Body.Lbrace) {
			return nil
		}
		return append(edits, p.edit(c.to.X.Pos(), c.to.X.End(), source), p.edit(comment.Pos(), comment.Pos(), strings.TrimLeft(steps, "\n\t ")+"\n"+indent+"\t"))
	}
	return append(edits, p.edit(c.to.X.Pos(), c.to.X.End(), source), p.edit(first.Pos(), first.Pos(), strings.TrimLeft(steps, "\n\t ")+"\n"+indent+"\t"))
}

// firstComment is the first comment in a block, or nil.
func (p *Line) firstComment(b *ast.BlockStmt) *ast.CommentGroup {
	for _, c := range p.file.Comments {
		if b.Lbrace < c.Pos() && c.End() <= b.Rbrace {
			return c
		}
	}
	return nil
}

// step is the code that asks the condition of a stage in the loop at the end, and the edit of the stage.
func (p *Line) step(s *stageCall, c *chain, indent, label string) (text string, edit Edit, ok bool) {
	indent = "\n" + indent
	before, texts, ok := p.argumentTexts(s, c)
	if !ok || p.commentOn(s.stmt) {
		return "", edit, false
	}
	texts[s.filter.each] = c.element.Name
	cond, ok := p.conditionText(s, c, texts)
	if !ok {
		return "", edit, false
	}
	for _, comment := range p.file.Comments {
		if s.stmt.Pos() <= comment.Pos() && comment.End() <= s.stmt.End() {
			text += indent + strings.ReplaceAll(p.text(comment), "\n", indent)
		}
	}
	skip := "continue"
	if s.over != nil {
		skip += " " + label
		text += indent + "for _, " + s.over.Value.(*ast.Ident).Name + " := range " + p.text(s.over.X) + " {"
		indent += "\t"
	}
	text += indent + "if " + cond + " {" + indent + "\t" + skip + indent + "}"
	if s.over != nil {
		text += strings.TrimSuffix(indent, "\t") + "}"
	}
	if before == "" {
		return text, p.withoutLine(s.stmt), true
	}
	return text, p.edit(s.stmt.Pos(), s.stmt.End(), before), true
}

// commentOn reports whether a comment follows a statement of several lines on its last one.
func (p *Line) commentOn(s ast.Stmt) bool {
	return p.line(s.Pos()) != p.line(s.End()) && slices.ContainsFunc(p.file.Comments, func(c *ast.CommentGroup) bool {
		return s.End() <= c.Pos() && p.line(c.Pos()) == p.line(s.End())
	})
}

// argumentTexts are what parameters of a filter function are in the chain: names, or variables that are declared before.
func (p *Line) argumentTexts(s *stageCall, c *chain) (before string, texts map[*types.Var]string, ok bool) {
	texts = map[*types.Var]string{}
	if s.call == nil {
		return "", texts, true
	}
	fn := p.callee(s.call).Origin()
	for i := range fn.Signature().Params().Len() {
		v := fn.Signature().Params().At(i)
		arg := s.params[v]
		switch {
		case arg == nil || !below(s.filter.cond, func(n ast.Node) bool { id, ok := n.(*ast.Ident); return ok && s.filter.p.object(id) == v }):
			if arg != nil && (p.local(arg) != nil || !p.constant(arg)) {
				return "", nil, false // it would not be used any more
			}
		case p.local(arg) != nil, p.isFunction(arg):
			texts[v] = p.text(arg)
			if p.hidden(arg, s, c) {
				return "", nil, false
			}
		case p.constant(arg):
			if !types.Identical(p.typeOf(arg), v.Type()) {
				return "", nil, false
			}
			texts[v] = types.TypeString(v.Type(), types.RelativeTo(p.pkg.Types)) + "(" + p.text(arg) + ")"
			if _, basic := types.Unalias(v.Type()).(*types.Basic); !basic || p.hidden(arg, s, c) {
				return "", nil, false
			}
		default:
			name := p.freshName(c.to, v.Name(), c.names...)
			if name == "" || before != "" || s.over != nil {
				return "", nil, false
			}
			c.names, texts[v] = append(c.names, name), name
			before = name + " := " + p.text(arg)
		}
	}
	return before, texts, true
}

// hidden reports whether a name in an argument means something else in the loop at the end.
func (p *Line) hidden(arg ast.Expr, s *stageCall, c *chain) bool {
	selected := selectedIn(arg)
	return below(arg, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		object := p.pkg.TypesInfo.Uses[id]
		if !ok || selected[id] || object == nil || object.Parent() == nil {
			return false
		}
		if s.over != nil && object == types.Object(p.local(s.over.Value)) {
			return id.Name == c.element.Name
		}
		return !p.meansSame(object, id.Name, c)
	})
}

// meansSame reports whether a name is that of an object in the body of the loop at the end.
func (p *Line) meansSame(object types.Object, name string, c *chain) bool {
	return p.objectAt(name, c.to.Body.Lbrace+1) == object
}

// conditionText is the condition for leaving an element out, in the words of the loop at the end.
func (p *Line) conditionText(s *stageCall, c *chain, texts map[*types.Var]string) (text string, ok bool) {
	cond := s.filter.cond
	source := s.filter.p.text(cond)
	if source == "" || strings.Contains(source, "\n") || s.filter.p.hasComment(cond) {
		return "", false
	}
	ok = true
	selected := selectedIn(cond)
	ast.Inspect(cond, func(n ast.Node) bool {
		if _, literal := n.(*ast.FuncLit); literal {
			ok = false
		}
		id, isName := n.(*ast.Ident)
		if !isName || !ok {
			return ok
		}
		object := s.filter.p.pkg.TypesInfo.Uses[id]
		v, _ := object.(*types.Var)
		_, known := texts[v]
		switch {
		case object == nil || object.Parent() == nil: // a field
			return true
		case known:
		case s.over != nil && object == types.Object(p.local(s.over.Value)):
			ok = id.Name != c.element.Name
		default:
			ok = selected[id] || p.meansSame(object, id.Name, c)
		}
		return ok
	})
	if !ok {
		return "", false
	}
	text = s.filter.p.reworded(cond, func(id *ast.Ident) string {
		v, _ := s.filter.p.pkg.TypesInfo.Uses[id].(*types.Var)
		return texts[v]
	})
	if s.filter.without {
		return text, true
	}
	switch cond.(type) {
	case *ast.CallExpr, *ast.Ident:
		return "!" + text, true
	}
	return "!(" + text + ")", true
}

// reworded is the text of an expression with other words for some names.
func (p *Line) reworded(e ast.Expr, words func(*ast.Ident) string) (text string) {
	at := e.Pos()
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if word := words(id); word != "" {
				text += p.textBetween(at, id.Pos()) + word
				at = id.End()
			}
		}
		return true
	})
	return text + p.textBetween(at, e.End())
}

// freshName is a name, with a number if it is taken, that neither the function nor the package has, nor is among others; "" for none.
func (p *Line) freshName(at ast.Node, name string, taken ...string) string {
	top := p.top(p.unit, at.Pos())
	for i := range 10 {
		try := name
		if i > 0 {
			try += strconv.Itoa(i + 1)
		}
		if p.objectAt(try, at.Pos()) == nil && !slices.Contains(taken, try) && !hasName(top.node, try) {
			return try
		}
	}
	return ""
}

// fusedAnyhow are the edits that do without a slice that is filled on the line: by one loop instead of two, or where the filter that
// makes it is called.
func (p *Line) fusedAnyhow(v *types.Var) []Edit {
	if edits := p.fused(v); edits != nil {
		return edits
	}
	for _, n := range slices.Backward(stackOf(p.file, p.identOf(v))) {
		if loop, ok := n.(*ast.RangeStmt); ok {
			if s := p.stageOver(loop); s != nil && s.filter.out == v {
				edits, _ := p.chainedAt(loop)
				return edits
			}
		}
	}
	return p.chainsOf(v)
}

// identOf is where a variable is declared.
func (p *Line) identOf(v *types.Var) (found ast.Node) {
	ast.Inspect(p.file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Pos() == v.Pos() {
			found = id
		}
		return found == nil
	})
	return found
}

// chainsOf are the edits of all chains with a filter function that makes a slice.
func (p *Line) chainsOf(v *types.Var) (all []Edit) {
	fn := p.top(p.unit, v.Pos())
	if fn == nil {
		return nil
	}
	decl, ok := fn.node.(*ast.FuncDecl)
	if !ok {
		return nil
	}
	f := p.filterFunc(fn)
	object := p.pkg.TypesInfo.Defs[decl.Name]
	if f == nil || f.out != v || object == nil {
		return nil
	}
	done := map[*ast.RangeStmt]bool{}
	for _, id := range p.uses[object] {
		u := p.unitOf(id.Pos())
		if u == nil || p.inTest(id.Pos()) || p.generated(u) || u.pkg != p.pkg {
			continue
		}
		there := &Line{p.Program, u, p.site, p.top(u, id.Pos()), nil}
		if edits, to := there.chainAround(id); to != nil && !done[to] {
			done[to] = true
			all = append(all, edits...)
		}
	}
	return all
}

// chainAround are the edits of the chain that has a call of a filter function, and the loop at its end.
func (p *Line) chainAround(call ast.Node) (edits []Edit, to *ast.RangeStmt) {
	for _, n := range slices.Backward(stackOf(p.file, call)) {
		s, ok := n.(ast.Stmt)
		if !ok {
			continue
		}
		if stage := p.stageHere(s); stage != nil {
			if loop, ok := innermostLoop(stackOf(p.file, s), true).(*ast.RangeStmt); ok {
				if over := p.stageOver(loop); over != nil {
					s = loop
				}
			}
			return p.chainedAt(s)
		}
	}
	return nil, nil
}

// filteredHere is about a call on the line of a filter function, which makes a slice that is only gone over.
func (p *Line) filteredHere() (f Finding) {
	for _, c := range p.called() {
		share := p.below(c.fn)
		if share == 0 {
			continue
		}
		if edits, to := p.chainAround(c.call); edits != nil {
			return Finding{Share: share, Edits: edits, Evidence: []Evidence{
				p.at(c.call.Pos(), c.fn.Name()+" allocates a slice for the elements that it keeps of another"),
				p.at(to.Pos(), "only this loop reads the slice, so it can skip the other elements itself"),
			}}
		}
	}
	return f
}
