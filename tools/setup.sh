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
# For check, NVTX's headers go to build/nvtx where no CUDA toolkit (CUDA_HOME) has them; without a network the tests of
# NVTX are skipped.
#
# SETUP=no installs nothing: prints the one line that would, and fails where something is missing.
set -eu

build='gcc make pkg-config libdnnl-dev libopenblas-openmp-dev libjemalloc-dev libyaml-dev
    libjansson-dev zlib1g-dev libxxhash-dev libjpeg62-turbo-dev libpng-dev libfftw3-dev libhwloc-dev
    dataset-fashion-mnist'
check='libcmocka-dev python3-torch python3-numpy python3-yaml clang clang-tidy clang-format cppcheck
    libopenmpi-dev openmpi-bin libmpich-dev mpich'
fuzz='libclang-rt-14-dev'
valgrind='valgrind'

version() {
    dpkg-query -W -f '${db:Status-Status} ${Version}' "$1" 2>/dev/null |
        sed -n 's/^installed \([0-9]*:\)\{0,1\}\([0-9.]*\).*/\2/p'
}

# Any flavour of OpenBLAS does.
installed() {
    case $1 in
    libopenblas-*) pkg-config --exists openblas 2>/dev/null ;;
    *) [ -n "$(version "$1")" ] ;;
    esac
}

missing() {
    for package in "$@"; do
        installed "$package" || printf ' %s' "$package"
    done
}

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
    echo "$2: found oneDNN $(version libdnnl-dev), OpenBLAS $(pkg-config --modversion openblas)," \
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

# The headers that the Makefile looks for, and where.
nvtx_missing() {
    for folder in "${CUDA_HOME:-/usr/local/cuda}/include" /usr/include build/nvtx; do
        [ ! -f "$folder/nvtx3/nvToolsExtPayload.h" ] || return 1
    done
}

# They are text: nothing of the Python package is run, and it is not installed.
fetch_nvtx() {
    fresh=build/nvtx.$$
    mkdir -p "$fresh"
    if python3 -m pip download -q --no-deps --dest "$fresh" nvidia-nvtx >&2 &&
        python3 -m zipfile -e "$fresh"/*.whl "$fresh" && rm -rf build/nvtx &&
        mv "$fresh"/nvidia/*/include build/nvtx; then
        echo "setup: NVTX's headers are in build/nvtx" >&2
    else
        echo "setup: NVTX's headers (nvidia-nvtx) cannot be had: its tests will be skipped" >&2
    fi
    rm -rf "$fresh"
}

fetches_nvtx=
if [ "$1" = check ] && [ "${SETUP-yes}" != no ] && nvtx_missing; then
    fetches_nvtx=yes
    packages="$packages python3-pip"
fi

lack=$(missing $packages)
[ -n "$lack" ] || [ -n "$fetches_nvtx" ] || exit 0

command="apt-get install -y --no-install-recommends$lack"
if [ "${SETUP-yes}" = no ]; then
    echo "setup: missing packages; as root: $command" >&2
    exit 1
fi
as_root=
[ "$(id -u)" = 0 ] || as_root='sudo -n'
if [ -n "$lack" ]; then
    echo "setup: $command" >&2
    export DEBIAN_FRONTEND=noninteractive
    $as_root $command >&2 || {
        $as_root apt-get update >&2
        $as_root $command >&2
    }
fi
[ -z "$fetches_nvtx" ] || fetch_nvtx
