module example.com/app

go 1.26.0

require (
	example.com/other v0.0.0
	google.golang.org/protobuf v1.36.12
)

replace example.com/other => ./other
