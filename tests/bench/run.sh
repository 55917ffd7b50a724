#!/bin/sh
# Runs a kit's programs, tests and benchmarks where it was unpacked.
#
#   ./run.sh first|next|all|bench [PART...] [OPTIONS of the benchmarks]
#   ./run.sh check
#   ./run.sh PROGRAM [OPTIONS]
#
# Unpacks the libraries when it is first run. Looks for the CUDA libraries in the Python packages of PyTorch too (PYTHON
# says which python3), and lets the programs find them by LD_LIBRARY_PATH.
set -eu

kit=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}

packages() {
    "$python" -c '
import glob, os, sys
print(":".join(found for path in sys.path for found in sorted(glob.glob(os.path.join(path, "nvidia", "*", "lib")))))' 2>/dev/null || true
}

# Whole or not at all, also where it is interrupted, or two begin at a time.
unpack_libraries() {
    part=$(mktemp -d "$kit/lib.XXXXXX")
    tar -xzf "$kit/lib.tar.gz" -C "$part"
    chmod 755 "$part"
    mv -T "$part" "$kit/lib" 2>/dev/null || rm -r "$part"
}

[ -d "$kit/lib" ] || unpack_libraries
folders=$(packages)
[ -z "$folders" ] || export LD_LIBRARY_PATH="$folders${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export VDNN_BIN="$kit/bin" VDNN_RECORDER="$kit/lib/libvdnn-nvtx-recorder.so"

case ${1-} in
check)
    cd "$kit"
    VDNN_TEST_JOBS=1 tests/run.sh $(find tests -type f -name 'test_*' -perm -u+x ! -name '*.log' | sort)
    ;;
first | next | all | bench)
    exec "$python" "$kit/bench/bench_cuda.py" --kit "$kit" "$@"
    ;;
'' | -h | --help)
    cat "$kit/KIT.txt"
    ;;
*)
    program=$1
    shift
    exec "$kit/bin/$program" "$@"
    ;;
esac
