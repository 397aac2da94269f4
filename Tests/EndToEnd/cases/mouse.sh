# A click selects, a double click opens, the wheel scrolls, a paste into a line is typed.
source terminal.sh
click() { typed $'\e[<0;'"$1;$2M"$'\e[<0;'"$1;$2m"; }
lists_a_run() { screen | grep -q "reindex\|signs"; }
start 120x40 "$ORRERY_BINARY"
# The title is drawn before the rows are read.
wait_until lists_a_run || fail "the list never showed a run"
row=$(screen | grep -n "reindex\|signs" | head -1 | cut -d: -f1)
name=$(screen | sed -n "${row}p" | grep -oE "[A-Za-z]+ [a-z]+" | head -1)
click 20 "$row"
click 20 "$row"
expect "step 1 of"
expect "$name"
typed $'\e[<65;60;8M\e[<65;60;8M'
wait_until shows "Context at step" || fail "no run after the wheel"
typed ":"
typed $'\e[200~theme mono\e[201~'
expect ":theme mono"
press Escape
expect_gone ":theme mono"
press q
expect_restored 0
