package xlsx

import (
	"strconv"
	"sync"

	"robots-audit/reports/internal/deflate"
)

// rowsSample is that of sampleRows, of all templates.
var rowsSample = sync.OnceValue(func() *deflate.Sample { return deflate.NewSample(sampleRows()) })

// sampleRows are rows as sheets have them: addresses, names, sentences, numbers. How often
// what occurs in them decides how long it is in the code of all small parts.
func sampleRows() (rows []byte) {
	for i := range 48 {
		path := "/section-" + strconv.Itoa(i*i) + "/"
		id := Text(strconv.FormatUint(uint64(i+1)*0x9e3779b97f4a7c15, 16))
		rows = appendSample(rows, i+2,
			Identifier(i+1), Text("https://www.example.com/products"+path+"page.html"), Text("Googlebot, Bingbot, YandexBot"),
			id, Number(int64(i*37)), Text("group of * (line 1): no group names it, so the group of * applies"))
		rows = appendSample(rows, i+2,
			Identifier(i+1), Text("disallow: "+path), Text("*"), Number(0), Number(int64(i)), Number(0), Number(0),
			Text("RUL008"), Text("decides nothing"), Text("https://www.example.com"), id)
	}
	return rows
}

// appendSample appends the row of a number.
func appendSample(rows []byte, number int, cells ...Cell) []byte {
	digits := strconv.AppendInt(nil, int64(number), 10)
	rows = append(append(append(rows, `<row r="`...), digits...), `">`...)
	for column, c := range cells {
		rows = appendCell(rows, ColumnName(column), digits, &c)
	}
	return append(rows, `</row>`...)
}
