module github.com/valyala/fasthttp

go 1.26.0
