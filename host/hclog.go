package host

import (
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
	"maps"
	"math"
	"slices"

	"github.com/hashicorp/go-hclog"
)

// hclogger hands what go-plugin logs to slog. Lines of an engine, which come
// under a name, keep their level; go-plugin's own are debug lines, since the host
// tells operators the same in its own words.
type hclogger struct {
	log    *slog.Logger
	name   string
	engine bool
	args   []any
}

var _ hclog.Logger = (*hclogger)(nil)

func newHclogger(l *slog.Logger) *hclogger { return &hclogger{log: l} }

// Log implements hclog.Logger.
func (h *hclogger) Log(level hclog.Level, msg string, args ...any) {
	h.log.Log(context.Background(), h.slogLevel(level), msg, slices.Concat(h.args, tidy(args))...)
}

// tidy puts the fields of an engine's line in the order of their names, since
// go-plugin gives them in none, writes whole numbers as such, and leaves out the
// time, which the host's own line has.
func tidy(args []any) []any {
	fields := make(map[string]any)
	for i := 0; i+1 < len(args); i += 2 {
		name := fmt.Sprint(args[i])
		if number, ok := args[i+1].(float64); ok && number == math.Trunc(number) && math.Abs(number) < 1<<53 {
			fields[name] = int64(number)
		} else if name != "timestamp" {
			fields[name] = args[i+1]
		}
	}
	var tidied []any
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		tidied = append(tidied, name, fields[name])
	}
	return tidied
}

func (h *hclogger) slogLevel(level hclog.Level) slog.Level {
	switch {
	case !h.engine || level <= hclog.Debug:
		return slog.LevelDebug
	case level == hclog.Info:
		return slog.LevelInfo
	case level == hclog.Warn:
		return slog.LevelWarn
	}
	return slog.LevelError
}

// Trace implements hclog.Logger, as the others here do.
func (h *hclogger) Trace(msg string, args ...any) { h.Log(hclog.Trace, msg, args...) }

// Debug logs at debug level.
func (h *hclogger) Debug(msg string, args ...any) { h.Log(hclog.Debug, msg, args...) }

// Info logs at info level.
func (h *hclogger) Info(msg string, args ...any) { h.Log(hclog.Info, msg, args...) }

// Warn logs at warn level.
func (h *hclogger) Warn(msg string, args ...any) { h.Log(hclog.Warn, msg, args...) }

// Error logs at error level.
func (h *hclogger) Error(msg string, args ...any) { h.Log(hclog.Error, msg, args...) }

func (h *hclogger) enabled(level hclog.Level) bool {
	return h.log.Enabled(context.Background(), h.slogLevel(level))
}

// IsTrace tells whether trace lines go anywhere.
func (h *hclogger) IsTrace() bool { return h.enabled(hclog.Trace) }

// IsDebug tells whether debug lines go anywhere.
func (h *hclogger) IsDebug() bool { return h.enabled(hclog.Debug) }

// IsInfo tells whether info lines go anywhere.
func (h *hclogger) IsInfo() bool { return h.enabled(hclog.Info) }

// IsWarn tells whether warnings go anywhere.
func (h *hclogger) IsWarn() bool { return h.enabled(hclog.Warn) }

// IsError tells whether errors go anywhere.
func (h *hclogger) IsError() bool { return h.enabled(hclog.Error) }

// ImpliedArgs returns the arguments that With added.
func (h *hclogger) ImpliedArgs() []any { return h.args }

// With returns a logger that adds arguments to each line.
func (h *hclogger) With(args ...any) hclog.Logger {
	with := *h
	with.args = slices.Concat(h.args, args)
	return &with
}

// Name returns the logger's name.
func (h *hclogger) Name() string { return h.name }

// Named returns the logger of an engine's own lines.
func (h *hclogger) Named(name string) hclog.Logger {
	named := *h
	named.name, named.engine = name, true
	return &named
}

// ResetNamed is Named: names do not nest here.
func (h *hclogger) ResetNamed(name string) hclog.Logger { return h.Named(name) }

// SetLevel does nothing: slog's handler decides.
func (h *hclogger) SetLevel(hclog.Level) {}

// GetLevel returns the lowest level that goes anywhere.
func (h *hclogger) GetLevel() hclog.Level {
	for level := hclog.Trace; level < hclog.Error; level++ {
		if h.enabled(level) {
			return level
		}
	}
	return hclog.Error
}

// StandardLogger returns a logger of the standard library that writes here.
func (h *hclogger) StandardLogger(*hclog.StandardLoggerOptions) *log.Logger {
	return slog.NewLogLogger(h.log.Handler(), slog.LevelDebug)
}

// StandardWriter returns a writer whose lines are logged.
func (h *hclogger) StandardWriter(o *hclog.StandardLoggerOptions) io.Writer {
	return h.StandardLogger(o).Writer()
}
