// Functions shared by the files of this target.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Saves the terminal's state, installs signal handlers, and redirects standard error to the log. Returns 0 or an errno.
int cterminal_claim(const uint8_t *restore, size_t count, const char *farewell, int log);
// Marks the screen as taken over: a later crash restores it.
void cterminal_taken(void);
bool cterminal_is_taken(void);
void cterminal_release(void);
