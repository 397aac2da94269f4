// What the files of this target share.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Signal handlers, the log in the place of standard error, the state to go back to. Returns 0 or an errno.
int cterminal_claim(const uint8_t *restore, size_t count, const char *farewell, int log);
// From here on a crash restores the screen.
void cterminal_taken(void);
bool cterminal_is_taken(void);
void cterminal_release(void);
