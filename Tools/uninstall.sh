#!/usr/bin/env bash
# Removes what install.sh laid out: uninstall.sh PREFIX. Workspaces and settings stay.
set -euo pipefail
prefix=$1
rm -rf "${prefix:?}/share/orrery" "$prefix/share/doc/orrery"
rm -f "$prefix/bin/orrery" "$prefix/share/man/man1/orrery.1" "$prefix/share/bash-completion/completions/orrery" \
    "$prefix/share/zsh/site-functions/_orrery" "$prefix/share/fish/vendor_completions.d/orrery.fish"
echo "removed orrery from $prefix"
