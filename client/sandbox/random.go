package sandbox

import "math/bits"

// random is a small generator (splitmix64) whose stream depends on nothing but
// its seed, so that each record can be made alone and in any order.
type random struct{ state uint64 }

// hash mixes texts and numbers into a seed (FNV-1a, then a finalizer).
func hash(seed uint64, parts ...string) uint64 {
	h := seed ^ 0xcbf29ce484222325
	for _, p := range parts {
		for i := 0; i < len(p); i++ {
			h = (h ^ uint64(p[i])) * 0x100000001b3
		}
		h = (h ^ 0xff) * 0x100000001b3
	}
	return mix(h)
}

func mix(z uint64) uint64 {
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

func (r *random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	return mix(r.state)
}

// below returns a number in [0, n); 0 for n < 1.
func (r *random) below(n int) int {
	if n < 1 {
		return 0
	}
	hi, _ := bits.Mul64(r.next(), uint64(n))
	return int(hi)
}

// between returns a number in [from, to].
func (r *random) between(from, to int) int { return from + r.below(to-from+1) }

// chance is true in percent of a hundred cases.
func (r *random) chance(percent int) bool { return r.below(100) < percent }

// skewed returns a number in [0, n) of which small ones are much more frequent:
// half of all fall on the first.
func (r *random) skewed(n int) int {
	if r.chance(50) {
		return 0
	}
	if r.chance(50) {
		return r.below(min(n, 8))
	}
	return r.below(n)
}

func (r *random) pick(list []string) string { return list[r.below(len(list))] }

// chars returns n characters of the alphabet.
func (r *random) chars(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.below(len(alphabet))]
	}
	return string(b)
}

const (
	digits       = "0123456789"
	hexadecimals = "0123456789abcdef"
	base62       = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	base36       = "0123456789abcdefghijklmnopqrstuvwxyz"
	crockford    = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
)

// uuid returns a version 4 UUID.
func (r *random) uuid() string {
	b := []byte(r.chars(hexadecimals, 36))
	b[8], b[13], b[18], b[23] = '-', '-', '-', '-'
	b[14] = '4'
	b[19] = "89ab"[r.below(4)]
	return string(b)
}
