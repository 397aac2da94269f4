// Page checksums for SQLite: a VFS that computes a checksum for every database page it writes and compares it with every
// page it reads.
//
// The format is that of SQLite's own cksumvfs (ext/misc/cksumvfs.c), so that SQLite's tools can verify our files: byte 20
// of the database header, the number of reserved bytes per page, is 8, and the last 8 bytes of every page hold the
// checksum of the bytes before them. Files with another number of reserved bytes pass through unchanged.
#ifndef ORRERY_CPAGECHECKSUMS_H
#define ORRERY_CPAGECHECKSUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sqlite3;

/// Bytes at the end of each page that hold its checksum.
#define ORRERY_CHECKSUM_BYTES 8

/// URI parameter (`?checksums=1`) of a new file that receives a copy of a database with checksums.
#define ORRERY_CHECKSUM_PARAMETER "checksums"

/// Registers the VFS as SQLite's default, once per process. Returns an SQLite result code.
int orrery_checksums_register(void);

/// The checksum of `count` bytes, a multiple of 8.
///
/// Two unsigned sums with wraparound: for each pair of little-endian words (a, b), s1 += a + s2 and s2 += b + s1.
/// `sum` receives s1, then s2, little-endian, as at the end of a page.
void orrery_checksum(const uint8_t *bytes, size_t count, uint8_t sum[ORRERY_CHECKSUM_BYTES]);

/// Whether the last 8 bytes of a page hold the checksum of the bytes before them.
bool orrery_checksum_matches(const uint8_t *page, size_t count);

/// Reserves 8 bytes on every page: at once in an empty database, by the next VACUUM in another. Returns an SQLite
/// result code.
int orrery_checksums_reserve(struct sqlite3 *connection);

/// Turns the comparison on or off for one connection; checksums are still written. Returns false if the main database
/// of the connection has no checksums.
bool orrery_checksums_verify(struct sqlite3 *connection, bool verify);

/// The offset of the last page of the connection's main database that did not match its checksum, or -1. Clears it.
int64_t orrery_checksums_take_failure(struct sqlite3 *connection);

/// Reads a page of the connection's main database from the file, past the cache and the log.
///
/// Returns 1 if the page matches its checksum, 0 if it does not, and -1 at the end of the file or on a disk error. The
/// header, which can be damaged, is not asked whether pages have checksums.
int orrery_checksums_probe(struct sqlite3 *connection, int64_t offset, uint8_t *page, int count);

#endif
