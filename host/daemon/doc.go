// Package daemon serves a host to miners and operators: cuzk.v1 and
// sealwright.admin.v1 on a unix socket, metrics over HTTP on a loopback address. It
// is apart from package host so that a program that embeds a host links no
// servers.
package daemon
