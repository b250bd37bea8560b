package vanilla

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseError says where an input is not what it has to be.
type ParseError struct {
	Format   string // "C1 output", "envelope", "vanilla proof"
	Field    string // where in the input's structure; empty: at its top
	Offset   int64  // about where in its bytes
	Expected string
	Found    string
}

// Error implements error: one line.
func (e *ParseError) Error() string {
	where := ""
	if e.Field != "" {
		where = e.Field + ": "
	}
	return fmt.Sprintf("parse %s: %sat byte %d: found %s, expected %s", e.Format, where, e.Offset, e.Found, e.Expected)
}

// trail is the way from an input's top to a field.
type trail []segment

// segment is a key or, with an empty name, an index.
type segment struct {
	name  string
	index int
}

func (t *trail) key(name string) { *t = append(*t, segment{name: name}) }
func (t *trail) at(index int)    { *t = append(*t, segment{index: index}) }
func (t *trail) up()             { *t = (*t)[:len(*t)-1] }

// String returns the way as "a.b[0].c".
func (t trail) String() string {
	var b strings.Builder
	for i, s := range t {
		switch {
		case s.name == "":
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case i > 0:
			b.WriteString("." + s.name)
		default:
			b.WriteString(s.name)
		}
	}
	return b.String()
}
