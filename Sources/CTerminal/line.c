// Line editing with readline's callback interface. Readline neither reads from nor writes to the terminal: keys come
// from a queue in this file, and the workbench draws the line itself.
#define _GNU_SOURCE
#include "CTerminal.h"

#ifdef ORRERY_NO_READLINE

bool cterminal_line_available(void) { return false; }
const char *cterminal_line_version(void) { return ""; }
void cterminal_line_begin(const char *prompt, const char *text, cterminal_completer completer, void *context) {
    (void)prompt, (void)text, (void)completer, (void)context;
}
void cterminal_line_history_clear(void) {}
void cterminal_line_history_add(const char *line) { (void)line; }
void cterminal_line_feed(const uint8_t *bytes, size_t count) { (void)bytes, (void)count; }
void cterminal_line_insert(const char *text) { (void)text; }
int cterminal_line_outcome(void) { return 2; }
const char *cterminal_line_text(void) { return ""; }
const char *cterminal_line_prompt(void) { return ""; }
int cterminal_line_point(void) { return 0; }
bool cterminal_line_searching(void) { return false; }
int cterminal_line_candidate_count(void) { return 0; }
const char *cterminal_line_candidate(int index) { (void)index; return ""; }
void cterminal_line_offer(const char *candidate) { (void)candidate; }
void cterminal_line_end(void) {}

#else

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <readline/history.h>
#include <readline/readline.h>

// Declared here because the macros of <term.h> define names such as `lines` and `columns`.
struct term;
extern struct term *cur_term;
extern struct term *set_curterm(struct term *terminal);

static const uint8_t *queue;
static size_t queued;
static int outcome;
static char *accepted;
static bool active;

static cterminal_completer complete;
static void *complete_context;

struct list {
    char **items;
    int count, capacity;
};
static struct list offered, shown;

static void clear_list(struct list *list) {
    for (int i = 0; i < list->count; i++) free(list->items[i]);
    list->count = 0;
}

static void append(struct list *list, const char *item) {
    if (list->count == list->capacity) {
        int capacity = list->capacity ? 2 * list->capacity : 32;
        char **grown = realloc(list->items, (size_t)capacity * sizeof *grown);
        if (!grown) return;
        list->items = grown;
        list->capacity = capacity;
    }
    char *copy = strdup(item);
    if (copy) list->items[list->count++] = copy;
}

static int next_byte(FILE *unused) {
    (void)unused;
    if (!queued) return EOF;
    queued--;
    return *queue++;
}

static int byte_waits(void) { return queued > 0; }
static void nothing(void) {}
static void nothing_prepared(int meta) { (void)meta; }

static void on_line(char *line) {
    rl_callback_handler_remove();
    active = false;
    free(accepted);
    accepted = line;
    outcome = line ? 1 : 2;
}

static char *next_offer(const char *text, int state) {
    (void)text;
    static int index;
    if (!state) index = 0;
    return index < offered.count ? strdup(offered.items[index++]) : NULL;
}

static char **on_complete(const char *text, int start, int end) {
    (void)start;
    // Disable readline's file name completion; the completer offers file names if needed.
    rl_attempted_completion_over = 1;
    clear_list(&offered);
    if (!complete) return NULL;
    char *before = strndup(rl_line_buffer, (size_t)end);
    if (!before) return NULL;
    complete(before, complete_context);
    free(before);
    if (!offered.count) return NULL;
    if (offered.count == 1) {
        const char *only = offered.items[0];
        size_t length = strlen(only);
        // Do not append a blank after a field name or a folder, because more text follows.
        rl_completion_suppress_append = length && strchr(":=/<>", only[length - 1]) != NULL;
    }
    return rl_completion_matches(text, next_offer);
}

static void on_matches(char **matches, int count, int longest) {
    (void)longest;
    clear_list(&shown);
    for (int i = 1; i <= count; i++) append(&shown, matches[i]);
}

bool cterminal_line_available(void) { return true; }
const char *cterminal_line_version(void) { return rl_library_version; }

void cterminal_line_history_clear(void) { clear_history(); }
void cterminal_line_history_add(const char *line) { add_history(line); }

static void bind_keys(void) {
    static bool bound;
    if (bound) return;
    bound = true;
    // Bind the sequences that the workbench sends, unless the user's inputrc binds them.
    rl_bind_keyseq_if_unbound("\033[3~", rl_delete);
    rl_bind_keyseq_if_unbound("\033[H", rl_beg_of_line);
    rl_bind_keyseq_if_unbound("\033[F", rl_end_of_line);
    rl_bind_keyseq_if_unbound("\033[1;5C", rl_forward_word);
    rl_bind_keyseq_if_unbound("\033[1;5D", rl_backward_word);
    rl_bind_keyseq_if_unbound("\033[1;3C", rl_forward_word);
    rl_bind_keyseq_if_unbound("\033[1;3D", rl_backward_word);
}

void cterminal_line_begin(const char *prompt, const char *text, cterminal_completer completer, void *context) {
    if (active) rl_callback_handler_remove();
    complete = completer;
    complete_context = context;
    rl_readline_name = "orrery";
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_change_environment = 0;
    rl_prep_term_function = nothing_prepared;
    rl_deprep_term_function = nothing;
    rl_redisplay_function = nothing;
    rl_getc_function = next_byte;
    rl_input_available_hook = byte_waits;
    rl_attempted_completion_function = on_complete;
    rl_completion_display_matches_hook = on_matches;
    rl_completer_word_break_characters = " ";
    rl_completer_quote_characters = "";
    rl_completion_query_items = -1;
    rl_ignore_completion_duplicates = 1;
    using_history();
    clear_list(&shown);
    outcome = 0;
    active = true;
    // On the first call, readline loads the terminal's description and replaces the one that ncurses uses.
    struct term *drawn_by = cur_term;
    rl_callback_handler_install(prompt, on_line);
    if (drawn_by && cur_term != drawn_by) set_curterm(drawn_by);
    rl_variable_bind("bell-style", "none");
    rl_variable_bind("show-all-if-ambiguous", "on");
    rl_variable_bind("enable-bracketed-paste", "off");
    bind_keys();
    if (text && *text) rl_insert_text(text);
}

void cterminal_line_feed(const uint8_t *bytes, size_t count) {
    if (!active) return;
    clear_list(&shown);
    queue = bytes;
    queued = count;
    while (queued && active) rl_callback_read_char();
    queued = 0;
}

void cterminal_line_insert(const char *text) {
    if (!active) return;
    clear_list(&shown);
    rl_begin_undo_group();
    rl_insert_text(text);
    rl_end_undo_group();
}

int cterminal_line_outcome(void) { return outcome; }

const char *cterminal_line_text(void) {
    if (!active) return accepted ? accepted : "";
    return rl_line_buffer ? rl_line_buffer : "";
}

const char *cterminal_line_prompt(void) { return rl_display_prompt ? rl_display_prompt : ""; }
int cterminal_line_point(void) { return active ? rl_point : 0; }
bool cterminal_line_searching(void) { return active && RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH); }

int cterminal_line_candidate_count(void) { return shown.count; }
const char *cterminal_line_candidate(int index) {
    return index >= 0 && index < shown.count ? shown.items[index] : "";
}
void cterminal_line_offer(const char *candidate) { append(&offered, candidate); }

void cterminal_line_end(void) {
    if (active) rl_callback_handler_remove();
    active = false;
    complete = NULL;
    complete_context = NULL;
    clear_list(&shown);
    clear_list(&offered);
}

#endif
