//go:build gc && go1.26 && !go1.28 && !purego

// This file lets alloc_runtime.go declare functions without bodies.
