module lessgc/workloads

go 1.25

require lessgc v0.0.0

replace lessgc => ../
