// Landlock: a second barrier around files and TCP, in case the first one, the mounts, has a gap.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CSandbox.h"
#include "filter.h"

// As the kernel defines them; headers of older systems lack the later ones.
struct ruleset {
    uint64_t files, network, scoped;
};

struct beneath {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

enum { create_ruleset = 444, add_rule = 445, restrict_self = 446, rule_beneath = 1 };

// Execute, read a file, read a folder.
static const uint64_t reading_rights = 1 << 0 | 1 << 2 | 1 << 3;

int orrery_sandbox_landlock(void) {
    long version = syscall(create_ruleset, NULL, 0, 1);
    return version > 0 ? (int)version : 0;
}

int orrery_landlock(int reading_count, const char *const *reading, int writing_count, const char *const *writing) {
    int version = orrery_sandbox_landlock();
    if (version == 0) return ENOSYS;
    // Version 1 has 13 rights for files; versions 2, 3, and 5 add one each.
    uint64_t files = (1 << 13) - 1;
    if (version >= 2) files |= 1 << 13;
    if (version >= 3) files |= 1 << 14;
    if (version >= 5) files |= 1 << 15;
    struct ruleset rules = { .files = files };
    size_t size = sizeof rules.files;
    if (version >= 4) {
        rules.network = 3;
        size = 2 * sizeof rules.files;
    }
    if (version >= 6) {
        rules.scoped = 3;
        size = sizeof rules;
    }
    int fence = (int)syscall(create_ruleset, &rules, size, 0);
    if (fence < 0) return errno;
    int failed = 0;
    for (int i = 0; i < reading_count + writing_count; i++) {
        int writes = i >= reading_count;
        const char *path = writes ? writing[i - reading_count] : reading[i];
        int place = open(path, O_PATH | O_CLOEXEC);
        if (place < 0) continue;
        struct beneath rule = { .allowed = writes ? files : reading_rights, .parent = place };
        long added = syscall(add_rule, fence, rule_beneath, &rule, 0);
        // A file supports no folder rights, only execute, write, read, truncate, and device control.
        if (added != 0 && errno == EINVAL) {
            rule.allowed &= 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15;
            added = syscall(add_rule, fence, rule_beneath, &rule, 0);
        }
        if (added != 0 && failed == 0) failed = errno;
        close(place);
    }
    if (failed == 0 && syscall(restrict_self, fence, 0) != 0) failed = errno;
    close(fence);
    return failed;
}
