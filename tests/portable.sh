#!/bin/sh
# Builds for AArch64, and runs its unit tests and the smallest cases of layers by qemu-user; then those of the release on
# an x86 processor without AVX. `make check-portable` calls it; MAKE, JOBS.
#
# AArch64's libraries are Debian's, of the same release as this system, in build/aarch64-root: they are downloaded there
# and not installed, which takes no rights and no other architecture in this system's list of packages.
set -eu

packages='libc6-dev libgomp1 libyaml-dev libdnnl-dev libjansson-dev libxxhash-dev libjemalloc-dev libcmocka-dev
    libjpeg62-turbo-dev libpng-dev zlib1g-dev libfftw3-dev'
build=build/aarch64
root=$PWD/build/aarch64-root
new=$root.new

skip() {
    echo "check-portable: skipped: $1"
    exit 0
}

for tool in aarch64-linux-gnu-gcc qemu-aarch64 qemu-x86_64 apt-get dpkg-deb; do
    command -v $tool >/dev/null || skip "there is no $tool (Debian's gcc-aarch64-linux-gnu and qemu-user have them)"
done

# A separate state, in which nothing is installed: so all that a package needs comes with it.
foreign_apt() {
    apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User= \
        -o Dir::State="$new/apt" -o Dir::State::status="$new/apt/status" \
        -o Dir::Cache="$new/apt" "$@"
}

if [ ! -e "$root" ]; then
    rm -rf "$new"
    mkdir -p "$new/apt/lists/partial" "$new/apt/archives/partial"
    : >"$new/apt/status"
    foreign_apt update || skip "Debian's packages cannot be reached"
    # shellcheck disable=SC2086 # names of packages, a word each
    foreign_apt install -y --download-only --no-install-recommends $packages >/dev/null ||
        skip 'the libraries for AArch64 cannot be downloaded'
    for package in "$new"/apt/archives/*.deb; do
        dpkg-deb -x "$package" "$new"
    done
    rm -r "$new/apt"
    mv "$new" "$root"
fi

export VDNN_TEST_COUNT_PERCENT=1 VDNN_TEST_LIMIT_SECONDS=1800 OMP_NUM_THREADS=2
export PKG_CONFIG_LIBDIR="$root/usr/lib/aarch64-linux-gnu/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$root"
failed=
$MAKE -j"$JOBS" BUILD=$build BIN=$build/bin NVCC= MPI= CC=aarch64-linux-gnu-gcc LD=aarch64-linux-gnu-ld \
    AR=aarch64-linux-gnu-ar fast_link= OBJCOPY=aarch64-linux-gnu-objcopy CFLAGS="--sysroot=$root" CPPFLAGS="--sysroot=$root" \
    LDFLAGS="--sysroot=$root" UNDER="qemu-aarch64 -L $root" portable || failed="$failed AArch64"
unset PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
$MAKE -j"$JOBS" UNDER='qemu-x86_64 -cpu Nehalem' portable || failed="$failed x86-64-without-AVX"

[ -z "$failed" ] || {
    echo "check-portable: failed:$failed"
    exit 1
}
