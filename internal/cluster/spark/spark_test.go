package spark

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"symmom/internal/cluster/spark/connect"
	"symmom/internal/system/clock"
	"symmom/internal/test/s3server"
	"symmom/internal/test/slow"
)

// batch returns texts as Spark sends them.
func batch(t *testing.T, texts ...string) []byte {
	t.Helper()
	schema := arrow.NewSchema([]arrow.Field{{Name: "answer", Type: arrow.BinaryTypes.String}}, nil)
	b := array.NewStringBuilder(memory.DefaultAllocator)
	b.AppendValues(texts, nil)
	var out bytes.Buffer
	w := ipc.NewWriter(&out, ipc.WithSchema(schema))
	if err := errors.Join(w.Write(array.NewRecordBatch(schema, []arrow.Array{b.NewArray()}, int64(len(texts)))), w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// server is a Spark Connect server with scripted answers.
type server struct {
	execute     func(*connect.ExecutePlanRequest, grpc.ServerStream) error
	received    bytes.Buffer
	headers     metadata.MD
	interrupted atomic.Value
	hangs       atomic.Bool // it answers nothing
	at          string      // its address, or any
	released    atomic.Bool
}

// hang returns when the server hangs no longer.
func (s *server) hang() {
	for s.hangs.Load() {
		time.Sleep(time.Millisecond)
	}
}

func (s *server) start(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", cmp.Or(s.at, "127.0.0.1:0"))
	if err != nil {
		t.Fatal(err)
	}
	unary := func(name string, request func() any, do func(any) any) grpc.MethodDesc {
		return grpc.MethodDesc{MethodName: name, Handler: func(_ any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
			r := request()
			if err := decode(r); err != nil {
				return nil, err
			}
			return do(r), nil
		}}
	}
	g := grpc.NewServer()
	g.RegisterService(&grpc.ServiceDesc{
		ServiceName: "spark.connect.SparkConnectService",
		Methods: []grpc.MethodDesc{
			unary("Interrupt", func() any { return &connect.InterruptRequest{} }, func(r any) any {
				s.hang()
				s.interrupted.Store(r.(*connect.InterruptRequest).GetOperationId())
				return &connect.InterruptResponse{}
			}),
			unary("ReleaseSession", func() any { return &connect.ReleaseSessionRequest{} }, func(any) any {
				s.hang()
				s.released.Store(true)
				return &connect.ReleaseSessionResponse{}
			}),
		},
		Streams: []grpc.StreamDesc{
			{StreamName: "ExecutePlan", ServerStreams: true, Handler: func(_ any, stream grpc.ServerStream) error {
				r := &connect.ExecutePlanRequest{}
				if err := stream.RecvMsg(r); err != nil {
					return err
				}
				s.headers, _ = metadata.FromIncomingContext(stream.Context())
				return s.execute(r, stream)
			}},
			{StreamName: "AddArtifacts", ClientStreams: true, Handler: func(_ any, stream grpc.ServerStream) error {
				for {
					r := &connect.AddArtifactsRequest{}
					if stream.RecvMsg(r) != nil {
						break
					}
					s.received.Write(r.GetBeginChunk().GetInitialChunk().GetData())
					s.received.Write(r.GetChunk().GetData())
				}
				return stream.SendMsg(&connect.AddArtifactsResponse{Artifacts: []*connect.AddArtifactsResponse_ArtifactSummary{{Name: "files/symmom", IsCrcSuccessful: true}}})
			}},
		},
	}, nil)
	go func() { _ = g.Serve(l) }()
	t.Cleanup(g.Stop)
	return "sc://" + l.Addr().String()
}

func TestRun(t *testing.T) {
	s := &server{execute: func(r *connect.ExecutePlanRequest, stream grpc.ServerStream) error {
		sql := r.GetPlan().GetRoot().GetSql()
		want := `SELECT answer FROM (SELECT TRANSFORM(concat(:message, ' ', id)) ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t' USING 'exec \'/opt/it\'\\\'\'s/symmom\' worker' AS (split INT, answer STRING) ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t' FROM range(0, 3, 1, 3))`
		if sql.GetQuery() != want || sql.GetNamedArguments()["message"].GetLiteral().GetString_() != "do this" {
			return fmt.Errorf("the query is %s", sql.GetQuery())
		}
		progress := &connect.ExecutePlanResponse_ExecutionProgress{Stages: []*connect.ExecutePlanResponse_ExecutionProgress_StageInfo{{NumTasks: 3, NumCompletedTasks: 2}}}
		return errors.Join(stream.SendMsg(&connect.ExecutePlanResponse{ArrowBatch: &connect.ExecutePlanResponse_ArrowBatch{Data: batch(t, "a", "b")}}),
			stream.SendMsg(&connect.ExecutePlanResponse{ExecutionProgress: progress}),
			stream.SendMsg(&connect.ExecutePlanResponse{ArrowBatch: &connect.ExecutePlanResponse_ArrowBatch{Data: batch(t, "c")}}))
	}}
	e, err := Open(s.start(t)+"/;user_id=someone;x-cluster=7", "/opt/it's/symmom")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	seen := 0
	err = e.Run(t.Context(), "do this", 3, 0, func(k int) { seen = k }, func(line string) error { got = append(got, line); return nil })
	if err != nil || !slices.Equal(got, []string{"a", "b", "c"}) || seen != 2 {
		t.Errorf("%q, %d, %v", got, seen, err)
	}
	if v := s.headers.Get("x-cluster"); !slices.Equal(v, []string{"7"}) {
		t.Errorf("headers %v", s.headers)
	}
	if s.received.Len() > 0 {
		t.Error("the program was sent though the worker is there")
	}
	// The error of an answer ends the query there.
	wrong := errors.New("wrong")
	if err := e.Run(t.Context(), "do this", 3, 0, nil, func(string) error { return wrong }); err != wrong || s.interrupted.Load() == nil {
		t.Errorf("%v, interrupted: %v", err, s.interrupted.Load())
	}
	if e.Close(); !s.released.Load() {
		t.Error("the session is still there")
	}
}

// Without a path the program itself is sent, once.
func TestSend(t *testing.T) {
	s := &server{execute: func(*connect.ExecutePlanRequest, grpc.ServerStream) error { return nil }}
	e, err := Open(s.start(t), "")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := e.Run(t.Context(), "do this", 1, 0, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if want, err := os.ReadFile(name); err != nil || !bytes.Equal(s.received.Bytes(), want) {
		t.Errorf("%d bytes were sent, want %d (%v)", s.received.Len(), len(want), err)
	}
}

func TestErrors(t *testing.T) {
	long := strings.Repeat("stack of Java\n", 1000)
	for want, err := range map[string]error{
		"cannot be reached (refused); check that a Spark Connect server runs there": status.Error(codes.Unavailable, "refused"),
		"check token and user_id":                     status.Error(codes.Unauthenticated, "who?"),
		"cannot be started on the executors":          status.Error(codes.Internal, "Subprocess exited with status 127"),
		"give executors more (spark.executor.memory)": status.Error(codes.Internal, "SparkOutOfMemoryError: [UNABLE_TO_ACQUIRE_MEMORY] Unable to acquire"),
		"stack of Java stack of Java":                 status.Error(codes.Internal, long),
		"is not a column of text":                     nil,
	} {
		s := &server{execute: func(_ *connect.ExecutePlanRequest, stream grpc.ServerStream) error {
			if err != nil {
				return err
			}
			return stream.SendMsg(&connect.ExecutePlanResponse{ArrowBatch: &connect.ExecutePlanResponse_ArrowBatch{Data: []byte("no stream")}})
		}}
		e, opened := Open(s.start(t), "symmom")
		if opened != nil {
			t.Fatal(opened)
		}
		got := e.Run(t.Context(), "", 1, 0, nil, func(string) error { return nil })
		if got == nil || !strings.Contains(got.Error(), want) || strings.Contains(got.Error(), "\n") || len(got.Error()) > 1000 {
			t.Errorf("got %v, want %q", got, want)
		}
	}
	data := batch(t, "some text", "more")
	for i := range data { // whatever it gives, it does not panic
		_ = lines(data[:i], func(string) error { return nil })
	}
}

// A server that takes connections and does not answer is another program, or hangs.
func TestSilentServer(t *testing.T) {
	slow.Test(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	e, err := Open("sc://"+l.Addr().String(), "symmom")
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if err := e.Run(t.Context(), "", 1, 0, nil, func(string) error { return nil }); err == nil || !strings.Contains(err.Error(), "does not answer within 5s; check that it is a Spark Connect server") {
		t.Error(err)
	}
}

// A query that is interrupted ends at once, and on the server.
func TestInterrupt(t *testing.T) {
	began := make(chan string, 1)
	s := &server{execute: func(r *connect.ExecutePlanRequest, stream grpc.ServerStream) error {
		began <- r.GetOperationId()
		<-stream.Context().Done()
		return nil
	}}
	e, err := Open(s.start(t), "symmom")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	operation := ""
	go func() { operation = <-began; cancel() }()
	if err := e.Run(ctx, "", 1, 0, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if s.interrupted.Load() != operation || operation == "" {
		t.Errorf("interrupted %v, want %s", s.interrupted.Load(), operation)
	}
}

// A server that was started again, or has ended the session, gets another one and the
// program; but not for ever.
func TestLost(t *testing.T) {
	slow.Test(t)
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		url, lost      string
		times          int // that it is
		sessions, sent int
	}{
		{"", "Subprocess exited with status 127. Error: symmom is not in /tmp/files .", 1, 2, 2},
		{"", "[INVALID_HANDLE.SESSION_CLOSED] The handle is invalid. Session was closed.", 1, 2, 2},
		{"/;session_id=00112233-4455-6677-8899-aabbccddeeff", "Subprocess exited with status 127. Error: .", 1, 1, 2},
		{"", "[INVALID_HANDLE.SESSION_NOT_FOUND] The handle is invalid. Session not found.", 9, 2, 2},
		{"", "Subprocess exited with status 1. Error: .", 9, 1, 1},
	} {
		sessions, left := map[string]bool{}, 0
		s := &server{execute: func(r *connect.ExecutePlanRequest, stream grpc.ServerStream) error {
			sessions[r.GetSessionId()] = true
			if left--; left >= 0 {
				return status.Error(codes.Internal, c.lost)
			}
			return stream.SendMsg(&connect.ExecutePlanResponse{ArrowBatch: &connect.ExecutePlanResponse_ArrowBatch{Data: batch(t, "a")}})
		}}
		e, err := Open(s.start(t)+c.url, "")
		if err != nil {
			t.Fatal(err)
		}
		run := func() (got []string, err error) {
			err = e.Run(t.Context(), "", 1, 0, nil, func(line string) error { got = append(got, line); return nil })
			return got, err
		}
		if got, err := run(); err != nil || len(got) != 1 {
			t.Fatal(got, err)
		}
		left = c.times
		got, err := run()
		if ok := c.times == 1; (err == nil) != ok || len(got) == 1 != ok || !ok && !strings.Contains(err.Error(), c.lost) {
			t.Errorf("%s: %q, %v", c.lost, got, err)
		}
		if sent := s.received.Len() / int(info.Size()); len(sessions) != c.sessions || sent != c.sent {
			t.Errorf("%s: %d sessions, the program was sent %d times", c.lost, len(sessions), sent)
		}
	}
}

// A server that is up again is reached at once: on a busy machine, on which a connection may
// take longer than the second that Run gives it, in one of a few trials.
func TestReconnect(t *testing.T) {
	slow.Test(t)
	trial := func() error {
		at := net.JoinHostPort("127.0.0.1", strconv.Itoa(s3server.Take(t)))
		e, err := Open("sc://"+at, "symmom")
		if err != nil {
			t.Fatal(err)
		}
		for range 5 { // so that the next attempt would be seconds away
			if err := e.Run(t.Context(), "", 1, 0, nil, nil); err == nil {
				t.Fatal("nobody is there")
			}
		}
		s := &server{execute: func(*connect.ExecutePlanRequest, grpc.ServerStream) error { return nil }, at: at}
		s.start(t)
		return e.Run(t.Context(), "", 1, 0, nil, nil)
	}
	err := trial()
	for tries := 1; err != nil && tries < 6; tries++ {
		t.Log(err)
		err = trial()
	}
	if err != nil {
		t.Error(err)
	}
}

// A server that hangs is an error in time, and one that computes for long is not. Interrupted,
// both let the program end within a second.
func TestSilent(t *testing.T) {
	slow.Test(t)
	start := func(silence time.Duration) (*server, *Engine) {
		s := &server{execute: func(_ *connect.ExecutePlanRequest, stream grpc.ServerStream) error {
			select {
			case <-stream.Context().Done():
			case <-time.After(3 * silence):
			}
			return nil
		}}
		e, err := Open(s.start(t), "symmom")
		if err != nil {
			t.Fatal(err)
		}
		e.silence = silence
		return s, e
	}
	silence := time.Second / 2
	s, e := start(silence)
	err := e.Run(t.Context(), "", 1, 0, nil, nil)
	for errors.Is(err, errSilent) && silence < time.Minute { // a busy machine may take longer to answer
		silence *= 4
		s, e = start(silence)
		err = e.Run(t.Context(), "", 1, 0, nil, nil)
	}
	if err != nil || s.interrupted.Load() == nil {
		t.Errorf("a server that computes: %v, was asked %v", err, s.interrupted.Load())
	}
	s, e = start(silence)
	s.hangs.Store(true)
	defer s.hangs.Store(false) // else its handlers never end
	if err := e.Run(t.Context(), "", 1, 0, nil, nil); !errors.Is(err, errSilent) {
		t.Errorf("a server that hangs: %v", err)
	}
	s, e = start(time.Minute)
	s.hangs.Store(true)
	defer s.hangs.Store(false)
	ctx, cancel := context.WithCancel(t.Context())
	var watch *clock.Watch
	time.AfterFunc(time.Second/2, func() { watch = clock.Start(); cancel() })
	if err := e.Run(ctx, "", 1, 0, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	e.Close()
	// It waits for two answers; half a second more for what a busy machine takes.
	if _, took := watch.Took(); took > 2*patience+700*time.Millisecond {
		t.Errorf("interrupted, it took %v", took)
	}
}

func TestURLs(t *testing.T) {
	for url, ok := range map[string]bool{
		"sc://host": true, "sc://host:15": true, "sc://host/": true, "sc://host/;token=t;use_ssl=true": true, "sc://[::1]:7": true,
		"host:15002": false, "spark://host:7077": false, "sc://": false, "sc://host/path": false, "sc://host/;token": false, "sc://host/;=x": false, "sc://u@host": false,
		"sc://host/;use_ssl=false": true, "sc://host/;use_ssl=True": true, "sc://host/;use_ssl=maybe": false,
	} {
		if _, err := Open(url, ""); (err == nil) != ok {
			t.Errorf("%s: %v", url, err)
		}
	}
	e, err := Open("sc://host/;token=secret", "")
	if err != nil || e.Name() != "Spark at host:15002" {
		t.Errorf("%v, %v", e, err)
	}
}
