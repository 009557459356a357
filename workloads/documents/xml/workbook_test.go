package xml

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"testing"
)

// TestWorkbook checks that the parts of a workbook are well formed, and that
// two workbooks are equal.
func TestWorkbook(t *testing.T) {
	book, err := Workbook()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Workbook(); err != nil || !bytes.Equal(book, again) {
		t.Errorf("a second workbook is another, error %v", err)
	}
	z, err := zip.NewReader(bytes.NewReader(book), int64(len(book)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		if f.Name == sheetPath {
			continue // see TestSheet
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		src, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := decode(string(src))
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if err := equal(doc, reference(t, src)); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

// TestSheet checks the tree of the sheet: as encoding/xml has it, with every
// cell where its reference says, and texts that are there.
func TestSheet(t *testing.T) {
	src := inputs(t)[0].src
	doc, err := decode(string(src))
	if err != nil {
		t.Fatal(err)
	}
	if err := equal(doc, reference(t, src)); err != nil {
		t.Error(err)
	}
	data := child(doc.First, "sheetData")
	rows := 0
	for row := data.First; row != nil; row = row.Next {
		rows++
		column := 0
		for c := row.First; c != nil; c = c.Next {
			if want := fmt.Sprintf("%c%d", 'A'+column, rows); value(c, "r") != want {
				t.Fatalf("cell %q, want %q", value(c, "r"), want)
			}
			if value(c, "t") == "s" {
				n, err := strconv.Atoi(child(c, "v").First.Data)
				if texts := Columns + len(names) + len(towns); err != nil || n >= texts {
					t.Errorf("cell %s has the text %d of %d, error %v", value(c, "r"), n, texts, err)
				}
			}
			column++
		}
		if column != Columns {
			t.Fatalf("%d cells in row %d, want %d", column, rows, Columns)
		}
	}
	if rows != Rows {
		t.Errorf("%d rows, want %d", rows, Rows)
	}
}

// child returns the child of n with that name.
func child(n *Node, local string) *Node {
	for c := n.First; c != nil; c = c.Next {
		if c.Name == (Name{Local: local}) {
			return c
		}
	}
	return nil
}

// value returns the value of an attribute of n, empty if it has none.
func value(n *Node, local string) string {
	for _, a := range n.Attrs {
		if a.Name == (Name{Local: local}) {
			return a.Value
		}
	}
	return ""
}
