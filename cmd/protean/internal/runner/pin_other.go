//go:build !linux

package runner

// pin does nothing: this system does not let a thread choose its processor.
func pin(int) {}
