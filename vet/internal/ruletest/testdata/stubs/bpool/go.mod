module github.com/oxtoacart/bpool

go 1.26.0
