// Package layout has the common parts of all HTML pages: head and foot, style, the script of the
// large table, the escapes of text, and the Content-Security-Policy. It does not depend on audits.
//
// A page with a Head is one file that can be mailed: it includes its style, its script and the data
// of its table. The policy allows only this one script and this one style, by their hashes. A page
// with a SharedHead has them in files in its folder, its Assets, which many pages share, and its
// policy allows files of its own folder. These are not modules, and only their elements load them,
// so that they work from disk. The policy also names the data for the script, which no browser
// runs, for programs that check policies. Nothing comes from the network.
//
// The script consists of three files within one function, so that it leaves only the functions that
// the table's files call: text.js, then the page's own script, which describes its rows in kind,
// then table.js.
package layout
