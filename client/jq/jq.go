// Package jq runs jq programs over answers and records. Results come as JSON
// text that can be browsed like any answer. Numbers that a program only passes
// on keep their text; those it computes with are whole numbers of any size or
// 64-bit floats. Programs see neither the environment nor files.
//
// It may import client, rawjson and records; it knows no service and no catalog.
package jq

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/itchyny/gojq"

	"patchbay/client/rawjson"
	"patchbay/client/records"
)

// Error says what is wrong with a program and where.
type Error struct {
	// Offset is the byte of the program where the error lies; an error at the end has
	// the program's length. It is -1 when the place is not known.
	Offset  int
	Message string
}

// Error implements error.
func (e *Error) Error() string {
	if e.Offset < 0 {
		return e.Message
	}
	return fmt.Sprintf("%s at character %d", e.Message, e.Offset+1)
}

// Program is a jq program ready to run. It may be used by many goroutines.
type Program struct {
	query *gojq.Query
	code  *gojq.Code
	// inputs is set when the program asks for further inputs itself.
	inputs bool
}

// Compile makes a program ready. An empty one passes everything on. The error
// is an *Error.
func Compile(query string) (*Program, error) {
	text := query
	if strings.TrimSpace(text) == "" {
		text = "."
	}
	q, err := gojq.Parse(text)
	if p, ok := errors.AsType[*gojq.ParseError](err); ok {
		end := min(p.Offset, len(text))
		return nil, &Error{Offset: max(end-len(p.Token), 0), Message: p.Error()}
	}
	if err != nil {
		return nil, &Error{Offset: -1, Message: err.Error()}
	}
	boundSteps(reflect.ValueOf(q))
	p := &Program{query: q, inputs: strings.Contains(text, "input")}
	p.code, err = gojq.Compile(q, options(nil)...)
	if err != nil {
		return nil, compileError(text, err)
	}
	return p, nil
}

func options(more gojq.Iter) []gojq.CompilerOption {
	none := gojq.WithEnvironLoader(func() []string { return nil })
	if more == nil {
		more = gojq.NewIter[any]()
	}
	return append(bounded(), none, gojq.WithInputIter(more))
}

// compileError finds the place of a name that is not defined.
func compileError(text string, err error) error {
	message := err.Error()
	_, name, ok := strings.Cut(message, "not defined: ")
	if ok {
		name, _, _ = strings.Cut(name, "/")
		if at := wordAt(text, name); at >= 0 {
			return &Error{Offset: at, Message: message}
		}
	}
	return &Error{Offset: -1, Message: message}
}

// wordAt finds a name that is not part of a longer one; -1 for none.
func wordAt(text, name string) int {
	isWord := func(b byte) bool {
		return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
	}
	for from := 0; name != ""; {
		at := strings.Index(text[from:], name)
		if at < 0 {
			break
		}
		at += from
		end := at + len(name)
		if (at == 0 || !isWord(text[at-1]) && text[at-1] != '.') && (end == len(text) || !isWord(text[end])) {
			return at
		}
		from = end
	}
	return -1
}

// Options bound a run.
type Options struct {
	// MaxResults and MaxBytes bound what is kept, MaxResult the text of one result
	// and MaxMemory what the program holds beside its input and its results; 0 is
	// KeptResults, KeptBytes, OneResult and WorkingMemory. MaxInput bounds the text
	// of one input, or of all where the program takes them itself; 0 is OneInput. A
	// larger one is an error, as it could not be held. MaxTime 0 is no bound. A
	// run that is ended so is no failure: Stats.Stopped tells. A result that is too
	// large fails its input, and the next one is taken.
	MaxResults, MaxBytes, MaxResult, MaxInput, MaxMemory int

	MaxTime time.Duration
	// Progress is told how many inputs are done. May be nil.
	Progress func(inputs int)
}

// Stats say what a run did.
type Stats struct {
	Inputs, Results int
	// Failed counts inputs at which the program failed; FirstError is the first
	// failure, at input FirstFailed (from 0). What came before it stays.
	Failed      int
	FirstFailed int
	FirstError  string
	// Stopped says which bound ended the run: "results", "bytes", "memory" or
	// "time"; empty when it came to its end. Bound says it in words.
	Stopped, Bound string
}

