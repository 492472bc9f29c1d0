// Package spark runs passes on Apache Spark: symmom's worker is the script of a query,
// SELECT TRANSFORM(message and id) USING 'symmom worker', on the executors, one task per
// split. Spark schedules and retries the tasks; the answers are streamed back. The client
// uses Spark Connect (connect/connect.proto).
package spark

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"symmom/internal/cluster/spark/connect"
)

// Engine is a session of Spark. It implements passes.Engine.
type Engine struct {
	address string
	token   string
	user    string
	headers []string     // further ones, keys and values
	worker  string       // on the executors; "": this program is sent
	session atomic.Value // string
	named   bool         // by the URL
	conn    *grpc.ClientConn

	// silence is the time without a message from the server after which it is probed,
	// and the time limit of the probe: a hung machine closes no connection.
	silence time.Duration

	mu   sync.Mutex
	sent bool // the program
}

// mostAnswer bounds the bytes of a message from the server: an answer of a worker can
// have no more.
const mostAnswer = 1 << 30

// Open prepares a session at a URL as Spark's own clients take it:
//
//	sc://host:port/;token=...;use_ssl=true;user_id=...
//
// Other parameters are sent as headers. worker is the path of symmom on the executors;
// "" sends this program to them. Nothing is sent yet.
func Open(where, worker string) (*Engine, error) {
	e := &Engine{worker: worker, silence: time.Minute, user: os.Getenv("USER")}
	u, err := url.Parse(where)
	if err != nil || u.Scheme != "sc" || u.Hostname() == "" || u.User != nil || u.RawQuery != "" {
		return nil, errors.New("want sc://HOST:PORT, and after it, if need be, /;token=TOKEN;use_ssl=true")
	}
	e.address = net.JoinHostPort(u.Hostname(), "15002")
	if u.Port() != "" {
		e.address = u.Host
	}
	path, parameters, _ := strings.Cut(u.Path, ";")
	if path != "" && path != "/" {
		return nil, errParameters
	}
	secure, err := e.configure(parameters)
	if err != nil {
		return nil, err
	}
	if !e.named {
		e.session.Store(id())
	}
	with := insecure.NewCredentials()
	if secure {
		with = credentials.NewTLS(nil)
	}
	e.conn, err = grpc.NewClient("passthrough:///"+e.address, grpc.WithTransportCredentials(with),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: backoff.DefaultConfig, MinConnectTimeout: greeting}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(mostAnswer), grpc.MaxCallSendMsgSize(mostAnswer)))
	return e, err
}

var errParameters = errors.New("want sc://HOST:PORT/;KEY=VALUE;KEY=VALUE: a part of it is none of these")

// configure takes over the parameters of a URL, and says whether they ask for TLS, which a token
// always has.
func (e *Engine) configure(parameters string) (secure bool, err error) {
	for part := range strings.SplitSeq(parameters, ";") {
		if part == "" {
			continue
		}
		key, value, _ := strings.Cut(part, "=")
		if key == "" || value == "" {
			return false, errParameters
		}
		switch key {
		case "token":
			e.token = value
		case "use_ssl":
			switch {
			case strings.EqualFold(value, "true"):
				secure = true
			case !strings.EqualFold(value, "false"):
				return false, errors.New("want use_ssl=true or use_ssl=false")
			}
		case "user_id":
			e.user = value
		case "session_id":
			e.named = true
			e.session.Store(value)
		default:
			e.headers = append(e.headers, strings.ToLower(key), value)
		}
	}
	return secure || e.token != "", nil
}

// id returns a random UUID, which Spark wants for sessions and operations.
func id() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func (e *Engine) now() string { return e.session.Load().(string) }

// Name returns "Spark at host:port".
func (e *Engine) Name() string { return "Spark at " + e.address }

// Close ends the session: what was sent to the cluster is removed there.
func (e *Engine) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_ = e.conn.Invoke(e.outgoing(ctx), service+"ReleaseSession", &connect.ReleaseSessionRequest{SessionId: e.now(), UserContext: e.by(), ClientType: agent()}, &connect.ReleaseSessionResponse{})
	_ = e.conn.Close()
}

