package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/urfave/cli/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/sealwright/sealwright/host/adminpb"
)

// Waits for a daemon, which answers these calls at once.
const (
	daemonDialTimeout = 2 * time.Second
	daemonCallTimeout = 10 * time.Second
)

// socketVariable names the daemon's socket where no flag does.
const socketVariable = "SEALWRIGHT_SOCKET"

func socketFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "socket", Usage: "the daemon's unix socket, `PATH`", Sources: cli.EnvVars(socketVariable), DefaultText: "see docs/cli.md",
	}
}

// defaultSocket is in the user's runtime folder, else in /run for root, else in a
// folder of the user's among the temporary files.
func defaultSocket() string {
	const folder, name = "sealwright", "sealwright.sock"
	if dir := os.Getenv("XDG_RUNTIME_DIR"); dir != "" {
		return filepath.Join(dir, folder, name)
	}
	if os.Getuid() == 0 {
		return filepath.Join("/run", folder, name)
	}
	return filepath.Join(os.TempDir(), folder+"-"+strconv.Itoa(os.Getuid()), name)
}

// callDaemon has a call made to the daemon that answers on the socket of cmd.
func callDaemon(ctx context.Context, cmd *cli.Command, call func(context.Context, adminpb.AdminClient) error) error {
	path := cmd.String("socket")
	if path == "" {
		path = defaultSocket()
	}
	if err := findDaemon(path); err != nil {
		return err
	}
	conn, err := grpc.NewClient("passthrough:///daemon", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", path)
		}))
	if err != nil {
		return environment(fmt.Errorf("call the daemon on %s: %w", path, err))
	}
	defer func() { _ = conn.Close() }()
	ctx, stop := context.WithTimeout(ctx, daemonCallTimeout)
	defer stop()
	return daemonError(path, call(ctx, adminpb.NewAdminClient(conn)))
}

// findDaemon tells whether somebody answers on the socket.
func findDaemon(path string) error {
	conn, err := net.DialTimeout("unix", path, daemonDialTimeout)
	switch {
	case err == nil:
		return conn.Close()
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return &codedError{exitNoDaemon, fmt.Errorf("no daemon is running on %s (start one with: sealwright serve)", path)}
	}
	return environment(fmt.Errorf("call the daemon: %w", err))
}

// daemonError says what a call's status means to the one who typed it.
func daemonError(path string, err error) error {
	s, isStatus := status.FromError(err)
	switch {
	case err == nil:
		return nil
	case !isStatus:
		return err
	case s.Code() == codes.NotFound:
		return invalid(errors.New(s.Message()))
	case s.Code() == codes.Unavailable:
		return &codedError{exitNoDaemon, fmt.Errorf("the daemon on %s has gone: %s", path, s.Message())}
	}
	return environment(fmt.Errorf("the daemon on %s answers %s: %s", path, s.Code(), s.Message()))
}
