package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// endTime is how long a command may take to stop in order.
const endTime = 5 * time.Second

// untilSignal is a context that ends when the system asks for the end of the program.
// A second signal is left to the system; a command that does not stop in order, for
// it waits for something or counts without looking up, is stopped after endTime.
func (a *app) untilSignal(ctx context.Context) (until context.Context, stop func() error) {
	until, cancel := context.WithCancel(ctx)
	signals, over := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		var came os.Signal
		select {
		case came = <-signals:
		case <-over:
			return
		}
		signal.Stop(signals)
		cancel()
		select {
		case <-over:
		case <-time.After(endTime):
			a.say("patchbay: it did not stop in order within %s and is ended.", endTime)
			s, _ := came.(syscall.Signal)
			os.Exit(128 + int(s)) // as a shell counts it
		}
	}()
	return until, func() error {
		signal.Stop(signals)
		cancel()
		close(over)
		return nil
	}
}
