package xlsx

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
)

// schemaOrder lists the children of elements in the order that the schema of ISO/IEC 29500-1
// requires, for those that excelize writes in another one. Excel offers to repair a file that is
// out of order.
var schemaOrder = map[string][]string{
	// Part 2, annex D allows any order, but ExcelJS fails on lastModifiedBy without a prefix, as excelize writes it.
	"coreProperties": {"title", "creator", "created", "modified"},
	// 18.8.22, CT_Font
	"font": {"b", "i", "strike", "condense", "extend", "outline", "shadow", "u", "vertAlign", "sz", "color", "name", "family", "charset", "scheme"},
	// 21.2.2.16, CT_BarChart
	"barChart": {"barDir", "grouping", "varyColors", "ser", "dLbls", "gapWidth", "overlap", "serLines", "axId", "extLst"},
	// 21.2.2.170, CT_BarSer
	"barChart/ser": {"idx", "order", "tx", "spPr", "invertIfNegative", "pictureOptions", "dPt", "dLbls", "trendline", "errBars", "cat", "val", "shape", "extLst"},
	// 21.2.2.97, CT_LineChart
	"lineChart": {"grouping", "varyColors", "ser", "dLbls", "dropLines", "hiLowLines", "upDownBars", "marker", "smooth", "axId", "extLst"},
	// CT_LineSer: excelize also writes invertIfNegative, which is only for bars
	"lineChart/ser": {"idx", "order", "tx", "spPr", "marker", "dPt", "dLbls", "trendline", "errBars", "cat", "val", "smooth", "extLst"},
}

// orderFor returns the order of the children of an element, nil if they stay as they are.
func orderFor(parent, element string) []string {
	if order := schemaOrder[parent+"/"+element]; order != nil {
		return order
	}
	return schemaOrder[element]
}

// element is an element of XML that is being sorted.
type element struct {
	name     string
	tag      string // its original start tag
	children []child
}

// child is an element below another, or the text between two, whose name is "".
type child struct{ name, text string }

// inSchemaOrder sorts the children of elements in the order of the schema. Children that are not in
// the schema are removed.
func inSchemaOrder(text string) (string, error) {
	stack := []element{{}}
	from := int64(0)
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		} else if err != nil {
			return "", fmt.Errorf("a part of a workbook: %w", err)
		}
		raw := text[from:d.InputOffset()]
		from = d.InputOffset()
		top := &stack[len(stack)-1]
		switch token := token.(type) {
		case xml.StartElement:
			stack = append(stack, element{name: token.Name.Local, tag: raw})
		case xml.EndElement:
			stack = stack[:len(stack)-1]
			parent := &stack[len(stack)-1]
			inside := top.ordered(orderFor(parent.name, top.name))
			parent.children = append(parent.children, child{top.name, top.tag + inside + raw})
		default:
			top.children = append(top.children, child{"", raw})
		}
	}
	return stack[0].ordered(nil), nil
}

// ordered returns the content of an element.
func (e *element) ordered(order []string) string {
	if order != nil {
		rank := func(c child) int { return slices.Index(order, c.name) }
		e.children = slices.DeleteFunc(e.children, func(c child) bool { return rank(c) < 0 })
		slices.SortStableFunc(e.children, func(a, b child) int { return rank(a) - rank(b) })
	}
	var b strings.Builder
	for _, c := range e.children {
		b.WriteString(c.text)
	}
	return b.String()
}
