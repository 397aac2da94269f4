// Page checksums for SQLite: a VFS that computes a checksum for every database page it writes and verifies the checksum
// of every page it reads.
//
// The format is that of SQLite's cksumvfs (ext/misc/cksumvfs.c), so SQLite's tools can verify our files: byte 20 of the
// database header, the number of reserved bytes per page, is 8, and the last 8 bytes of every page are the checksum of
// the preceding bytes. Files with another number of reserved bytes are not changed.
#ifndef ORRERY_CPAGECHECKSUMS_H
#define ORRERY_CPAGECHECKSUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sqlite3;

/// Number of bytes at the end of each page for its checksum.
#define ORRERY_CHECKSUM_BYTES 8

/// URI parameter (`?checksums=1`) of a new file that receives a copy of a database with checksums.
#define ORRERY_CHECKSUM_PARAMETER "checksums"

/// Registers the VFS as SQLite's default, once per process. Returns an SQLite result code.
int orrery_checksums_register(void);

/// Computes the checksum of `count` bytes, a multiple of 8.
///
/// Two unsigned sums with wraparound: for each pair of little-endian words (a, b), s1 += a + s2 and s2 += b + s1.
/// `sum` receives s1, then s2, little-endian, as at the end of a page.
void orrery_checksum(const uint8_t *bytes, size_t count, uint8_t sum[ORRERY_CHECKSUM_BYTES]);

/// Returns whether the last 8 bytes of a page are the checksum of the preceding bytes.
bool orrery_checksum_matches(const uint8_t *page, size_t count);

/// Reserves 8 bytes on every page: immediately in an empty database, otherwise with the next VACUUM. Returns an SQLite
/// result code.
int orrery_checksums_reserve(struct sqlite3 *connection);

/// Turns verification on or off for one connection; checksums are written in both cases. Returns false if the main
/// database of the connection has no checksums.
bool orrery_checksums_verify(struct sqlite3 *connection, bool verify);

/// Returns and clears the offset of the last page of the main database that did not match its checksum, or -1.
int64_t orrery_checksums_take_failure(struct sqlite3 *connection);

/// Reads a page of the connection's main database directly from the file, without the cache and the log.
///
/// Returns 1 if the page matches its checksum, 0 if it does not, and -1 at the end of the file or on a disk error. It
/// compares the checksum even if the header, which can be damaged, says that pages have none.
int orrery_checksums_probe(struct sqlite3 *connection, int64_t offset, uint8_t *page, int count);

#endif
