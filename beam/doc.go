// Package beam gathers the statistics of documents, from which protean infer makes a schema, on Apache Beam: on one
// machine, or on the workers of a cluster that all see the files.
//
// Elements are splits (files, or ranges of their bytes), not documents: a worker reads a split by itself, as package
// records does, and a profile is all that leaves it. Profiles add up, so that the result is the one that protean infer
// --save-profile has after one pass over all, to the byte.
//
//	p, s := beam.NewPipelineWithRoot()
//	splits, err := records.Divide(files, options, 256<<20)
//	…
//	profile := proteanbeam.Profile(s, splits, proteanbeam.Options{Form: records.Lines})
//	proteanbeam.Write(s, "events.profile", profile)
//
// Program infer, in the folder of that name, is this with flags.
package beam
