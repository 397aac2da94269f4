// Rules for system calls and files that both tiers share.
#ifndef ORRERY_SANDBOX_FILTER_H
#define ORRERY_SANDBOX_FILTER_H

#include <linux/filter.h>
#include <stdint.h>

/// Rules in the filter at most.
enum { ORRERY_FILTER_ROOM = 512 };

/// An instruction of a filter: what to do, with which value, and how many to skip where it holds and where not.
static inline struct sock_filter rule(uint16_t code, uint32_t value, uint8_t yes, uint8_t no) {
    return (struct sock_filter){ .code = code, .jt = yes, .jf = no, .k = value };
}

/// Writes the filter of system calls and gives its length; 0 where there is none for this machine.
int orrery_filter(struct sock_filter *rules);

/// Adds what keeps programs from memory of the kernel that no count finds, behind `n` rules; gives how many there are now.
/// The number of the call is loaded before, and is so again behind them.
int orrery_filter_memory(struct sock_filter *rules, int n);

/// Takes from this process and its children every file but those under the given folders, and all TCP. 0 or an errno.
int orrery_landlock(int reading_count, const char *const *reading, int writing_count, const char *const *writing);

#endif
