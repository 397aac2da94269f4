// One entry of a ZIP archive, read as if it were an archive of its own.
//
// libarchive receives a local header made here, and then the entry's compressed bytes, piece by piece.
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "CArchive.h"
#include "archive_functions.h"

enum { HEADER_ROOM = 64, PIECE = 256 << 10 };

struct orrery_archive_entry {
    const orrery_archive_functions *functions;
    struct archive *archive;
    orrery_archive_place place;
    uint8_t header[HEADER_ROOM];
    size_t header_length;
    int header_is_sent;
    /// Number of compressed bytes passed to libarchive.
    int64_t sent;
    /// Number of decompressed bytes returned to the caller.
    int64_t produced;
    /// Unread rest of the last block from libarchive.
    const uint8_t *block;
    size_t block_length;
    /// Whether libarchive found a wrong checksum or size at the supposed end of the entry.
    int has_doubts;
    size_t piece;
    int restarts;
    int has_failed;
    char message[256];
    uint8_t buffer[PIECE];
};

static size_t put(uint8_t *bytes, size_t at, uint64_t value, size_t count) {
    for (size_t index = 0; index < count; index++) bytes[at + index] = (uint8_t)(value >> (8 * index));
    return at + count;
}

/// APPNOTE 6.3.10, 4.3.7; sizes beyond 32 bits are stored in extra field 1 (4.5.3).
static void make_header(orrery_archive_entry *entry) {
    const orrery_archive_place *place = &entry->place;
    int is_large = place->size >= 0xFFFFFFFF || place->compressed_size >= 0xFFFFFFFF;
    uint8_t *bytes = entry->header;
    size_t at = put(bytes, 0, 0x04034b50, 4);
    at = put(bytes, at, 63, 2);
    at = put(bytes, at, 0, 2);
    at = put(bytes, at, place->method, 2);
    at = put(bytes, at, 0, 2);
    at = put(bytes, at, 0x21, 2);
    at = put(bytes, at, place->crc32, 4);
    at = put(bytes, at, is_large ? 0xFFFFFFFF : (uint64_t)place->compressed_size, 4);
    at = put(bytes, at, is_large ? 0xFFFFFFFF : (uint64_t)place->size, 4);
    at = put(bytes, at, 1, 2);
    at = put(bytes, at, is_large ? 20 : 0, 2);
    at = put(bytes, at, 'e', 1);
    if (is_large) {
        at = put(bytes, at, 1, 2);
        at = put(bytes, at, 16, 2);
        at = put(bytes, at, (uint64_t)place->size, 8);
        at = put(bytes, at, (uint64_t)place->compressed_size, 8);
    }
    entry->header_length = at;
}

static ssize_t hand_out(struct archive *archive, void *context, const void **bytes) {
    (void)archive;
    orrery_archive_entry *entry = context;
    if (!entry->header_is_sent) {
        entry->header_is_sent = 1;
        *bytes = entry->header;
        return (ssize_t)entry->header_length;
    }
    int64_t left = entry->place.compressed_size - entry->sent;
    size_t wanted = left < (int64_t)entry->piece ? (size_t)left : entry->piece;
    *bytes = entry->buffer;
    if (wanted == 0) return 0;
    ssize_t count;
    do {
        count = pread(entry->place.file, entry->buffer, wanted, entry->place.offset + entry->sent);
    } while (count < 0 && errno == EINTR);
    if (count < 0) {
        strncpy(entry->message, "the file cannot be read", sizeof entry->message - 1);
        return -1;
    }
    entry->sent += count;
    return count;
}

static void fail(orrery_archive_entry *entry) {
    entry->has_failed = 1;
    if (entry->message[0] != 0) return;
    const char *text = entry->archive != NULL ? entry->functions->error_string(entry->archive) : NULL;
    strncpy(entry->message, text != NULL ? text : "not enough memory", sizeof entry->message - 1);
}

