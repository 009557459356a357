package load

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"
	reflectionpb "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"lessgc/cmd/lessgc/internal/input"
	"lessgc/cmd/lessgc/internal/mode"
)

// A grpcCall holds the messages that a request to a method sends.
type grpcCall struct {
	path     string // such as /users.Users/Get
	messages [][]byte
	desc     protoreflect.MethodDescriptor // nil if nothing describes the method, which then is unary
}

func (c *grpcCall) stream() bool {
	return c.desc != nil && (c.desc.IsStreamingClient() || c.desc.IsStreamingServer())
}

// Calls resolves and encodes the requests of s, in their order. The client leads to a
// server, which is asked for the descriptors of gRPC if s has none.
func (s *Spec) Calls(ctx context.Context, client *Client) ([]*Call, error) {
	resolve, err := client.transport.resolver(s)
	if err != nil {
		return nil, err
	}
	var calls []*Call
	for _, q := range s.Requests {
		call, err := resolve(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("request %s: %w", q.Name, err)
		}
		calls = append(calls, call)
	}
	return calls, nil
}

func (g *grpcConns) resolver(s *Spec) (func(context.Context, Request) (*Call, error), error) {
	find := g.reflected
	if s.Descriptors != "" {
		files, err := readDescriptors(filepath.Join(s.dir, s.Descriptors))
		if err != nil {
			return nil, err
		}
		find = func(_ context.Context, service string) (protoreflect.ServiceDescriptor, error) {
			return findService(files, service)
		}
	}
	return func(ctx context.Context, q Request) (*Call, error) {
		call, err := s.grpcCall(ctx, q, find)
		return &Call{grpc: call}, err
	}, nil
}

func (s *Spec) grpcCall(ctx context.Context, q Request, find func(context.Context, string) (protoreflect.ServiceDescriptor, error)) (*grpcCall, error) {
	c := &grpcCall{path: "/" + q.Method}
	data, isJSON, err := s.payload(ctx, q)
	if err != nil {
		return nil, err
	}
	service, method, _ := strings.Cut(q.Method, "/")
	sd, err := find(ctx, service)
	switch {
	case err == nil:
		if c.desc = sd.Methods().ByName(protoreflect.Name(method)); c.desc == nil {
			return nil, fmt.Errorf("service %s has no method %s; it has %s", service, method, methods(sd))
		}
	case isJSON || !errors.Is(err, errNoReflection):
		return nil, err
	}
	if !isJSON {
		c.messages = [][]byte{data}
		return c, nil
	}
	messages, err := texts(data)
	if err != nil {
		return nil, err
	}
	for i, text := range messages {
		m := dynamicpb.NewMessage(c.desc.Input())
		if err := protojson.Unmarshal(text, m); err != nil {
			// The package's messages begin with "proto:", and a space of either kind.
			words := strings.Fields(strings.ReplaceAll(err.Error(), "\u00a0", " "))
			return nil, fmt.Errorf("message %d is not a %s: %s", i+1, c.desc.Input().FullName(), strings.TrimPrefix(strings.Join(words, " "), "proto: "))
		}
		b, err := proto.Marshal(m)
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i+1, err)
		}
		c.messages = append(c.messages, b)
	}
	if len(c.messages) == 0 {
		return nil, errors.New("the array of messages is empty")
	}
	return c, nil
}

// texts divides an array of messages.
func texts(data []byte) ([][]byte, error) {
	one := [][]byte{data} // or what protojson has the better words for
	d := json.NewDecoder(bytes.NewReader(data))
	if open, err := d.Token(); err != nil || open != json.Delim('[') {
		return one, nil
	}
	var all [][]byte
	for d.More() {
		var m json.RawMessage
		if d.Decode(&m) != nil {
			return one, nil
		}
		if len(all) == maxMessages {
			return nil, fmt.Errorf("the array has more than %d messages; send fewer", maxMessages)
		}
		all = append(all, m)
	}
	if _, err := d.Token(); err != nil || len(bytes.TrimSpace(data[d.InputOffset():])) > 0 {
		return one, nil
	}
	return all, nil
}

