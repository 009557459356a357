package protobuf

import "lessgc/bench/protobuf/benchpb"

// These read all fields of a message, and return a sum that depends on each.

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func readUsers(m *benchpb.Users) (sum uint64) {
	for _, u := range m.Users {
		sum += uint64(u.Id) + uint64(len(u.Name)) + uint64(len(u.Email)) + uint64(u.Age) + flag(u.Active) + uint64(int64(u.Score))
		for _, t := range u.Tags {
			sum += uint64(len(t))
		}
	}
	return sum
}

func readSmall(m *benchpb.Small) uint64 {
	return uint64(m.Id) + uint64(len(m.Name)) + uint64(len(m.Token)) + flag(m.Cached)
}

func readProm(m *benchpb.WriteRequest) (sum uint64) {
	for _, s := range m.Timeseries {
		for _, l := range s.Labels {
			sum += uint64(len(l.Name)) + uint64(len(l.Value))
		}
		for _, s := range s.Samples {
			sum += uint64(int64(s.Value)) + uint64(s.Timestamp)
		}
	}
	return sum
}

func readProfile(m *benchpb.Profile) (sum uint64) {
	valueType := func(t *benchpb.ValueType) {
		if t != nil {
			sum += uint64(t.Type) + uint64(t.Unit)
		}
	}
	for _, t := range m.SampleType {
		valueType(t)
	}
	for _, s := range m.Sample {
		for _, id := range s.LocationId {
			sum += id
		}
		for _, v := range s.Value {
			sum += uint64(v)
		}
		for _, l := range s.Label {
			sum += uint64(l.Key) + uint64(l.Str) + uint64(l.Num) + uint64(l.NumUnit)
		}
	}
	for _, x := range m.Mapping {
		sum += x.Id + x.MemoryStart + x.MemoryLimit + x.FileOffset + uint64(x.Filename) + uint64(x.BuildId) +
			flag(x.HasFunctions) + flag(x.HasFilenames) + flag(x.HasLineNumbers) + flag(x.HasInlineFrames)
	}
	for _, l := range m.Location {
		sum += l.Id + l.MappingId + l.Address + flag(l.IsFolded)
		for _, l := range l.Line {
			sum += l.FunctionId + uint64(l.Line) + uint64(l.Column)
		}
	}
	for _, f := range m.Function {
		sum += f.Id + uint64(f.Name) + uint64(f.SystemName) + uint64(f.Filename) + uint64(f.StartLine)
	}
	for _, s := range m.StringTable {
		sum += uint64(len(s))
	}
	sum += uint64(m.DropFrames) + uint64(m.KeepFrames) + uint64(m.TimeNanos) + uint64(m.DurationNanos)
	valueType(m.PeriodType)
	sum += uint64(m.Period)
	for _, c := range m.Comment {
		sum += uint64(c)
	}
	return sum + uint64(m.DefaultSampleType)
}

func readTrace(m *benchpb.Trace) (sum uint64) {
	for _, r := range m.ResourceSpans {
		if x := r.Resource; x != nil {
			sum += readKeyValues(x.Attributes) + uint64(x.DroppedAttributesCount)
		}
		for _, s := range r.ScopeSpans {
			if x := s.Scope; x != nil {
				sum += uint64(len(x.Name)) + uint64(len(x.Version)) + readKeyValues(x.Attributes)
			}
			for _, s := range s.Spans {
				sum += readSpan(s)
			}
			sum += uint64(len(s.SchemaUrl))
		}
		sum += uint64(len(r.SchemaUrl))
	}
	return sum
}

func readSpan(s *benchpb.Span) uint64 {
	sum := uint64(len(s.TraceId)) + uint64(len(s.SpanId)) + uint64(len(s.TraceState)) + uint64(len(s.ParentSpanId)) + uint64(len(s.Name)) +
		uint64(s.Kind) + s.StartTimeUnixNano + s.EndTimeUnixNano + readKeyValues(s.Attributes) + uint64(s.DroppedAttributesCount) + uint64(s.Flags)
	for _, e := range s.Events {
		sum += e.TimeUnixNano + uint64(len(e.Name)) + readKeyValues(e.Attributes)
	}
	for _, l := range s.Links {
		sum += uint64(len(l.TraceId)) + uint64(len(l.SpanId)) + readKeyValues(l.Attributes)
	}
	if x := s.Status; x != nil {
		sum += uint64(len(x.Message)) + uint64(x.Code)
	}
	return sum
}

func readKeyValues(all []*benchpb.KeyValue) (sum uint64) {
	for _, kv := range all {
		sum += uint64(len(kv.Key)) + readAny(kv.Value)
	}
	return sum
}

func readAny(a *benchpb.Any) (sum uint64) {
	if a == nil {
		return 0
	}
	switch v := a.Value.(type) {
	case *benchpb.Any_StringValue:
		return uint64(len(v.StringValue))
	case *benchpb.Any_BoolValue:
		return flag(v.BoolValue)
	case *benchpb.Any_IntValue:
		return uint64(v.IntValue)
	case *benchpb.Any_DoubleValue:
		return uint64(int64(v.DoubleValue))
	case *benchpb.Any_BytesValue:
		return uint64(len(v.BytesValue))
	case *benchpb.Any_ArrayValue:
		for _, x := range v.ArrayValue.GetValues() {
			sum += readAny(x)
		}
	case *benchpb.Any_KvlistValue:
		return readKeyValues(v.KvlistValue.GetValues())
	}
	return sum
}
