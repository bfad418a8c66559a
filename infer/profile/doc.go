// Package profile gathers statistics of JSON documents that add up: the profile of two sets of
// documents, merged, is the profile of both, to the byte.
//
// A [Profile] has a [Node] for each path: an object has a child for each key, an array one for all
// its elements. A Node counts the kinds of values, their ranges and lengths, and keeps a [Sketch]
// of distinct values. All of it is sums, minima, maxima and unions, so that neither the order of the
// documents nor the way in which they were divided matters.
//
// # Memory
//
// A profile is as large as there are paths, not documents, and paths are bounded: an object with
// more keys than a limit, or with a key of more than 1,024 bytes, has one child for all of its
// values, and below a depth nothing is distinguished. Where a profile takes more memory than it may,
// both limits are lowered, in steps, for all of it ([Profile.Reduced]). That alone depends on the order
// of the documents.
//
// A Builder is for one goroutine; a Profile may be read by many.
package profile
