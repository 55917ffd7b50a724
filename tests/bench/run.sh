#!/bin/sh
# Runs a kit's programs, tests and benchmarks where it was unpacked.
#
#   ./run.sh all|check|bench [OPTIONS of the benchmarks]
#   ./run.sh PROGRAM [OPTIONS]
#
# Looks for the CUDA libraries in the Python packages of PyTorch too (PYTHON says which python3), and lets the programs
# find them by LD_LIBRARY_PATH.
set -eu

kit=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}

packages() {
    "$python" -c '
import glob, os, sysconfig
print(":".join(sorted(glob.glob(os.path.join(sysconfig.get_path("purelib"), "nvidia", "*", "lib")))))' 2>/dev/null || true
}

for folders in "$(packages)"; do
    [ -z "$folders" ] || export LD_LIBRARY_PATH="$folders${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
done
export VDNN_BIN="$kit/bin" VDNN_RECORDER="$kit/lib/libvdnn-nvtx-recorder.so"

case ${1-} in
check)
    cd "$kit"
    VDNN_TEST_JOBS=1 tests/run.sh $(find tests -type f -name 'test_*' -perm -u+x ! -name '*.log' | sort)
    ;;
all | bench)
    what=$1
    shift
    [ "$what" = all ] && set -- --check "$@"
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
