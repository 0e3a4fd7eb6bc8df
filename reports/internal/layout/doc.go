// Package layout is what every page of HTML has: head and foot, style, the script of its
// large table, the escapes of text, and the Content-Security-Policy. It knows no audit.
//
// A page with a Head is one file that can be mailed: style and script are in it, and so is
// the data of its table. The policy lets run only the one script, and apply only the one style,
// whose hashes it names. A page with a SharedHead has them in files beside it, its Assets, which
// many pages have in common; its policy lets it have those of its own folder. They are
// no modules, and nothing fetches them but their elements, so that they work from disk. The data
// for the script, which no browser runs, is named as well, for checkers that ask. Nothing
// comes from the network.
//
// The script is put together of three files within one function, so that it leaves
// nothing behind but what the table's files call: text.js, then the page's own, which
// says in kind what its rows are, then table.js.
package layout
