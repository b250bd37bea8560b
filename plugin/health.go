package plugin

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
)

// healthService is the name that go-plugin's clients ask for.
const healthService = "plugin"

// healthServer answers health checks in place of go-plugin's own service, whose
// answer never changes: go-plugin registers its own, so this one stands in front
// of it as an interceptor.
type healthServer struct{ *health.Server }

func newHealthServer() healthServer {
	h := healthServer{health.NewServer()}
	h.set(grpc_health_v1.HealthCheckResponse_SERVING)
	return h
}

func (h healthServer) set(s grpc_health_v1.HealthCheckResponse_ServingStatus) {
	h.SetServingStatus(healthService, s)
	h.SetServingStatus("", s)
}

func (h healthServer) options() []grpc.ServerOption {
	return []grpc.ServerOption{grpc.ChainUnaryInterceptor(h.unary), grpc.ChainStreamInterceptor(h.stream)}
}

func (h healthServer) unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	if check, ok := req.(*grpc_health_v1.HealthCheckRequest); ok && info.FullMethod == grpc_health_v1.Health_Check_FullMethodName {
		return h.Check(ctx, check)
	}
	return next(ctx, req)
}

func (h healthServer) stream(srv any, s grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	if info.FullMethod != grpc_health_v1.Health_Watch_FullMethodName {
		return next(srv, s)
	}
	req := new(grpc_health_v1.HealthCheckRequest)
	if err := s.RecvMsg(req); err != nil {
		return err
	}
	type watch = grpc.GenericServerStream[grpc_health_v1.HealthCheckRequest, grpc_health_v1.HealthCheckResponse]
	return h.Watch(req, &watch{ServerStream: s})
}
