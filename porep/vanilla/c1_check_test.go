package vanilla

import "testing"

func TestCheckC1(t *testing.T) {
	for _, c := range c1s {
		t.Run(c.name, func(t *testing.T) {
			if err := readC1(t, c.name, c.circuit).Check(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
		})
	}
}
