// The functions are declared in funcvar.go; nothing runs them.
