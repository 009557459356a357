module github.com/bytedance/gopkg

go 1.26.0
