package xml

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
)

// The parts of a workbook beside the rows. Excel ends the declaration with a
// carriage return and a line feed, and writes the rest in one line.
const declaration = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\r\n"

const (
	nsMain     = `http://schemas.openxmlformats.org/spreadsheetml/2006/main`
	nsPackage  = `http://schemas.openxmlformats.org/package/2006/`
	nsDocument = `http://schemas.openxmlformats.org/officeDocument/2006/relationships`
	typePrefix = `application/vnd.openxmlformats-officedocument.spreadsheetml.`
)

const contentTypes = declaration + `<Types xmlns="` + nsPackage + `content-types">` +
	`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
	`<Default Extension="xml" ContentType="application/xml"/>` +
	`<Override PartName="/xl/workbook.xml" ContentType="` + typePrefix + `sheet.main+xml"/>` +
	`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="` + typePrefix + `worksheet+xml"/>` +
	`<Override PartName="/xl/styles.xml" ContentType="` + typePrefix + `styles+xml"/>` +
	`<Override PartName="/xl/sharedStrings.xml" ContentType="` + typePrefix + `sharedStrings+xml"/>` +
	`</Types>`

const packageRels = declaration + `<Relationships xmlns="` + nsPackage + `relationships">` +
	`<Relationship Id="rId1" Type="` + nsDocument + `/officeDocument" Target="xl/workbook.xml"/>` +
	`</Relationships>`

const workbookPart = declaration + `<workbook xmlns="` + nsMain + `" xmlns:r="` + nsDocument + `">` +
	`<bookViews><workbookView xWindow="0" yWindow="0" windowWidth="28800" windowHeight="15000"/></bookViews>` +
	`<sheets><sheet name="Orders" sheetId="1" r:id="rId1"/></sheets><calcPr calcId="191029"/></workbook>`

const workbookRels = declaration + `<Relationships xmlns="` + nsPackage + `relationships">` +
	`<Relationship Id="rId3" Type="` + nsDocument + `/sharedStrings" Target="sharedStrings.xml"/>` +
	`<Relationship Id="rId2" Type="` + nsDocument + `/styles" Target="styles.xml"/>` +
	`<Relationship Id="rId1" Type="` + nsDocument + `/worksheet" Target="worksheets/sheet1.xml"/>` +
	`</Relationships>`

const styles = declaration + `<styleSheet xmlns="` + nsMain + `">` +
	`<fonts count="2"><font><sz val="11"/><color theme="1"/><name val="Calibri"/><family val="2"/></font>` +
	`<font><b/><sz val="11"/><color theme="1"/><name val="Calibri"/><family val="2"/></font></fonts>` +
	`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
	`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
	`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
	`<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
	`<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>` +
	`<xf numFmtId="14" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>` +
	`<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles><dxfs count="0"/></styleSheet>`

const sheetHead = `<worksheet xmlns="` + nsMain + `" xmlns:r="` + nsDocument + `"` +
	` xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="x14ac xr"` +
	` xmlns:x14ac="http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac"` +
	` xmlns:xr="http://schemas.microsoft.com/office/spreadsheetml/2014/revision"` +
	` xr:uid="{7C1F4E52-0A3B-4D6E-9F10-2B3C4D5E6F70}">`

const sheetViews = `<sheetViews><sheetView tabSelected="1" workbookViewId="0">` +
	`<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
	`<sheetFormatPr defaultRowHeight="15" x14ac:dyDescent="0.25"/>` +
	`<cols><col min="2" max="2" width="10.7109375" bestFit="1" customWidth="1"/>` +
	`<col min="3" max="4" width="18.42578125" customWidth="1"/></cols><sheetData>`

const sheetTail = `</sheetData><pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/></worksheet>`

// sharedStrings returns the texts of the workbook.
func sharedStrings() string {
	texts := slices.Concat(header[:], names, towns)
	var b strings.Builder
	fmt.Fprintf(&b, `%s<sst xmlns="%s" uniqueCount="%d">`, declaration, nsMain, len(texts))
	for _, t := range texts {
		b.WriteString("<si><t>")
		xml.EscapeText(&b, []byte(t))
		b.WriteString("</t></si>")
	}
	b.WriteString("</sst>")
	return b.String()
}
