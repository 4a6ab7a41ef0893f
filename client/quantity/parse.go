package quantity

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// units are those of sizes, in the order in which they are looked for.
var units = []struct {
	name  string
	bytes float64
}{
	{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"tib", 1 << 40},
	{"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"tb", 1e12}, {"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {"t", 1e12}, {"b", 1},
}

// ParseSize reads a number of bytes as people write it: 4GB, 512 MiB.
func ParseSize(text string) (int64, error) {
	number, unit := strings.ToLower(strings.TrimSpace(text)), 1.0
	for _, u := range units {
		if rest, ok := strings.CutSuffix(number, u.name); ok {
			number, unit = strings.TrimSpace(rest), u.bytes
			break
		}
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || !(n*unit >= 1 && n*unit < math.MaxInt64) {
		return 0, fmt.Errorf("%q is no size: give a number with its unit, such as 500MB or 4GB", text)
	}
	return int64(n * unit), nil
}
