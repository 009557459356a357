package xml

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
)

// Size of the sheet in [Workbook].
const (
	Rows    = 5_000
	Columns = 10
)

// sheetPath is the path of a workbook's first sheet.
const sheetPath = "xl/worksheets/sheet1.xml"

// Workbook returns an .xlsx file: a zip file with the parts, attributes and
// order of what Excel writes. Its one sheet is a list of orders of Rows by
// Columns cells, the first row its header. The same in every call.
func Workbook() ([]byte, error) { return workbook(Rows) }

func workbook(rows int) ([]byte, error) {
	var file bytes.Buffer
	z := zip.NewWriter(&file)
	for _, part := range []struct{ name, body string }{
		{"[Content_Types].xml", contentTypes},
		{"_rels/.rels", packageRels},
		{"xl/workbook.xml", workbookPart},
		{"xl/_rels/workbook.xml.rels", workbookRels},
		{sheetPath, string(sheet(rows))},
		{"xl/styles.xml", styles},
		{"xl/sharedStrings.xml", sharedStrings()},
	} {
		w, err := z.Create(part.name)
		if err != nil {
			return nil, err
		}
		if _, err := io.WriteString(w, part.body); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return file.Bytes(), nil
}

// Sheet returns the first sheet of a workbook, as XML.
func Sheet(workbook []byte) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(workbook), int64(len(workbook)))
	if err != nil {
		return nil, err
	}
	f, err := z.Open(sheetPath)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// Texts of a workbook are in part of their own, and a cell has the number of
// its text. The header is first, then names, then towns.
var (
	header = [Columns]string{"Order", "Date", "Customer", "Town", "Units", "Price", "Total", "Paid", "Discount", "Remark"}
	names  = []string{"Ångström & Co", "Becker GmbH", "Dupont <Paris>", "García Hermanos", "O'Neill \"Tools\"", "Smith", "Yılmaz", "株式会社山田"}
	towns  = []string{"Aarhus", "Bergen", "Cork", "Łódź", "Málaga", "Zürich"}
)

// Styles of cells, as they are numbered in styles.
const (
	styleHeader = 1 + iota
	styleDate
	styleMoney
)

func sheet(rows int) []byte {
	r := rand.New(rand.NewPCG(5, 7))
	b := []byte(declaration + sheetHead)
	b = fmt.Appendf(b, `<dimension ref="A1:%c%d"/>`, 'A'+Columns-1, rows)
	b = append(b, sheetViews...)
	for row := 1; row <= rows; row++ {
		b = fmt.Appendf(b, `<row r="%d" spans="1:%d" x14ac:dyDescent="0.25">`, row, Columns)
		if row == 1 {
			for i := range header {
				b = appendCell(b, i, row, styleHeader, "s", strconv.Itoa(i))
			}
		} else {
			b = appendOrder(b, row, r)
		}
		b = append(b, "</row>"...)
	}
	return append(b, sheetTail...)
}

func appendOrder(b []byte, row int, r *rand.Rand) []byte {
	units, cents := 1+r.IntN(200), 100+r.IntN(100_000)
	total := strconv.FormatFloat(float64(units*cents)/100, 'f', -1, 64)
	b = appendCell(b, 0, row, 0, "", strconv.Itoa(100_000+row))
	b = appendCell(b, 1, row, styleDate, "", strconv.Itoa(45_000+row/14))
	b = appendCell(b, 2, row, 0, "s", strconv.Itoa(Columns+r.IntN(len(names))))
	b = appendCell(b, 3, row, 0, "s", strconv.Itoa(Columns+len(names)+r.IntN(len(towns))))
	b = appendCell(b, 4, row, 0, "", strconv.Itoa(units))
	b = appendCell(b, 5, row, styleMoney, "", strconv.FormatFloat(float64(cents)/100, 'f', -1, 64))
	b = fmt.Appendf(b, `<c r="G%d" s="%d"><f>E%d*F%d</f><v>%s</v></c>`, row, styleMoney, row, row, total)
	b = appendCell(b, 7, row, 0, "b", strconv.Itoa(r.IntN(2)))
	if r.IntN(4) == 0 {
		b = appendCell(b, 8, row, styleMoney, "", "0.05")
	} else {
		b = fmt.Appendf(b, `<c r="I%d" s="%d"/>`, row, styleMoney)
	}
	return fmt.Appendf(b, `<c r="J%d" t="str"><f>IF(E%d&gt;100,"bulk","")</f><v>%s</v></c>`, row, row, remark(units))
}

func remark(units int) string {
	if units > 100 {
		return "bulk"
	}
	return ""
}

// appendCell appends a cell. Style 0 and type "", a number, are the defaults
// and not written.
func appendCell(b []byte, column, row, style int, kind, value string) []byte {
	b = fmt.Appendf(b, `<c r="%c%d"`, 'A'+column, row)
	if style != 0 {
		b = fmt.Appendf(b, ` s="%d"`, style)
	}
	if kind != "" {
		b = fmt.Appendf(b, ` t="%s"`, kind)
	}
	return fmt.Appendf(b, "><v>%s</v></c>", value)
}
