package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"
	"golang.org/x/term"
)

// app is one run of the command line.
type app struct {
	stdout, stderr io.Writer
	terminal       bool // stderr is one
	json           bool
}

func newApp(stdout, stderr *os.File) *app {
	return &app{stdout: stdout, stderr: stderr, terminal: term.IsTerminal(int(stderr.Fd()))}
}

// run does what args say and returns how the process ends. An error is one line
// on stderr; with --json also {"error":{...}} on stdout.
func (a *app) run(ctx context.Context, args []string) exitCode {
	a.json = wantsJSON(args) // before parsing, which may fail
	err := a.root().Run(ctx, args)
	if err != nil {
		a.printError(err)
	}
	return codeOf(err)
}

func wantsJSON(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.Contains(args, "--json") || slices.Contains(args, "--json=true")
}

func (a *app) root() *cli.Command {
	root := &cli.Command{
		Name:  "sealwright",
		Usage: "prove Filecoin seal commitments (C2) beside a miner",
		Description: `Takes a C1 output, has an engine process prove it, verifies the proof and returns it.

Prove a C1 output, checking that it is sector 1 of miner f01000:
   sealwright prove --c1 c1.json --miner f01000 --sector 1 --out proof.bin
Check a proof:
   sealwright verify --proof proof.bin --c1 c1.json
Look at what would be proved:
   sealwright c1 inspect c1.json
Prove for a miner, as a daemon:
   sealwright serve --config sealwright.toml

Exit codes: 0 done, 1 proof or input invalid, 2 usage or environment,
3 daemon not running, 4 degraded, 5 no usable GPU.`,
		Writer:         a.stdout,
		ErrWriter:      a.stderr,
		ExitErrHandler: func(context.Context, *cli.Command, error) {},
		HideVersion:    true,
		Suggest:        true,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "answer with one JSON object on stdout, errors too"},
			&cli.BoolFlag{Name: "verbose", Usage: "write the host's and the engine's log to stderr"},
		},
		Commands: []*cli.Command{
			a.proveCommand(), a.verifyCommand(), a.serveCommand(), a.statusCommand(), a.jobsCommand(), a.cancelCommand(),
			a.c1Command(), a.paramsCommand(), a.circuitCommand(), a.simulateCommand(), a.planCommand(), a.benchCommand(),
			a.devCommand(), a.versionCommand(),
		},
	}
	prepare(root)
	return root
}

// prepare gives every command the same manners: usage errors are one line, a
// command with subcommands asks for one, arguments beyond those named are wrong.
func prepare(cmd *cli.Command) {
	cmd.HideHelpCommand = true
	cmd.OnUsageError = func(_ context.Context, cmd *cli.Command, err error, _ bool) error {
		return usage("%s%w (see %s --help)", verb(cmd), parserError{err}, cmd.FullName())
	}
	if len(cmd.Commands) > 0 {
		cmd.Action = askForSubcommand
	} else if inner := cmd.Action; inner != nil {
		cmd.Action = func(ctx context.Context, cmd *cli.Command) error {
			if cmd.NArg() > 0 {
				return usage("%sunexpected argument %q (see %s --help)", verb(cmd), cmd.Args().First(), cmd.FullName())
			}
			return inner(ctx, cmd)
		}
	}
	for _, sub := range cmd.Commands {
		prepare(sub)
	}
}

func askForSubcommand(_ context.Context, cmd *cli.Command) error {
	var names []string
	for _, sub := range cmd.VisibleCommands() {
		names = append(names, sub.Name)
	}
	choice := strings.Join(names, ", ")
	if cmd.NArg() > 0 {
		return usage("%sunknown command %q, one of: %s (see %s --help)", verb(cmd), cmd.Args().First(), choice, cmd.FullName())
	}
	return usage("%swhich command? One of: %s (see %s --help)", verb(cmd), choice, cmd.FullName())
}

// verb returns what an error says it is about: the command, "circuit digest: ";
// nothing for the root.
func verb(cmd *cli.Command) string {
	_, name, below := strings.Cut(cmd.FullName(), " ")
	if !below {
		return ""
	}
	return name + ": "
}

// parserError writes an error of the flag parser as ours are written.
type parserError struct{ err error }

func (e parserError) Error() string {
	text := e.err.Error()
	return strings.ToLower(text[:min(1, len(text))]) + text[min(1, len(text)):]
}

func (e parserError) Unwrap() error { return e.err }

func (a *app) versionCommand() *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version",
		Action: func(context.Context, *cli.Command) error {
			return a.print(versionResult{Version: version})
		},
	}
}

type versionResult struct {
	Version string `json:"version"`
}

func (r versionResult) text(w io.Writer) { fmt.Fprintln(w, "sealwright", r.Version) }
