// The VFS of all connections of the program. Only main database files are wrapped; logs, journals, and temporary files
// use the VFS of the operating system directly.
#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

#include "CPageChecksums.h"

// The file that SQLite uses. The file of the operating system's VFS follows it in memory.
typedef struct {
    sqlite3_file base;
    bool checksummed;   // byte 20 of the header is 8
    int page_size;      // from the header; 0 until the header is read
    bool unverified;    // checksums are not verified on reads
    int64_t failure;    // offset of the last page that did not match, or -1
} checked_file;

static sqlite3_vfs *below;

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((checked_file *)file + 1); }

static bool may_be_page(int count) { return count >= 512 && count <= 65536 && (count & (count - 1)) == 0; }

// Updates the state of a file from each read or write of its header.
static void notice_header(checked_file *file, const uint8_t *bytes, int count, sqlite3_int64 offset) {
    if (offset != 0 || count < 100 || memcmp(bytes, "SQLite format 3", 16) != 0) return;
    file->checksummed = bytes[20] == ORRERY_CHECKSUM_BYTES;
    int stored = bytes[16] << 8 | bytes[17];
    file->page_size = stored == 1 ? 65536 : stored;
}

// Reads the header directly. If another connection has filled a file that was empty when it was opened, and page 1 is
// in the log, no read of this connection includes the header.
static void look_for_header(checked_file *file) {
    uint8_t header[100];
    if (file->page_size) return;
    if (real(&file->base)->pMethods->xRead(real(&file->base), header, sizeof header, 0) == SQLITE_OK)
        notice_header(file, header, sizeof header, 0);
}

// A connection opened before the file had a header first reads page 1 with another page size.
static bool is_page(const checked_file *file, int count) {
    return may_be_page(count) && (file->page_size == 0 || count == file->page_size);
}

static int file_read(sqlite3_file *opened, void *bytes, int count, sqlite3_int64 offset) {
    checked_file *file = (checked_file *)opened;
    int code = real(opened)->pMethods->xRead(real(opened), bytes, count, offset);
    if (code != SQLITE_OK) return code;
    notice_header(file, bytes, count, offset);
    if (may_be_page(count)) look_for_header(file);
    bool verified = file->checksummed && !file->unverified && is_page(file, count);
    if (!verified || orrery_checksum_matches(bytes, (size_t)count)) return SQLITE_OK;
    file->failure = offset;
    sqlite3_log(SQLITE_IOERR_DATA, "checksum mismatch on the page at offset %lld", offset);
    return SQLITE_IOERR_DATA;
}

static int file_write(sqlite3_file *opened, const void *bytes, int count, sqlite3_int64 offset) {
    checked_file *file = (checked_file *)opened;
    notice_header(file, bytes, count, offset);
    if (may_be_page(count)) look_for_header(file);
    // The buffer is SQLite's page, and SQLite does not use the reserved bytes.
    uint8_t *page = (uint8_t *)bytes;
    if (file->checksummed && is_page(file, count))
        orrery_checksum(page, (size_t)count - ORRERY_CHECKSUM_BYTES, page + count - ORRERY_CHECKSUM_BYTES);
    return real(opened)->pMethods->xWrite(real(opened), bytes, count, offset);
}

static int file_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    return real(file)->pMethods->xTruncate(real(file), size);
}

static int file_sync(sqlite3_file *file, int flags) { return real(file)->pMethods->xSync(real(file), flags); }

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real(file)->pMethods->xFileSize(real(file), size);
}

static int file_lock(sqlite3_file *file, int lock) { return real(file)->pMethods->xLock(real(file), lock); }

static int file_unlock(sqlite3_file *file, int lock) { return real(file)->pMethods->xUnlock(real(file), lock); }

