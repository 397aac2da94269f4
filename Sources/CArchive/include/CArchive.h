// Entries of ZIP archives, decompressed through the machine's own libarchive, which is opened when it is first needed.
//
// The program is not linked with libarchive, so it starts faster and also runs without it. The functions used have
// been the same since version 3.0 of 2011; Zstandard inside ZIP needs about version 3.6.
//
// The caller has read the archive's directory and passes the location of one entry. libarchive receives only that
// entry, after a local header that is made here from the directory. Reading an entry therefore takes the same time in
// an archive of any size, and the file's own local header is never trusted.
#ifndef ORRERY_CARCHIVE_H
#define ORRERY_CARCHIVE_H

#include <stddef.h>
#include <stdint.h>

/// Returns why libarchive cannot be used, without a final period; NULL if it can. The first call loads it.
const char *orrery_archive_problem(void);

/// Returns the version, such as `libarchive 3.6.2`; NULL if it is not installed.
const char *orrery_archive_version(void);

/// One entry, as described by the archive's directory.
typedef struct {
    /// A file open for reading; its position is neither used nor changed.
    int file;
    /// Offset of the compressed bytes, after the local header.
    int64_t offset;
    int64_t compressed_size;
    int64_t size;
    uint32_t crc32;
    /// Compression method: 0 stored, 8 deflate, 93 Zstandard, ...
    uint16_t method;
} orrery_archive_place;

/// An entry being read; use it on one thread at a time.
typedef struct orrery_archive_entry orrery_archive_entry;

/// Opens an entry; returns NULL if memory or libarchive is missing.
orrery_archive_entry *orrery_archive_open(const orrery_archive_place *place);

/// Fills the buffer with the next bytes of the entry. Returns fewer bytes only at the end, 0 past the end, and -1 if
/// the entry is damaged or its compression method is unknown.
int64_t orrery_archive_read(orrery_archive_entry *entry, uint8_t *buffer, size_t length);

/// Returns the error message after -1, without a final period.
const char *orrery_archive_message(const orrery_archive_entry *entry);

/// Closes an entry; NULL is ignored.
void orrery_archive_close(orrery_archive_entry *entry);

#endif
