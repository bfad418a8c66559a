// This file lets alloc.go declare functions without bodies.
