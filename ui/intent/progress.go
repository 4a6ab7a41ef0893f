package intent

import "context"

type reportKey struct{}

// WithReport returns a context whose work tells how far it has come to f, from
// any goroutine.
func WithReport(ctx context.Context, f func(done, total int)) context.Context {
	return context.WithValue(ctx, reportKey{}, f)
}

// Report returns the function that work under ctx tells its progress to. It
// may be called from any goroutine and is never nil.
func Report(ctx context.Context) func(done, total int) {
	if f, ok := ctx.Value(reportKey{}).(func(done, total int)); ok {
		return f
	}
	return func(int, int) {}
}

type wordsKey struct{}

// WithWords returns a context whose work says how far it has come in words to
// f, from any goroutine.
func WithWords(ctx context.Context, f func(string)) context.Context {
	return context.WithValue(ctx, wordsKey{}, f)
}

// Words returns the function that work under ctx tells its progress to where a
// share of the whole is not known. It is never nil.
func Words(ctx context.Context) func(string) {
	if f, ok := ctx.Value(wordsKey{}).(func(string)); ok {
		return f
	}
	return func(string) {}
}
