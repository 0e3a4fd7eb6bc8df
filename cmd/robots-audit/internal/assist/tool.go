package assist

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"robots-audit/engine/escape"
)

// tool describes a tool.
type tool struct {
	name, title, about string
	list               string              // list of the answer that has parts: see fitted
	values             map[string][]string // allowed values of arguments
	network            bool                // it may use the network
}

// add adds a tool, whose arguments are In and whose answer is Out. The answer's member "summary" is also its text.
func add[In, Out any](s *Server, t tool, answer func(context.Context, *In) (*Out, error)) {
	in, out := schemaOf[In](), schemaOf[Out]()
	for name, values := range t.values {
		for _, value := range values {
			in.Properties[name].Enum = append(in.Properties[name].Enum, value)
		}
	}
	open(out)
	no := false
	s.mcp.AddTool(&mcp.Tool{
		Name: t.name, Title: t.title, Description: t.about, InputSchema: in, OutputSchema: out,
		Annotations: &mcp.ToolAnnotations{Title: t.title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &t.network},
	}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result, err := s.call(ctx, func(ctx context.Context) (*mcp.CallToolResult, error) {
			arguments := new(In)
			if err := decode(r.Params.Arguments, in, arguments); err != nil {
				return nil, err
			}
			a, err := answer(ctx, arguments)
			if err != nil {
				return nil, err
			}
			return fitted(a, t.list)
		})
		if err != nil {
			result = &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: escape.Show(err.Error())}}}
		}
		return result, nil
	})
}

// schemaOf is the schema of a type. Its fields have their descriptions in tags.
func schemaOf[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](nil)
	if err != nil {
		panic(err) // the program contains the type
	}
	return s
}

// open allows further members in an answer: those that say how much of a list is missing.
func open(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.Properties != nil {
		s.AdditionalProperties = nil
	}
	for _, of := range s.Properties {
		open(of)
	}
	open(s.Items)
}

// call runs a call within the limits.
func (s *Server) call(ctx context.Context, do func(context.Context) (*mcp.CallToolResult, error)) (result *mcp.CallToolResult, err error) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	select {
	case s.waiting <- struct{}{}:
		defer func() { <-s.waiting }()
	default:
		return nil, errors.New("the server is busy. Try again in a moment")
	}
	select {
	case s.running <- struct{}{}:
		defer func() { <-s.running }()
	case <-ctx.Done():
		return nil, errors.New("the server is busy. Try again in a moment")
	}
	defer func() {
		if fault := recover(); fault != nil {
			s.o.Log(fmt.Sprintf("a tool failed: %v\n%s", fault, debug.Stack()))
			err = errors.New("an error in robots-audit. Its log has the details")
		}
	}()
	result, err = do(ctx)
	if errors.Is(err, context.DeadlineExceeded) || err != nil && ctx.Err() != nil {
		err = fmt.Errorf("this took longer than %.0f seconds and was stopped. Ask for less, such as one site", longest.Seconds())
	}
	return result, err
}

// Limits of arguments, in bytes.
const (
	maxArguments = 3 << 20 // of all: a robots.txt of 1 MB, escaped
	maxRobots    = 1 << 20
	maxText      = 2000
	maxTexts     = 1000 // number of texts in a list
)

// decode reads arguments. The error is a sentence for the model.
func decode(text json.RawMessage, s *jsonschema.Schema, into any) error {
	if len(text) > maxArguments {
		return fmt.Errorf("the arguments are too large: at most %d MB", maxArguments>>20)
	}
	if len(text) == 0 {
		text = json.RawMessage("{}")
	}
	var tree any
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	if err := in.Decode(&tree); err != nil {
		return fmt.Errorf("the arguments are not valid JSON: %w", err)
	}
	if tree == nil {
		tree = map[string]any{}
	}
	if err := checkValue("", tree, s); err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("the arguments could not be read: %w", err)
	}
	return nil
}

// checkObject checks the members of an object.
func checkObject(name string, of map[string]any, s *jsonschema.Schema) error {
	for key := range of {
		if s.Properties[key] == nil {
			return fmt.Errorf("there is no argument %s. Expected: %s", shortened(join(name, key)), strings.Join(s.PropertyOrder, ", "))
		}
	}
	for _, key := range s.Required {
		if _, ok := of[key]; !ok {
			return fmt.Errorf("%s is missing. Expected: %s", join(name, key), s.Properties[key].Description)
		}
	}
	for _, key := range s.PropertyOrder {
		if value, ok := of[key]; ok {
			if err := checkValue(join(name, key), value, s.Properties[key]); err != nil {
				return err
			}
		}
	}
	return nil
}

// typeWords are the types of JSON in words.
var typeWords = map[string]string{"string": "a text", "array": "a list", "boolean": "true or false", "integer": "a number", "object": "an object", "null": "null"}

// typeOf is the type of a value.
func typeOf(value any) string {
	switch value.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case bool:
		return "boolean"
	case json.Number:
		return "integer" // checkValue checks that it is one
	}
	return "null"
}

// checkValue checks a value by its schema, and by the limits.
func checkValue(name string, value any, s *jsonschema.Schema) error {
	types := s.Types
	if s.Type != "" {
		types = []string{s.Type}
	}
	if is := typeOf(value); !slices.Contains(types, is) {
		if name == "" {
			return fmt.Errorf("the arguments are %s. Expected an object", typeWords[is])
		}
		expected := typeWords[types[len(types)-1]] // after null
		if s.Items != nil {
			expected = "a list of texts"
		}
		return fmt.Errorf("%s is %s. Expected %s", name, typeWords[is], expected)
	}
	switch value := value.(type) {
	case map[string]any:
		return checkObject(name, value, s)
	case []any:
		if len(value) > maxTexts {
			return fmt.Errorf("%s has %d entries. At most %d are possible", name, len(value), maxTexts)
		}
		for i, v := range value {
			if err := checkValue(fmt.Sprintf("%s[%d]", name, i), v, s.Items); err != nil {
				return err
			}
		}
	case string:
		return checkText(name, value, s)
	case json.Number:
		if n, err := value.Int64(); err != nil || n < 0 || n > 1<<40 {
			return fmt.Errorf("%s is %s. Expected a whole number, 0 or more", name, shortened(value.String()))
		}
	}
	return nil
}

// checkText checks a text. Only a robots.txt may be long, and may have any character.
func checkText(name, text string, s *jsonschema.Schema) error {
	limit, whole := maxText, name == "robots"
	if whole {
		limit = maxRobots
	}
	if len(text) > limit {
		return fmt.Errorf("%s has %d bytes. At most %d are possible", name, len(text), limit)
	}
	if at := strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }); at >= 0 && !whole {
		return fmt.Errorf("%s has the control character U+%04X. Remove it", name, text[at])
	}
	if s.Enum != nil && !slices.Contains(s.Enum, any(text)) {
		var values []string
		for _, v := range s.Enum {
			values = append(values, v.(string))
		}
		return fmt.Errorf("%s is %s. Expected: %s", name, shortened(text), strings.Join(values, ", "))
	}
	return nil
}
