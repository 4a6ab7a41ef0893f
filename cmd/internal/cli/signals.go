package cli

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// signaled is the end that a signal of the system asked for. It is no failure
// to tell of: only the exit code says it, as a shell counts it.
type signaled syscall.Signal

// Error implements error.
func (s signaled) Error() string { return "ended by the signal " + syscall.Signal(s).String() }

// code is the exit code of a program that a signal ended.
func (s signaled) code() int { return 128 + int(s) }

// endOnSignal calls end when the system asks for the program's end. What it
// returns stops listening and tells the signal that came; 0 for none. A second
// signal is left to the system, which ends a program that does not get to it.
func endOnSignal(end func()) (stop func() syscall.Signal) {
	signals, done := make(chan os.Signal, 1), make(chan struct{})
	var came atomic.Int64
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
	go func() {
		select {
		case s := <-signals:
			signal.Stop(signals)
			if n, ok := s.(syscall.Signal); ok {
				came.Store(int64(n))
			}
			end()
		case <-done:
		}
	}()
	return func() syscall.Signal {
		signal.Stop(signals)
		close(done)
		return syscall.Signal(came.Load())
	}
}
