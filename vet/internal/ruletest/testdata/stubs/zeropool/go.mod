module github.com/colega/zeropool

go 1.26.0
