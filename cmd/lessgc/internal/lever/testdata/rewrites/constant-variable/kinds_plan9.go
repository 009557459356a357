package kinds

func init() { shell = "rc" }
