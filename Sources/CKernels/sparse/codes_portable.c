// Sparse codes, number by number.
#include "sparse_codes.h"

#include <string.h>

void orrery_group_maxima_portable(float *x, const float *bias, long count, long groups, float *maxima) {
    for (long group = 0; group < groups; group++) maxima[group] = 0;
    for (long start = 0; start < count; start += groups) {
        long length = count - start < groups ? count - start : groups;
        for (long group = 0; group < length; group++) {
            float number = x[start + group] += bias[start + group];
            maxima[group] = number > maxima[group] ? number : maxima[group];
        }
    }
}

// Numbers from 0 on are in the order of their bits, so that t is found bit by bit.
float orrery_kth_largest_portable(const float *x, long count, long k, int loose) {
    uint32_t bound = 0;
    for (int bit = 30; bit >= loose; bit--) {
        uint32_t next = bound | 1u << bit;
        long reached = 0;
        for (long i = 0; i < count; i++) {
            uint32_t bits;
            memcpy(&bits, x + i, 4);
            reached += bits >= next;
        }
        if (reached >= k) {
            bound = next;
            if (reached == k && loose > 0) break;
        }
    }
    float result;
    memcpy(&result, &bound, 4);
    return result;
}

long orrery_gather_portable(
    const float *x, const float *floors, float floor, long count, uint32_t *places, float *numbers) {
    long found = 0;
    for (long i = 0; i < count; i++) {
        if (floors ? x[i] > floors[i] : x[i] > 0 && x[i] >= floor) {
            places[found] = (uint32_t)i;
            numbers[found++] = x[i];
        }
    }
    return found;
}

void orrery_row_products_portable(
    const uint32_t *index, long count, const float *rows, long width, const float *y, float *products) {
    for (long i = 0; i < count; i++) {
        const float *row = rows + (size_t)index[i] * (size_t)width;
        float sums[8] = {0};
        long column = 0;
        for (; column + 8 <= width; column += 8) {
            for (int lane = 0; lane < 8; lane++) sums[lane] += row[column + lane] * y[column + lane];
        }
        float sum = 0;
        for (; column < width; column++) sum += row[column] * y[column];
        for (int lane = 0; lane < 8; lane++) sum += sums[lane];
        products[i] = sum;
    }
}

float orrery_difference_portable(const float *x, const float *y, float *z, float *sums, long count) {
    float squares = 0;
    for (long i = 0; i < count; i++) {
        float difference = x[i] - y[i];
        z[i] = difference;
        sums[i] += difference;
        squares += difference * difference;
    }
    return squares;
}