static int file_reserved_lock(sqlite3_file *file, int *held) {
    return real(file)->pMethods->xCheckReservedLock(real(file), held);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int file_sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

static int file_characteristics(sqlite3_file *file) {
    int found = real(file)->pMethods->xDeviceCharacteristics(real(file));
#ifdef SQLITE_IOCAP_SUBPAGE_READ
    found &= ~SQLITE_IOCAP_SUBPAGE_READ;  // part of a page has no checksum
#endif
    return found;
}

static int file_map_shared(sqlite3_file *file, int region, int size, int extend, void volatile **memory) {
    return real(file)->pMethods->xShmMap(real(file), region, size, extend, memory);
}

static int file_lock_shared(sqlite3_file *file, int offset, int count, int flags) {
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void file_shared_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int file_unmap_shared(sqlite3_file *file, int remove) {
    return real(file)->pMethods->xShmUnmap(real(file), remove);
}

// Without memory mapping, `file_read` reads every page.
static int file_fetch(sqlite3_file *file, sqlite3_int64 offset, int count, void **memory) {
    if (!((checked_file *)file)->checksummed)
        return real(file)->pMethods->xFetch(real(file), offset, count, memory);
    *memory = NULL;
    return SQLITE_OK;
}

static int file_unfetch(sqlite3_file *file, sqlite3_int64 offset, void *memory) {
    return real(file)->pMethods->xUnfetch(real(file), offset, memory);
}

static const sqlite3_io_methods methods = {
    .iVersion = 3,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_reserved_lock,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_characteristics,
    .xShmMap = file_map_shared,
    .xShmLock = file_lock_shared,
    .xShmBarrier = file_shared_barrier,
    .xShmUnmap = file_unmap_shared,
    .xFetch = file_fetch,
    .xUnfetch = file_unfetch,
};

// MARK: The VFS

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *opened, int flags, int *outcome) {
    (void)vfs;
    if (!(flags & SQLITE_OPEN_MAIN_DB)) return below->xOpen(below, name, opened, flags, outcome);
    memset(opened, 0, sizeof(checked_file));
    int code = below->xOpen(below, name, real(opened), flags, outcome);
    ((checked_file *)opened)->failure = -1;
    // A copy can write other pages before the page with the header.
    ((checked_file *)opened)->checksummed = sqlite3_uri_boolean(name, ORRERY_CHECKSUM_PARAMETER, 0);
    // SQLite closes a file only if it has methods, and a file that failed to open may have methods, too.
    opened->pMethods = real(opened)->pMethods ? &methods : NULL;
    return code;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync) {
    (void)vfs;
    return below->xDelete(below, name, sync);
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *found) {
    (void)vfs;
    return below->xAccess(below, name, flags, found);
}

static int vfs_full_path(sqlite3_vfs *vfs, const char *name, int count, char *path) {
    (void)vfs;
    return below->xFullPathname(below, name, count, path);
}

static int vfs_randomness(sqlite3_vfs *vfs, int count, char *bytes) {
    (void)vfs;
    return below->xRandomness(below, count, bytes);
}

static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) {
    (void)vfs;
    return below->xSleep(below, microseconds);
}

static int vfs_time(sqlite3_vfs *vfs, double *days) {
    (void)vfs;
    return below->xCurrentTime(below, days);
}

static int vfs_time_milliseconds(sqlite3_vfs *vfs, sqlite3_int64 *milliseconds) {
    (void)vfs;
    return below->xCurrentTimeInt64(below, milliseconds);
}

static int vfs_last_error(sqlite3_vfs *vfs, int count, char *text) {
    (void)vfs;
    return below->xGetLastError(below, count, text);
}

static sqlite3_vfs checksums = {
    .iVersion = 2,
    .zName = "orrery-checksums",
    .xOpen = vfs_open,
    .xDelete = vfs_delete,
    .xAccess = vfs_access,
    .xFullPathname = vfs_full_path,
    .xRandomness = vfs_randomness,
    .xSleep = vfs_sleep,
    .xCurrentTime = vfs_time,
    .xGetLastError = vfs_last_error,
    .xCurrentTimeInt64 = vfs_time_milliseconds,
};

static int registration = SQLITE_ERROR;

static void register_once(void) {
    below = sqlite3_vfs_find(NULL);
    if (!below || below->iVersion < 2) return;
    checksums.szOsFile = (int)sizeof(checked_file) + below->szOsFile;
    checksums.mxPathname = below->mxPathname;
    registration = sqlite3_vfs_register(&checksums, 1);
}

int orrery_checksums_register(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_once);
    return registration;
}

// MARK: Connections

// Returns the main database file of a connection, or NULL if this VFS did not open it.
static checked_file *file_of(sqlite3 *connection) {
    sqlite3_file *file = NULL;
    int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    return code == SQLITE_OK && file && file->pMethods == &methods ? (checked_file *)file : NULL;
}

int orrery_checksums_reserve(sqlite3 *connection) {
    int bytes = ORRERY_CHECKSUM_BYTES;
    checked_file *file = file_of(connection);
    sqlite3_int64 size = 0;
    // In an empty file, every page gets a checksum, whichever page is written first.
    if (file && file_size(&file->base, &size) == SQLITE_OK && size == 0) file->checksummed = true;
    return sqlite3_file_control(connection, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes);
}

bool orrery_checksums_verify(sqlite3 *connection, bool verify) {
    checked_file *file = file_of(connection);
    if (!file) return false;
    look_for_header(file);
    file->unverified = !verify;
    return file->checksummed;
}

int64_t orrery_checksums_take_failure(sqlite3 *connection) {
    checked_file *file = file_of(connection);
    if (!file) return -1;
    int64_t offset = file->failure;
    file->failure = -1;
    return offset;
}

int orrery_checksums_probe(sqlite3 *connection, int64_t offset, uint8_t *page, int count) {
    checked_file *file = file_of(connection);
    if (!file || !may_be_page(count)) return -1;
    sqlite3_file *below_file = real(&file->base);
    if (below_file->pMethods->xRead(below_file, page, count, offset) != SQLITE_OK) return -1;
    return orrery_checksum_matches(page, (size_t)count) ? 1 : 0;
}
