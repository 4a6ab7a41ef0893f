package ui

import (
	"encoding/base64"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"

	"patchbay/ui/response"
)

// cellWidth and cellHeight are how many pixels an image has for each of its cells, at
// most: what a usual font has.
const cellWidth, cellHeight = 10, 20

// sendImage gives the terminal the image whose placeholders stand on the screen, unless
// it has it, and takes back the one before.
func (m *Model) sendImage() tea.Cmd {
	var shown *response.Image
	if m.look.Styles.Images() && !m.lay.response.Empty() {
		shown = m.res.Image()
	}
	if shown == nil || shown == m.sent {
		return nil
	}
	before := m.sent
	m.sent = shown
	return func() tea.Msg {
		file, err := shown.Picture.PNG(shown.W*cellWidth, shown.H*cellHeight)
		if err != nil {
			return toldMsg{"The image cannot be drawn: " + err.Error()}
		}
		return tea.RawMsg{Msg: takenBack(before) + transmitted(shown, file)}
	}
}

// transmitted are the sequences that carry a PNG file in pieces and say how many cells
// it takes. They ask for no reply.
func transmitted(i *response.Image, file []byte) string {
	var out strings.Builder
	rest := base64.StdEncoding.EncodeToString(file)
	head := fmt.Sprintf("a=T,U=1,q=2,f=100,i=%d,c=%d,r=%d,", i.Number, i.W, i.H)
	for more := 1; more == 1; head = "q=2," {
		piece := rest[:min(len(rest), kitty.MaxChunkSize)]
		if rest = rest[len(piece):]; rest == "" {
			more = 0
		}
		out.WriteString(ansi.KittyGraphics([]byte(piece), fmt.Sprintf("%sm=%d", head, more)))
	}
	return out.String()
}

// takenBack is the sequence that frees what the terminal keeps of an image; "" for none.
func takenBack(i *response.Image) string {
	if i == nil {
		return ""
	}
	return ansi.KittyGraphics(nil, fmt.Sprintf("a=d,d=I,i=%d,q=2", i.Number))
}
