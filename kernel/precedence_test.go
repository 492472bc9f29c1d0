package kernel

import (
	"os"
	"path/filepath"
	"testing"
)

func TestInstead(t *testing.T) {
	for _, v := range []string{"CONDA_PREFIX", "CONDA_DEFAULT_ENV", "JUPYTER_PATH"} {
		t.Setenv(v, "")
	}
	dir := t.TempDir()
	user, plain, virtual := filepath.Join(dir, "user"), filepath.Join(dir, "plain"), filepath.Join(dir, "virtual")
	t.Setenv("JUPYTER_DATA_DIR", user)
	t.Setenv("VIRTUAL_ENV", virtual)
	if err := os.Mkdir(virtual, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(virtual, "pyvenv.cfg"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	install := func(p Place, program string) {
		t.Helper()
		if _, err := Install(p, Spec{Program: program}); err != nil {
			t.Fatal(err)
		}
	}
	kernels := func(data ...string) string {
		return filepath.Join(append(append([]string{dir}, data...), "kernels", "symmom")...)
	}
	check := func(p Place, directory, remedy string) {
		t.Helper()
		if d, r := Instead(p, Spec{}); d != directory || r != remedy {
			t.Errorf("%+v: %q, %q; want %q, %q", p, d, r, directory, remedy)
		}
	}
	check(Place{}, "", "") // nothing is installed
	install(Place{}, "/user")
	check(Place{}, "", "")
	install(Place{Prefix: plain}, "/plain")
	check(Place{Prefix: plain}, kernels("user"), "symmom kernel uninstall removes it")
	install(Place{Prefix: virtual}, "/virtual")
	check(Place{Prefix: virtual}, "", "")
	check(Place{SysPrefix: true}, "", "")
	check(Place{}, kernels("virtual", "share", "jupyter"), "symmom kernel uninstall --prefix "+virtual+" removes it")
	t.Setenv("JUPYTER_PREFER_ENV_PATH", "0")
	check(Place{}, "", "")
	check(Place{Prefix: virtual}, kernels("user"), "symmom kernel uninstall removes it")
	install(Place{}, "/virtual") // the same kernel
	check(Place{Prefix: virtual}, "", "")
	t.Setenv("JUPYTER_PATH", filepath.Join(plain, "share", "jupyter"))
	check(Place{}, kernels("plain", "share", "jupyter"), "remove it, or change JUPYTER_PATH")
}