// Run feeds inputs to the program and adds its results to out, which can be
// read meanwhile. The error is that of ctx, or says which input is no JSON.
func (p *Program) Run(ctx context.Context, inputs iter.Seq[rawjson.Node], out *Results, o Options) (Stats, error) {
	outer := ctx
	if o.MaxTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.MaxTime)
		defer cancel()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	o.MaxResults, o.MaxBytes = cmp.Or(o.MaxResults, KeptResults), cmp.Or(o.MaxBytes, KeptBytes)
	o.MaxResult, o.MaxInput = cmp.Or(o.MaxResult, OneResult), cmp.Or(o.MaxInput, OneInput)
	o.MaxMemory = cmp.Or(o.MaxMemory, WorkingMemory)
	next, stop := iter.Pull(inputs)
	defer stop()
	r := &run{ctx: ctx, out: out, o: o, code: p.code,
		source: &source{next: next, all: p.inputs, ctx: ctx, most: o.MaxInput}}
	go watch(ctx, cancel, func() uint64 {
		return uint64(o.MaxMemory) + uint64(out.Source().Len()) + decodedSize*uint64(r.source.size.Load())
	})
	if p.inputs {
		code, err := gojq.Compile(p.query, options(r.source)...)
		if err != nil {
			return r.stats, compileError(p.query.String(), err)
		}
		r.code = code
	}
	err := r.all()
	r.stats.Inputs = r.source.taken
	switch {
	case outer.Err() != nil:
		return r.stats, outer.Err()
	case errors.Is(context.Cause(ctx), errMemory):
		debug.FreeOSMemory() // it was much, and is not needed any more
		r.stopped("memory", "it held more than "+megabytes(o.MaxMemory)+" beside its input and results: let it take "+
			"and give values one by one")
		return r.stats, nil
	case ctx.Err() != nil:
		r.stopped("time", "it ran longer than "+o.MaxTime.String())
		return r.stats, nil
	case errors.Is(err, errEnough):
		return r.stats, nil
	}
	return r.stats, err
}

type run struct {
	ctx    context.Context
	code   *gojq.Code
	source *source
	out    *Results
	o      Options
	stats  Stats
}

func (r *run) stopped(bound, why string) { r.stats.Stopped, r.stats.Bound = bound, why }

func (r *run) all() error {
	for r.ctx.Err() == nil {
		v, ok := r.source.Next()
		if !ok {
			return nil
		}
		if err, bad := v.(error); bad {
			return err
		}
		if err := r.one(v); err != nil {
			return err
		}
		if r.o.Progress != nil {
			r.o.Progress(r.source.taken)
		}
	}
	return r.ctx.Err()
}

// one runs the program on one input. A failure of the program is noted; the
// next input may still do. gojq must not take the explorer down with it.
func (r *run) one(v any) (err error) {
	defer func() {
		if p := recover(); p != nil {
			r.failed(fmt.Sprint("the program cannot be run: ", p))
		}
	}()
	results := r.code.RunWithContext(r.ctx, v)
	for {
		v, ok := results.Next()
		if !ok {
			return nil
		}
		failure, bad := v.(error)
		if !bad {
			failure = r.result(v)
		}
		halt, halted := errors.AsType[*gojq.HaltError](failure)
		switch {
		case bad && r.ctx.Err() != nil:
			return r.ctx.Err()
		case errors.Is(failure, errEnough), halted && halt.Value() == nil:
			return errEnough
		case failure != nil:
			r.failed(told(failure))
			return nil
		}
	}
}

func (r *run) failed(message string) {
	if r.stats.Failed == 0 {
		r.stats.FirstError, r.stats.FirstFailed = message, r.source.taken-1
	}
	r.stats.Failed++
}

