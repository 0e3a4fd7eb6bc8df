package wellformed

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"
)

// check reads a document in pieces of a size.
func check(doc []byte, size int) *Checker {
	var c Checker
	for b := doc; len(b) > 0; {
		n := min(size, len(b))
		c.Read(b[:n])
		b = b[n:]
	}
	c.End()
	return &c
}

var cases = []struct{ doc, want string }{
	{`<?xml version="1.0" encoding="UTF-8"?><a/>`, ""},
	{"\ufeff<?xml version='1.0' standalone = 'yes' ?>\n<!-- c --><?p i?><a>\n</a>\n<!-- - --><?p?>\n", ""},
	{`<a b="1" c='"'><d/><e>x</e ></a>`, ""},
	{`<a>&amp;&lt;&gt;&quot;&apos;&#9;&#x20AC;]] ]>]></a>`, ""},
	{`<a><![CDATA[<&]]]]></a>`, ""},
	{`<a b="]]>">é</a>`, ""},
	{`<a xmlns:p="u"><p:b p:c="1" xml:lang="de"/><b xmlns:q="v"><q:c/></b></a>`, ""},
	{`<é·/>`, ""},
	{"<a xmlns:p='u'><p:b c='1' p:c=\"é&amp;'>&#9;\"/><b c='1&amp;é>'\n\td=\"]]>\" /><b c=\"\"></b><xml:b xml:c='1'/></a>", ""},
	{`<a><b c="1" c="2" c="3" c="4" c="5" c="6" c="7" c="8" c="9"/></a>`, `14 1 the attribute c twice in one tag`},
	{`<!DOCTYPE a><a/>`, ""},
	{`<!DOCTYPE a [<!ENTITY e "x>"><!-- ' > ]> --><!ELEMENT a ANY><?p ]>?>]><a>&e;</a>`, ""},
	{`<!DOCTYPE a SYSTEM "u"><a>&e;<p:b/></a>`, ""},
	{`<!DOCTYPE a PUBLIC "p" 'u' [%e;]><a>&e;</a>`, ""},
	{`<!DOCTYPE a [<!ATTLIST a xmlns:p CDATA "u">]><p:a/>`, ""},

	{"", `1 1 the file has no element`},
	{"\n<?xml version='1.0'?><a/>", `7 2 an XML declaration (<?xml) that is not at the very beginning of the file`},
	{"<!-- c --><?xml version='1.0'?><a/>", `16 1 an XML declaration (<?xml) that is not at the very beginning of the file`},
	{"\ufeff\ufeff<a/>", `4 1 text before the first tag`},
	{"x<a/>", `1 1 text before the first tag`},
	{"<?xml version='1.0'?><a/><?xml version='1.0'?>", `31 1 an XML declaration (<?xml) in the middle of the file`},
	{"<?xml version='1.1'?><a/>", `21 1 an XML declaration that is not of the form <?xml version="1.0" encoding="UTF-8"?>`},
	{"<?xml encoding='utf-8' version='1.0'?><a/>", `38 1 an XML declaration that is not of the form <?xml version="1.0" encoding="UTF-8"?>`},
	{"<?XML version='1.0'?><a/>", `6 1 an instruction with the name XML, which is reserved`},
	{"<a/><b/>", `6 1 a second root element: XML allows only one`},
	{"<a/>x", `5 1 text after the end of the last element`},
	{"<a/><![CDATA[]]>", `13 1 text after the end of the last element`},
	{"<a>\n<p:b/></a>", `10 2 the prefix p is not declared`},
	{"<a image:b='1'/>", `16 1 the prefix image is not declared: write xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" into the first tag`},
	{"<a><b xmlns:p='u'/><p:c/></a>", `25 1 the prefix p is not declared`},
	{"<a>&nbsp;</a>", `9 1 &nbsp; is not defined in XML`},
	{"<a>a & b</a>", `7 1 an '&' that is not part of a reference: write &amp;`},
	{"<a>?a=1&b=2</a>", `10 1 an '&' that is not part of a reference: write &amp;`},
	{"<a>&#0;</a>", `7 1 &#0; is not a character of XML`},
	{"<a>&#xD800;</a>", `11 1 &#xD800; is not a character of XML`},
	{"<a>\x01</a>", `4 1 a control character, which XML does not allow`},
	{"<a>\n\r\n\xe4</a>", `7 3 bytes that are not UTF-8`},
	{"<a>\r\r\x00</a>", `6 3 a control character, which XML does not allow`},
	{"<a>\uffff</a>", `4 1 a character that XML does not allow`},
	{"<!-- a -- b --><a/>", `10 1 -- inside a comment`},
	{"<!-- a ---><a/>", `10 1 -- inside a comment`},
	{"<!-- \xff --><a/>", `6 1 bytes that are not UTF-8`},
	{"<a b='1' b='2'/>", `11 1 the attribute b twice in one tag`},
	{"<a><b c='1'\n  d='2' c='3'/></a>", `22 2 the attribute c twice in one tag`},
	{"<a><b c='1' p:c='2'/></a>", `21 1 the prefix p is not declared`},
	{"<a><b c='1'><p:b c='1'/></b></a>", `24 1 the prefix p is not declared`},
	{"<a><b xmlns:p='u' p:c='1'/><b p:c='1'/></a>", `39 1 the prefix p is not declared`},
	{"<a><b c='1'd='2'/></a>", `12 1 no white space before an attribute`},
	{"<a><b c='\x01'/></a>", `10 1 a control character, which XML does not allow`},
	{"<a><b c='\uffff'/></a>", `10 1 a character that XML does not allow`},
	{"<a><b c='\xe4'/></a>", `10 1 bytes that are not UTF-8`},
	{"<a><b c='<'/></a>", `10 1 a '<' in an attribute's value: write &lt;`},
	{"<a><b c='&amp'/></a>", `14 1 an '&' that is not part of a reference: write &amp;`},
	{"<a><b :c='1'/></a>", `9 1 the name :c with a colon in the wrong place`},
	{"<a><b c='1'></a></b>", `16 1 </a> instead of </b>`},
	{"<a b=1/>", `6 1 an attribute's value without quotes`},
	{"<a b/>", `5 1 an attribute without a value`},
	{"<a b='1'c='2'/>", `9 1 no white space before an attribute`},
	{"<a b='<'/>", `7 1 a '<' in an attribute's value: write &lt;`},
	{"<a b='&'/>", `8 1 an '&' that is not part of a reference: write &amp;`},
	{"<a>]]></a>", `6 1 ]]> in text: write ]]&gt;`},
	{"<a><b></a></b>", `10 1 </a> instead of </b>`},
	{"<a></a b>", `8 1 something other than '>' at the end of an end tag`},
	{"</a>", `2 1 an end tag without a start tag`},
	{"<a>1 < 2</a>", `7 1 a '<' that is not part of a tag: write &lt;`},
	{"<1/>", `2 1 a '<' that is not part of a tag: write &lt;`},
	{"<a$/>", `3 1 a character that is not allowed in a name`},
	{"<a:/>", `4 1 the name a: with a colon in the wrong place`},
	{"<a / >", `5 1 a '/' in a tag`},
	{"<a><!ELEMENT b></a>", `6 1 <! without a comment, CDATA section or document type`},
	{"<a/><!DOCTYPE a>", `13 1 a document type in the wrong place`},
	{"<!DOCTYPE><a/>", `10 1 a document type with wrong syntax`},
	{"<!DOCTYPE a[<?a >?>& ]><a/>", `23 1 a document type with wrong syntax`},
	{"<!DOCTYPE a[<?a >>& \x00", `21 1 a control character, which XML does not allow`},
	{"<a xmlns:p=''/>", `13 1 the prefix p declared with an empty value`},
	{"<a><??></a>", `6 1 <? without an instruction`},
	{"<a>\n<b>", `8 2 the file ends before </b>`},
	{"<a><b", `6 1 the file ends before </a>`},
	{"<!-- a", `7 1 the file ends in the middle of a tag, comment or declaration`},
}

