#!/usr/bin/env bash
# Packs an installation into a tarball: dist.sh BINARY NAME FOLDER writes FOLDER/NAME.tar.gz.
set -euo pipefail
binary=$1
name=$2
folder=$3
top=$(cd "$(dirname "$0")/.." && pwd)

rm -rf "${folder:?}/$name"
"$top/Tools/install.sh" "$binary" "$folder/$name"
strip "$folder/$name/bin/orrery"
cp "$top/README.md" "$top/LICENSE" "$top/CHANGELOG.md" "$folder/$name/"
tar -C "$folder" -czf "$folder/$name.tar.gz" "$name"
