package lever

// settings lists what well-known libraries can do with less memory, with the functions that prove, in
// a profile, that they do it the other way.
var settings = []setting{
	{
		calls: []string{
			"(*github.com/prometheus/client_golang/prometheus.CounterVec).With", "(*github.com/prometheus/client_golang/prometheus.GaugeVec).With",
			"(*github.com/prometheus/client_golang/prometheus.HistogramVec).With", "(*github.com/prometheus/client_golang/prometheus.SummaryVec).With",
		},
		own: true, part: 1, fits: labelled,
		text: "With takes a map, which is made for each call: WithLabelValues takes the values in the order of the names that the metric has",
	},
	{
		calls: []string{"(*encoding/csv.Reader).Read"}, below: []string{"encoding/csv.(*Reader).readRecord"}, part: 0.5, fits: recordsUnkept,
		text: "each record is a new slice, which is not kept: with ReuseRecord = true the reader reuses one (the fields are strings of their own)",
	},
	{
		calls: []string{"image/png.Encode"}, below: []string{"image/png.(*Encoder).Encode"}, part: 0.9,
		text: "png.Encode makes a compressor and line buffers for each image: a png.Encoder with a BufferPool keeps them",
	},
	{
		calls: []string{"github.com/google/uuid.New", "github.com/google/uuid.NewRandom", "github.com/google/uuid.NewString"},
		below: []string{"github.com/google/uuid.NewRandomFromReader"}, part: 1, needs: "EnableRandPool", work: true, fits: inProgram,
		text: "each UUID asks the system for 16 random bytes and lets them escape: uuid.EnableRandPool(), once in main, reads them in blocks",
	},
	{
		calls: []string{"(reflect.Value).MapKeys"}, part: 0.6, fits: rangedOver,
		text: "MapKeys makes a slice of all keys for one loop: MapRange goes over them without it",
	},
	{
		calls: []string{"(*reflect.MapIter).Key", "(*reflect.MapIter).Value"}, part: 1, fits: elementRead,
		text: "each element of the map becomes an object: make one Value by reflect.New(t).Elem() before the loop, and set it by SetIterKey or SetIterValue (maps of unexported fields have to stay), or go over the common types of maps, such as map[string]string, without reflect",
	},
	{
		calls: []string{"reflect.Append"}, but: []string{"reflect.growslice", "reflect.Value.Grow", "reflect.(*Value).Grow", "reflect.Value.grow", "reflect.Value.Set"}, part: 1, fits: appendedInPlace,
		text: "reflect.Append makes a slice header for each element: Grow(1), SetLen(n+1) and Index(n).Set do the same in place (Go 1.20)",
	},
	{
		calls: []string{"reflect.MakeSlice"}, but: []string{"reflect.unsafe_NewArray"}, part: 1, fits: madeInPlace,
		text: "reflect.MakeSlice makes a slice header besides the elements: SetZero, Grow(n) and SetLen(n) make them in place, for n > 0 (Go 1.20); without SetZero the elements of before are used again",
	},
	{
		calls: []string{"reflect.MakeSlice"}, but: []string{"reflect.unsafe_NewArray"}, part: 1, fits: filledInPlace,
		text: "reflect.MakeSlice makes a slice header besides the elements, for a slice that is set afterwards: where the target can be set and n > 0, SetZero, Grow(n) and SetLen(n) make them there, to be filled in place (Go 1.20)",
	},
	{
		calls: []string{"(*reflect.MapIter).Value"}, part: 1, fits: anyElements,
		text: "each element, an interface, becomes an object: go over v.Interface().(map[string]any) if the map is one, and take reflect.ValueOf of each element, which needs no memory; other maps stay as they are",
	},
	{
		calls: []string{"(reflect.Type).FieldByName", "(reflect.Type).Method", "(reflect.Type).MethodByName"},
		below: []string{"reflect.(*rtype).FieldByName", "reflect.(*rtype).Method", "reflect.(*rtype).MethodByName"},
		part:  0.9, work: true, fits: notCached,
		text: "the type is asked anew each time: keep what it says in a sync.Map by reflect.Type",
	},
	{
		calls: []string{"(reflect.Value).FieldByName", "(reflect.Value).MethodByName"}, part: 0.9, work: true, fits: notCached,
		text: "the name is looked up in the type each time: keep the numbers of the fields or methods in a sync.Map by reflect.Type, and use FieldByIndex, Field or Method",
	},
	{
		calls: []string{"(*bufio.Scanner).Scan"}, part: 1, fits: scansMemory,
		text: "the scanner copies lines of a string or slice into a buffer of its own: strings.Lines or bytes.Lines (Go 1.24) yields them where they are, each with its end",
	},
	{
		calls: []string{"bufio.NewReader", "bufio.NewReaderSize"}, part: 1, fits: wrapsMemory,
		text: "a buffer for what is in memory already: the reader below has all methods that are called",
	},
	{
		calls: []string{"(*text/template.Template).Parse", "(*html/template.Template).Parse"}, part: 1, work: true, fits: constantText,
		text: "a constant template is parsed for each call: parse it once, in a variable of the package; a template may be executed by many goroutines",
	},
	{
		calls: []string{"github.com/go-playground/validator/v10.New"}, part: 1, work: true,
		fits: madeAnew("Struct", "StructCtx", "Var", "VarCtx", "StructExcept", "StructPartial"),
		text: "a validator is made for each call, and with it what it knows about types: keep one in a variable of the package, it may be used by many goroutines",
	},
	{
		calls: []string{"github.com/gorilla/schema.NewDecoder", "github.com/gorilla/schema.NewEncoder"}, part: 1, work: true, fits: madeAnew("Decode", "Encode"),
		text: "a decoder is made for each call, and with it what it knows about types: keep one in a variable of the package",
	},
	{
		calls: []string{"github.com/microcosm-cc/bluemonday.UGCPolicy", "github.com/microcosm-cc/bluemonday.StrictPolicy", "github.com/microcosm-cc/bluemonday.StripTagsPolicy"},
		part:  1, work: true, fits: madeAnew("Sanitize", "SanitizeBytes", "SanitizeReader", "SanitizeReaderToWriter"),
		text: "a policy is made for each call, regular expressions and all: keep one in a variable of the package, it may be used by many goroutines",
	},
	{
		calls: []string{"github.com/yuin/goldmark.New"}, part: 1, work: true, fits: madeAnew("Convert"),
		text: "a converter is made for each call: keep one in a variable of the package, it may be used by many goroutines",
	},
	{
		calls: []string{"github.com/klauspost/compress/zstd.NewWriter", "github.com/klauspost/compress/zstd.NewReader"}, part: 1, work: true,
		below: []string{"github.com/klauspost/compress/zstd.NewWriter", "github.com/klauspost/compress/zstd.NewReader", "github.com/klauspost/compress/zstd.(*Encoder).EncodeAll",
			"github.com/klauspost/compress/zstd.(*Decoder).DecodeAll"}, fits: madeAnew("EncodeAll", "DecodeAll", "Close"),
		text: "an encoder or decoder is made for each call: EncodeAll and DecodeAll of one that is kept, made with nil, may be used by many goroutines",
	},
	{
		calls: []string{"google.golang.org/grpc.NewClient", "google.golang.org/grpc.Dial", "google.golang.org/grpc.DialContext"}, part: 1, work: true,
		fits: closed, text: "a connection is made and closed for each call: keep one, it carries many calls at a time",
	},
	{
		calls: []string{"database/sql.Open"}, part: 1, work: true, fits: closed,
		text: "a pool of connections is made and closed for each call: keep one, it is what pools are for",
	},
	{
		calls: []string{"(*go.uber.org/zap.SugaredLogger).Debugw", "(*go.uber.org/zap.SugaredLogger).Infow", "(*go.uber.org/zap.SugaredLogger).Warnw", "(*go.uber.org/zap.SugaredLogger).Errorw"},
		below: []string{"go.uber.org/zap.(*SugaredLogger).sweetenFields"}, part: 0.5, fits: pairs,
		text: "the sugared logger makes fields of pairs of any: the Logger below it takes typed fields, zap.String and its like",
	},
	{
		calls: []string{"(*github.com/sirupsen/logrus.Entry).WithField", "(*github.com/sirupsen/logrus.Entry).WithFields"},
		below: []string{"github.com/sirupsen/logrus.(*Entry).WithFields"}, part: 1.0 / 2, fits: chained,
		text: "each WithField copies all fields so far into a new map: one WithFields makes one",
	},
}
