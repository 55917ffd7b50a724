#!/bin/sh
# Makes one archive of the programs, tests and benchmarks that were linked into a folder, for machines where nothing
# can be installed.
#
#   tools/kit.sh FOLDER ARCHIVE.tar.gz VERSION
#
# Carries in FOLDER/lib every library that what is in bin/ and tests/ wants, but for those of the C library, which
# belong to the system; says in KIT.txt which they are, and which version of the C library they want. What is
# loaded when a program runs (the driver, cuBLAS, cuFFT, cuDNN) is the machine's.
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
    echo "./run.sh all        tests, then benchmarks against PyTorch, in under eight minutes; results in results/"
    echo "./run.sh check      the tests that want a card"
    echo "./run.sh bench      the benchmarks (--help: their parts); PyTorch, NumPy and PyYAML where there is one to compare"
    echo "./run.sh PROGRAM... for example: ./run.sh vdnnrun --doctor"
    echo
    echo "The machine must have: Linux on x86-64, the C library $(
        objdump -T $executables "$folder"/lib/*.so* | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1 | sed 's/GLIBC_/glibc /'
    ) or newer, NVIDIA's driver for CUDA 13."
    echo "cuBLAS, cuFFT and cuDNN are used where they are found: in the system's folders, in LD_LIBRARY_PATH, or in"
    echo "the Python packages that PyTorch brings (nvidia/*/lib, which run.sh looks for). Without them own kernels do."
    echo
    echo "Carried in lib/: $(cd "$folder/lib" && echo *.so*)"
} >"$folder/KIT.txt"

# The same bytes for the same files.
tar -C "$(dirname "$folder")" --sort=name --owner=0 --group=0 --numeric-owner --mtime='@0' -cf - "$(basename "$folder")" |
    gzip -n "-${KIT_LEVEL:-9}" >"$archive.part"
mv "$archive.part" "$archive"
echo "kit: $archive, $(wc -c <"$archive") bytes"
