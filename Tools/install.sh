#!/usr/bin/env bash
# Lays out an installation: install.sh BINARY PREFIX
set -euo pipefail
binary=$1
prefix=$2
top=$(cd "$(dirname "$0")/.." && pwd)

install -D -m 755 "$binary" "$prefix/bin/orrery"
share="$prefix/share/orrery"
mkdir -p "$share"
for folder in themes notebooks sample-data; do
    rm -rf "${share:?}/$folder"
    cp -r "$top/$folder" "$share/$folder"
done
if [ -d "$top/Documentation" ]; then
    mkdir -p "$prefix/share/doc/orrery"
    cp -r "$top/Documentation/." "$prefix/share/doc/orrery/"
fi
# What made the sample data stays in the source tree.
rm -rf "$share/sample-data/generator"
find "$share" -depth \( -name '*.py' -o -name __pycache__ \) -exec rm -rf {} +
mkdir -p "$prefix/share/man/man1" "$prefix/share/bash-completion/completions" \
    "$prefix/share/zsh/site-functions" "$prefix/share/fish/vendor_completions.d"
"$binary" reference man > "$prefix/share/man/man1/orrery.1"
"$binary" --generate-completion-script bash > "$prefix/share/bash-completion/completions/orrery"
"$binary" --generate-completion-script zsh > "$prefix/share/zsh/site-functions/_orrery"
"$binary" --generate-completion-script fish > "$prefix/share/fish/vendor_completions.d/orrery.fish"
echo "installed $prefix/bin/orrery"
