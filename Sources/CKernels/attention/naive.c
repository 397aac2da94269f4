// The textbook: softmax(scale Q Kᵀ + mask) V head by head, in three loops, with the whole matrix of scores.
#include "attention_rows.h"

#include <math.h>

void orrery_attention_mask(const orrery_attention *call, float *scores) {
    for (long i = 0; i < call->queries; i++) {
        float *row = scores + i * call->keys;
        orrery_visible keys = orrery_visible_keys(call, i);
        for (long j = 0; j < keys.first; j++) row[j] = -INFINITY;
        for (long j = keys.end; j < call->keys; j++) row[j] = -INFINITY;
    }
}

// Returns the log-sum-exp of the row, which becomes its weights; -inf and zeros where all of it is -inf.
static float softmax(float *row, long count) {
    float highest = -INFINITY, sum = 0;
    for (long j = 0; j < count; j++) highest = row[j] > highest ? row[j] : highest;
    if (highest == -INFINITY) {
        for (long j = 0; j < count; j++) row[j] = 0;
        return -INFINITY;
    }
    for (long j = 0; j < count; j++) {
        row[j] = expf(row[j] - highest);
        sum += row[j];
    }
    for (long j = 0; j < count; j++) row[j] /= sum;
    return highest + logf(sum);
}

void orrery_attention_naive(const orrery_attention *call, float *scores) {
    for (long head = 0; head < call->heads; head++) {
        long kv_head = head / orrery_group(call);
        for (long i = 0; i < call->queries; i++) {
            for (long j = 0; j < call->keys; j++) {
                const float *q = orrery_row_of(call->q, head, i), *k = orrery_row_of(call->k, kv_head, j);
                float sum = 0;
                for (long c = 0; c < call->width; c++) sum += q[c] * k[c];
                scores[i * call->keys + j] = call->scale * sum;
            }
        }
        orrery_attention_mask(call, scores);
        for (long i = 0; i < call->queries; i++) {
            float logarithm = softmax(scores + i * call->keys, call->keys);
            if (call->log_sum_exp) call->log_sum_exp[head * call->queries + i] = logarithm;
        }
        for (long i = 0; i < call->queries; i++) {
            for (long c = 0; c < call->width; c++) {
                float sum = 0;
                for (long j = 0; j < call->keys; j++) {
                    sum += scores[i * call->keys + j] * orrery_row_of(call->v, kv_head, j)[c];
                }
                orrery_result_of(call->o, head, i)[c] = sum;
            }
        }
    }
}
