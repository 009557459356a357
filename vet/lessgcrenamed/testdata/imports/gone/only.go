package gone

import "lessgc/arena"

const badOnly = arena.DefaultAuditEvery // want `DefaultAuditEvery`
