// Package plugin is the engine's side of the process boundary. A vendor's
// engine is a Backend and five lines:
//
//	package main
//
//	import "github.com/sealwright/sealwright/plugin"
//
//	func main() { plugin.Main(mybackend.New()) }
//
// Main serves sealwright.engine.v1 over go-plugin: it receives a job's input once,
// checks it, takes the partitions that the host assigns through the bounded
// pipeline and answers each proof as it is done. A host starts it; run by hand it
// says so, and "probe --json" lists the backend's devices.
//
// An engine drives one device, never sizes itself (the host says how much memory
// it may use), and does not outlive its host: it exits when its lifeline closes.
package plugin
