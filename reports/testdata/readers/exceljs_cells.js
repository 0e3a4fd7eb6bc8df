// Prints the cells of workbooks as ExcelJS reads them.
const ExcelJS = require('exceljs')
const epoch = Date.UTC(1899, 11, 30)
const plain = value => {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return String((value.getTime() - epoch) / 86400000) // a number with the format of a date
  if (typeof value === 'object' && 'hyperlink' in value) return String(value.text)
  if (typeof value === 'object') throw new Error('a cell that is neither text nor number: ' + JSON.stringify(value))
  return String(value)
}
const main = async () => {
  const books = {}
  for (const name of process.argv.slice(2)) {
    const book = new ExcelJS.Workbook()
    await book.xlsx.readFile(name)
    books[name] = book.worksheets.map(sheet => {
      const rows = []
      sheet.eachRow({ includeEmpty: true }, row => {
        const cells = []
        row.eachCell({ includeEmpty: true }, (cell, column) => {
          // A merged cell repeats the one that it belongs to.
          cells[column - 1] = cell.isMerged && cell.master !== cell ? '' : plain(cell.value)
        })
        rows.push(Array.from(cells, c => c ?? ''))
      })
      return { name: sheet.name, rows }
    })
  }
  process.stdout.write(JSON.stringify(books))
}
main().catch(error => { console.error(error); process.exit(1) })
