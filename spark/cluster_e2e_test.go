//go:build e2e

package spark_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"symmom/internal/test/s3server"
	"symmom/spark"
)

// TestMain is a worker where Spark starts the test as one.
func TestMain(m *testing.M) {
	spark.Worker()
	os.Exit(m.Run())
}

// cluster is a standalone cluster of Spark: a master, two workers of one processor each,
// and a Connect server, from the wheel of pyspark.
type cluster struct {
	t       *testing.T
	home    string
	dir     string
	master  int
	ui      int
	connect int
	server  *exec.Cmd // of Spark Connect
	workers []*exec.Cmd
}

// patience is how long a server of Java may take to start on a busy machine.
const patience = 3 * time.Minute

// quick has Java compile without much ado: the servers do not live long.
const quick = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

func start(t *testing.T) *cluster {
	t.Helper()
	python := os.Getenv("SYMMOM_PYTHON")
	if python == "" {
		t.Fatal("SYMMOM_PYTHON is not set: run make check, or give it the path of .venv/bin/python")
	}
	if out, err := exec.Command("java", "-version").CombinedOutput(); err != nil {
		t.Fatalf("Java cannot be run (%v): Spark needs Java 17 or later, which scripts/setup.sh installs: %s", err, out)
	}
	homes, err := filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(python)), "lib", "python3*", "site-packages", "pyspark"))
	if err != nil || len(homes) != 1 {
		t.Fatalf("pyspark is not in the environment of %s (%v): run scripts/setup.sh", python, err)
	}
	c := &cluster{t: t, home: homes[0], dir: t.TempDir(), master: s3server.Take(t), ui: s3server.Take(t), connect: s3server.Take(t)}
	c.run("master", "spark-class", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", strconv.Itoa(c.master), "--webui-port", strconv.Itoa(s3server.Take(t)))
	c.await(c.master)
	c.addWorker()
	c.addWorker()
	c.server = c.run("connect", "spark-submit", "--master", fmt.Sprintf("spark://127.0.0.1:%d", c.master), "--driver-memory", "600m",
		"--driver-java-options", quick, "--conf", "spark.executor.extraJavaOptions="+quick, "--conf", "spark.executor.memory=512m", "--conf", "spark.ui.port="+strconv.Itoa(c.ui), "--conf", "spark.driver.host=127.0.0.1",
		"--conf", "spark.connect.grpc.binding.address=127.0.0.1", "--conf", "spark.connect.grpc.binding.port="+strconv.Itoa(c.connect),
		"--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal")
	c.await(c.connect)
	c.awaitExecutors(2)
	return c
}

func (c *cluster) url() string { return fmt.Sprintf("sc://127.0.0.1:%d", c.connect) }

// run starts a program of Spark in a process group of its own, which ends with the
// test.
func (c *cluster) run(name, program string, args ...string) *exec.Cmd {
	c.t.Helper()
	log, err := os.Create(filepath.Join(c.dir, name+".log"))
	if err != nil {
		c.t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.Command(filepath.Join(c.home, "bin", program), args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.dir, log, log
	cmd.Env = append(os.Environ(), "SPARK_HOME="+c.home, "SPARK_LOCAL_IP=127.0.0.1", "SPARK_LOCAL_DIRS="+c.dir, "SPARK_DAEMON_JAVA_OPTS="+quick)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() {
		kill(cmd)
		if c.t.Failed() {
			text, _ := os.ReadFile(log.Name())
			c.t.Logf("%s printed: %s", name, text[max(0, len(text)-3000):])
		}
	})
	return cmd
}

// kill kills a program and its children, and waits for it.
func kill(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	_ = cmd.Wait()
}

// addWorker starts another worker, on which Spark starts an executor.
func (c *cluster) addWorker() {
	c.t.Helper()
	k := strconv.Itoa(len(c.workers))
	c.workers = append(c.workers, c.run("worker"+k, "spark-class", "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "1g",
		"--work-dir", filepath.Join(c.dir, "work"+k), "--webui-port", strconv.Itoa(s3server.Take(c.t)), fmt.Sprintf("spark://127.0.0.1:%d", c.master)))
}

// await waits for a server to listen.
func (c *cluster) await(port int) {
	c.t.Helper()
	for began := time.Now(); time.Since(began) < patience; time.Sleep(100 * time.Millisecond) {
		if conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			conn.Close()
			return
		}
	}
	c.t.Fatalf("nothing listens on port %d after %v", port, patience)
}

// ask asks the cluster's REST API about its application.
func (c *cluster) ask(what string, to any) error {
	base := fmt.Sprintf("http://127.0.0.1:%d/api/v1/applications", c.ui)
	var apps []struct{ ID string }
	if err := get(base, &apps); err != nil || len(apps) != 1 {
		return fmt.Errorf("%d applications (%v)", len(apps), err)
	}
	return get(base+"/"+apps[0].ID+what, to)
}

func get(url string, to any) error {
	r, err := http.Get(url)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	return json.NewDecoder(r.Body).Decode(to)
}

// awaitExecutors waits until the application has so many executors.
func (c *cluster) awaitExecutors(want int) {
	c.t.Helper()
	got := 0
	for began := time.Now(); time.Since(began) < patience; time.Sleep(200 * time.Millisecond) {
		var all []struct {
			ID       string
			IsActive bool
		}
		got = 0
		if c.ask("/executors", &all) == nil {
			for _, e := range all {
				if e.IsActive && e.ID != "driver" {
					got++
				}
			}
		}
		if got == want {
			return
		}
	}
	c.t.Fatalf("%d executors, want %d", got, want)
}

// jobs returns how many jobs there are, of a status or "" for any.
func (c *cluster) jobs(status string) int {
	c.t.Helper()
	var jobs []struct{ Status string }
	if status != "" {
		status = "?status=" + status
	}
	if err := c.ask("/jobs"+status, &jobs); err != nil {
		c.t.Fatal(err)
	}
	return len(jobs)
}

// alive reports whether a process is there and no zombie.
func alive(pid int) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(status), ") Z ")
}

// executor returns the process of an executor that a worker started, or 0.
func (c *cluster) executor(worker int) int { return c.java(worker, "CoarseGrainedExecutorBackend") }

// java returns the process with a class in its command that belongs to a worker, or 0.
func (c *cluster) java(worker int, class string) int {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		pid, _ := strconv.Atoi(filepath.Base(dir))
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		group, _ := syscall.Getpgid(pid)
		if group == c.workers[worker].Process.Pid && strings.Contains(string(line), class) && strings.Contains(string(line), "java\x00") {
			return pid
		}
	}
	return 0
}
