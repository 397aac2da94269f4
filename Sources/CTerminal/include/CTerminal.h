// The only face of ncursesw, terminfo and readline that Swift sees: none of their names, macros or globals leak out.
//
// All of it belongs to the main thread, except cterminal_wake, which any thread and any signal handler may call.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// One cell of a row: a base character with up to three combining marks (0 ends them), all printable.
typedef struct {
    uint32_t scalars[4];
    int32_t pair;
    uint16_t attributes;
    uint16_t columns;  // 1 or 2; 0 marks the right half of the cell before it
} cterminal_cell;

enum {
    CTERMINAL_BOLD = 1,
    CTERMINAL_DIM = 2,
    CTERMINAL_ITALIC = 4,
    CTERMINAL_UNDERLINE = 8,
    CTERMINAL_REVERSE = 16,
};

// What cterminal_probe found.
enum {
    CTERMINAL_READY = 0,
    CTERMINAL_UNKNOWN = 1,        // no terminfo entry of that name
    CTERMINAL_NO_DATABASE = 2,    // no terminfo at all
    CTERMINAL_NO_ADDRESSING = 3,  // the cursor cannot be placed
};

// What cterminal_wait came back with, as a set of bits.
enum {
    CTERMINAL_INPUT = 1,
    CTERMINAL_WOKEN = 2,
    CTERMINAL_RESIZED = 4,
    CTERMINAL_TERMINATE = 8,
    CTERMINAL_HANGUP = 16,
    CTERMINAL_STOP = 32,
    CTERMINAL_CONTINUED = 64,
};

// Sets the locale's character type from the environment; true where its encoding is UTF-8.
bool cterminal_set_locale(void);
// Columns that the C library gives a character: -1 where it knows none.
int cterminal_width(uint32_t scalar);

// Reads the terminfo entry of a terminal type. Nothing is sent to the terminal.
int cterminal_probe(const char *type);
// How many colors the probed type has.
int cterminal_probed_colors(void);
// A string capability of the probed type, valid until the next probe; null where it has none.
const char *cterminal_capability(const char *name);

// Takes the terminal, of the type that was probed: signal handlers, alternate screen, raw mode. `restore` is what a
// crash sends to undo it all, `farewell` what it then says to standard error. A log descriptor of 0 or more takes
// the place of standard error until cterminal_stop. Without colors, none are ever sent. Returns 0 or an errno.
int cterminal_start(
    const char *type, const uint8_t *restore, size_t count, const char *farewell, int log, bool colors);
// Gives everything back. Does nothing where nothing was taken.
void cterminal_stop(void);

// Extent of the terminal as the kernel knows it; false where it does not.
bool cterminal_size(int *rows, int *columns);
// Tells ncurses an extent and has the next flush draw everything.
void cterminal_resize(int rows, int columns);
void cterminal_redraw(void);

// Number of color pairs; valid pairs run from 1 to one less than this.
int cterminal_pairs(void);
// Whether colors from 8 up are RGB values rather than palette indices.
bool cterminal_takes_rgb(void);
// Defines a pair of palette indices, -1 being the terminal's own color.
bool cterminal_define_pair(int pair, int foreground, int background);

// Puts one row of cells into the screen to be.
void cterminal_put_row(int row, const cterminal_cell *cells, int count);
// Sends what changed. The cursor is hidden where its row is negative.
void cterminal_flush(int row, int column, bool synchronized);
// Sends bytes as they are, after what was flushed.
void cterminal_send(const uint8_t *bytes, size_t count);

// Sleeps until there is input, a wake-up, a signal, or the time is over; negative milliseconds wait for ever.
int cterminal_wait(int milliseconds, bool with_input);
ssize_t cterminal_read(uint8_t *bytes, size_t capacity);
// Throws away what was typed and not read.
void cterminal_discard_input(void);
// Ends a cterminal_wait, now or the next.
void cterminal_wake(void);

// Gives the terminal to another program of this process group, as it was found, and takes it back when that has ended.
void cterminal_lend(void);
void cterminal_take_back(void);
// Stops this process group as the terminal driver would, and returns when it goes on.
void cterminal_suspend(void);
// Takes the terminal again after somebody else stopped and continued this process.
void cterminal_reclaim(void);

// Which ncurses this is: "ncurses 6.4.20221231".
const char *cterminal_curses_version(void);

// Line editing by readline. One line at a time.
typedef void (*cterminal_completer)(const char *before_cursor, void *context);

bool cterminal_line_available(void);
const char *cterminal_line_version(void);
void cterminal_line_begin(const char *prompt, const char *text, cterminal_completer completer, void *context);
void cterminal_line_history_clear(void);
void cterminal_line_history_add(const char *line);
void cterminal_line_feed(const uint8_t *bytes, size_t count);
void cterminal_line_insert(const char *text);
// 0 while the line is edited, 1 when it was accepted, 2 when end-of-file was typed.
int cterminal_line_outcome(void);
const char *cterminal_line_text(void);
const char *cterminal_line_prompt(void);
int cterminal_line_point(void);
bool cterminal_line_searching(void);
int cterminal_line_candidate_count(void);
const char *cterminal_line_candidate(int index);
// Called by the completer, once for every candidate.
void cterminal_line_offer(const char *candidate);
void cterminal_line_end(void);

#ifdef __cplusplus
}
#endif
