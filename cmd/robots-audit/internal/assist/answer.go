package assist

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"robots-audit/engine/escape"
)

// Limits of an answer. Clients cut or refuse longer ones.
const (
	maxAnswer  = 24_500 // bytes of the result, with both forms of the answer: 25,000 with what the protocol adds
	maxSummary = 1000   // bytes
	maxMembers = 300    // members of an object
	maxEntries = 500    // entries of a list, before the answer is cut to its size
)

// fitted is the result of a call. It has the answer as structured data and, for clients that read only text, the
// summary and the same data as JSON. Lists are cut until it fits. list is the name of a list that has parts: the
// answer then says where the next part begins.
func fitted(answer any, list string) (*mcp.CallToolResult, error) {
	text, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	var whole map[string]any
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	if err := in.Decode(&whole); err != nil {
		return nil, err
	}
	summary, _ := whole["summary"].(string)
	summary = escape.Cut(escape.Show(summary), maxSummary)
	for longest := 2000; ; {
		tree := cleaned(whole, longest).(map[string]any)
		tree["summary"] = summary
		for {
			setNext(tree, list)
			result, size, err := resultOf(summary, tree)
			if err != nil || size <= maxAnswer {
				return result, err
			}
			if !cutLargest(tree, size) {
				break
			}
		}
		if longest /= 2; longest < 50 {
			tree = map[string]any{"summary": summary} // not possible with the limits above
			result, _, err := resultOf(summary, tree)
			return result, err
		}
	}
}

// resultOf is the result with an answer, and its size as JSON.
func resultOf(summary string, tree map[string]any) (*mcp.CallToolResult, int, error) {
	var text bytes.Buffer
	out := json.NewEncoder(&text)
	out.SetEscapeHTML(false)
	if err := out.Encode(tree); err != nil {
		return nil, 0, err
	}
	data := bytes.TrimSpace(text.Bytes())
	result := &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: summary}, &mcp.TextContent{Text: string(data)}},
		StructuredContent: json.RawMessage(data),
	}
	whole, err := json.Marshal(result)
	return result, len(whole), err
}

// setNext says where the next part of a list begins, unless this is the last part.
func setNext(tree map[string]any, list string) {
	shown, ok := tree[list].([]any)
	if !ok {
		return
	}
	delete(tree, list+more)
	delete(tree, "next")
	from, total := number(tree["from"]), number(tree["total"])
	if next := from + int64(len(shown)); next < total && len(shown) > 0 {
		tree["next"] = next
	}
}

// more ends the name of a member with the number of entries that a list lacks.
const more = "_more"

// number reads a number of a tree; anything else is 0.
func number(of any) int64 {
	switch n := of.(type) {
	case json.Number:
		value, _ := n.Int64()
		return value
	case int64:
		return n
	}
	return 0
}

// cleaned is a copy of data with hidden characters shown, long texts cut, and large lists and objects cut.
func cleaned(of any, longest int) any {
	switch of := of.(type) {
	case string:
		return escape.Cut(escape.ShowFunc(of, func(r rune) bool { return escape.IsHidden(r) && r != '\n' && r != '\r' && r != '\t' }), longest)
	case []any:
		list := make([]any, 0, min(len(of), maxEntries))
		for _, v := range of[:min(len(of), maxEntries)] {
			list = append(list, cleaned(v, longest))
		}
		return list
	case map[string]any:
		members := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(of)) {
			if len(members) >= maxMembers {
				members["members"+more] = json.Number(strconv.Itoa(len(of) - maxMembers))
				break
			}
			members[escape.Cut(escape.Show(key), maxKey)] = cleaned(of[key], longest)
			if list, ok := of[key].([]any); ok && len(list) > maxEntries {
				addMore(members, key, len(list)-maxEntries)
			}
		}
		return members
	}
	return of
}

// maxKey limits a member's name, such as that of a crawler.
const maxKey = 100

// cutLargest cuts the list that takes most room by as much as the answer is too large; false = there is none. A list
// that takes most of the room of the list around it goes first.
func cutLargest(tree map[string]any, size int) bool {
	at := largest(tree)
	if at.in == nil {
		return false
	}
	for {
		inner := largest(at.in[at.key])
		if inner.size <= at.size/2 {
			break
		}
		at = inner
	}
	list := at.in[at.key].([]any)
	keep := min(len(list)-1, len(list)*maxAnswer/size)
	addMore(at.in, at.key, len(list)-keep)
	at.in[at.key] = list[:keep]
	return true
}

// position is a list in a tree: the object that has it, and its name there.
type position struct {
	in   map[string]any
	key  string
	size int // as JSON
}

// largest is the list below a value that takes most room; in is nil if there is none.
func largest(of any) (most position) {
	switch of := of.(type) {
	case []any:
		for _, v := range of {
			if at := largest(v); at.size > most.size {
				most = at
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(of)) {
			at := largest(of[name])
			if list, ok := of[name].([]any); ok && len(list) > 0 {
				text, _ := json.Marshal(list) // it came from JSON
				at = position{of, name, len(text)}
			}
			if at.size > most.size {
				most = at
			}
		}
	}
	return most
}

// addMore adds to the number of entries that a list lacks.
func addMore(in map[string]any, key string, n int) {
	in[key+more] = number(in[key+more]) + int64(n)
}

// shortened is a text of the caller, for an error.
func shortened(text string) string { return escape.Quoted(text, 100) }

// join is the name of a member within an object.
func join(object, name string) string {
	if object == "" {
		return name
	}
	return object + "." + name
}
