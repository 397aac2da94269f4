// The checksum of a page. Source of the formula: ext/misc/cksumvfs.c of SQLite.
#include <string.h>

#include "CPageChecksums.h"

static uint32_t little(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void store(uint8_t *bytes, uint32_t word) {
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(word >> 8 * i);
}

void orrery_checksum(const uint8_t *bytes, size_t count, uint8_t sum[ORRERY_CHECKSUM_BYTES]) {
    uint32_t s1 = 0, s2 = 0;
    for (const uint8_t *end = bytes + count; bytes < end; bytes += 8) {
        s1 += little(bytes) + s2;
        s2 += little(bytes + 4) + s1;
    }
    store(sum, s1);
    store(sum + 4, s2);
}

bool orrery_checksum_matches(const uint8_t *page, size_t count) {
    uint8_t sum[ORRERY_CHECKSUM_BYTES];
    orrery_checksum(page, count - ORRERY_CHECKSUM_BYTES, sum);
    return memcmp(sum, page + count - ORRERY_CHECKSUM_BYTES, ORRERY_CHECKSUM_BYTES) == 0;
}
