package catalog

import "testing"

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		_ = New().Kinds()
	}
}

func BenchmarkOpenLargestKind(b *testing.B) {
	for b.Loop() {
		if _, err := New().Kind("code_hosting"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpenEveryKind(b *testing.B) {
	for b.Loop() {
		c := New()
		for _, s := range c.Kinds() {
			if _, err := c.Kind(s.Name); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkIndex(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		New().searchIndex()
	}
}

func BenchmarkSearchPerKey(b *testing.B) {
	c := New()
	c.searchIndex()
	for _, query := range []string{"c", "cu", "cust list", "jql", "stripe refund", "created at date time"} {
		b.Run(query, func(b *testing.B) {
			for b.Loop() {
				c.Search(query, 50)
			}
		})
	}
}
