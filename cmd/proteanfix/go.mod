module github.com/protean-pb/protean/cmd/proteanfix

go 1.26.0

require golang.org/x/tools v0.51.0

require (
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
)
