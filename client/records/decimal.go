package records

import (
	"cmp"
	"strconv"
	"strings"
)

// decimal is a JSON number taken apart: 0.digits times ten to the power of exp.
type decimal struct {
	negative bool
	digits   string // without zeros in front or behind; empty for zero
	exp      int
}

// exponentMax bounds exponents; beyond it numbers count as equally large.
const exponentMax = 1 << 40

func parseDecimal(s string) decimal {
	var d decimal
	s, d.negative = strings.CutPrefix(s, "-")
	mantissa := s
	if k := strings.IndexAny(s, "eE"); k >= 0 {
		mantissa = s[:k]
		e, err := strconv.ParseInt(s[k+1:], 10, 64)
		if err != nil && strings.HasPrefix(s[k+1:], "-") {
			e = -exponentMax
		} else if err != nil {
			e = exponentMax
		}
		d.exp = int(max(-exponentMax, min(e, exponentMax)))
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	d.exp += len(whole)
	all := whole + fraction
	d.digits = strings.TrimLeft(all, "0")
	d.exp -= len(all) - len(d.digits)
	d.digits = strings.TrimRight(d.digits, "0")
	if d.digits == "" {
		return decimal{}
	}
	return d
}

// compareDecimal compares two JSON numbers exactly, of any length. The empty text counts as zero.
func compareDecimal(a, b string) int {
	x, y := parseDecimal(a), parseDecimal(b)
	if x.negative != y.negative {
		if x.negative {
			return -1
		}
		return 1
	}
	c := x.magnitude(y)
	if x.negative {
		return -c
	}
	return c
}

func (d decimal) magnitude(o decimal) int {
	if d.digits == "" || o.digits == "" {
		return cmp.Compare(len(d.digits), len(o.digits))
	}
	if c := cmp.Compare(d.exp, o.exp); c != 0 {
		return c
	}
	return strings.Compare(d.digits, o.digits)
}
