// Swift's only interface to ncursesw, terminfo, and readline. It exposes none of their names, macros, or globals.
//
// Call these functions only on the main thread. The exception is cterminal_wake, which any thread and any signal
// handler may call.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// One cell of a row: a base character and up to three combining marks, all printable. A 0 terminates the marks.
typedef struct {
    uint32_t scalars[4];
    int32_t pair;
    uint16_t attributes;
    uint16_t columns;  // 1 or 2; 0 for the right half of the previous cell
} cterminal_cell;

enum {
    CTERMINAL_BOLD = 1,
    CTERMINAL_DIM = 2,
    CTERMINAL_ITALIC = 4,
    CTERMINAL_UNDERLINE = 8,
    CTERMINAL_REVERSE = 16,
};

// Results of cterminal_probe.
enum {
    CTERMINAL_READY = 0,
    CTERMINAL_UNKNOWN = 1,        // no terminfo entry with this name
    CTERMINAL_NO_DATABASE = 2,    // no terminfo database
    CTERMINAL_NO_ADDRESSING = 3,  // no cursor addressing
};

// Results of cterminal_wait, as a set of bits.
enum {
    CTERMINAL_INPUT = 1,
    CTERMINAL_WOKEN = 2,
    CTERMINAL_RESIZED = 4,
    CTERMINAL_TERMINATE = 8,
    CTERMINAL_HANGUP = 16,
    CTERMINAL_STOP = 32,
    CTERMINAL_CONTINUED = 64,
};

// Sets the locale's character type from the environment. Returns whether its encoding is UTF-8.
bool cterminal_set_locale(void);
// Returns a character's width according to the C library, in columns; -1 if the character is unknown.
int cterminal_width(uint32_t scalar);

// Reads the terminfo entry of a terminal type. Sends nothing to the terminal.
int cterminal_probe(const char *type);
// Returns the number of colors of the probed type.
int cterminal_probed_colors(void);
// Returns a string capability of the probed type, valid until the next probe; NULL if the capability is missing.
const char *cterminal_capability(const char *name);

// Takes over the terminal of the probed type: signal handlers, alternate screen, and raw mode. If the process crashes,
// `restore` is sent to the terminal to undo this, and `farewell` is written to standard error. If `log` is a descriptor
// (0 or more), standard error goes there until cterminal_stop. If `colors` is false, no colors are ever sent. Returns 0
// or an errno.
int cterminal_start(
    const char *type, const uint8_t *restore, size_t count, const char *farewell, int log, bool colors);
// Restores the terminal if it was taken over.
void cterminal_stop(void);

// Gets the size of the terminal from the kernel, or else from ncurses. Returns false if both are unknown.
bool cterminal_size(int *rows, int *columns);
// Sets the size in ncurses and makes the next flush draw everything.
void cterminal_resize(int rows, int columns);
// Makes the next flush draw everything.
void cterminal_redraw(void);

// Returns the number of color pairs. Valid pairs are 1 to this number minus 1.
int cterminal_pairs(void);
// Returns whether colors from 8 up are RGB values instead of palette indices.
bool cterminal_takes_rgb(void);
// Defines a pair of palette indices; -1 is the terminal's default color.
bool cterminal_define_pair(int pair, int foreground, int background);

// Puts one row of cells into the next frame.
void cterminal_put_row(int row, const cterminal_cell *cells, int count);
// Sends the changes. A negative row hides the cursor.
void cterminal_flush(int row, int column, bool synchronized);
// Sends bytes unchanged, after everything flushed so far.
void cterminal_send(const uint8_t *bytes, size_t count);

// Sleeps until there is input, a wake-up, a signal, or a timeout. Negative milliseconds mean no timeout.
int cterminal_wait(int milliseconds, bool with_input);
// Reads input. Returns the number of bytes, 0 at end-of-file, -EAGAIN if there is no input, or -1 for other errors.
ssize_t cterminal_read(uint8_t *bytes, size_t capacity);
// Discards unread input.
void cterminal_discard_input(void);
// Ends the current or next cterminal_wait.
void cterminal_wake(void);

// Restores the terminal for another program in this process group.
void cterminal_lend(void);
// Takes over the terminal again after cterminal_lend.
void cterminal_take_back(void);
// Suspends this process group as the terminal driver would, and returns after it resumes.
void cterminal_suspend(void);
// Takes over the terminal again after another process stopped and resumed this one.
void cterminal_reclaim(void);

// Returns the version of ncurses, such as "ncurses 6.4.20221231".
const char *cterminal_curses_version(void);

// Line editing with readline, for one line at a time.
typedef void (*cterminal_completer)(const char *before_cursor, void *context);

bool cterminal_line_available(void);
const char *cterminal_line_version(void);
void cterminal_line_begin(const char *prompt, const char *text, cterminal_completer completer, void *context);
void cterminal_line_history_clear(void);
void cterminal_line_history_add(const char *line);
void cterminal_line_feed(const uint8_t *bytes, size_t count);
void cterminal_line_insert(const char *text);
// Returns 0 while the line is being edited, 1 after it was accepted, and 2 after end-of-file.
int cterminal_line_outcome(void);
const char *cterminal_line_text(void);
const char *cterminal_line_prompt(void);
int cterminal_line_point(void);
bool cterminal_line_searching(void);
int cterminal_line_candidate_count(void);
const char *cterminal_line_candidate(int index);
// Adds a candidate. The completer calls this function once per candidate.
void cterminal_line_offer(const char *candidate);
void cterminal_line_end(void);

#ifdef __cplusplus
}
#endif
