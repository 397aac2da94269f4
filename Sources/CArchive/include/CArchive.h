// Entries of ZIP archives, decompressed through the machine's own libarchive, which is opened when it is first needed.
//
// The program is not linked with libarchive: it starts faster, and runs where there is none. What is used of its
// interface has been the same since version 3.0 of 2011; Zstandard inside ZIP needs 3.6 or so.
//
// The caller knows the archive's directory and names one entry by its place. libarchive is handed that entry alone,
// behind a local header that is made here from the directory: one of 10,000 entries costs no more than one of two,
// and what the file's own local header claims is never believed.
#ifndef ORRERY_CARCHIVE_H
#define ORRERY_CARCHIVE_H

#include <stddef.h>
#include <stdint.h>

/// Returns why libarchive cannot be used, without a final period; NULL if it can. The first call loads it.
const char *orrery_archive_problem(void);

/// Returns the version, such as `libarchive 3.6.2`; NULL if it is not installed.
const char *orrery_archive_version(void);

/// One entry as the archive's directory tells of it.
typedef struct {
    /// A file that is open for reading; its position is neither used nor moved.
    int file;
    /// Offset of the compressed bytes, behind the local header.
    int64_t offset;
    int64_t compressed_size;
    int64_t size;
    uint32_t crc32;
    /// 0 stored, 8 deflate, 93 Zstandard, ...
    uint16_t method;
} orrery_archive_place;

/// An entry that is being read. It belongs to one thread at a time.
typedef struct orrery_archive_entry orrery_archive_entry;

/// Opens an entry; returns NULL if memory or libarchive is missing.
orrery_archive_entry *orrery_archive_open(const orrery_archive_place *place);

/// Fills the buffer with the next bytes of the entry. Returns fewer bytes only at the end, 0 past the end, and -1 if
/// the entry is damaged or its compression method is unknown.
int64_t orrery_archive_read(orrery_archive_entry *entry, uint8_t *buffer, size_t length);

/// Returns the error message after -1, without a final period.
const char *orrery_archive_message(const orrery_archive_entry *entry);

/// NULL is fine.
void orrery_archive_close(orrery_archive_entry *entry);

#endif
