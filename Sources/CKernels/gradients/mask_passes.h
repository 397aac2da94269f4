// Dropout: words of Philox4x32-10 in as many lanes as a vector has, each lane a block of its own.
//
// A group of 64 numbers takes 16 blocks: the numbers 16 w + b of the group take word w of block b. So the words of one
// round of blocks lie as the numbers do, and nothing is exchanged between lanes, be they 4 or 16.
#pragma once

typedef struct {
    words word[4];
} mask_words;

ORRERY_INLINE mask_words blocks_from(const orrery_mask *mask, uint32_t first) {
    words a, b = (words)(mask->counter[0]), c = (words)(mask->counter[1]), d = (words)(mask->counter[2]);
    ORRERY_UNROLL for (int lane = 0; lane < LANES; lane++) a[lane] = first + (uint32_t)lane;
    uint32_t k = mask->key[0], l = mask->key[1];
    for (int round = 0; round < 10; round++) {
        words first_low, second_low;
        words first_high = multiply(a, 0xD2511F53, &first_low);
        words second_high = multiply(c, 0xCD9E8D57, &second_low);
        a = second_high ^ b ^ k;
        b = second_low;
        c = first_high ^ d ^ l;
        d = first_low;
        k += 0x9E3779B9;
        l += 0xBB67AE85;
    }
    return (mask_words){{a, b, c, d}};
}

static void dropout(const orrery_mask *mask, const float *x, float *y, long first, long count) {
    for (long group = 0; group < count; group += 64) {
        for (long lane = 0; lane < 16; lane += LANES) {
            mask_words random = blocks_from(mask, (uint32_t)((first + group) / 4 + lane));
            for (int w = 0; w < 4; w++) {
                long i = group + 16 * w + lane;
                if (i >= count) break;
                vector kept = load_some(x + i, count - i) * mask->scale;
                store_some(y + i, random.word[w] >= mask->threshold ? kept : SPLAT(0), count - i);
            }
        }
    }
}
