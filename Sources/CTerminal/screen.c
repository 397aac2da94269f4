// Output through ncursesw, which sends only the difference between two frames.
#define _GNU_SOURCE
#define NCURSES_WIDECHAR 1
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wchar.h>

#include "CTerminal.h"
#include "internal.h"

// Declared here because the macros of <term.h> define names such as `lines` and `columns`.
extern int setupterm(const char *type, int descriptor, int *status);
extern char *tigetstr(const char *name);
extern int tigetflag(const char *name);
extern int tigetnum(const char *name);

static SCREEN *screen;
// ncurses writes one row at a time. While it draws, its descriptor points to an in-memory file, so that the terminal
// receives a complete frame and wakes up once instead of once per row.
static int output = -1;
static int frame = -1;

bool cterminal_set_locale(void) {
    if (!setlocale(LC_CTYPE, "")) return false;
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

int cterminal_width(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

int cterminal_probe(const char *type) {
    int status = 0;
    if (setupterm(type, STDOUT_FILENO, &status) == OK)
        return cterminal_capability("cup") ? CTERMINAL_READY : CTERMINAL_NO_ADDRESSING;
    if (status < 0) return CTERMINAL_NO_DATABASE;
    // A known type that is still rejected has no cursor addressing or is a hardcopy terminal.
    return status == 1 ? CTERMINAL_NO_ADDRESSING : CTERMINAL_UNKNOWN;
}

int cterminal_probed_colors(void) {
    int colors = tigetnum("colors");
    return colors > 0 ? colors : 0;
}

const char *cterminal_capability(const char *name) {
    const char *text = tigetstr(name);
    return text == (char *)-1 || !text || !*text ? NULL : text;
}

static SCREEN *open_screen(const char *type) {
    output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    FILE *stream = output >= 0 ? fdopen(output, "w") : NULL;
    if (!stream) return NULL;
    frame = memfd_create("frame", MFD_CLOEXEC);
    return newterm(type, stream, stdin);
}

int cterminal_start(
    const char *type, const uint8_t *restore, size_t count, const char *farewell, int log, bool colors) {
    int failure = cterminal_claim(restore, count, farewell, log);
    if (failure) return failure;
    // Use the size from the kernel; the shell's exported size is stale after the first resize.
    unsetenv("LINES");
    unsetenv("COLUMNS");
    if (!screen) screen = open_screen(type);
    if (!screen) {
        cterminal_release();
        return ENODEV;
    }
    raw();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    typeahead(-1);
    idlok(stdscr, FALSE);
    if (colors) {
        start_color();
        use_default_colors();
    }
    leaveok(stdscr, TRUE);
    curs_set(0);
    clearok(stdscr, TRUE);
    cterminal_taken();
    return 0;
}

void cterminal_stop(void) {
    if (!cterminal_is_taken()) return;
    endwin();
    cterminal_release();
}

bool cterminal_size(int *rows, int *columns) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col) {
        *rows = size.ws_row;
        *columns = size.ws_col;
        return true;
    }
    if (!screen) return false;
    *rows = LINES;
    *columns = COLS;
    return true;
}

void cterminal_resize(int rows, int columns) {
    if (is_term_resized(rows, columns)) resizeterm(rows, columns);
    clearok(stdscr, TRUE);
}

void cterminal_redraw(void) { clearok(stdscr, TRUE); }

// With default colors, ncurses reserves extra pairs for each foreground and background, so 8 and 16 colors have enough
// pairs for every combination.
int cterminal_pairs(void) { return COLORS > 256 ? COLOR_PAIRS : COLOR_PAIRS + 1 + 2 * COLORS; }

bool cterminal_takes_rgb(void) { return tigetflag("RGB") > 0 || COLORS > 256; }

bool cterminal_define_pair(int pair, int foreground, int background) {
    return init_extended_pair(pair, foreground, background) == OK;
}

static attr_t attributes(uint16_t bits) {
    attr_t set = 0;
    if (bits & CTERMINAL_BOLD) set |= A_BOLD;
    if (bits & CTERMINAL_DIM) set |= A_DIM;
    if (bits & CTERMINAL_ITALIC) set |= A_ITALIC;
    if (bits & CTERMINAL_UNDERLINE) set |= A_UNDERLINE;
    if (bits & CTERMINAL_REVERSE) set |= A_REVERSE;
    return set;
}

void cterminal_put_row(int row, const cterminal_cell *cells, int count) {
    static cchar_t *row_cells;
    static int capacity;
    if (row < 0 || row >= LINES) return;
    if (count > COLS) count = COLS;
    if (count > capacity) {
        cchar_t *grown = realloc(row_cells, (size_t)count * sizeof *grown);
        if (!grown) return;
        row_cells = grown;
        capacity = count;
    }
    int used = 0;
    for (int column = 0; column < count; column++) {
        const cterminal_cell *cell = &cells[column];
        if (!cell->columns) continue;
        wchar_t text[5] = {
            (wchar_t)cell->scalars[0], (wchar_t)cell->scalars[1], (wchar_t)cell->scalars[2], (wchar_t)cell->scalars[3], 0,
        };
        int pair = cell->pair;
        attr_t set = attributes(cell->attributes);
        if (setcchar(&row_cells[used], text, set, 0, &pair) == ERR) {
            wchar_t blank[2] = {L' ', 0};
            setcchar(&row_cells[used], blank, set, 0, &pair);
        }
        used++;
    }
    mvadd_wchnstr(row, 0, row_cells, used);
}

// Sends the contents of the in-memory file.
static void send_frame(bool synchronized) {
    static const char begin[] = "\033[?2026h", end[] = "\033[?2026l";
    enum { BRACKET = sizeof begin - 1 };
    static uint8_t *bytes;
    static size_t capacity;
    size_t count = (size_t)lseek(frame, 0, SEEK_CUR);
    if (!count) return;
    if (count + 2 * BRACKET > capacity) {
        uint8_t *grown = realloc(bytes, count + 2 * BRACKET);
        if (!grown) return;
        bytes = grown;
        capacity = count + 2 * BRACKET;
    }
    if (pread(frame, bytes + BRACKET, count, 0) != (ssize_t)count) return;
    lseek(frame, 0, SEEK_SET);
    memcpy(bytes, begin, BRACKET);
    memcpy(bytes + BRACKET + count, end, BRACKET);
    if (synchronized) cterminal_send(bytes, count + 2 * BRACKET);
    else cterminal_send(bytes + BRACKET, count);
}

void cterminal_flush(int row, int column, bool synchronized) {
    static int cursor_shown = 0;
    int show = row >= 0 && row < LINES && column >= 0 && column < COLS;
    bool collected = frame >= 0 && dup3(frame, output, O_CLOEXEC) >= 0;
    leaveok(stdscr, show ? FALSE : TRUE);
    if (show) move(row, column);
    if (!show && cursor_shown) curs_set(0);
    wnoutrefresh(stdscr);
    doupdate();
    if (show && !cursor_shown) curs_set(1);
    cursor_shown = show;
    if (!collected) return;
    dup3(STDOUT_FILENO, output, O_CLOEXEC);
    send_frame(synchronized);
}

const char *cterminal_curses_version(void) { return curses_version(); }
