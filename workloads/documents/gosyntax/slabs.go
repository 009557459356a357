package gosyntax

import (
	"go/ast"

	"lessgc/arena"
)

// slabs are the slabs of everything that a tree is made of.
type slabs struct {
	// Nodes.
	arrayType     *arena.Slab[ast.ArrayType]
	assign        *arena.Slab[ast.AssignStmt]
	basicLit      *arena.Slab[ast.BasicLit]
	binary        *arena.Slab[ast.BinaryExpr]
	block         *arena.Slab[ast.BlockStmt]
	branch        *arena.Slab[ast.BranchStmt]
	call          *arena.Slab[ast.CallExpr]
	caseClause    *arena.Slab[ast.CaseClause]
	chanType      *arena.Slab[ast.ChanType]
	commClause    *arena.Slab[ast.CommClause]
	comment       *arena.Slab[ast.Comment]
	commentGroup  *arena.Slab[ast.CommentGroup]
	compositeLit  *arena.Slab[ast.CompositeLit]
	declStmt      *arena.Slab[ast.DeclStmt]
	deferStmt     *arena.Slab[ast.DeferStmt]
	ellipsis      *arena.Slab[ast.Ellipsis]
	emptyStmt     *arena.Slab[ast.EmptyStmt]
	exprStmt      *arena.Slab[ast.ExprStmt]
	field         *arena.Slab[ast.Field]
	fieldList     *arena.Slab[ast.FieldList]
	file          *arena.Slab[ast.File]
	forStmt       *arena.Slab[ast.ForStmt]
	funcDecl      *arena.Slab[ast.FuncDecl]
	funcLit       *arena.Slab[ast.FuncLit]
	funcType      *arena.Slab[ast.FuncType]
	genDecl       *arena.Slab[ast.GenDecl]
	goStmt        *arena.Slab[ast.GoStmt]
	ident         *arena.Slab[ast.Ident]
	ifStmt        *arena.Slab[ast.IfStmt]
	importSpec    *arena.Slab[ast.ImportSpec]
	incDec        *arena.Slab[ast.IncDecStmt]
	index         *arena.Slab[ast.IndexExpr]
	indexList     *arena.Slab[ast.IndexListExpr]
	interfaceType *arena.Slab[ast.InterfaceType]
	keyValue      *arena.Slab[ast.KeyValueExpr]
	labeled       *arena.Slab[ast.LabeledStmt]
	mapType       *arena.Slab[ast.MapType]
	paren         *arena.Slab[ast.ParenExpr]
	rangeStmt     *arena.Slab[ast.RangeStmt]
	returnStmt    *arena.Slab[ast.ReturnStmt]
	selectStmt    *arena.Slab[ast.SelectStmt]
	selector      *arena.Slab[ast.SelectorExpr]
	send          *arena.Slab[ast.SendStmt]
	slice         *arena.Slab[ast.SliceExpr]
	star          *arena.Slab[ast.StarExpr]
	structType    *arena.Slab[ast.StructType]
	switchStmt    *arena.Slab[ast.SwitchStmt]
	typeAssert    *arena.Slab[ast.TypeAssertExpr]
	typeSpec      *arena.Slab[ast.TypeSpec]
	typeSwitch    *arena.Slab[ast.TypeSwitchStmt]
	unary         *arena.Slab[ast.UnaryExpr]
	valueSpec     *arena.Slab[ast.ValueSpec]

	// Lists.
	commentGroups *arena.Slab[*ast.CommentGroup]
	comments      *arena.Slab[*ast.Comment]
	decls         *arena.Slab[ast.Decl]
	exprs         *arena.Slab[ast.Expr]
	fields        *arena.Slab[*ast.Field]
	idents        *arena.Slab[*ast.Ident]
	imports       *arena.Slab[*ast.ImportSpec]
	specs         *arena.Slab[ast.Spec]
	stmts         *arena.Slab[ast.Stmt]

	// The rest.
	directives *arena.Slab[directive]
	ints       *arena.Slab[int]
	tree       *arena.Slab[Tree]
}

