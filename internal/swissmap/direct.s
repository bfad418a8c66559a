//go:build gc && go1.26 && !go1.28 && !purego && !race && !msan && !asan && !wasm && !goexperiment.mapsplitgroup

// This file lets direct.go declare a function without a body.
