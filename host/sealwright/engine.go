package main

import (
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/urfave/cli/v3"
)

// defaultEngine is the engine that is taken where none is named.
const defaultEngine = "sealwright-engine-cpu"

func engineFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "engine", Usage: "`PATH` of the engine's binary (default: " + defaultEngine + " beside sealwright, then in PATH)",
	}
}

// enginePath returns the engine's binary: the named one, else the default one
// beside this binary, else the default one in PATH. Where there is none it
// returns the place beside this binary, which the host then finds missing.
func enginePath(cmd *cli.Command) (string, error) {
	if path := cmd.String("engine"); path != "" {
		return path, nil
	}
	self, err := os.Executable()
	if err != nil {
		return "", environment(fmt.Errorf("find the engine: %w", err))
	}
	beside := filepath.Join(filepath.Dir(self), defaultEngine)
	if _, err := os.Stat(beside); err == nil {
		return beside, nil
	}
	if inPath, err := exec.LookPath(defaultEngine); err == nil {
		return inPath, nil
	}
	return beside, nil
}

// logger returns where the host and the engine log to: nowhere, or stderr.
func (a *app) logger(cmd *cli.Command) *slog.Logger {
	if !cmd.Bool("verbose") {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(a.stderr, nil))
}
