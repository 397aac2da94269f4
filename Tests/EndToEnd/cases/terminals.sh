# Every usual terminal draws; one that cannot place a cursor gets a sentence.
source terminal.sh
for terminal in xterm xterm-256color screen-256color tmux-256color linux vt100 xterm-direct; do
    infocmp "$terminal" >/dev/null 2>&1 || continue
    CASE_TERM=$terminal start 100x30 "$ORRERY_BINARY"
    expect "Runs"
    press Enter
    expect "step 1 of"
    press q
    expect "ended with 0"
    cmp "$HOME/before" "$HOME/after" || fail "$terminal: stty -g is not what it was"
    end_all
    forget_all
done
for terminal in dumb no-such-terminal; do
    CASE_TERM=$terminal start 100x30 "$ORRERY_BINARY"
    expect "ended with 1"
    [ "$(screen | grep -c .)" -le 4 ] || fail "$terminal: more than a sentence"
    expect "$terminal"
    end_all
done
