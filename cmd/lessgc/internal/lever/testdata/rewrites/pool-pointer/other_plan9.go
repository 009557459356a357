package pools

func other() { onOther.Put([]byte(nil)) }
