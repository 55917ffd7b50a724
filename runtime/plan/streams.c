#include "runtime/plan/streams.h"

#include <stdint.h>

static const struct {
    const char *text;
    vdnn_tier from, to;
} streams[] = {
#define X(name, text, from, to) {text, VDNN_TIER_##from, VDNN_TIER_##to},
    VDNN_STREAM_TABLE(X)
#undef X
};

static const struct {
    const char *text;
    size_t alignment;
    const char *option, *name;
} tiers[] = {
#define X(id, text, alignment, option, name) {text, alignment, option, name},
    VDNN_TIER_TABLE(X)
#undef X
};

const size_t vdnn_tier_unlimited[VDNN_TIER_COUNT] = {
#define X(...) SIZE_MAX,
    VDNN_TIER_TABLE(X)
#undef X
};

vdnn_tier vdnn_tier_exceeded_from(vdnn_tier from, const size_t bytes[VDNN_TIER_COUNT],
                                  const size_t budget_bytes[VDNN_TIER_COUNT])
{
    int tier = (int)from;
    while (tier < VDNN_TIER_COUNT && bytes[tier] <= budget_bytes[tier])
        tier++;
    return (vdnn_tier)tier;
}

const char *vdnn_stream_text(vdnn_stream_id stream)
{
    return (size_t)stream < VDNN_STREAM_COUNT ? streams[stream].text : "unknown";
}

size_t vdnn_tier_alignment(vdnn_tier tier)
{
    return tiers[tier].alignment;
}

vdnn_tier vdnn_stream_from(vdnn_stream_id stream)
{
    return streams[stream].from;
}

vdnn_tier vdnn_stream_to(vdnn_stream_id stream)
{
    return streams[stream].to;
}

const char *vdnn_tier_text(vdnn_tier tier)
{
    return (size_t)tier < VDNN_TIER_COUNT ? tiers[tier].text : "unknown";
}

const char *vdnn_tier_option(vdnn_tier tier)
{
    return tiers[tier].option;
}

const char *vdnn_tier_name(vdnn_tier tier)
{
    return tiers[tier].name;
}
