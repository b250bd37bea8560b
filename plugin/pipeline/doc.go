// Package pipeline bounds what an engine keeps alive: how many partitions, and
// how many bytes.
//
// A partition goes through three stages, each a place that it must get first:
//
//	waiting --permit, bytes--> synthesis --channel--> queued --worker--> device --finish slot--> finish
//
// The rule that all else serves: a permit is taken before synthesis and given
// back only when the device channel has accepted the partition. Giving it back
// when synthesis ends lets finished partitions pile up without bound behind a
// device that is slower than synthesis. In the same way a device worker is free
// only when a finish slot has taken its partition. So
//
//	alive partitions <= permits + channel + device workers + finish slots
//
// on every path: success, error, cancel, deadline, panic. Bytes are bounded
// apart from that: before synthesis a partition reserves its whole need, which
// shrinks from stage to stage, and reservations never pass the budget.
//
// Machine holds these rules and nothing else: events in, actions out, no clock
// and no goroutine. Pipeline drives it with goroutines; a simulation drives the
// same machine with a virtual clock. Tracker is the sdk.Buffers of an engine: it
// counts what is really alive, where Machine counts what is reserved.
package pipeline
