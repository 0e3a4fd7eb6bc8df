package book

import (
	"robots-audit/reports/internal/summary"
	"robots-audit/reports/internal/xlsx"
)

// matrixTable has the sites that were asked in the names of crawlers, with the treatment of each of them.
func matrixTable(asked []summary.AskedTotal) *xlsx.Table[summary.MatrixRow] {
	columns := []xlsx.Column[summary.MatrixRow]{
		{Title: "Site", Width: 34, Value: func(r *summary.MatrixRow) xlsx.Cell { return xlsx.TopAligned(r.Name) }, Link: func(r *summary.MatrixRow) string { return r.Page }},
		{Title: "Contradictions", Width: 14, Value: func(r *summary.MatrixRow) xlsx.Cell { return xlsx.NumberOrBlank(int64(r.Contradictions)) }},
	}
	var formats []xlsx.ConditionalFormat
	for _, of := range asked {
		formats = append(formats, xlsx.ConditionalFormat{Column: len(columns), Highlights: treatmentColours})
		columns = append(columns, xlsx.Column[summary.MatrixRow]{Title: of.Crawler, Width: 20, Value: func(r *summary.MatrixRow) xlsx.Cell {
			t := r.Of(of.Crawler)
			if t == nil {
				return xlsx.Cell{}
			}
			return xlsx.TopAligned(t.Treatment.Words())
		}})
	}
	columns = append(columns, xlsx.Column[summary.MatrixRow]{Title: "Most severe contradiction", Width: 70, Value: func(r *summary.MatrixRow) xlsx.Cell { return xlsx.Wrapped(r.First) }})
	t := xlsx.NewTable(enforcedName, columns, formats...)
	t.Kind.Optional, t.Kind.Frozen = true, 1
	t.Height = func(r *summary.MatrixRow) float64 { return xlsx.TextHeight(r.First, 70) }
	return t
}
