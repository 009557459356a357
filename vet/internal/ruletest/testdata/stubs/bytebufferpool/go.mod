module github.com/valyala/bytebufferpool

go 1.26.0
