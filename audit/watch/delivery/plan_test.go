package delivery

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/history"
)

func TestPlan(t *testing.T) {
	all := &File{Route: Route{Name: "file 1"}, Path: "x"}
	grave := &File{Route: Route{Name: "file 2", Min: compare.Critical}, Path: "y"}
	channels := []Channel{all, grave}
	high := event("a.example", "AL07", compare.High, "a.example: sitemap lost.")
	critical := event("b.example", "AL01", compare.Critical, "b.example: Googlebot is blocked from /.")

	rows := plan(t, channels, began, high)
	if len(rows) != 1 || rows[0].Channel != "file 1" {
		t.Fatalf("a high alert goes to %v", rows)
	}
	rows = plan(t, channels, began, high, critical)
	if len(rows) != 2 {
		t.Fatalf("%d deliveries, want 2", len(rows))
	}
	for i, want := range []int{2, 1} {
		var m alert.Message
		noError(t, json.Unmarshal(rows[i].Message, &m))
		if len(m.Events) != want || m.ID != rows[i].ID || rows[i].Run != "20261123T060000Z" || !rows[i].Next.Equal(began) || !rows[i].Entered.Equal(began) {
			t.Errorf("delivery %d: %d events, %+v", i, len(m.Events), rows[i])
		}
	}
	again := plan(t, channels, began.Add(time.Hour), critical, high)
	if again[0].ID != rows[0].ID || again[1].ID != rows[1].ID || rows[0].ID == rows[1].ID {
		t.Errorf("ids %s, %s; made again %s, %s", rows[0].ID, rows[1].ID, again[0].ID, again[1].ID)
	}
}

func TestPlanTellsOfLosses(t *testing.T) {
	one, two := &File{Route: Route{Name: "file 1"}, Path: "x"}, &File{Route: Route{Name: "file 2"}, Path: "y"}
	channels := []Channel{one, two}
	lost := plan(t, channels[:1], began, event("b.example", "AL01", compare.Critical, "b.example: Googlebot is blocked from /."))
	lost[0].Error = "the disk is full"
	lost[0].GivenUp = began.Add(GiveUpAfter)
	texts := func(rows []history.Delivery) (out []string) {
		for _, d := range rows {
			var m alert.Message
			noError(t, json.Unmarshal(d.Message, &m))
			out = append(out, d.Channel+": "+m.Text())
		}
		return out
	}
	says := func(text string) bool {
		return strings.Contains(text, "file 1: the disk is full") && strings.Contains(text, "b.example: the home page is blocked")
	}

	// With news: to all channels, the one that failed among them.
	rows, told, err := Plan(channels, digest(event("c.example", "AL07", compare.High, "c.example: sitemap lost.")), lost, began)
	if err != nil || len(rows) != 2 || !slices.Equal(told, []string{lost[0].ID}) {
		t.Fatal(rows, told, err)
	}
	for _, text := range texts(rows) {
		if !says(text) {
			t.Errorf("it does not tell of the loss: %s", text)
		}
	}
	// Without: to the others alone.
	rows, told, err = Plan(channels, digest(), lost, began)
	if err != nil || len(rows) != 1 || rows[0].Channel != "file 2" || !slices.Equal(told, []string{lost[0].ID}) || !says(texts(rows)[0]) {
		t.Fatal(texts(rows), told, err)
	}
	// The loss of this message is not reported either, and is marked as finished.
	second := rows
	rows, told, err = Plan(channels, digest(), second, began)
	if err != nil || len(rows) != 0 || !slices.Equal(told, []string{second[0].ID}) {
		t.Fatal(texts(rows), told, err)
	}
	// Where there is no other channel it waits for news.
	rows, told, err = Plan(channels[:1], digest(), lost, began)
	if err != nil || len(rows) != 0 || len(told) != 0 {
		t.Fatal(texts(rows), told, err)
	}
	// Nor can a channel report it that only sends events, in a request each.
	each := &Webhook{Route: Route{Name: "webhook 1"}, PerEvent: true}
	rows, told, err = Plan([]Channel{one, each}, digest(), lost, began)
	if err != nil || len(rows) != 0 || len(told) != 0 {
		t.Fatal(texts(rows), told, err)
	}
	if rows, told, err = Plan([]Channel{each}, digest(event("c.example", "AL07", compare.High, "c.example: sitemap lost.")), lost, began); err != nil || len(rows) != 1 || len(told) != 0 {
		t.Fatal(texts(rows), told, err)
	}
	// An unreadable row is also reported.
	lost[0].Message = []byte("{")
	rows, _, err = Plan(channels, digest(), lost, began)
	if err != nil || len(rows) != 1 || !strings.Contains(texts(rows)[0], "file 1: the disk is full") {
		t.Fatal(texts(rows), err)
	}
}
