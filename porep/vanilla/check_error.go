package vanilla

import "fmt"

// CheckError says what of a vanilla proof does not hold. All of it is in one
// line.
type CheckError struct {
	Where    string // "partition 0, challenge 1 (node 39): tree R: leaf"; never empty
	Expected string
	Found    string
}

// Error implements error.
func (e *CheckError) Error() string {
	return fmt.Sprintf("check vanilla proof: %s: found %s, expected %s", e.Where, e.Found, e.Expected)
}

// mismatch returns an error where two values differ, and nil where they don't.
func mismatch[T comparable](where string, found, expected T) error {
	if found == expected {
		return nil
	}
	return &CheckError{where, fmt.Sprint(expected), fmt.Sprint(found)}
}

// within puts a place in front of an error's own.
func within(place string, err error) error {
	if e, ok := err.(*CheckError); ok { //nolint:errorlint // made in this package, never wrapped
		e.Where = place + ": " + e.Where
	}
	return err
}
