# The program needs only libc, libm, and terminfo: the tarball of `make dist` runs in a root folder that has nothing else.
source terminal.sh
cd "$HOME"

needed=$(ldd "$ORRERY_BINARY" | sed -n 's/^[[:space:]]*\([^ ]*\).*/\1/p' | sed 's|.*/||')
for library in $needed; do
    case $library in
        linux-vdso.so.1 | libc.so.6 | libm.so.6 | ld-linux-*.so.*) ;;
        *) fail "the program needs $library" ;;
    esac
done

"$TOP/Tools/dist.sh" "$ORRERY_BINARY" orrery-dist "$HOME/dist"
root=$HOME/root
mkdir -p "$root/opt" "$root/tmp" "$root/home/user" "$root/lib/terminfo"
tar -C "$root/opt" -xzf "$HOME/dist/orrery-dist.tar.gz"
cp -r /lib/terminfo/. "$root/lib/terminfo/"
ldd "$ORRERY_BINARY" | grep -o '/[^ ]*' | while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
done
bare=(bwrap --bind "$root" / --proc /proc --dev /dev --unshare-user --unshare-net --clearenv --setenv HOME /home/user
    --setenv TERM xterm-256color --setenv LANG C.UTF-8 --chdir /home/user /opt/orrery-dist/bin/orrery)

"${bare[@]}" --version | grep -q "[0-9]" || fail "--version prints no version"
"${bare[@]}" show traces --size 80x24 | grep -q "duty-engineer" || fail "show traces prints no sample run"
start 120x40 "${bare[@]}"
expect "duty-engineer"
typed "gn"
expect "orrery-mini"
press q
expect_restored 0
