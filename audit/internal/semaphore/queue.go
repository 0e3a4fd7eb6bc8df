package semaphore

// queue is a heap of slots by the order in which their sites were started, for package
// container/heap. Each knows its place.
type queue []*Slot

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].number < q[j].number }

func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].place, q[j].place = i, j
}

func (q *queue) Push(x any) {
	s := x.(*Slot)
	s.place = len(*q)
	*q = append(*q, s)
}

func (q *queue) Pop() any {
	last := len(*q) - 1
	s := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	s.place = -1
	return s
}
