package cpu

// msmPlan is how a multiexponentiation is cut: the width of its windows, and
// into how many parts those windows are cut that do not go evenly over the
// threads.
type msmPlan struct {
	width   int
	threads int
	parts   int
}

// msmTask is one part of one window: the terms [first, last).
type msmTask struct {
	window      int
	first, last int
}

// planMSM returns the plan with the shortest way through n terms, counted in
// point additions: a window costs one a term and two a bucket.
func planMSM(n, threads int) msmPlan {
	var best msmPlan
	least := -1
	for width := minWidth; width <= maxWidth; width++ {
		buckets := 1 << (width - 1)
		windows := pieces(scalarBits, width)
		rest := windows % threads
		rounds := windows / threads * (n + 2*buckets)
		for parts := 1; parts <= threads; parts++ {
			cost := rounds + pieces(rest*parts, threads)*(n/parts+2*buckets)
			if least < 0 || cost < least {
				best, least = msmPlan{width: width, threads: threads, parts: parts}, cost
			}
		}
	}
	return best
}

// tasks lists the tasks of a run over n terms, the whole windows first.
func (p *msmPlan) tasks(windows, n int) []msmTask {
	whole := windows - windows%p.threads
	var tasks []msmTask
	for w := range windows {
		parts := p.parts
		if w < whole {
			parts = 1
		}
		for k := range parts {
			tasks = append(tasks, msmTask{window: w, first: n * k / parts, last: n * (k + 1) / parts})
		}
	}
	return tasks
}
