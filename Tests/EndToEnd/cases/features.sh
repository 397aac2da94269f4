# The dictionary that comes with the program is looked into: a text is read, a feature that is active in it is silenced, the
# changed text stands beside the untouched one, and on the page of circuits a cell of a map is run.
source terminal.sh
cd "$HOME"
start 120x40 "$ORRERY_BINARY"
expect "duty-engineer"
typed "gf"
expect "orrery-mini-features"

typed "p"
typed "Story: Mira had a lamp. The lamp was old. Mira had a"
press Enter
expect "shaded by feature"
expect "token 16"
press Tab
press Enter
expect "Feature 662"
typed "0"
expect "nats/token"
expect "662 off"
typed "u"
expect_gone "662 off"

typed "c"
expect "Circuits"
typed "C"
press C-u
typed "Story: Mira had a lamp. The lamp"
press Enter
typed "X"
press C-u
typed "Story: Mira had a boat. The boat"
press Enter
expect "Contributions"
expect "logit difference"
expect "equal"
typed "c"
expect "shaded by feature"

press q
expect_restored 0