const (
	service = "/spark.connect.SparkConnectService/"

	// patience limits the wait for the answer to an interrupt: the server stops without it,
	// too, and an interrupted program ends within a second.
	patience = 400 * time.Millisecond

	// greeting limits the wait for a server that takes the connection.
	greeting = 5 * time.Second
)

func (e *Engine) by() *connect.UserContext { return &connect.UserContext{UserId: e.user} }

func agent() *string {
	name := "symmom"
	return &name
}

func (e *Engine) outgoing(ctx context.Context) context.Context {
	pairs := e.headers
	if e.token != "" {
		pairs = append([]string{"authorization", "Bearer " + e.token}, pairs...)
	}
	return metadata.AppendToOutgoingContext(ctx, pairs...)
}

// Run has the executors answer a message; see passes.Engine. When ctx ends, it interrupts
// the query. If the server has forgotten the session, it starts another.
func (e *Engine) Run(ctx context.Context, message string, splits, fan int, done func(int), answer func(string) error) error {
	err := e.run(ctx, message, splits, fan, done, answer)
	var lost lostError
	if errors.As(err, &lost) {
		e.renew()
		err = e.run(ctx, message, splits, fan, done, answer)
	}
	return err
}

// lostError is the error of a session that the server has ended, or lost when it was
// started again; or it may be.
type lostError struct{ error }

func (l lostError) Unwrap() error { return l.error }

// renew has the next query be of another session, to which this program is sent.
func (e *Engine) renew() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sent = false
	if !e.named {
		e.session.Store(id())
	}
}

// reconnect has a connection that failed before be tried again now.
func (e *Engine) reconnect(ctx context.Context) {
	if e.conn.GetState() != connectivity.TransientFailure {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	e.conn.ResetConnectBackoff()
	e.conn.WaitForStateChange(ctx, connectivity.TransientFailure)
}

func (e *Engine) run(ctx context.Context, message string, splits, fan int, done func(int), answer func(string) error) error {
	e.reconnect(ctx)
	if err := e.send(ctx); err != nil {
		return err
	}
	operation := id()
	request := &connect.ExecutePlanRequest{SessionId: e.now(), UserContext: e.by(), ClientType: agent(), OperationId: &operation, Plan: e.query(message, splits, fan)}
	call, heard, end := e.attend(ctx)
	defer end()
	stream, err := e.conn.NewStream(call, &grpc.StreamDesc{ServerStreams: true}, service+"ExecutePlan")
	if err == nil {
		err = stream.SendMsg(request)
	}
	if err == nil {
		err = stream.CloseSend()
	}
	if err != nil {
		return e.fail(call, err)
	}
	ended := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		select {
		case <-ctx.Done():
			e.interrupt(operation)
		case <-ended:
		}
	}()
	defer func() { close(ended); <-stopped }()
	for {
		reply := &connect.ExecutePlanResponse{}
		switch err := stream.RecvMsg(reply); {
		case err == io.EOF:
			return ctx.Err()
		case err != nil:
			return e.fail(call, err)
		}
		heard()
		if p := reply.GetExecutionProgress(); p != nil && done != nil {
			tasks := 0
			for _, s := range p.GetStages() {
				tasks += int(s.GetNumCompletedTasks())
			}
			done(min(tasks, splits))
		}
		if b := reply.GetArrowBatch(); b != nil {
			if err := lines(b.GetData(), answer); err != nil {
				e.interrupt(operation)
				return err
			}
		}
	}
}

// query runs the worker on each split in a task of its own, and, unless fan is 0, on the
// answers of each fan splits in a row.
func (e *Engine) query(message string, splits, fan int) *connect.Plan {
	script, tabs := inSQL(e.script()), `ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t'`
	sql := fmt.Sprintf("SELECT TRANSFORM(concat(:message, ' ', id)) %[3]s USING '%[1]s' AS (split INT, answer STRING) %[3]s FROM range(0, %[2]d, 1, %[2]d)", script, splits, tabs)
	if fan == 0 {
		sql = "SELECT answer FROM (" + sql + ")"
	} else {
		sql = fmt.Sprintf("SELECT TRANSFORM(split, answer) %[4]s USING '%[1]s' AS (answer STRING) %[4]s FROM (SELECT split, answer FROM (%[2]s) DISTRIBUTE BY split DIV %[3]d SORT BY split)", script, sql, fan, tabs)
	}
	literal := &connect.Expression{Literal: &connect.Expression_Literal{String_: message}}
	return &connect.Plan{Root: &connect.Relation{Sql: &connect.SQL{Query: sql, NamedArguments: map[string]*connect.Expression{"message": literal}}}}
}

