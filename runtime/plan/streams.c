#include "runtime/plan/streams.h"

#include <stdint.h>

static const char *const stream_texts[] = {
#define X(name, text) text,
    VDNN_STREAM_TABLE(X)
#undef X
};

static const char *const tier_texts[] = {
#define X(name, text) text,
    VDNN_TIER_TABLE(X)
#undef X
};

const size_t vdnn_tier_unlimited[VDNN_TIER_COUNT] = {
#define X(name, text) SIZE_MAX,
    VDNN_TIER_TABLE(X)
#undef X
};

#define NAME_OF(texts, i) ((size_t)(i) < sizeof(texts) / sizeof *(texts) ? (texts)[i] : "unknown")

const char *vdnn_stream_text(vdnn_stream_id stream)
{
    return NAME_OF(stream_texts, stream);
}

const char *vdnn_tier_text(vdnn_tier tier)
{
    return NAME_OF(tier_texts, tier);
}
