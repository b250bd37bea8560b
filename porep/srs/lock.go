package srs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// lockPoll is how often a held lock is tried again.
const lockPoll = 100 * time.Millisecond

// lockKey takes the lock of a key among processes, waiting until ctx ends. The
// lock file stays; the kernel drops the lock when its holder dies.
func lockKey(ctx context.Context, key string) (unlock func(), err error) {
	file, err := os.OpenFile(key+".lock", os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("lock key: %w", err)
	}
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { file.Close() }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", file.Name(), err), file.Close())
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("wait for lock %s: %w", file.Name(), ctx.Err()), file.Close())
		case <-time.After(lockPoll):
		}
	}
}
