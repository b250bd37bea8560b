package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDefaultRunBaseLeavesRoomForSockets(t *testing.T) {
	long := filepath.Join(t.TempDir(), strings.Repeat("x", maxSocketPath))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	short := shortTempDir(t)
	for _, c := range []struct{ name, runtime, temp, want string }{
		{"runtime folder first", short, "/tmp", short},
		{"no runtime folder", "", short, short},
		{"runtime folder is not there", short + "/none", short, short},
		{"long names are passed over", long, long, "/tmp"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("XDG_RUNTIME_DIR", c.runtime)
			t.Setenv("TMPDIR", c.temp)
			if got := defaultRunBase(); got != c.want {
				t.Fatalf("defaultRunBase() = %q, expected %q", got, c.want)
			}
		})
	}
}
