// The textbook of the backward: P and dS as whole matrices of one head, then the three gradients as loops.
#include "attention_rows.h"

#include <math.h>

// weights[i][j] = P, gradients[i][j] = dS = P (dO Vᵀ - δ); both 0 if query i does not see key j.
static void weights_and_gradients(const orrery_attention *call, long head, float *weights, float *gradients) {
    for (long i = 0; i < call->queries; i++) {
        const float *q = orrery_row_of(call->q, head, i), *d_o = orrery_row_of(call->d_o, head, i);
        const float *o = orrery_result_of(call->o, head, i);
        orrery_visible keys = orrery_visible_keys(call, i);
        float logarithm = call->log_sum_exp[head * call->queries + i], delta = 0;
        for (long c = 0; c < call->width; c++) delta += d_o[c] * o[c];
        call->delta[head * call->queries + i] = delta;
        for (long j = 0; j < call->keys; j++) {
            const float *k = orrery_row_of(call->k, head / orrery_group(call), j);
            const float *v = orrery_row_of(call->v, head / orrery_group(call), j);
            float score = 0, product = 0;
            for (long c = 0; c < call->width; c++) {
                score += q[c] * k[c];
                product += d_o[c] * v[c];
            }
            int is_seen = j >= keys.first && j < keys.end;
            float weight = is_seen ? expf(call->scale * score - logarithm) : 0;
            weights[i * call->keys + j] = weight;
            gradients[i * call->keys + j] = weight * (product - delta);
        }
    }
}

static void query_gradients(const orrery_attention *call, long head, const float *gradients) {
    for (long i = 0; i < call->queries; i++) {
        float *d_q = orrery_result_of(call->d_q, head, i);
        for (long c = 0; c < call->width; c++) {
            float sum = 0;
            for (long j = 0; j < call->keys; j++) {
                sum += gradients[i * call->keys + j] * orrery_row_of(call->k, head / orrery_group(call), j)[c];
            }
            d_q[c] = call->scale * sum;
        }
    }
}

// The heads of a group add up, the first of them begins.
static void key_gradients(const orrery_attention *call, long head, const float *weights, const float *gradients) {
    int is_first = head % orrery_group(call) == 0;
    for (long j = 0; j < call->keys; j++) {
        float *d_k = orrery_result_of(call->d_k, head / orrery_group(call), j);
        float *d_v = orrery_result_of(call->d_v, head / orrery_group(call), j);
        for (long c = 0; c < call->width; c++) {
            float key_sum = 0, value_sum = 0;
            for (long i = 0; i < call->queries; i++) {
                key_sum += gradients[i * call->keys + j] * orrery_row_of(call->q, head, i)[c];
                value_sum += weights[i * call->keys + j] * orrery_row_of(call->d_o, head, i)[c];
            }
            d_k[c] = (is_first ? 0 : d_k[c]) + call->scale * key_sum;
            d_v[c] = (is_first ? 0 : d_v[c]) + value_sum;
        }
    }
}

void orrery_attention_backward_naive(const orrery_attention *call, float *weights, float *gradients) {
    for (long head = 0; head < call->heads; head++) {
        weights_and_gradients(call, head, weights, gradients);
        query_gradients(call, head, gradients);
        key_gradients(call, head, weights, gradients);
    }
}
