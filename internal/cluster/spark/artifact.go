package spark

import (
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"runtime"

	"google.golang.org/grpc"

	"symmom/internal/cluster/spark/connect"
)

// chunk is how much of a program is sent at a time, as Spark's own clients do.
const chunk = 32 << 10

// send sends this program to the cluster as a file of the session, once. Executors get
// it with their first task.
func (e *Engine) send(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.sent || e.worker != "" {
		return nil
	}
	if runtime.GOOS != "linux" {
		return fmt.Errorf("%s: this program is for %s, and executors run Linux: put symmom for Linux on each of them, and name its path as that of the worker", e.Name(), runtime.GOOS)
	}
	name, err := os.Executable()
	if err != nil {
		return err
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	call, heard, end := e.attend(ctx)
	defer end()
	stream, err := e.conn.NewStream(call, &grpc.StreamDesc{ClientStreams: true}, service+"AddArtifacts")
	if err != nil {
		return e.fail(call, err)
	}
	buffer := make([]byte, chunk)
	chunks := (info.Size() + chunk - 1) / chunk
	for k := range chunks {
		n, err := io.ReadFull(f, buffer[:min(chunk, info.Size()-k*chunk)])
		if err != nil {
			return fmt.Errorf("%s: cannot be read: %w", name, err)
		}
		part := &connect.AddArtifactsRequest_ArtifactChunk{Data: buffer[:n], Crc: int64(crc32.ChecksumIEEE(buffer[:n]))}
		request := &connect.AddArtifactsRequest{SessionId: e.now(), UserContext: e.by(), ClientType: agent()}
		if k == 0 {
			request.Payload = &connect.AddArtifactsRequest_BeginChunk{BeginChunk: &connect.AddArtifactsRequest_BeginChunkedArtifact{Name: "files/" + e.program(), TotalBytes: info.Size(), NumChunks: chunks, InitialChunk: part}}
		} else {
			request.Payload = &connect.AddArtifactsRequest_Chunk{Chunk: part}
		}
		if err := stream.SendMsg(request); err != nil {
			break // RecvMsg says why
		}
		heard()
	}
	_ = stream.CloseSend()
	reply := &connect.AddArtifactsResponse{}
	if err := stream.RecvMsg(reply); err != nil {
		return e.fail(call, err)
	}
	for _, a := range reply.GetArtifacts() {
		if !a.GetIsCrcSuccessful() {
			return fmt.Errorf("%s: this program did not arrive whole; try again", e.Name())
		}
	}
	e.sent = true
	return nil
}
