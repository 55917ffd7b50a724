#include "runtime/data/tensors/float_types.h"

#include <math.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are read as they are stored");

struct vdnn_float_type {
    const char *name;
    size_t bytes;
    float (*read)(const unsigned char *bytes);
};

static float from_float(const unsigned char *bytes)
{
    float value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static float from_double(const unsigned char *bytes)
{
    double value;
    memcpy(&value, bytes, sizeof value);
    return (float)value;
}

/* The upper half of a float32. */
static float from_bfloat(const unsigned char *bytes)
{
    return from_float((const unsigned char[]){0, 0, bytes[0], bytes[1]});
}

/* Sign, 5 bits of exponent, 10 of mantissa. */
static float from_half(const unsigned char *bytes)
{
    enum { MANTISSA = 10, ONE = 1 << MANTISSA, MOST = 31, BIAS = 15, SIGN = 15 };
    const int bits = bytes[1] << 8 | bytes[0], exponent = bits >> MANTISSA & MOST;
    const int mantissa = bits & (ONE - 1);
    float value = exponent == 0 ? ldexpf((float)mantissa, 1 - BIAS - MANTISSA)
                                : ldexpf((float)(mantissa + ONE), exponent - BIAS - MANTISSA);
    if (exponent == MOST)
        value = mantissa > 0 ? NAN : INFINITY;
    return bits >> SIGN != 0 ? -value : value;
}

static const vdnn_float_type types[] = {
    {"F32", 4, from_float},
    {"F16", 2, from_half},
    {"BF16", 2, from_bfloat},
    {"F64", 8, from_double},
};

const vdnn_float_type *vdnn_float_type_find(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, name) == 0)
            return &types[i];
    return NULL;
}

size_t vdnn_float_type_bytes(const vdnn_float_type *type)
{
    return type->bytes;
}

vdnn_status vdnn_float_type_read(const vdnn_float_type *type, const vdnn_source *source,
                                 uint64_t begin, int64_t first, int64_t count, float *floats)
{
    enum { PIECE = 4096 };
    unsigned char piece[PIECE];
    const int64_t most = (int64_t)(PIECE / type->bytes);
    begin += (uint64_t)first * type->bytes;
    if (type->read == from_float)
        return vdnn_source_read(source, begin, floats, (size_t)count * sizeof *floats);
    for (int64_t done = 0; done < count; done += most) {
        const int64_t now = count - done < most ? count - done : most;
        VDNN_TRY(vdnn_source_read(source, begin + (uint64_t)done * type->bytes, piece,
                                  (size_t)now * type->bytes));
        for (int64_t i = 0; i < now; i++)
            floats[done + i] = type->read(piece + (size_t)i * type->bytes);
    }
    return VDNN_OK;
}
