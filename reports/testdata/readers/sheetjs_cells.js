// Prints the cells of workbooks as SheetJS reads them.
const xlsx = require('xlsx')
const books = {}
for (const name of process.argv.slice(2)) {
  const book = xlsx.readFile(name)
  books[name] = book.SheetNames.map(sheet => ({
    name: sheet,
    rows: xlsx.utils.sheet_to_json(book.Sheets[sheet], { header: 1, raw: true, defval: '', blankrows: true }).map(row => row.map(String)),
  }))
}
process.stdout.write(JSON.stringify(books))
