package plugin

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/enginepb"
	"google.golang.org/grpc"
)

// serve answers the host until it says goodbye.
func serve(backend sdk.Backend) {
	stderr := os.Stderr // go-plugin puts a pipe of its own in this place
	log := newLogger(stderr)
	lifeline, err := openLifeline()
	if err != nil {
		log.Error(err.Error())
		os.Exit(enginepb.ExitUsage)
	}
	if lifeline != nil {
		go watchLifeline(lifeline, log, os.Exit)
	}
	s := newServer(backend, log, os.Exit)
	goplugin.Serve(&goplugin.ServeConfig{
		HandshakeConfig: goplugin.HandshakeConfig{
			ProtocolVersion: enginepb.ProtocolVersion, MagicCookieKey: enginepb.CookieKey, MagicCookieValue: enginepb.CookieValue,
		},
		VersionedPlugins: map[int]goplugin.PluginSet{
			enginepb.ProtocolVersion: {enginepb.PluginSet: &grpcPlugin{server: s}},
		},
		GRPCServer: s.grpcServer,
		Logger:     goPluginLogger(stderr),
	})
	s.close()
}

// goPluginLogger takes what go-plugin itself has to say; its own debug lines
// are of no use to operators.
func goPluginLogger(w io.Writer) hclog.Logger {
	return hclog.New(&hclog.LoggerOptions{Name: "go-plugin", Level: hclog.Warn, Output: w, JSONFormat: true})
}

// grpcServer makes the server with limits that real inputs fit in: gRPC takes
// 4 MiB by default, a 64 GiB sector's C1 output is over 100 MB.
func (s *server) grpcServer(opts []grpc.ServerOption) *grpc.Server {
	opts = append(opts, grpc.MaxRecvMsgSize(enginepb.MaxMessageBytes), grpc.MaxSendMsgSize(enginepb.MaxMessageBytes))
	return grpc.NewServer(append(opts, s.health.options()...)...)
}

// grpcPlugin registers the engine's service with go-plugin.
type grpcPlugin struct {
	goplugin.NetRPCUnsupportedPlugin
	server *server
}

// GRPCServer implements goplugin.GRPCPlugin.
func (p *grpcPlugin) GRPCServer(_ *goplugin.GRPCBroker, g *grpc.Server) error {
	enginepb.RegisterEngineServer(g, p.server)
	return nil
}

// GRPCClient implements goplugin.GRPCPlugin; the client's side is the host's.
func (p *grpcPlugin) GRPCClient(context.Context, *goplugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, fmt.Errorf("make client: %w: this is the engine's side", sdk.ErrUnsupported)
}
