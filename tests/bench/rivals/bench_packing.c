/* How well, and how fast, the packer packs given buffers.
 *
 *     bench_packing < FILE
 *
 * The file has the columns instance, capacity, lower, upper and size: a buffer a line, alive in
 * [lower, upper). Prints one JSON object: of each instance the bytes that are alive at one time (no
 * packing has a smaller span), the span found, and the seconds of a processor that it took. Each
 * packing is checked. */

#include "runtime/planner/packer/packer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MOST_ITEMS = 8192, NAME_BYTES = 32, LINE_BYTES = 256, ALIGNMENT = 1 };

typedef struct instance {
    char name[NAME_BYTES];
    size_t capacity;
    vdnn_packer_item items[MOST_ITEMS];
    int32_t count;
} instance;

/* Of a processor: packing has one thread, and the machine may be busy. */
static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool share(const vdnn_packer_item *a, const vdnn_packer_item *b)
{
    return a->start < b->end && b->start < a->end && a->offset < b->offset + b->bytes &&
           b->offset < a->offset + a->bytes;
}

static bool is_packed(const instance *of, size_t span)
{
    for (int32_t i = 0; i < of->count; i++) {
        if (of->items[i].offset + of->items[i].bytes > span)
            return false;
        for (int32_t k = 0; k < i; k++)
            if (share(&of->items[i], &of->items[k]))
                return false;
    }
    return true;
}

static bool pack(instance *of, vdnn_region *region, bool is_first)
{
    size_t least, span;
    vdnn_region_clear(region);
    if (vdnn_packer_least(region, of->items, of->count, ALIGNMENT, &least) != VDNN_OK)
        return false;
    double begun = seconds_now();
    if (vdnn_packer_pack(region, of->items, of->count, ALIGNMENT, &span) != VDNN_OK)
        return false;
    double seconds = seconds_now() - begun;
    if (!is_packed(of, span)) {
        (void)fprintf(stderr, "bench_packing: %s: buffers overlap\n", of->name);
        return false;
    }
    printf("%s\n {\"instance\": \"%s\", \"buffers\": %d, \"capacity_bytes\": %zu, "
           "\"live_bytes\": %zu, \"span_bytes\": %zu, \"seconds\": %.6f}",
           is_first ? "" : ",", of->name, (int)of->count, of->capacity, least, span, seconds);
    return true;
}

static bool read_line(const char *line, instance *next)
{
    int32_t start, end;
    size_t bytes;
    if (sscanf(line, "%31[^,],%zu,%" SCNd32 ",%" SCNd32 ",%zu", next->name, &next->capacity, &start,
               &end, &bytes) != 5)
        return false;
    next->items[0] = (vdnn_packer_item){.start = start, .end = end, .bytes = bytes};
    return start >= 0 && end > start && bytes > 0;
}

/* An instance ends where another name begins. */
static bool pack_all(vdnn_region *region)
{
    static instance own, next;
    char line[LINE_BYTES];
    bool is_first = true;
    (void)fgets(line, sizeof line, stdin); /* the columns' names */
    for (int number = 2; fgets(line, sizeof line, stdin) != NULL; number++) {
        if (!read_line(line, &next) || own.count == MOST_ITEMS) {
            (void)fprintf(stderr,
                          "bench_packing: line %d: expected instance,capacity,lower,upper,size, at "
                          "most %d lines an instance\n",
                          number, MOST_ITEMS);
            return false;
        }
        if (own.count > 0 && strcmp(own.name, next.name) != 0) {
            if (!pack(&own, region, is_first))
                return false;
            own.count = 0;
            is_first = false;
        }
        memcpy(own.name, next.name, sizeof own.name);
        own.capacity = next.capacity;
        own.items[own.count++] = next.items[0];
    }
    return own.count == 0 || pack(&own, region, is_first);
}

int main(void)
{
    vdnn_region region = {.top = NULL};
    printf("{\"instances\": [");
    bool done = pack_all(&region);
    printf("]}\n");
    vdnn_region_fini(&region);
    return done ? 0 : 1;
}