static int begin(orrery_archive_entry *entry) {
    const orrery_archive_functions *functions = entry->functions;
    if (entry->archive != NULL) functions->read_free(entry->archive);
    entry->header_is_sent = 0;
    entry->sent = 0;
    entry->block_length = 0;
    entry->has_doubts = 0;
    entry->archive = functions->read_new();
    if (entry->archive == NULL) return 0;
    struct archive_entry *header;
    if (functions->read_support_format_zip_streamable(entry->archive) != ARCHIVE_IS_OK) return 0;
    if (functions->read_open(entry->archive, entry, NULL, hand_out, NULL) != ARCHIVE_IS_OK) return 0;
    int result = functions->read_next_header(entry->archive, &header);
    return result == ARCHIVE_IS_OK || result == ARCHIVE_HAS_WARNED;
}

orrery_archive_entry *orrery_archive_open(const orrery_archive_place *place) {
    const orrery_archive_functions *functions = orrery_archive_functions_open();
    if (functions == NULL) return NULL;
    orrery_archive_entry *entry = malloc(sizeof *entry);
    if (entry == NULL) return NULL;
    memset(entry, 0, offsetof(struct orrery_archive_entry, buffer));
    entry->functions = functions;
    entry->place = *place;
    entry->piece = PIECE;
    make_header(entry);
    if (!begin(entry)) fail(entry);
    return entry;
}

static int64_t read_some(orrery_archive_entry *entry, uint8_t *buffer, size_t length) {
    size_t done = 0;
    while (done < length) {
        if (entry->block_length == 0) {
            const void *block = NULL;
            int64_t offset;
            if (entry->has_doubts) break;
            int result = entry->functions->read_data_block(entry->archive, &block, &entry->block_length, &offset);
            if (result == ARCHIVE_AT_END) {
                entry->block_length = 0;
                break;
            }
            if (result == ARCHIVE_HAS_WARNED) {
                entry->has_doubts = 1;
            } else if (result != ARCHIVE_IS_OK) {
                return -1;
            }
            entry->block = block;
            continue;
        }
        size_t count = entry->block_length < length - done ? entry->block_length : length - done;
        memcpy(buffer + done, entry->block, count);
        entry->block += count;
        entry->block_length -= count;
        done += count;
    }
    return (int64_t)done;
}

/// Reads the entry again from the start, in pieces of a different length, up to its end.
///
/// libarchive mistakes the end of a Zstandard frame for the end of the entry if a piece ends there too.
static int restart(orrery_archive_entry *entry) {
    entry->restarts += 1;
    entry->piece -= 4099;
    if (!begin(entry)) return 0;
    uint8_t scratch[16384];
    int64_t left = entry->produced;
    while (left > 0) {
        size_t wanted = left < (int64_t)sizeof scratch ? (size_t)left : sizeof scratch;
        int64_t count = read_some(entry, scratch, wanted);
        if (count <= 0) return 0;
        left -= count;
    }
    return 1;
}

int64_t orrery_archive_read(orrery_archive_entry *entry, uint8_t *buffer, size_t length) {
    if (entry->has_failed) return -1;
    int64_t left = entry->place.size - entry->produced;
    if ((int64_t)length > left) length = left > 0 ? (size_t)left : 0;
    size_t done = 0;
    while (done < length) {
        int64_t count = read_some(entry, buffer + done, length - done);
        if (count < 0) {
            fail(entry);
            return -1;
        }
        done += (size_t)count;
        entry->produced += count;
        if (done == length) break;
        // The entry ended too early; libarchive may have mistaken the end of a frame for it.
        if (entry->place.method != 93 || entry->restarts >= 8 || !restart(entry)) {
            strncpy(entry->message, "the data ends before the recorded size", sizeof entry->message - 1);
            entry->has_failed = 1;
            return -1;
        }
    }
    // All bytes have arrived; reading past the last one makes libarchive compare the checksum.
    if (done > 0 && entry->produced == entry->place.size && entry->block_length == 0) {
        uint8_t beyond;
        if (read_some(entry, &beyond, 1) != 0 || entry->has_doubts) {
            fail(entry);
            return -1;
        }
    }
    return (int64_t)done;
}

const char *orrery_archive_message(const orrery_archive_entry *entry) {
    return entry->message;
}

void orrery_archive_close(orrery_archive_entry *entry) {
    if (entry == NULL) return;
    if (entry->archive != NULL) entry->functions->read_free(entry->archive);
    free(entry);
}
