package rawjson

import "sync"

// cache keeps the blocks of Files that were used last.
type cache struct {
	mu     sync.Mutex
	blocks map[blockAt]*cached
	ring   [fileBlocks]*cached
	hand   int
}

// blockAt is a block of a file.
type blockAt struct {
	file   *File
	number int
}

type cached struct {
	at   blockAt
	data []byte
	used bool
}

func newCache() *cache { return &cache{blocks: map[blockAt]*cached{}} }

// get returns a block that is kept; nil where it is not.
func (c *cache) get(at blockAt) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.blocks[at]
	if e == nil {
		return nil
	}
	e.used = true
	return e.data
}

// put keeps a block where the hand of the clock finds one not used since its last round.
func (c *cache) put(at blockAt, data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.blocks[at] != nil {
		return
	}
	for c.ring[c.hand] != nil && c.ring[c.hand].used {
		c.ring[c.hand].used = false
		c.hand = (c.hand + 1) % fileBlocks
	}
	if old := c.ring[c.hand]; old != nil {
		delete(c.blocks, old.at)
	}
	e := &cached{at: at, data: data, used: true}
	c.ring[c.hand], c.blocks[at] = e, e
	c.hand = (c.hand + 1) % fileBlocks
}
