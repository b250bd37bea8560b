package main

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/urfave/cli/v3"
)

// TestDocsNameEveryVerbAndFlag holds docs/cli.md against the command tree.
func TestDocsNameEveryVerbAndFlag(t *testing.T) {
	text, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	docs := string(text)
	err = commandTree(t).Walk(func(cmd *cli.Command) error {
		if name := strings.TrimSuffix(verb(cmd), ": "); !strings.Contains(docs, name) {
			t.Errorf("docs/cli.md does not name the verb %q", name)
		}
		for _, f := range cmd.Flags {
			if name := "--" + f.Names()[0]; name != "--help" && !strings.Contains(docs, name) {
				t.Errorf("docs/cli.md does not name %s of %q", name, cmd.FullName())
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestHelpTeaches holds that every verb has one line of use, and an example where
// it takes anything.
func TestHelpTeaches(t *testing.T) {
	err := commandTree(t).Walk(func(cmd *cli.Command) error {
		if cmd.Usage == "" {
			t.Errorf("%s says nothing of itself", cmd.FullName())
		}
		takes := len(cmd.Commands) == 0 && (len(cmd.Arguments) > 0 || len(cmd.Flags) > 1)
		if takes && !strings.Contains(cmd.Description, "   "+cmd.FullName()) {
			t.Errorf("%s has no example", cmd.FullName())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// commandTree returns the command line, set up as it is when it runs.
func commandTree(t *testing.T) *cli.Command {
	t.Helper()
	root := (&app{stdout: io.Discard, stderr: io.Discard}).root()
	if err := root.Run(context.Background(), []string{"sealwright", "--help"}); err != nil {
		t.Fatal(err)
	}
	return root
}
