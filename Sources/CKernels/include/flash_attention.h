// Attention: O = softmax(scale Q Kᵀ + mask) V for every head, forward and backward, without the matrix of scores.
#pragma once

// Rows of [head, row, width] float32; strides are in elements, and the elements of a row lie side by side.
typedef struct {
    const float *start;
    long head_stride, row_stride;
} orrery_attention_rows;

typedef struct {
    float *start;
    long head_stride, row_stride;
} orrery_attention_results;

// One call. `heads` is a multiple of `kv_heads`: head h reads the keys and values of h / (heads / kv_heads).
typedef struct {
    long heads, kv_heads, queries, keys, width;
    int causal;  // query i sees the keys up to i + keys - queries
    long window; // and of those the last `window` (which makes it causal); 0: all
    float scale;

    orrery_attention_rows q, k, v; // [heads, queries, width], [kv_heads, keys, width] twice
    orrery_attention_results o;    // [heads, queries, width]; rows that see no key are zero. The backward reads it
    float *log_sum_exp;            // [heads, queries], natural; -inf where no key is seen. The forward may have null

    // The backward alone:
    orrery_attention_rows d_o;               // the gradient of the output, [heads, queries, width]
    orrery_attention_results d_q, d_k, d_v;  // as q, k and v
    float *delta;                            // [heads, queries]: Σ d_o o, written by query chunks, read by key chunks

    int failed; // set where a thread found no memory
} orrery_attention;

// The textbook: three loops, all scores of one head kept: `scores` is [queries, keys].
void orrery_attention_naive(const orrery_attention *call, float *scores);
// Its backward: `weights` and `gradients` are [queries, keys].
void orrery_attention_backward_naive(const orrery_attention *call, float *weights, float *gradients);
// Gives -inf to the scores [queries, keys] of keys that a query does not see.
void orrery_attention_mask(const orrery_attention *call, float *scores);

// Flash attention (Dao et al. 2022; Dao 2023). A call is cut into chunks, which any thread may do in any order: each
// writes rows of its own, and a row has the same bits in whatever chunk, alone or among others.
long orrery_attention_query_chunks(const orrery_attention *call);
long orrery_attention_key_chunks(const orrery_attention *call);

// One of the query chunks: rows of o and log_sum_exp.
void orrery_attention_forward_portable(orrery_attention *call, long chunk);
#if defined(__x86_64__)
void orrery_attention_forward_avx2(orrery_attention *call, long chunk);
void orrery_attention_forward_avx512(orrery_attention *call, long chunk);
#endif

// One of the query chunks: rows of d_q and delta. All of them come before the first key chunk.
void orrery_attention_backward_queries_portable(orrery_attention *call, long chunk);
#if defined(__x86_64__)
void orrery_attention_backward_queries_avx2(orrery_attention *call, long chunk);
void orrery_attention_backward_queries_avx512(orrery_attention *call, long chunk);
#endif

// One of the key chunks: rows of d_k and d_v.
void orrery_attention_backward_keys_portable(orrery_attention *call, long chunk);
#if defined(__x86_64__)
void orrery_attention_backward_keys_avx2(orrery_attention *call, long chunk);
void orrery_attention_backward_keys_avx512(orrery_attention *call, long chunk);
#endif