// script starts the worker. Spark puts the directory of files that were sent
// at the end of the PATH of scripts, and those of a session in a directory of its own
// there. (Spark itself substitutes what stands in ${...}.)
func (e *Engine) script() string {
	if e.worker != "" {
		return "exec " + inShell(e.worker) + " worker"
	}
	name := e.program()
	return `d=$(echo "$PATH" | sed "s/.*://"); for f in "$d"/` + name + ` "$d"/*/` + name + `; do if [ -x "$f" ]; then exec "$f" worker; fi; done; echo "symmom is not in $d" >&2; exit 127`
}

// program is the name of this program on the cluster.
func (e *Engine) program() string { return "symmom-" + e.now() }

// inShell quotes a word for sh, inSQL a text for a literal of Spark SQL.
func inShell(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func inSQL(s string) string {
	return strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s)
}

// interrupt ends an operation on the server, within its patience.
func (e *Engine) interrupt(operation string) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_ = e.tell(e.outgoing(ctx), operation)
}

// tell tells the server to interrupt an operation, and waits for its answer.
func (e *Engine) tell(call context.Context, operation string) error {
	request := &connect.InterruptRequest{SessionId: e.now(), UserContext: e.by(), ClientType: agent(), InterruptType: connect.InterruptRequest_OPERATION_ID, OperationId: operation}
	return e.conn.Invoke(call, service+"Interrupt", request, &connect.InterruptResponse{})
}

// fail says on one line what the server says, and what to do.
func (e *Engine) fail(ctx context.Context, err error) error {
	switch {
	case context.Cause(ctx) == errSilent:
		return fmt.Errorf("%s: %w for %v; check the server and the network", e.Name(), errSilent, 2*e.silence)
	case ctx.Err() != nil:
		return ctx.Err()
	}
	s := status.Convert(err)
	text := strings.Join(strings.Fields(s.Message()), " ")
	const most = 600
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + " ..."
	}
	switch {
	case strings.Contains(text, "INVALID_HANDLE.SESSION"):
		return lostError{fmt.Errorf("%s: %s", e.Name(), text)}
	case s.Code() == codes.Unavailable && strings.Contains(text, "server preface"):
		return fmt.Errorf("%s: takes connections and does not answer within %v; check that it is a Spark Connect server, and use_ssl in the URL", e.Name(), greeting)
	case s.Code() == codes.Unavailable:
		return fmt.Errorf("%s: cannot be reached (%s); check that a Spark Connect server runs there", e.Name(), text)
	case s.Code() == codes.Unauthenticated, s.Code() == codes.PermissionDenied:
		return fmt.Errorf("%s: does not let this user in (%s); check token and user_id in the URL", e.Name(), text)
	case strings.Contains(text, "No such file or directory") && e.worker != "", strings.Contains(text, "status 127"), strings.Contains(text, "status 126"):
		if e.worker == "" {
			return lostError{fmt.Errorf("%s: this program was sent and cannot be started on the executors: put symmom for their system on each of them, and name its path as that of the worker (%s)", e.Name(), text)}
		}
		return fmt.Errorf("%s: the worker cannot be started on the executors; check the path of the worker, or name none and this program is sent (%s)", e.Name(), text)
	}
	for _, sign := range []string{"UNABLE_TO_ACQUIRE_MEMORY", "OutOfMemory", "exited with code 52", "exited with code 137"} {
		if strings.Contains(text, sign) {
			return fmt.Errorf("%s: an executor has too little memory for sums as large as these: give executors more (spark.executor.memory), or take a lower order or rank (%s)", e.Name(), text)
		}
	}
	return fmt.Errorf("%s: %s", e.Name(), text)
}
