package agent

import (
	"bytes"
	"context"
	"sync"

	"github.com/tiktoken-go/tokenizer/codec"
)

// Encoding names the vocabulary that tokens are counted in. Other models cut texts
// elsewhere: the count is exact for this one alone.
const Encoding = "o200k_base"

// vocabulary takes a tenth of a second to build, and is built when it is first needed.
var vocabulary = sync.OnceValue(codec.NewO200kBase)

// countStep is how many bytes are counted between two looks at the context.
const countStep = 64 << 10

// CountTokens counts the tokens of a text. Texts of more than 64 KiB are cut at white
// space near that and their parts added up, which may give a few tokens more.
func CountTokens(ctx context.Context, text []byte) (int, error) {
	v, total := vocabulary(), 0
	for len(text) > 0 {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n := stepEnd(text)
		count, err := v.Count(string(text[:n]))
		if err != nil {
			return 0, err
		}
		total, text = total+count, text[n:]
	}
	return total, nil
}

// stepEnd is where a long text is cut: before the last space or line break of a step,
// where there is one, else between two characters.
func stepEnd(text []byte) int {
	if len(text) <= countStep {
		return len(text)
	}
	if i := bytes.LastIndexAny(text[:countStep], " \n"); i > 0 {
		return i
	}
	n := countStep
	for n > countStep-4 && text[n]&0xc0 == 0x80 {
		n--
	}
	return n
}
