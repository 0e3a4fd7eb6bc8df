package delivery

import (
	"bytes"
	"strconv"
	"strings"
	"text/template/parse"
)

// lineOf is the line of a template that wrote the byte before an offset of its body; 1 if it is not
// known. It executes the template again, with a mark before each part that writes.
func (t *Template) lineOf(offset int, data any, secret Secret) int {
	marked, err := newTemplate(t.name, t.text)
	if err != nil {
		return 1
	}
	for _, each := range marked.tree.Templates() {
		t.mark(each.Root)
	}
	body, err := marked.write(data, secret)
	if err != nil {
		return 1
	}
	line, written := 1, 0
	for i, part := range bytes.Split(body, []byte{lineMark}) {
		if i%2 == 1 {
			line, _ = strconv.Atoi(string(part))
		} else if written += len(part); written >= offset {
			break
		}
	}
	return max(line, 1)
}

// lineMark is before and after a number of a line: a character that JSON has only as an escape.
const lineMark = 0

// mark adds the lines to the parts of a list that write: to each line of a text, and to each
// action.
func (t *Template) mark(list *parse.ListNode) {
	for _, inner := range inside(list) {
		t.mark(inner)
	}
	if list == nil {
		return
	}
	var nodes []parse.Node
	text := func(text string) {
		nodes = append(nodes, &parse.TextNode{NodeType: parse.NodeText, Text: []byte(text)})
	}
	line := func(pos int) {
		text("\x00" + strconv.Itoa(1+strings.Count(t.text[:min(pos, len(t.text))], "\n")) + "\x00")
	}
	for _, n := range list.Nodes {
		switch of := n.(type) {
		case *parse.TextNode:
			pos := int(of.Pos)
			for each := range strings.Lines(string(of.Text)) {
				line(pos)
				text(each)
				pos += len(each)
			}
			continue
		case *parse.ActionNode:
			line(int(of.Pos))
		}
		nodes = append(nodes, n)
	}
	list.Nodes = nodes
}
