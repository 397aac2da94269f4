#include "attention_rows.h"

long orrery_attention_query_chunks(const orrery_attention *call) {
    return call->kv_heads * orrery_chunks_of(orrery_group(call) * call->queries);
}

long orrery_attention_key_chunks(const orrery_attention *call) {
    return call->kv_heads * orrery_chunks_of(call->keys);
}
