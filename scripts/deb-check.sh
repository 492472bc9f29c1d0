#!/bin/sh
# Installs the Debian package of a release in a fresh root and uses it there:
# scripts/deb-check.sh dist/symmom_*_amd64.deb. Debian, root, a few minutes; ROOT
# names a root made before.
set -eu
deb=${1:?usage: scripts/deb-check.sh FILE.deb}
root=${ROOT:-}
if [ -z "$root" ]; then
	root=$(mktemp -d)
	trap 'umount "$root/proc" 2>/dev/null || :; rm -rf --one-file-system "$root"' EXIT
	debootstrap --variant=minbase stable "$root" >/dev/null
fi
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp "$deb" "$root/root/symmom.deb"
cat >"$root/root/use.py" <<'PY'
from jupyter_client.manager import start_new_kernel

manager, client = start_new_kernel(kernel_name="symmom")
output = []
reply = client.execute_interactive(
    "fit := datasets.Digits().Moment(4).Decompose(10)\nfmt.Println(fit.Score(datasets.DigitMeans()).Value)",
    timeout=120,
    output_hook=lambda m: output.append(m["content"].get("text", "")),
)
manager.shutdown_kernel()
print("kernel:", reply["content"]["status"], "".join(output).strip())
assert reply["content"]["status"] == "ok" and float("".join(output)) > 0.978
PY
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
in_root() { chroot "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 HOME=/root "$@"; }
in_root apt-get update -qq
in_root apt-get install -y -qq /root/symmom.deb
in_root symmom version
in_root symmom demo --quiet | tail -8
in_root apt-get install -y -qq --no-install-recommends python3-jupyter-client >/dev/null
in_root python3 /root/use.py
in_root sh -c 'ls /usr/share/man/man1/symmom.1.gz /usr/share/doc/symmom/copyright /usr/share/bash-completion/completions/symmom /usr/share/jupyter/kernels/symmom/kernel.json' 2>&1 || true
in_root apt-get remove -y -qq symmom
! in_root sh -c 'command -v symmom'
umount "$root/proc"
echo "the package works"
