#!/bin/sh
# Builds docker/Dockerfile for real where there is no Docker engine and no image
# registry: both bases are made of Debian's packages, the build is buildah's in
# chroot isolation. Then it starts the server in the image and runs a notebook
# through both kernels. Needs root, and Go on the PATH.
set -eu
cd "$(dirname "$0")/.."
notebook=${1:-00-tour.ipynb}
work=$(mktemp -d)
container=
server=
cleanup() {
	[ -z "$server" ] || kill "$server" 2>/dev/null || true
	[ -z "$container" ] || buildah rm "$container" >/dev/null 2>&1 || true
	rm -rf "$work"
}
trap cleanup EXIT
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs

command -v buildah >/dev/null && command -v debootstrap >/dev/null ||
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends buildah debootstrap >/dev/null

echo "check: a Debian with Python"
debootstrap --variant=minbase --include=ca-certificates,python3,python3-venv,git,make \
	bookworm "$work/root" >"$work/debootstrap.log" || { tail "$work/debootstrap.log"; exit 1; }
# Certificates that this machine trusts, for a network that has its own.
cp /etc/ssl/certs/ca-certificates.crt "$work/root/etc/ssl/certs/ca-certificates.crt"

# commit NAME: makes an image of the container.
commit() { buildah commit -q "$container" "$1" >/dev/null; buildah rm "$container" >/dev/null; container=; }

echo "check: the base with Go"
container=$(buildah from scratch)
buildah copy -q "$container" "$work/root" / >/dev/null
commit localhost/debian
container=$(buildah from localhost/debian)
buildah copy -q "$container" "$(go env GOROOT)" /usr/local/go >/dev/null
buildah config --env PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
	--env GOPROXY="$(go env GOPROXY)" --env GOFLAGS=-buildvcs=false "$container"
commit localhost/go

echo "check: the base with JupyterLab"
container=$(buildah from localhost/debian)
buildah run "$container" -- sh -c 'useradd -m -u 1000 -g users jovyan && python3 -m venv /opt/jupyter &&
	/opt/jupyter/bin/pip install -q --no-cache-dir jupyterlab nbclient nbconvert'
buildah config --env PATH=/opt/jupyter/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
	--env NB_UID=1000 --env NB_GID=100 --env NB_USER=jovyan --env HOME=/home/jovyan --user 1000 "$container"
commit localhost/jupyterlab

echo "check: the image"
buildah bud -q --format docker -f docker/Dockerfile --build-arg GO_IMAGE=localhost/go \
	--build-arg BASE_IMAGE=localhost/jupyterlab -t localhost/symmom . >/dev/null
container=$(buildah from localhost/symmom)
buildah run "$container" -- id -un
buildah run "$container" -- jupyter kernelspec list

echo "check: the server"
buildah run --env JUPYTER_TOKEN=check "$container" -- \
	jupyter lab --ip=127.0.0.1 --port=18888 --ServerApp.port_retries=0 --no-browser --ServerApp.root_dir=notebooks >"$work/server.log" 2>&1 &
server=$!
i=0
until curl -fsS "http://127.0.0.1:18888/api/kernelspecs?token=check" >"$work/kernelspecs.json" 2>/dev/null; do
	i=$((i + 1))
	[ $i -lt 60 ] || { tail "$work/server.log"; exit 1; }
	sleep 1
done
curl -fsS "http://127.0.0.1:18888/lab?token=check" -o "$work/lab.html"
grep -q JupyterLab "$work/lab.html" && echo "check: JupyterLab answers"

for kernel in symmom gophernotes-symmom; do
	grep -q "\"$kernel\"" "$work/kernelspecs.json" || { echo "check: the server has no kernel $kernel"; exit 1; }
	start=$(date +%s)
	buildah run "$container" -- jupyter nbconvert --log-level=ERROR --to notebook --execute \
		--ExecutePreprocessor.kernel_name=$kernel --ExecutePreprocessor.timeout=120 \
		--output-dir=/tmp/out "notebooks/$notebook"
	echo "check: $notebook through $kernel in $(($(date +%s) - start)) s"
done
echo "check: passed"