func TestChecker(t *testing.T) {
	for _, c := range cases {
		for _, size := range []int{1, 2, 3, 7, 1 << 20} {
			got := ""
			if f, ok := check([]byte(c.doc), size).Fault(); ok {
				got = fmt.Sprintf("%d %d %s", f.Byte, f.Line, f.Reason)
			}
			if got != c.want {
				t.Errorf("%q in pieces of %d bytes:\n got %s\nwant %s", c.doc, size, got, c.want)
			}
		}
		agree(t, []byte(c.doc))
	}
}

// beyond are the reasons that encoding/xml does not have, each with its
// sentence in XML 1.0, fifth edition, or Namespaces in XML 1.0.
var beyond = []struct{ reason, source string }{
	{"the file has no element", "XML 2.1 [1]: document ::= prolog element Misc*"},
	{"a second root element", "XML 2.1 [1]: there is exactly one element, called the root"},
	{"text before the first tag", "XML 2.8 [22] prolog, [27] Misc: comments, instructions and white space only"},
	{"text after the end of the last element", "XML 2.1 [1], [27]"},
	{"an XML declaration", "XML 2.8 [22], [23]: at the very beginning, and written so; 2.6 [17] reserves the name"},
	{"an instruction with the name", "XML 2.6 [17]: PITarget ::= Name - (('X' | 'x') ('M' | 'm') ('L' | 'l'))"},
	{"a character that is not allowed in the name of an instruction", "XML 2.6 [16]: white space follows the PITarget"},
	{"a '?' in the name of an instruction", "XML 2.6 [16]"},
	{"a character in the wrong place", "XML 3.1 [40] STag, [42] ETag; 2.8 [22] prolog"},
	{"a control character", "XML 2.2 [2]: Char, in comments and instructions as well"},
	{"a character that XML does not allow", "XML 2.2 [2]"},
	{"bytes that are not UTF-8", "XML 4.3.3: it is a fatal error if an entity contains byte sequences that are not legal in its encoding"},
	{"no white space before an attribute", "XML 3.1 [40]: STag ::= '<' Name (S Attribute)* S? '>'"},
	{"the attribute", "XML 3.1, WFC Unique Att Spec"},
	{"a document type", "XML 2.8 [22], [28]"},
	{"the file ends inside its document type", "XML 2.8 [28] doctypedecl; encoding/xml counts its brackets and quotes alone"},
	{"<! without a comment", "XML 3.1 [43]: content"},
	{"& is not a character", "XML 4.1, WFC Legal Character"},
	{"the name ", "Namespaces 4 [7] QName"},
	{"the prefix ", "Namespaces 5, NSC Prefix Declared; 3, NSC Reserved Prefixes, No Prefix Undeclaring"},
}

