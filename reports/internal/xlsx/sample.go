package xlsx

import "strconv"

// sampleRows are rows as sheets have them: addresses, names, sentences, numbers. How often
// what occurs in them decides how long it is in the code of all small parts.
func sampleRows() (rows []byte) {
	for i := range 12 {
		digits := strconv.AppendInt(nil, int64(i+2), 10)
		rows = append(append(append(rows, `<row r="`...), digits...), `">`...)
		for column, c := range []Cell{
			Identifier(i + 1), Text("https://www.example.com/products/section-" + strconv.Itoa(i*i) + "/page.html"), Text("Googlebot, Bingbot, YandexBot"),
			Text(strconv.FormatUint(uint64(i+1)*0x9e3779b97f4a7c15, 16)), Number(int64(i * 37)), Text("group of * (line 1): no group names it, so the group of * applies"),
		} {
			rows = appendCell(rows, ColumnName(column), digits, &c)
		}
		rows = append(rows, `</row>`...)
	}
	return rows
}
