package plugin

import (
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/sealwright/sealwright/sdk/enginepb"
)

// logTime is how hosts expect the time of a log line.
const logTime = "2006-01-02T15:04:05.000000Z07:00"

// newLogger writes JSON lines that the host takes over into its own log, with
// their level: the fields are those of hclog.
func newLogger(w io.Writer) *slog.Logger {
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: logLevel(), ReplaceAttr: hclogFields}))
}

func logLevel() slog.Level {
	var level slog.Level // info, which an unknown name leaves
	_ = level.UnmarshalText([]byte(os.Getenv(enginepb.LogLevelEnv)))
	return level
}

func hclogFields(groups []string, a slog.Attr) slog.Attr {
	if len(groups) > 0 {
		return a
	}
	switch a.Key {
	case slog.LevelKey:
		return slog.String("@level", strings.ToLower(a.Value.String()))
	case slog.MessageKey:
		return slog.Attr{Key: "@message", Value: a.Value}
	case slog.TimeKey:
		return slog.String("@timestamp", a.Value.Time().Format(logTime))
	}
	if a.Value.Kind() == slog.KindDuration {
		return slog.String(a.Key, a.Value.Duration().Round(time.Microsecond).String())
	}
	return a
}
