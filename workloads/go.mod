module lessgc/workloads

go 1.25.0

require (
	golang.org/x/net v0.58.0
	lessgc v0.0.0
)

replace lessgc => ../
