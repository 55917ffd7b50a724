#!/bin/sh
# Makes one archive of the programs, tests and benchmarks that were linked into a folder, for machines where nothing
# can be installed.
#
#   tools/kit.sh FOLDER ARCHIVE.tar.gz VERSION
#
# Carries every library that what is in bin/ and tests/ wants, but for those of the C library, which belong to the
# system, in lib.tar.gz, which run.sh unpacks: unpacked they are most of it. Says in KIT.txt
# which they are, and which version of the C library they want. What is loaded when a program runs (the driver, cuBLAS,
# cuFFT, cuDNN) is the machine's.
set -eu

folder=$1 archive=$2 version=$3

of_the_system='^(linux-vdso|ld-linux-x86-64|libc|libm|libpthread|libdl|librt|libresolv|libutil)\.so'

wanted() { # FILE...: name and path of each library
    ldd "$@" | awk '$2 == "=>" { if ($3 !~ /^\//) { print "missing", $1; next } print $1, $3 }' | sort -u |
        grep -Ev "$of_the_system"
}

executables=$(find "$folder/bin" "$folder/tests" -type f -perm -u+x ! -name '*.sh' | sort)
mkdir -p "$folder/lib"
# What an earlier kit brought would be found before the system's.
find "$folder/lib" -name '*.so*' ! -name 'libvdnn-*' -delete
wanted $executables | while read -r name path; do
    [ "$name" != missing ] || {
        echo "kit: there is no $path here" >&2
        exit 1
    }
    cp -fL "$path" "$folder/lib/$name"
    strip --strip-unneeded "$folder/lib/$name"
done

{
    echo "vdnn $version: programs, networks, tests and benchmarks for a machine with a CUDA card"
    echo
    echo "./run.sh first --out DIR    the first ten minutes on a card, results in DIR as they come: what the machine has"
    echo "                            (stops unless driver, cuBLAS and cuDNN are found), device tests, element-wise and"
    echo "                            batch norm, every layer and algorithm, compute-sanitizer, ResNet-50 and VGG-16 in"
    echo "                            bf16 beside PyTorch, overlap, equal bits, recorded profiles; then the next ten"
    echo "                            (--seconds 1190 gives them their time)"
    echo "./run.sh next --out DIR     the next ten: policies and caps, f32 and tf32, trainings, NVTX, what failed before"
    echo "./run.sh bench              the benchmarks beside PyTorch, in under eight minutes (--help: their parts)"
    echo "./run.sh all                tests, then the benchmarks"
    echo "./run.sh check              the tests alone, with a line for each program"
    echo "./run.sh PROGRAM...         for example: ./run.sh vdnnrun --doctor"
    echo
    echo "A part that fails, hangs or crashes is ended with all it started, and the next one begins. PyTorch, NumPy and"
    echo "PyYAML are used where python3 (or what PYTHON names) has them."
    echo
    echo "The machine must have: Linux on x86-64, the C library $(
        objdump -T $executables "$folder"/lib/*.so* | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1 | sed 's/GLIBC_/glibc /'
    ) or newer, NVIDIA's driver for CUDA 13."
    echo "cuBLAS, cuFFT and cuDNN are used where they are found: in the system's folders, in LD_LIBRARY_PATH, or in"
    echo "the Python packages that PyTorch brings (nvidia/*/lib, which run.sh looks for). Without them the built-in kernels are used."
    echo
    echo "Carried in lib.tar.gz: $(cd "$folder/lib" && echo *.so*)"
} >"$folder/KIT.txt"

pack() { # ARCHIVE ARGUMENTS of tar: the same bytes for the same files
    out=$1
    shift
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime='@0' -cf - "$@" | gzip -n "-${KIT_LEVEL:-9}" >"$out.part"
    mv "$out.part" "$out"
}

pack "$folder/lib.tar.gz" -C "$folder/lib" .
pack "$archive" -C "$(dirname "$folder")" --exclude="$(basename "$folder")/lib" "$(basename "$folder")"
echo "kit: $archive, $(wc -c <"$archive") bytes, $(du -sb --exclude=lib "$folder" | cut -f 1) unpacked"
