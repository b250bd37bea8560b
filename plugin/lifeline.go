package plugin

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"

	"github.com/sealwright/sealwright/sdk/enginepb"
)

// openLifeline opens the pipe that the host holds the other end of, or returns
// nil where the host gave none.
func openLifeline() (*os.File, error) {
	text := os.Getenv(enginepb.LifelineEnv)
	if text == "" {
		return nil, nil
	}
	fd, err := strconv.Atoi(text)
	if err != nil || fd < 3 {
		return nil, fmt.Errorf("open lifeline: %s is %q, expected a file descriptor of at least 3", enginepb.LifelineEnv, text)
	}
	return os.NewFile(uintptr(fd), "lifeline"), nil
}

// watchLifeline calls exit when the host is gone. Nobody writes to the pipe, so
// reading it ends with the host's last descriptor, whatever killed the host.
func watchLifeline(lifeline io.Reader, log *slog.Logger, exit func(int)) {
	_, err := io.Copy(io.Discard, lifeline)
	log.Info("the host is gone, exiting", "error", err)
	exit(0)
}
