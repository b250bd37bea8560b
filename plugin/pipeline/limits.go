package pipeline

import "fmt"

// Limits are the places that a machine has. The zero value of a field but
// Budget and Permits means its default.
type Limits struct {
	Permits       int    // partitions before the device has them; at least 1
	Channel       int    // capacity of the device channel; 0: the policy's
	DeviceWorkers int    // partitions on the device at once; 0: 1
	FinishSlots   int    // partitions in the finish stage at once; 0: one a device worker
	Budget        int64  // bytes; 0: no limit
	Policy        Policy // nil: HoldUntilAccepted
}

// Validate names the field that is out of range.
func (l Limits) Validate() error {
	switch {
	case l.Permits < 1:
		return fmt.Errorf("check pipeline limits: permits is %d, expected at least 1", l.Permits)
	case l.Channel < 0:
		return fmt.Errorf("check pipeline limits: channel is %d, expected at least 0", l.Channel)
	case l.DeviceWorkers < 0:
		return fmt.Errorf("check pipeline limits: device workers is %d, expected at least 0", l.DeviceWorkers)
	case l.FinishSlots < 0:
		return fmt.Errorf("check pipeline limits: finish slots is %d, expected at least 0", l.FinishSlots)
	case l.Budget < 0:
		return fmt.Errorf("check pipeline limits: budget is %d bytes, expected at least 0", l.Budget)
	}
	return nil
}

// withDefaults fills in what is not set.
func (l Limits) withDefaults() Limits {
	if l.Policy == nil {
		l.Policy = HoldUntilAccepted{}
	}
	if l.Channel == 0 {
		l.Channel = l.Policy.Channel(l.Permits)
	}
	if l.DeviceWorkers == 0 {
		l.DeviceWorkers = 1
	}
	if l.FinishSlots == 0 {
		l.FinishSlots = l.DeviceWorkers
	}
	return l
}

// AliveBound is the most partitions that can be alive at once, or false where
// the policy bounds them by bytes alone.
func (l Limits) AliveBound() (int, bool) {
	l = l.withDefaults()
	if l.Channel == Unbounded || l.Policy.EarlyRelease() {
		return 0, false
	}
	return l.Permits + l.Channel + l.DeviceWorkers + l.FinishSlots, true
}

// BytesBound is the most that partitions of one need can reserve at once, or
// false where the policy does not bound them.
func (l Limits) BytesBound(n Need) (int64, bool) {
	if _, bounded := l.AliveBound(); !bounded {
		return 0, false
	}
	l = l.withDefaults()
	return int64(l.Permits)*n.Whole() + int64(l.Channel+l.DeviceWorkers)*n.afterSynthesis() + int64(l.FinishSlots)*n.Finish, true
}
