package host

import (
	"context"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/sealwright/sealwright/sdk/enginepb"
)

// An engine gets these variables of the host's environment and no others.
var (
	engineVariables = []string{
		"PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "GODEBUG", "GOCOVERDIR", "GORACE",
	}
	engineVariablePrefixes = []string{"CUDA_", "NVIDIA_", "SEALWRIGHT_ENGINE_"}
)

// engineEnviron returns the environment of an engine whose lifeline has that
// descriptor number.
func engineEnviron(logger *slog.Logger, lifelineFD string) []string {
	var env []string
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if slices.Contains(engineVariables, name) || slices.ContainsFunc(engineVariablePrefixes, func(prefix string) bool {
			return strings.HasPrefix(name, prefix)
		}) {
			env = append(env, entry)
		}
	}
	return append(env,
		"GOTRACEBACK=all", // the goroutines of an engine that is aborted are its last words
		enginepb.LifelineEnv+"="+lifelineFD,
		enginepb.LogLevelEnv+"="+lowestLevel(logger),
	)
}

// lowestLevel is the lowest level that the logger writes, by its name.
func lowestLevel(logger *slog.Logger) string {
	for _, level := range []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn} {
		if logger.Enabled(context.Background(), level) {
			return strings.ToLower(level.String())
		}
	}
	return "error"
}
