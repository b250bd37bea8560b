package vanilla

import "testing"

func TestParseC1(t *testing.T) {
	for _, c := range c1s {
		t.Run(c.name, func(t *testing.T) { readC1(t, c.name, c.circuit) })
	}
}
