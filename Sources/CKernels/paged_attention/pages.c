// What every path shares: writing into pages, counting chunks, and merging the runs of a row.
#include "../scratch.h"
#include "paged_chunks.h"

#include <math.h>
#include <string.h>

// Keys are turned: each number of a key goes to a line of its own, beside that of the key before it.
static void append_keys(const orrery_pages *pages, const float *keys, long stride, long count, long position) {
    const long width = pages->key_width, size = pages->page_size;
    for (long done = 0; done < count;) {
        long slot = (position + done) % size;
        long part = count - done < size - slot ? count - done : size - slot;
        float *page = pages->keys[(position + done) / size] + slot;
        for (long line = 0; line < pages->kv_heads * width; line++) {
            const float *from = keys + done * stride + line;
            float *to = page + line * size;
            for (long i = 0; i < part; i++) to[i] = from[i * stride];
        }
        done += part;
    }
}

void orrery_paged_append(
    const orrery_pages *pages, const float *keys, long key_stride, const float *values, long value_stride, long count,
    long position) {
    const long width = pages->value_width, size = pages->page_size;
    append_keys(pages, keys, key_stride, count, position);
    for (long i = 0; i < count; i++) {
        float *page = pages->values[(position + i) / size] + (position + i) % size * width;
        const float *from = values + i * value_stride;
        for (long head = 0; head < pages->kv_heads; head++) {
            memcpy(page + head * size * width, from + head * width, sizeof(float) * (size_t)width);
        }
    }
}

long orrery_paged_attention_chunks(const orrery_paged_attention *call) {
    orrery_paged_cut cut = orrery_paged_cut_of(call);
    return cut.row_chunks * cut.runs * call->pages.kv_heads;
}

long orrery_paged_attention_partials(const orrery_paged_attention *call) {
    orrery_paged_cut cut = orrery_paged_cut_of(call);
    if (cut.runs == 1) return 0;
    return call->pages.kv_heads * orrery_paged_rows(call) * cut.runs * (call->pages.value_width + 2);
}

// Not the slot of the chunks, which are running on this thread too while the partials fill.
float *orrery_paged_attention_memory(long floats) {
    return orrery_scratch(ORRERY_SCRATCH_TILE, sizeof(float) * (size_t)floats);
}

// With m the greatest of the runs' maxima m_i: o = Σ e^(m_i - m) O_i / Σ e^(m_i - m) l_i.
static void merge_row(const float *runs, long count, long width, float *o) {
    float highest = runs[0], sum = 0;
    for (long i = 1; i < count; i++) highest = runs[i * (width + 2)] > highest ? runs[i * (width + 2)] : highest;
    for (long c = 0; c < width; c++) o[c] = 0;
    for (long i = 0; i < count; i++) {
        const float *run = runs + i * (width + 2);
        float weight = expf(run[0] - highest);
        if (run[1] == 0) continue;
        sum += weight * run[1];
        for (long c = 0; c < width; c++) o[c] += weight * run[2 + c];
    }
    float factor = sum == 0 ? 0 : 1 / sum;
    for (long c = 0; c < width; c++) o[c] *= factor;
}

void orrery_paged_attention_merge(const orrery_paged_attention *call) {
    orrery_paged_cut cut = orrery_paged_cut_of(call);
    if (cut.runs == 1) return;
    for (long head = 0; head < call->pages.kv_heads; head++) {
        for (long row = 0; row < orrery_paged_rows(call); row++) {
            merge_row(
                orrery_paged_partial(call, &cut, head, row, 0), cut.runs, call->pages.value_width,
                orrery_paged_output(call, head, row));
        }
    }
}
