// Rules for system calls and files that both tiers share.
#ifndef ORRERY_SANDBOX_FILTER_H
#define ORRERY_SANDBOX_FILTER_H

#include <linux/filter.h>
#include <stdint.h>

/// Maximum number of rules in the filter.
enum { ORRERY_FILTER_ROOM = 512 };

/// Returns a filter instruction: operation, value, and number of instructions to skip if it holds and if it does not.
static inline struct sock_filter rule(uint16_t code, uint32_t value, uint8_t yes, uint8_t no) {
    return (struct sock_filter){ .code = code, .jt = yes, .jf = no, .k = value };
}

/// Writes the filter of system calls and returns its length; 0 if none exists for this machine.
int orrery_filter(struct sock_filter *rules);

/// Appends rules that deny uncounted kernel memory after the first `n` rules; returns the new number of rules.
/// The system call number is loaded before and after these rules.
int orrery_filter_memory(struct sock_filter *rules, int n);

/// Denies this process and its children all TCP, and all files except those under the given folders. Returns 0 or an
/// errno.
int orrery_landlock(int reading_count, const char *const *reading, int writing_count, const char *const *writing);

#endif
