module lessgc

go 1.25
