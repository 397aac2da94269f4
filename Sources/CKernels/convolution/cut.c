// The chunks of a convolution, and who takes it directly.
#include "geometry.h"

#include "../scratch.h"

int orrery_convolution_is_direct(const orrery_convolution *s) {
    return s->stride_rows == 1 && s->stride_columns == 1 && s->padding_rows <= reach_rows(s)
        && s->padding_columns <= reach_columns(s);
}

long orrery_convolution_chunks(const orrery_convolution *s) { return least(s->batch, 16); }

long orrery_convolution_weight_parts(const orrery_convolution *s) { return weight_cut_of(s).image_parts; }

long orrery_convolution_weight_chunks(const orrery_convolution *s) {
    weight_cut cut = weight_cut_of(s);
    return cut.image_parts * cut.output_parts;
}

// The slot is one that no chunk uses: other threads write here while their own slots hold planes.
float *orrery_convolution_weight_memory(const orrery_convolution *s) {
    size_t part = (size_t)(weights_of(s) + s->groups * s->outputs);
    return orrery_scratch(ORRERY_SCRATCH_ATTENTION, part * (size_t)weight_cut_of(s).image_parts * sizeof(float));
}