// slabsOf returns the slabs of a.
func slabsOf(a *arena.Arena) slabs {
	return slabs{
		arrayType:     arena.Of[ast.ArrayType](a),
		assign:        arena.Of[ast.AssignStmt](a),
		basicLit:      arena.Of[ast.BasicLit](a),
		binary:        arena.Of[ast.BinaryExpr](a),
		block:         arena.Of[ast.BlockStmt](a),
		branch:        arena.Of[ast.BranchStmt](a),
		call:          arena.Of[ast.CallExpr](a),
		caseClause:    arena.Of[ast.CaseClause](a),
		chanType:      arena.Of[ast.ChanType](a),
		commClause:    arena.Of[ast.CommClause](a),
		comment:       arena.Of[ast.Comment](a),
		commentGroup:  arena.Of[ast.CommentGroup](a),
		compositeLit:  arena.Of[ast.CompositeLit](a),
		declStmt:      arena.Of[ast.DeclStmt](a),
		deferStmt:     arena.Of[ast.DeferStmt](a),
		ellipsis:      arena.Of[ast.Ellipsis](a),
		emptyStmt:     arena.Of[ast.EmptyStmt](a),
		exprStmt:      arena.Of[ast.ExprStmt](a),
		field:         arena.Of[ast.Field](a),
		fieldList:     arena.Of[ast.FieldList](a),
		file:          arena.Of[ast.File](a),
		forStmt:       arena.Of[ast.ForStmt](a),
		funcDecl:      arena.Of[ast.FuncDecl](a),
		funcLit:       arena.Of[ast.FuncLit](a),
		funcType:      arena.Of[ast.FuncType](a),
		genDecl:       arena.Of[ast.GenDecl](a),
		goStmt:        arena.Of[ast.GoStmt](a),
		ident:         arena.Of[ast.Ident](a),
		ifStmt:        arena.Of[ast.IfStmt](a),
		importSpec:    arena.Of[ast.ImportSpec](a),
		incDec:        arena.Of[ast.IncDecStmt](a),
		index:         arena.Of[ast.IndexExpr](a),
		indexList:     arena.Of[ast.IndexListExpr](a),
		interfaceType: arena.Of[ast.InterfaceType](a),
		keyValue:      arena.Of[ast.KeyValueExpr](a),
		labeled:       arena.Of[ast.LabeledStmt](a),
		mapType:       arena.Of[ast.MapType](a),
		paren:         arena.Of[ast.ParenExpr](a),
		rangeStmt:     arena.Of[ast.RangeStmt](a),
		returnStmt:    arena.Of[ast.ReturnStmt](a),
		selectStmt:    arena.Of[ast.SelectStmt](a),
		selector:      arena.Of[ast.SelectorExpr](a),
		send:          arena.Of[ast.SendStmt](a),
		slice:         arena.Of[ast.SliceExpr](a),
		star:          arena.Of[ast.StarExpr](a),
		structType:    arena.Of[ast.StructType](a),
		switchStmt:    arena.Of[ast.SwitchStmt](a),
		typeAssert:    arena.Of[ast.TypeAssertExpr](a),
		typeSpec:      arena.Of[ast.TypeSpec](a),
		typeSwitch:    arena.Of[ast.TypeSwitchStmt](a),
		unary:         arena.Of[ast.UnaryExpr](a),
		valueSpec:     arena.Of[ast.ValueSpec](a),

		commentGroups: arena.Of[*ast.CommentGroup](a),
		comments:      arena.Of[*ast.Comment](a),
		decls:         arena.Of[ast.Decl](a),
		exprs:         arena.Of[ast.Expr](a),
		fields:        arena.Of[*ast.Field](a),
		idents:        arena.Of[*ast.Ident](a),
		imports:       arena.Of[*ast.ImportSpec](a),
		specs:         arena.Of[ast.Spec](a),
		stmts:         arena.Of[ast.Stmt](a),

		directives: arena.Of[directive](a),
		ints:       arena.Of[int](a),
		tree:       arena.Of[Tree](a),
	}
}
