package kernel

import (
	"os"
	"runtime"

	"github.com/shirou/gopsutil/v4/cpu"
	"github.com/shirou/gopsutil/v4/mem"
	"github.com/shirou/gopsutil/v4/process"
)

// connect returns the ports that the kernel listens on.
func (k *kernel) connect(*shell, *message) dict {
	reply := dict{}
	for name, port := range k.config.Connection.ports() {
		reply[name] = port
	}
	return ok(reply)
}

// usage returns the kernel's use of the machine, under the names of ipykernel, for
// clients that show it. Values that the system does not report are left out.
func (k *kernel) usage(*shell, *message) dict {
	reply := dict{"pid": os.Getpid(), "cpu_count": runtime.NumCPU()}
	if name, err := os.Hostname(); err == nil {
		reply["hostname"] = name
	}
	if p, err := process.NewProcess(int32(os.Getpid())); err == nil {
		if share, err := p.CPUPercent(); err == nil { // since the process began
			reply["kernel_cpu"] = share
		}
		if m, err := p.MemoryInfo(); err == nil {
			reply["kernel_memory"] = m.RSS
		}
	}
	if share, err := cpu.Percent(0, false); err == nil && len(share) > 0 {
		reply["host_cpu_percent"] = share[0]
	}
	if m, err := mem.VirtualMemory(); err == nil {
		reply["host_virtual_memory"] = dict{"total": m.Total, "available": m.Available, "used": m.Used, "free": m.Free, "percent": m.UsedPercent}
	}
	return ok(reply)
}
