package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// descriptors rewrites the go_package option in the descriptors that generated
// protobuf code holds as constants. A descriptor says how long each of its parts
// is, so it is taken apart, and written as protoc-gen-go writes it.
func (r *rewriter) descriptors(source []byte) ([]byte, int, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, 0, err
	}
	var out bytes.Buffer
	places, done := 0, 0
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.CONST {
			continue
		}
		for _, spec := range d.Specs {
			c := spec.(*ast.ValueSpec)
			if len(c.Names) != 1 || len(c.Values) != 1 || !strings.HasSuffix(c.Names[0].Name, "_rawDesc") {
				continue
			}
			raw, err := constant(c.Values[0])
			if err != nil {
				return nil, 0, fmt.Errorf("%s: %w", c.Names[0].Name, err)
			}
			changed, n, err := r.descriptor(raw, fileOptions)
			if err != nil {
				return nil, 0, fmt.Errorf("%s: %w", c.Names[0].Name, err)
			}
			if n == 0 {
				continue
			}
			places += n
			out.Write(source[done:fset.Position(c.Values[0].Pos()).Offset])
			out.WriteString(`""`)
			for _, line := range strings.SplitAfter(string(changed), "\n") {
				fmt.Fprintf(&out, " +\n\t%q", line)
			}
			done = fset.Position(c.Values[0].End()).Offset
		}
	}
	out.Write(source[done:])
	return out.Bytes(), places, nil
}

// constant is the value of a sum of string literals.
func constant(e ast.Expr) ([]byte, error) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return []byte(s), err
	case *ast.BinaryExpr:
		x, err := constant(e.X)
		if err != nil {
			return nil, err
		}
		y, err := constant(e.Y)
		return append(x, y...), err
	}
	return nil, errors.New("the descriptor is not a sum of string literals")
}

// Fields of descriptor.proto: options of FileDescriptorProto, and go_package of
// FileOptions.
const (
	fileOptions = 8
	goPackage   = 11
)

var errCut = errors.New("the descriptor is cut off")

// descriptor rewrites one field of a message: the options of a file, and in
// them the package.
func (r *rewriter) descriptor(message []byte, field uint64) ([]byte, int, error) {
	var out []byte
	places := 0
	for len(message) > 0 {
		tag, n := binary.Uvarint(message)
		if n <= 0 {
			return nil, 0, errCut
		}
		size := uint64(0)
		length := 0
		switch tag & 7 {
		case 0:
			_, m := binary.Uvarint(message[n:])
			if m <= 0 {
				return nil, 0, errCut
			}
			size = uint64(m)
		case 1:
			size = 8
		case 5:
			size = 4
		case 2:
			if size, length = binary.Uvarint(message[n:]); length <= 0 {
				return nil, 0, errCut
			}
		default:
			return nil, 0, errors.New("the descriptor holds a group")
		}
		head := n + length
		if size > uint64(len(message)-head) {
			return nil, 0, errCut
		}
		value, whole := message[head:head+int(size)], message[:head+int(size)]
		message = message[len(whole):]
		if tag != field<<3|2 {
			out = append(out, whole...)
			continue
		}
		k := 0
		if field == goPackage {
			var s string
			s, k = r.text(string(value))
			value = []byte(s)
		} else {
			var err error
			if value, k, err = r.descriptor(value, goPackage); err != nil {
				return nil, 0, err
			}
		}
		places += k
		out = binary.AppendUvarint(binary.AppendUvarint(out, tag), uint64(len(value)))
		out = append(out, value...)
	}
	return out, places, nil
}