func (r *run) result(v any) error {
	if why := fits(v, r.o.MaxResult); why != "" {
		return errors.New(why)
	}
	text, err := gojq.Marshal(v)
	if err != nil {
		return fmt.Errorf("write result %d: %w", r.stats.Results+1, err)
	}
	if r.out.Source().Len()+len(text) > r.o.MaxBytes {
		r.stopped("bytes", "more than "+megabytes(r.o.MaxBytes)+" of results are not kept")
		return errEnough
	}
	r.out.add(text)
	r.stats.Results++
	if r.stats.Results == r.o.MaxResults {
		r.stopped("results", fmt.Sprintf("more than %d results are not kept", r.o.MaxResults))
		return errEnough
	}
	return nil
}

// First runs the program on one value and returns its first result as JSON;
// nil when it gives none. It serves columns that are computed.
func (p *Program) First(ctx context.Context, n rawjson.Node) ([]byte, error) {
	var out Results
	stats, err := p.Run(ctx, func(yield func(rawjson.Node) bool) { yield(n) }, &out,
		Options{MaxResults: 1, MaxResult: cellResult, MaxMemory: cellMemory})
	switch {
	case err != nil:
		return nil, err
	case stats.Failed > 0:
		return nil, errors.New(stats.FirstError)
	case stats.Results == 0 && stats.Bound != "":
		return nil, errors.New(stats.Bound)
	case stats.Results == 0:
		return nil, nil
	}
	return out.Node(0).Raw(), nil
}

// source decodes inputs one by one as the program asks for them.
type source struct {
	next  func() (rawjson.Node, bool)
	taken int
	// size is the text of the inputs that the program may hold: the largest, or all
	// where it takes them itself. The watch reads it meanwhile.
	size atomic.Int64
	all  bool
	ctx  context.Context
	most int
}

// Next implements gojq.Iter.
func (s *source) Next() (any, bool) {
	n, ok := s.next()
	if !ok {
		return nil, false
	}
	s.taken++
	if size := int64(n.Size()); s.all {
		s.size.Add(size)
	} else if size > s.size.Load() {
		s.size.Store(size)
	}
	// What would take the memory of the machine is not decoded.
	switch {
	case s.all && s.size.Load() > int64(s.most):
		return fmt.Errorf("the program takes all inputs together, and they are more than %s: let it look at each "+
			"record for itself", megabytes(s.most)), true
	case n.Size() > s.most:
		return fmt.Errorf("input %d has %s, more than the %s that are decoded in one piece: let the program look at "+
			"each record for itself", s.taken, megabytes(n.Size()), megabytes(s.most)), true
	}
	v, err := decode(s.ctx, n)
	if s.ctx.Err() != nil {
		return s.ctx.Err(), true
	}
	if err != nil {
		return fmt.Errorf("input %d is not whole JSON: %w", s.taken, err), true
	}
	return v, true
}

// Records are the records of a set as inputs: those of rows, or all when nil.
func Records(set *records.Set, rows []int32) iter.Seq[rawjson.Node] {
	return func(yield func(rawjson.Node) bool) {
		if rows == nil {
			rows = records.AllRows(set.Len())
		}
		for _, row := range rows {
			if !yield(set.Record(int(row))) {
				return
			}
		}
	}
}

// Bodies are whole answers as inputs.
func Bodies(bodies ...rawjson.Source) iter.Seq[rawjson.Node] {
	return func(yield func(rawjson.Node) bool) {
		for _, b := range bodies {
			if b != nil && !yield(rawjson.Root(b)) {
				return
			}
		}
	}
}

// Together are the lines of an index as one input, an array: what the paths of
// its values begin at. A line that is no JSON is null in it, so that those
// behind it keep their places.
func Together(lines *rawjson.Index) iter.Seq[rawjson.Node] {
	return func(yield func(rawjson.Node) bool) {
		all := []byte{'['}
		for i := range lines.Len() {
			if i > 0 {
				all = append(all, ',')
			}
			if line := lines.Record(i).Raw(); rawjson.Valid(line) {
				all = append(all, line...)
			} else {
				all = append(all, "null"...)
			}
		}
		yield(rawjson.Parse(append(all, ']')))
	}
}
