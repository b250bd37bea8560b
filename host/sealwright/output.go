package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// result is what a verb answers: as JSON by its tags, which are stable, or as
// text for people.
type result interface{ text(w io.Writer) }

// print writes a verb's answer to stdout.
func (a *app) print(r result) error {
	if !a.json {
		r.text(a.stdout)
		return nil
	}
	return a.printJSON(r)
}

func (a *app) printJSON(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	if _, err := fmt.Fprintf(a.stdout, "%s\n", line); err != nil {
		return environment(fmt.Errorf("write the answer: %w", err))
	}
	return nil
}

// errorResult is the answer of a verb that did not do its work.
type errorResult struct {
	Error errorBody `json:"error"`
}

type errorBody struct {
	Message  string   `json:"message"`
	ExitCode exitCode `json:"exit_code"`
}

// printError tells of an error in one line.
func (a *app) printError(err error) {
	message := oneLine(err.Error())
	fmt.Fprintln(a.stderr, "sealwright:", message)
	if told := new(answeredError); a.json && !errors.As(err, &told) {
		_ = a.printJSON(errorResult{errorBody{message, codeOf(err)}}) // stderr has it already
	}
}

// warn tells of something that the caller should know, in one line.
func (a *app) warn(format string, args ...any) {
	fmt.Fprintln(a.stderr, "sealwright: warning:", oneLine(fmt.Sprintf(format, args...)))
}

// note tells what goes on, in one line on stderr.
func (a *app) note(format string, args ...any) {
	fmt.Fprintln(a.stderr, "sealwright:", oneLine(fmt.Sprintf(format, args...)))
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
