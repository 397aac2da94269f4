// The part of libarchive's interface that is used, as <archive.h> defines it.
#ifndef ORRERY_ARCHIVE_FUNCTIONS_H
#define ORRERY_ARCHIVE_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct archive;
struct archive_entry;

enum { ARCHIVE_AT_END = 1, ARCHIVE_IS_OK = 0, ARCHIVE_HAS_WARNED = -20 };

/// Returns the next piece: its length, 0 at the end, or -1 if it cannot be read.
typedef ssize_t archive_reads(struct archive *, void *context, const void **bytes);

typedef struct {
    const char *(*version_string)(void);
    struct archive *(*read_new)(void);
    int (*read_support_format_zip_streamable)(struct archive *);
    int (*read_open)(struct archive *, void *context, void *opens, archive_reads *reads, void *closes);
    int (*read_next_header)(struct archive *, struct archive_entry **);
    int (*read_data_block)(struct archive *, const void **, size_t *, int64_t *);
    const char *(*error_string)(struct archive *);
    int (*read_free)(struct archive *);
} orrery_archive_functions;

/// Returns the functions of the machine's libarchive; NULL if it is not installed.
const orrery_archive_functions *orrery_archive_functions_open(void);

#endif
