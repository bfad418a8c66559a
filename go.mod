module github.com/protean-pb/protean

go 1.26.0