func methods(sd protoreflect.ServiceDescriptor) string {
	var names []string
	for i := range sd.Methods().Len() {
		names = append(names, string(sd.Methods().Get(i).Name()))
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// payload returns the data that a request sends, as it is written.
func (s *Spec) payload(ctx context.Context, q Request) (data []byte, isJSON bool, err error) {
	switch {
	case q.JSON != nil:
		return q.JSON, true, nil
	case q.Command == "" && q.File == "":
		return []byte(q.Body), false, nil
	case q.File != "":
		data, err := input.ReadFile(filepath.Join(s.dir, q.File), maxFile)
		return data, filepath.Ext(q.File) == ".json", err
	}
	words, err := mode.SplitWords(q.Command)
	if err != nil || len(words) == 0 {
		return nil, false, fmt.Errorf("command %q: %w", q.Command, err)
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	stdout, stderr := &bounded{limit: maxFile}, &bounded{limit: 4 << 10}
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir, stdout, stderr
	err = cmd.Run()
	if stdout.over {
		return nil, false, fmt.Errorf("command %q prints more than %d MiB; send less", q.Command, maxFile>>20)
	}
	if err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(string(stderr.kept)), "\n")
		return nil, false, fmt.Errorf("command %q: %w: %s", q.Command, err, first)
	}
	return stdout.kept, true, nil
}

// A bounded writer keeps the beginning of its input.
type bounded struct {
	kept  []byte
	limit int
	over  bool
}

func (b *bounded) Write(p []byte) (int, error) {
	n := min(len(p), b.limit-len(b.kept))
	b.kept = append(b.kept, p[:n]...)
	b.over = b.over || n < len(p)
	return len(p), nil
}

// readDescriptors reads a FileDescriptorSet.
func readDescriptors(name string) (*protoregistry.Files, error) {
	data, err := input.ReadFile(name, maxSpec) // what it describes takes many times as much
	if err != nil {
		return nil, err
	}
	set := new(descriptorpb.FileDescriptorSet)
	if err := proto.Unmarshal(data, set); err != nil {
		return nil, fmt.Errorf("%s is not a FileDescriptorSet; make one with protoc --include_imports --descriptor_set_out", name)
	}
	files, err := protodesc.NewFiles(set)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; was it made with --include_imports?", name, err)
	}
	return files, nil
}

func findService(files *protoregistry.Files, service string) (protoreflect.ServiceDescriptor, error) {
	d, err := files.FindDescriptorByName(protoreflect.FullName(service))
	if sd, ok := d.(protoreflect.ServiceDescriptor); ok && err == nil {
		return sd, nil
	}
	var names []string
	files.RangeFiles(func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			names = append(names, string(f.Services().Get(i).FullName()))
		}
		return true
	})
	slices.Sort(names)
	return nil, fmt.Errorf("there is no service %s; there are %s", service, strings.Join(names, ", "))
}

// errNoReflection reports a server without a reflection service.
var errNoReflection = errors.New(`the server has no reflection service; register google.golang.org/grpc/reflection, or name a file as "descriptors"`)

// reflected asks the server what a service looks like.
func (g *grpcConns) reflected(ctx context.Context, service string) (protoreflect.ServiceDescriptor, error) {
	stream, err := reflectionpb.NewServerReflectionClient(g.conns[0]).ServerReflectionInfo(ctx)
	if err != nil {
		return nil, err
	}
	defer stream.CloseSend()
	set := new(descriptorpb.FileDescriptorSet)
	ask := func(q *reflectionpb.ServerReflectionRequest) (*reflectionpb.ServerReflectionResponse, error) {
		if err := stream.Send(q); err != nil && status.Code(err) != codes.Unimplemented {
			_, err = stream.Recv() // which has the reason
			return nil, noReflection(err)
		}
		answer, err := stream.Recv()
		return answer, noReflection(err)
	}
	add := func(q *reflectionpb.ServerReflectionRequest) error {
		answer, err := ask(q)
		if err != nil {
			return err
		}
		if e := answer.GetErrorResponse(); e != nil {
			return errors.New(e.GetErrorMessage())
		}
		for _, data := range answer.GetFileDescriptorResponse().GetFileDescriptorProto() {
			f := new(descriptorpb.FileDescriptorProto)
			if err := proto.Unmarshal(data, f); err != nil {
				return fmt.Errorf("the server's descriptor is not a FileDescriptorProto: %w", err)
			}
			if !slices.ContainsFunc(set.File, func(g *descriptorpb.FileDescriptorProto) bool { return g.GetName() == f.GetName() }) {
				set.File = append(set.File, f)
			}
		}
		return nil
	}
	err = add(&reflectionpb.ServerReflectionRequest{MessageRequest: &reflectionpb.ServerReflectionRequest_FileContainingSymbol{FileContainingSymbol: service}})
	if errors.Is(err, errNoReflection) {
		return nil, err
	}
	if err != nil {
		answer, _ := ask(&reflectionpb.ServerReflectionRequest{MessageRequest: &reflectionpb.ServerReflectionRequest_ListServices{}})
		var names []string
		for _, s := range answer.GetListServicesResponse().GetService() {
			names = append(names, s.GetName())
		}
		return nil, fmt.Errorf("the server has no service %s; it has %s", service, strings.Join(names, ", "))
	}
	// Servers may leave out what a file imports.
	for i := 0; i < len(set.File); i++ {
		for _, name := range set.File[i].GetDependency() {
			if slices.ContainsFunc(set.File, func(g *descriptorpb.FileDescriptorProto) bool { return g.GetName() == name }) {
				continue
			}
			if err := add(&reflectionpb.ServerReflectionRequest{MessageRequest: &reflectionpb.ServerReflectionRequest_FileByFilename{FileByFilename: name}}); err != nil {
				return nil, fmt.Errorf("the server does not describe %s: %w", name, err)
			}
		}
	}
	files, err := protodesc.NewFiles(set)
	if err != nil {
		return nil, err
	}
	return findService(files, service)
}

func noReflection(err error) error {
	if status.Code(err) == codes.Unimplemented {
		return errNoReflection
	}
	return err
}
