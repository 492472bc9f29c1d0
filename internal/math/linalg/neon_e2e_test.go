//go:build e2e

package linalg

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// instruction is one of a program for arm64.
type instruction struct {
	address uint64
	code    uint32
}

func (i instruction) is(mask, code uint32) bool { return i.code&mask == code }

// multiplyAdd: by vector or by element, of two float64.
func (i instruction) multiplyAdd() bool {
	return i.is(0xffe0fc00, 0x4e60cc00) || i.is(0xffc0f400, 0x4fc01000)
}

// loads returns the registers for vectors that it loads.
func (i instruction) loads() int {
	switch {
	case i.is(0x3e400000, 0x2c400000): // ldp
		return 2
	case i.is(0x3e400000, 0x3c400000): // ldr
		return 1
	}
	return 0
}

// jump returns where it goes if the counter of a loop is not zero.
func (i instruction) jump() (uint64, bool) {
	offset := int64(int32(i.code<<8)>>13) * 4
	return i.address + uint64(offset), i.is(0xff00001f, 0x54000001)
}

// neonLoops returns the loops of the kernels that multiply and have no other inside.
func neonLoops(t *testing.T) (names []string, loops [][]instruction) {
	binary := filepath.Join(t.TempDir(), "linalg.test")
	build := exec.Command("go", "test", "-c", "-o", binary, ".")
	build.Env = append(os.Environ(), "GOARCH=arm64", "GOOS=linux", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command("go", "tool", "objdump", "-s", `linalg\.\w+NEON(\.abi0)?$`, binary).Output()
	if err != nil {
		t.Fatal(err)
	}
	name, code := "", []instruction(nil)
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) > 1 && fields[0] == "TEXT" {
			name, code = strings.TrimPrefix(fields[1], "symmom/internal/math/linalg."), nil
			name = name[:strings.Index(name, "NEON")]
			continue
		}
		if len(fields) < 3 {
			continue
		}
		address, err1 := strconv.ParseUint(fields[1], 0, 64)
		word, err2 := strconv.ParseUint(fields[2], 16, 32)
		if err1 != nil || err2 != nil {
			t.Fatalf("objdump: %q", lines.Text())
		}
		i := instruction{address, uint32(word)}
		code = append(code, i)
		to, ok := i.jump()
		if !ok || to < code[0].address || to >= address {
			continue
		}
		loop, sums := code[len(code)-1-int(address-to)/4:], 0
		for k, i := range loop {
			if _, jumps := i.jump(); jumps && k < len(loop)-1 {
				sums = -1 << 30
			}
			if i.multiplyAdd() {
				sums++
			}
		}
		if sums > 0 {
			names, loops = append(names, name), append(loops, loop)
		}
	}
	return names, loops
}

// bench/NEON.md has what the inner loops of the tiles and slabs are made of: as no
// processor is at hand to measure them on, that is counted.
func TestNEONInstructions(t *testing.T) {
	names, loops := neonLoops(t)
	multiplyAdds := func(k int) (n int) {
		for _, i := range loops[k] {
			if i.multiplyAdd() {
				n++
			}
		}
		return n
	}
	page, err := os.ReadFile("../../../bench/NEON.md")
	if err != nil {
		t.Fatal(err)
	}
	rows, columns, last := 0, 0, ""
	for k, name := range names {
		adds, loads := multiplyAdds(k), 0
		for _, i := range loops[k] {
			loads += i.loads()
		}
		if k == 0 || names[k-1] != name {
			columns = 0
		}
		counts := fmt.Sprintf("%d | %d | %d | %.2f |", 2*adds, loads, len(loops[k]), float64(len(loops[k]))/float64(2*adds))
		switch {
		case !strings.HasPrefix(name, "dot") && !strings.HasPrefix(name, "add") && !strings.HasPrefix(name, "slab"), name == "dotv":
			continue
		case adds < 8 || strings.HasPrefix(name, "add") && k+1 < len(names) && names[k+1] == name && multiplyAdds(k+1) > adds:
			continue // not the longest strip
		case counts == last:
			continue // the other half of a panel
		}
		rows, columns, last = rows+1, columns+1, counts
		if row := fmt.Sprintf("| %s | %d | %s", name, columns, counts); !strings.Contains(string(page), "\n"+row) {
			t.Errorf("bench/NEON.md lacks\n%s", row)
		}
	}
	if rows != 30 {
		t.Errorf("%d loops found, want those of 5 columns for each of 6 kernels", rows)
	}
}
