package gone

import (
	// for one constant
	"lessgc/arena"
)

const badBlock = arena.DefaultAuditEvery // want `DefaultAuditEvery`
