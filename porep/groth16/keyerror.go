package groth16

import "fmt"

// KeyError says what is wrong with the bytes of a key and where.
type KeyError struct {
	File     string // path, where there is a file
	Section  string // "header", "ic", "h" and so on
	Offset   int64  // of the first wrong byte, from the start of the file
	Expected string
	Found    string
	Err      error // the reason, where it is a point's
}

// Error implements error: one line.
func (e *KeyError) Error() string {
	what := "key"
	if e.File != "" {
		what = "key " + e.File
	}
	text := fmt.Sprintf("%s: section %s, byte %d: expected %s, found %s", what, e.Section, e.Offset, e.Expected, e.Found)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the reason.
func (e *KeyError) Unwrap() error { return e.Err }
