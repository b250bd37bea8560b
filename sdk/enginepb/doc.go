// Package enginepb is the wire between a host and its engines: the generated
// code of engine.proto, and the constants that a plugin handshake needs before
// any message can be sent. A vendor whose engine is built on plugin.Main never
// meets it; one who writes an engine in another language starts at engine.proto.
package enginepb
