#!/bin/sh
# Builds the Debian packages from the sources as they are, and has lintian look at them where it is there.
#
#   tools/packaging/deb.sh VERSION FOLDER      FOLDER gets vdnn, libvdnn1 and libvdnn-dev
set -eu

tree=build/deb/vdnn-$1
folder=$2
rm -rf build/deb
mkdir -p "$tree" "$folder"
tar -c --exclude=./build --exclude=./.git --exclude=__pycache__ . | tar -x -C "$tree"
cp -r tools/packaging/debian "$tree/debian"
cat >"$tree/debian/changelog" <<END
vdnn ($1) unstable; urgency=medium

  * Version $1.

 -- $(sed -n 's/^Maintainer: //p' tools/packaging/debian/control)  $(date -R -u -r runtime/vdnn.h)
END
(cd "$tree" && DEB_BUILD_OPTIONS="parallel=${JOBS:-1} noautodbgsym" dpkg-buildpackage -b -us -uc) >build/deb/log 2>&1 || {
    tail -40 build/deb/log
    exit 1
}
mv build/deb/*.deb "$folder"
if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error,warning "$folder"/*vdnn*_"$1"_*.deb
else
    echo 'deb: lintian is not installed, and did not look at them'
fi
ls "$folder"/*vdnn*_"$1"_*.deb
