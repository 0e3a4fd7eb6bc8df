package crawls

// Shown are the columns of a page that have something to say in one of the rows.
func Shown[T any](columns []Column[T], rows []*T) (list []*Column[T]) {
	for i := range columns {
		c := &columns[i]
		if c.Kind == OnSheet {
			continue
		}
		for _, row := range rows {
			if text, _ := c.Text(row); text != "" {
				list = append(list, c)
				break
			}
		}
	}
	return list
}
