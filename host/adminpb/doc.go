// Package adminpb is the wire between the command line and a running daemon:
// sealwright.admin.v1, generated from admin.proto.
package adminpb
