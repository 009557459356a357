// Command protogen generates the Go code of .proto files in the current folder,
// as protoc with protoc-gen-go does, without protoc: it is for go generate, and
// needs nothing but Go.
//
//	go run lessgc/bench/protogen [-api API] [-vt] [-grpc] [-I DIR] [-prefix PREFIX] [-replace OLD=NEW]... FILE.proto...
//	go run lessgc/bench/protogen -I DIR -module PATH FILE.proto...
//
// The second form is for files that name no Go package: each becomes a package of
// its own, in a folder of the module, which is the current folder. With -replace
// and -prefix the same messages can be had in several packages. With -vt there is
// vtprotobuf's code for decoding into pooled messages as well, with -grpc the code of
// services.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"strings"

	"github.com/bufbuild/protocompile"
	_ "github.com/planetscale/vtprotobuf/features/pool"
	_ "github.com/planetscale/vtprotobuf/features/size"
	_ "github.com/planetscale/vtprotobuf/features/unmarshal"
	"github.com/planetscale/vtprotobuf/generator"
	"google.golang.org/protobuf/cmd/protoc-gen-go/internal_gengo"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

func main() {
	api := flag.String("api", "", "use the open, hybrid or opaque `API` unless a file says otherwise")
	vt := flag.Bool("vt", false, "generate the code of vtprotobuf, too")
	services := flag.Bool("grpc", false, "generate the code of protoc-gen-go-grpc, too")
	root := flag.String("I", ".", "`folder` that the files and their imports are in")
	module := flag.String("module", "", "Go import `path` of the current folder")
	prefix := flag.String("prefix", "", "register the files under names that begin with this")
	var replace []string
	flag.Func("replace", "read all files with `OLD=NEW` replaced; may be repeated", func(s string) error {
		from, to, ok := strings.Cut(s, "=")
		if !ok {
			return errors.New("want OLD=NEW")
		}
		replace = append(replace, from, to)
		return nil
	})
	flag.Parse()
	if err := run(flag.Args(), *root, *module, *prefix, replace, *api, *vt, *services); err != nil {
		fmt.Fprintln(os.Stderr, "protogen:", err)
		os.Exit(1)
	}
}

func run(files []string, root, module, prefix string, replace []string, api string, vt, services bool) error {
	for i := range files {
		files[i] = prefix + files[i]
	}
	replaced := strings.NewReplacer(replace...)
	open := func(file string) (io.ReadCloser, error) {
		source, err := os.ReadFile(strings.Replace(file, prefix, "", 1))
		return io.NopCloser(strings.NewReader(replaced.Replace(string(source)))), err
	}
	compiler := protocompile.Compiler{
		Resolver:       protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: []string{root}, Accessor: open}),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	compiled, err := compiler.Compile(context.Background(), files...)
	if err != nil {
		return err
	}
	request := &pluginpb.CodeGeneratorRequest{FileToGenerate: files}
	parameter := "paths=source_relative"
	if module != "" {
		parameter = "module=" + module
		for _, f := range files {
			parameter += ",M" + f + "=" + module + "/" + strings.TrimSuffix(path.Base(f), ".proto")
		}
	}
	if api != "" {
		parameter += ",default_api_level=API_" + strings.ToUpper(api)
	}
	request.Parameter = &parameter
	seen := map[string]bool{}
	for _, f := range compiled {
		request.ProtoFile = appendFile(request.ProtoFile, f, seen)
	}
	plugin, err := protogen.Options{}.New(request)
	if err != nil {
		return err
	}
	for _, f := range plugin.Files {
		if f.Generate {
			internal_gengo.GenerateFile(plugin, f)
		}
	}
	if vt {
		config := &generator.Config{Poolable: generator.NewObjectSet(), PoolableExclude: generator.NewObjectSet()}
		for _, f := range plugin.Files {
			if f.Generate {
				for _, m := range f.Messages {
					config.Poolable.Set(string(m.GoIdent.GoImportPath) + "." + m.GoIdent.GoName)
				}
			}
		}
		g, err := generator.NewGenerator(plugin, []string{"unmarshal", "unmarshal_unsafe", "pool", "size"}, config)
		if err != nil {
			return err
		}
		g.Generate()
	}
	response := plugin.Response()
	if response.Error != nil {
		return fmt.Errorf("%s", *response.Error)
	}
	if services {
		more, err := runPlugin("protoc-gen-go-grpc", request)
		if err != nil {
			return err
		}
		response.File = append(response.File, more...)
	}
	for _, f := range response.File {
		name := strings.TrimPrefix(f.GetName(), prefix)
		if strings.HasSuffix(name, "_protoopaque.pb.go") { // what a build tag puts in place of the hybrid API
			continue
		}
		if err := os.MkdirAll(path.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(f.GetContent()), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// runPlugin returns the files of a plugin that is a tool of this workspace.
func runPlugin(name string, request *pluginpb.CodeGeneratorRequest) ([]*pluginpb.CodeGeneratorResponse_File, error) {
	in, err := proto.Marshal(request)
	if err != nil {
		return nil, err
	}
	tool := exec.Command("go", "tool", name)
	tool.Stdin, tool.Stderr = bytes.NewReader(in), os.Stderr
	out, err := tool.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	response := &pluginpb.CodeGeneratorResponse{}
	if err := proto.Unmarshal(out, response); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if response.Error != nil {
		return nil, fmt.Errorf("%s: %s", name, *response.Error)
	}
	return response.File, nil
}

// appendFile adds f behind what it imports, each once.
func appendFile(to []*descriptorpb.FileDescriptorProto, f protoreflect.FileDescriptor, seen map[string]bool) []*descriptorpb.FileDescriptorProto {
	if seen[f.Path()] {
		return to
	}
	seen[f.Path()] = true
	imports := f.Imports()
	for i := range imports.Len() {
		to = appendFile(to, imports.Get(i).FileDescriptor, seen)
	}
	return append(to, protodesc.ToFileDescriptorProto(f))
}