// agree compares the checker with encoding/xml in both directions. The checker
// must refuse all that encoding/xml refuses, at the same place or earlier.
// encoding/xml must refuse all that the checker refuses, or the reason is one
// of beyond. It reports whether a comparison was possible.
func agree(t *testing.T, doc []byte) bool {
	t.Helper()
	c := check(doc, len(doc)+1)
	fault, faulty := c.Fault()
	d := xml.NewDecoder(bytes.NewReader(doc))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	d.Entity = map[string]string{} // encoding/xml reads no document type
	for _, e := range c.Entities {
		d.Entity[e] = "x"
	}
	var err error
	for err == nil {
		_, err = d.Token()
	}
	if c.open || !faulty && c.Over() {
		return false // given up, or entities may be declared elsewhere
	}
	refused := err != io.EOF
	if !faulty && refused {
		if oldNames(err, doc) {
			return false
		}
		t.Fatalf("%q: nothing found, but encoding/xml says: %v", doc, err)
	}
	// encoding/xml counts the brackets and quotes of a document type alone. A '>'
	// in one of its instructions can end it too early: what follows is text there.
	var before Checker
	before.Read(doc[:max(0, min(int(fault.Byte)-1, len(doc)))])
	inDoctype := before.state == inDoctype
	if faulty && refused && fault.Byte > d.InputOffset()+1 && !oldNames(err, doc) && !inDoctype {
		t.Fatalf("%q: found at byte %d only (%s), encoding/xml stops behind %d: %v", doc, fault.Byte, fault.Reason, d.InputOffset(), err)
	}
	if faulty && !refused {
		reason := fault.Reason
		if strings.HasPrefix(reason, "&") && strings.HasSuffix(reason, "is not a character of XML") {
			reason = "& is not a character"
		}
		for _, b := range beyond {
			if strings.HasPrefix(reason, b.reason) {
				return true
			}
		}
		t.Fatalf("%q: %+v, but encoding/xml finds nothing wrong", doc, fault)
	}
	return true
}

// oldNames reports whether encoding/xml refuses a name that is valid since the
// fifth edition of XML 1.0 (2008): it has the tables of the fourth.
func oldNames(err error, doc []byte) bool {
	return strings.Contains(err.Error(), "invalid XML name") && bytes.ContainsFunc(doc, func(r rune) bool { return r >= 0x80 })
}

// FuzzChecker compares the checker with encoding/xml in both directions, and
// with itself for other pieces of the document.
func FuzzChecker(f *testing.F) {
	for _, c := range cases {
		f.Add([]byte(c.doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		whole, _ := check(doc, len(doc)+1).Fault()
		for _, size := range []int{1, 2, 5} {
			if f, _ := check(doc, size).Fault(); f != whole {
				t.Fatalf("%q: whole %+v, in pieces of %d bytes %+v", doc, whole, size, f)
			}
		}
		agree(t, doc)
	})
}
