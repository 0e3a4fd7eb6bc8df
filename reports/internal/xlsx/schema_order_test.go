package xlsx

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

func TestInSchemaOrder(t *testing.T) {
	for in, want := range map[string]string{
		`<font><name val="C"/><b/> <color></color><sz val="1"/></font>`:                                                    `<font><b/><sz val="1"/><color></color><name val="C"/></font>`,
		`<c:barChart><c:ser><c:smooth val="0"/><c:val>2</c:val><c:dLbls/><c:invertIfNegative/></c:ser></c:barChart>`:       `<c:barChart><c:ser><c:invertIfNegative/><c:dLbls/><c:val>2</c:val></c:ser></c:barChart>`,
		`<lineChart><ser><dLbls/><marker/><invertIfNegative/><cat/></ser><grouping/></lineChart>`:                          `<lineChart><grouping/><ser><marker/><dLbls/><cat/></ser></lineChart>`,
		`<barChart><ser><idx val="0"/></ser><ser><idx val="1"/></ser><barDir/></barChart>`:                                 `<barChart><barDir/><ser><idx val="0"/></ser><ser><idx val="1"/></ser></barChart>`,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<areaChart><ser><smooth/><dLbls/>a &amp; b</ser></areaChart><!--x-->": "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<areaChart><ser><smooth/><dLbls/>a &amp; b</ser></areaChart><!--x-->",
	} {
		if got, err := inSchemaOrder(in); err != nil || got != want {
			t.Errorf("%s\nbecomes %s (%v)\n   want %s", in, got, err, want)
		}
	}
	for _, in := range []string{"<a>", "<a></b>", "<a", "</a>"} {
		if got, err := inSchemaOrder(in); err == nil {
			t.Errorf("%s becomes %s: want an error", in, got)
		}
	}
}

// checkOrder compares the children of each element with the schema.
func checkOrder(t *testing.T, part, text string, seen map[string]int) {
	t.Helper()
	type level struct {
		name, key string
		last      int
	}
	stack := []level{{}}
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%s: %v", part, err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			name, top := token.Name.Local, &stack[len(stack)-1]
			if order, ok := schemaOrder[top.key]; ok {
				place := strings.Index(" "+strings.Join(order, " ")+" ", " "+name+" ")
				if place < top.last {
					t.Errorf("%s: %s out of order in %s", part, name, top.key)
				}
				top.last = place
			}
			key := name
			if _, ok := schemaOrder[top.name+"/"+name]; ok {
				key = top.name + "/" + name
			}
			seen[key]++
			stack = append(stack, level{name: name, key: key})
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
}
