// Package pb has the messages of a service, in the shape that protoc-gen-go gives them.
package pb

import "google.golang.org/grpc"

type User struct {
	Id     int64
	Name   string
	Email  string
	Tags   []string
	Friend *User
}

func (x *User) Reset()         { *x = User{} }
func (x *User) String() string { return x.GetName() }
func (*User) ProtoMessage()    {}

func (x *User) GetId() int64 {
	if x != nil {
		return x.Id
	}
	return 0
}

func (x *User) GetName() string {
	if x != nil {
		return x.Name
	}
	return ""
}

func (x *User) GetEmail() string {
	if x != nil {
		return x.Email
	}
	return ""
}

func (x *User) GetTags() []string {
	if x != nil {
		return x.Tags
	}
	return nil
}

func (x *User) GetFriend() *User {
	if x != nil {
		return x.Friend
	}
	return nil
}

type PutRequest struct {
	Name   string
	Owner  *User
	Users  []*User
	Tags   []string
	Data   []byte
	Limit  *int32
	Labels map[string]string
	Source isPutRequest_Source
}

func (x *PutRequest) Reset()         { *x = PutRequest{} }
func (x *PutRequest) String() string { return x.GetName() }
func (*PutRequest) ProtoMessage()    {}

func (x *PutRequest) GetName() string {
	if x != nil {
		return x.Name
	}
	return ""
}

func (x *PutRequest) GetOwner() *User {
	if x != nil {
		return x.Owner
	}
	return nil
}

func (x *PutRequest) GetUsers() []*User {
	if x != nil {
		return x.Users
	}
	return nil
}

func (x *PutRequest) GetTags() []string {
	if x != nil {
		return x.Tags
	}
	return nil
}

func (x *PutRequest) GetData() []byte {
	if x != nil {
		return x.Data
	}
	return nil
}

func (x *PutRequest) GetLimit() int32 {
	if x != nil && x.Limit != nil {
		return *x.Limit
	}
	return 0
}

func (x *PutRequest) GetLabels() map[string]string {
	if x != nil {
		return x.Labels
	}
	return nil
}

func (x *PutRequest) GetSource() isPutRequest_Source {
	if x != nil {
		return x.Source
	}
	return nil
}

func (x *PutRequest) GetFile() string {
	if x, ok := x.GetSource().(*PutRequest_File); ok {
		return x.File
	}
	return ""
}

type isPutRequest_Source interface{ isPutRequest_Source() }

type PutRequest_File struct{ File string }

type PutRequest_Import struct{ Import *User }

func (*PutRequest_File) isPutRequest_Source()   {}
func (*PutRequest_Import) isPutRequest_Source() {}

type PutReply struct {
	Count int64
	Name  string
	First *User
}

func (x *PutReply) Reset()         { *x = PutReply{} }
func (x *PutReply) String() string { return x.GetName() }
func (*PutReply) ProtoMessage()    {}

func (x *PutReply) GetCount() int64 {
	if x != nil {
		return x.Count
	}
	return 0
}

func (x *PutReply) GetName() string {
	if x != nil {
		return x.Name
	}
	return ""
}

func (x *PutReply) GetFirst() *User {
	if x != nil {
		return x.First
	}
	return nil
}

// A Ping is flat: it has numbers, strings and bytes only.
type Ping struct {
	state         int
	unknownFields []byte

	Seq  int64
	Text string
	Data []byte
}

func (x *Ping) Reset()         { *x = Ping{} }
func (x *Ping) String() string { return x.GetText() }
func (*Ping) ProtoMessage()    {}

func (x *Ping) GetText() string {
	if x != nil {
		return x.Text
	}
	return ""
}

type Users_ChatServer interface {
	Recv() (*PutRequest, error)
	Send(*PutReply) error
}

// What protoc-gen-go-grpc generates: an alias for a method of its own type, an interface before.
type Users_ImportServer = grpc.ClientStreamingServer[PutRequest, PutReply]

type UnimplementedUsersServer struct{}

func RegisterUsersServer(s grpc.ServiceRegistrar, srv any) {
	s.RegisterService(&grpc.ServiceDesc{ServiceName: "users.Users"}, srv)
}
