// Attention over keys and values that are in pages: decoding, prefill, branches that share pages.
#pragma once

// Keys and values of one layer of one sequence. Page p holds positions p * page_size ..< (p + 1) * page_size.
// Within a page keys are [kv_heads, key_width, page_size]: the keys that a vector is compared with lie side by side,
// so that scores need no sums across lanes; values are [kv_heads, page_size, value_width].
typedef struct {
    float *const *keys;
    float *const *values;
    long page_size; // a multiple of 32
    long kv_heads, key_width, value_width;
} orrery_pages;

// One call. `heads` is a multiple of `kv_heads`: head h reads the keys and values of h / (heads / kv_heads).
typedef struct {
    orrery_pages pages;
    long heads, queries;
    long first_position; // of query 0; query i stands at first_position + i
    long length;         // positions that hold something, those of the queries included
    int causal;          // a query sees no position after its own
    long window;         // and of those the last `window` (which makes it causal); 0: all
    float scale;
    float softcap;             // scores become softcap * tanh(score / softcap); 0: they stay
    const float *alibi_slopes; // [heads]: scores get slope * (key's position - query's position); null: they stay

    const float *q; // [queries, heads, key_width]
    long q_stride;  // from a query to the next
    float *o;       // [queries, heads, value_width]; rows that see no key are zero
    long o_stride;
    float *partials; // orrery_paged_attention_partials floats; unused where that is 0

    int failed; // set where a thread found no memory
} orrery_paged_attention;

// Writes `count` keys and values [count, kv_heads, width] to positions `position` and on; strides are in elements, from
// a position to the next.
void orrery_paged_append(
    const orrery_pages *pages, const float *keys, long key_stride, const float *values, long value_stride, long count,
    long position);

// How a call is cut: chunks that any thread may do in any order, each of some query rows against a run of keys. The cut
// depends on the sizes alone, and with it the order of all sums.
long orrery_paged_attention_chunks(const orrery_paged_attention *call);
// Floats that the chunks need to hand on what they found, where the keys of a row are cut into several runs; else 0.
long orrery_paged_attention_partials(const orrery_paged_attention *call);
// Room for them that the calling thread keeps for its next call; null where memory is short.
float *orrery_paged_attention_memory(long floats);
// After all chunks: the runs of each row become its output, in their order. Nothing to do without partials.
void orrery_paged_attention_merge(const orrery_paged_attention *call);

// One of the chunks.
void orrery_paged_attention_portable(orrery_paged_attention *call, long chunk);
#if defined(__x86_64__)
void orrery_paged_attention_avx2(orrery_paged_attention *call, long chunk);
void orrery_paged_attention_avx512(orrery_paged_attention *call, long chunk);
#endif
