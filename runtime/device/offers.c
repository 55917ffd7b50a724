#include "runtime/device/offers.h"

#include "runtime/base/heap.h"

#include <string.h>
#include <xxhash.h>

enum { FIRST_CAPACITY = 256 };

typedef struct vdnn_offers_row {
    const vdnn_algorithm *algorithm; /* NULL: free */
    XXH128_hash_t signature;
    vdnn_pass pass;
    vdnn_offer offer;
} offers_row;

static offers_row name_of(const vdnn_algorithm *algorithm, const char *signature, vdnn_pass pass)
{
    return (offers_row){.algorithm = algorithm,
                        .signature = XXH3_128bits(signature, strlen(signature)),
                        .pass = pass};
}

/* The row of that name, or the free one for it. */
static offers_row *place_of(const vdnn_offers *offers, const offers_row *name)
{
    size_t mask = offers->capacity - 1;
    size_t i = (size_t)(name->signature.low64 + 31 * (uint64_t)(uintptr_t)name->algorithm +
                        (uint64_t)name->pass) &
               mask;
    for (;; i = (i + 1) & mask) {
        offers_row *at = &offers->rows[i];
        if (at->algorithm == NULL || (at->algorithm == name->algorithm && at->pass == name->pass &&
                                      XXH128_isEqual(at->signature, name->signature)))
            return at;
    }
}

vdnn_status vdnn_offers_init(vdnn_offers *offers)
{
    offers_row *rows = vdnn_heap_calloc(FIRST_CAPACITY, sizeof *rows);
    if (rows == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory to list algorithms");
    *offers = (vdnn_offers){.rows = rows, .capacity = FIRST_CAPACITY};
    return VDNN_OK;
}

/* Half of the rows stay free. */
static bool grow(vdnn_offers *offers)
{
    if (2 * (offers->row_count + 1) <= offers->capacity)
        return true;
    vdnn_offers larger = {.row_count = offers->row_count, .capacity = 2 * offers->capacity};
    larger.rows = vdnn_heap_calloc(larger.capacity, sizeof *larger.rows);
    if (larger.rows == NULL)
        return false;
    for (size_t i = 0; i < offers->capacity; i++)
        if (offers->rows[i].algorithm != NULL)
            *place_of(&larger, &offers->rows[i]) = offers->rows[i];
    vdnn_heap_free(offers->rows);
    *offers = larger;
    return true;
}

bool vdnn_offers_find(const vdnn_offers *offers, const vdnn_algorithm *algorithm,
                      const char *signature, vdnn_pass pass, vdnn_offer *offer)
{
    offers_row name = name_of(algorithm, signature, pass);
    const offers_row *at = place_of(offers, &name);
    if (at->algorithm == NULL)
        return false;
    *offer = at->offer;
    return true;
}

void vdnn_offers_keep(vdnn_offers *offers, const vdnn_algorithm *algorithm, const char *signature,
                      vdnn_pass pass, const vdnn_offer *offer)
{
    offers_row name = name_of(algorithm, signature, pass);
    if (!grow(offers))
        return;
    offers_row *at = place_of(offers, &name);
    offers->row_count += at->algorithm == NULL;
    *at = name;
    at->offer = *offer;
}

void vdnn_offers_fini(vdnn_offers *offers)
{
    vdnn_heap_free(offers->rows);
    *offers = (vdnn_offers){0};
}
