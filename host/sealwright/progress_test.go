package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestTrackerWritesLines(t *testing.T) {
	var w bytes.Buffer
	tr := &tracker{w: &w}
	tr.begin("first")
	tr.at(1, 10) // too soon after the beginning to be told
	tr.told = time.Now().Add(-2 * progressEvery)
	tr.at(5, 10)
	tr.begin("second")
	tr.detail("half of it", 1, 2)
	tr.end()
	tr.end()
	tr.begin("third")
	tr.abandon()
	want := regexp.MustCompile(`^sealwright: first 50%
sealwright: first [0-9.]+[mµn]?s
sealwright: half of it
sealwright: second [0-9.]+[mµn]?s
$`)
	if !want.Match(w.Bytes()) {
		t.Errorf("wrote\n%s", w.String())
	}
}

func TestTrackerDrawsOnTerminals(t *testing.T) {
	var w bytes.Buffer
	tr := &tracker{w: &w, terminal: true}
	tr.begin("prove")
	tr.detail("partition 1 of 2", 1, 2)
	tr.end()
	if got := w.String(); !strings.Contains(got, "\r") || !strings.HasSuffix(got, "s\n") {
		t.Errorf("wrote %q, want a drawn line and then the time", got)
	}
}
