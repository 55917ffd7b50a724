/* One suite over every source and every composition of adaptors, then what each adaptor adds. */

#include "alloc/allocator.h"
#include "runtime/base/heap.h"
#include "tests/support/faults.h"
#include "tests/support/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MIB = 1 << 20 };

/* ---- compositions ---------------------------------------------------------------------------- */

typedef vdnn_status (*adaptor)(vdnn_allocator *upstream, vdnn_allocator **allocator);

static vdnn_status roomy_limit(vdnn_allocator *upstream, vdnn_allocator **allocator)
{
    return vdnn_limit_create(upstream, (size_t)1 << 32, allocator);
}

static vdnn_status no_fault(vdnn_allocator *upstream, vdnn_allocator **allocator)
{
    return vdnn_fault_create(upstream, 0, allocator);
}

typedef struct composition {
    const char *name;
    vdnn_status (*source)(vdnn_allocator **allocator);
    adaptor adaptors[4]; /* from the source outwards */
} composition;

static const composition compositions[] = {
    {"mapmem", vdnn_mapmem_create, {NULL}},
    {"hostmem", vdnn_hostmem_create, {NULL}},
    {"limit(mapmem)", vdnn_mapmem_create, {roomy_limit}},
    {"count(mapmem)", vdnn_mapmem_create, {vdnn_count_create}},
    {"guard(mapmem)", vdnn_mapmem_create, {vdnn_guard_create}},
    {"fault(mapmem)", vdnn_mapmem_create, {no_fault}},
    {"guard(hostmem)", vdnn_hostmem_create, {vdnn_guard_create}},
    {"count(limit(hostmem))", vdnn_hostmem_create, {roomy_limit, vdnn_count_create}},
    {"fault(guard(limit(count(mapmem))))",
     vdnn_mapmem_create,
     {vdnn_count_create, roomy_limit, vdnn_guard_create, no_fault}},
    {"fault(guard(limit(count(hostmem))))",
     vdnn_hostmem_create,
     {vdnn_count_create, roomy_limit, vdnn_guard_create, no_fault}},
};
enum { COMPOSITIONS = sizeof compositions / sizeof *compositions };

static vdnn_status compose(const composition *parts, vdnn_allocator **allocator)
{
    vdnn_allocator *chain = NULL;
    vdnn_status status = parts->source(&chain);
    for (size_t i = 0; i < 4 && parts->adaptors[i] != NULL && status == VDNN_OK; i++)
        status = parts->adaptors[i](chain, &chain);
    if (status == VDNN_OK)
        *allocator = chain;
    return status;
}

/* ---- every composition ----------------------------------------------------------------------- */

static void assert_zeroed(const unsigned char *block, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        assert_int_equal(block[i], 0);
}

static void blocks_are_aligned_and_zeroed_also_when_memory_is_reused(void **state)
{
    static const size_t sizes[] = {0, 1, 63, 4095, 4096, 4097, 3 * MIB + 5, 17 * MIB};
    vdnn_allocator *allocator = NULL;
    assert_ok(compose(*state, &allocator));
    for (size_t round = 0; round < 3; round++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            void *block = NULL;
            assert_ok(vdnn_allocator_alloc(allocator, sizes[i], &block));
            assert_non_null(block);
            assert_int_equal((uintptr_t)block % 4096, 0);
            assert_zeroed(block, sizes[i]);
            memset(block, 0xFF, sizes[i]);
            vdnn_allocator_free(allocator, block, sizes[i]);
        }
    vdnn_allocator_destroy(allocator);
}

static void a_size_beyond_any_address_space_is_refused(void **state)
{
    vdnn_allocator *allocator = NULL;
    assert_ok(compose(*state, &allocator));
    char untouched;
    void *block = &untouched;
    assert_status(vdnn_allocator_alloc(allocator, SIZE_MAX, &block), VDNN_NO_MEMORY);
    assert_status(vdnn_allocator_alloc(allocator, SIZE_MAX / 4, &block), VDNN_NO_MEMORY);
    assert_ptr_equal(block, &untouched);
    vdnn_allocator_free(allocator, NULL, 0);
    vdnn_allocator_destroy(allocator);
}

typedef struct shadow {
    unsigned char *block;
    size_t bytes;
    unsigned char fill;
} shadow;

enum { SHADOWS = 24 };

static void assert_apart(const shadow *shadows, size_t fresh)
{
    uintptr_t at = (uintptr_t)shadows[fresh].block;
    for (size_t i = 0; i < SHADOWS; i++) {
        uintptr_t other = (uintptr_t)shadows[i].block;
        if (i == fresh || shadows[i].block == NULL)
            continue;
        assert_true(at + shadows[fresh].bytes <= other || other + shadows[i].bytes <= at);
        assert_true(at != other);
    }
}

static void assert_content(const shadow *own)
{
    for (size_t i = 0; i < own->bytes; i++)
        if (own->block[i] != own->fill)
            fail_msg("byte %zu of %zu is %d, not %d", i, own->bytes, own->block[i], own->fill);
}

static void random_blocks_never_overlap_and_keep_their_content(void **state)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    vdnn_allocator *allocator = NULL;
    shadow shadows[SHADOWS] = {{0}};
    assert_ok(compose(*state, &allocator));
    for (int i = 0; i < vdnn_test_count(3000); i++) {
        size_t slot = (size_t)vdnn_test_between(&rng, 0, SHADOWS - 1);
        shadow *own = &shadows[slot];
        if (own->block != NULL) {
            assert_content(own);
            vdnn_allocator_free(allocator, own->block, own->bytes);
            *own = (shadow){0};
            continue;
        }
        int64_t most = (int64_t)1 << vdnn_test_between(&rng, 0, 21);
        own->bytes = (size_t)vdnn_test_between(&rng, 0, most);
        own->fill = (unsigned char)vdnn_test_random(&rng);
        void *block = NULL;
        assert_ok(vdnn_allocator_alloc(allocator, own->bytes, &block));
        own->block = block;
        assert_apart(shadows, slot);
        assert_zeroed(own->block, own->bytes);
        memset(own->block, own->fill, own->bytes);
    }
    for (size_t i = 0; i < SHADOWS; i++)
        if (shadows[i].block != NULL) {
            assert_content(&shadows[i]);
            vdnn_allocator_free(allocator, shadows[i].block, shadows[i].bytes);
        }
    vdnn_allocator_destroy(allocator);
}

static void creation_survives_every_failed_allocation_and_leaks_nothing(void **state)
{
    size_t before = vdnn_heap_live_count();
    vdnn_status status = VDNN_NO_MEMORY;
    for (size_t n = 1; status != VDNN_OK; n++) {
        vdnn_allocator *allocator = NULL;
        vdnn_heap_fail_after(n);
        status = compose(*state, &allocator);
        vdnn_heap_fail_after(0);
        if (status != VDNN_OK)
            assert_status(status, VDNN_NO_MEMORY);
        vdnn_allocator_destroy(allocator);
        assert_int_equal(vdnn_heap_live_count(), before);
        assert_true(n < 100);
    }
}

/* ---- what each adaptor adds ------------------------------------------------------------------ */

static void a_limit_is_exact_to_the_byte(void **state)
{
    (void)state;
    vdnn_allocator *allocator = NULL;
    void *a = NULL, *b = NULL, *c = NULL;
    assert_ok(vdnn_mapmem_create(&allocator));
    assert_ok(vdnn_limit_create(allocator, 10000, &allocator));
    assert_status(vdnn_allocator_alloc(allocator, 10001, &a), VDNN_NO_MEMORY);
    assert_ok(vdnn_allocator_alloc(allocator, 6000, &a));
    assert_status(vdnn_allocator_alloc(allocator, 4001, &b), VDNN_NO_MEMORY);
    assert_message("6000 of 10000");
    assert_ok(vdnn_allocator_alloc(allocator, 4000, &b));
    assert_status(vdnn_allocator_alloc(allocator, 1, &c), VDNN_NO_MEMORY);
    vdnn_allocator_free(allocator, a, 6000);
    assert_ok(vdnn_allocator_alloc(allocator, 6000, &c));
    vdnn_allocator_free(allocator, b, 4000);
    vdnn_allocator_free(allocator, c, 6000);
    vdnn_allocator_destroy(allocator);
}

static void a_failed_allocation_upstream_uses_nothing_of_the_limit(void **state)
{
    (void)state;
    vdnn_allocator *allocator = NULL;
    void *block = NULL;
    assert_ok(vdnn_mapmem_create(&allocator));
    assert_ok(vdnn_fault_create(allocator, 1, &allocator));
    assert_ok(vdnn_limit_create(allocator, 4096, &allocator));
    assert_status(vdnn_allocator_alloc(allocator, 4096, &block), VDNN_NO_MEMORY);
    assert_ok(vdnn_allocator_alloc(allocator, 4096, &block));
    vdnn_allocator_free(allocator, block, 4096);
    vdnn_allocator_destroy(allocator);
}

static void counts_tell_calls_live_bytes_and_their_peak(void **state)
{
    (void)state;
    vdnn_allocator *allocator = NULL;
    void *a = NULL, *b = NULL;
    assert_ok(vdnn_mapmem_create(&allocator));
    assert_ok(vdnn_limit_create(allocator, 1000, &allocator));
    assert_ok(vdnn_count_create(allocator, &allocator));
    assert_ok(vdnn_allocator_alloc(allocator, 600, &a));
    assert_ok(vdnn_allocator_alloc(allocator, 300, &b));
    vdnn_allocator_free(allocator, a, 600);
    assert_status(vdnn_allocator_alloc(allocator, 701, &a), VDNN_NO_MEMORY);
    vdnn_count_totals totals = vdnn_count_read(allocator);
    assert_int_equal(totals.alloc_count, 2);
    assert_int_equal(totals.free_count, 1);
    assert_int_equal(totals.live_bytes, 300);
    assert_int_equal(totals.peak_bytes, 900);
    vdnn_allocator_free(allocator, b, 300);
    vdnn_allocator_destroy(allocator);
}

static void exactly_the_nth_allocation_fails(void **state)
{
    (void)state;
    for (size_t n = 0; n <= 4; n++) {
        vdnn_allocator *allocator = NULL;
        assert_ok(vdnn_mapmem_create(&allocator));
        assert_ok(vdnn_fault_create(allocator, n, &allocator));
        for (size_t i = 1; i <= 5; i++) {
            void *block = NULL;
            assert_status(vdnn_allocator_alloc(allocator, 10, &block),
                          i == n ? VDNN_NO_MEMORY : VDNN_OK);
            vdnn_allocator_free(allocator, block, 10);
        }
        vdnn_allocator_destroy(allocator);
    }
}

/* Runs `misuse` on a guarded block of 100 bytes in a child, which must abort and say `text`. */
static void assert_aborts(void (*misuse)(vdnn_allocator *allocator, char *block), const char *text)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    (void)fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        vdnn_allocator *allocator = NULL;
        void *block = NULL;
        struct rlimit no_core = {0, 0};
        (void)setrlimit(RLIMIT_CORE, &no_core);
        (void)dup2(ends[1], STDERR_FILENO);
        (void)signal(SIGABRT, SIG_DFL);
        if (vdnn_mapmem_create(&allocator) == VDNN_OK &&
            vdnn_guard_create(allocator, &allocator) == VDNN_OK &&
            vdnn_allocator_alloc(allocator, 100, &block) == VDNN_OK)
            misuse(allocator, block);
        _exit(0);
    }
    (void)close(ends[1]);
    char said[1024] = "";
    size_t length = 0;
    for (ssize_t got = 1; got > 0 && length < sizeof said - 1; length += (size_t)got)
        got = read(ends[0], said + length, sizeof said - 1 - length);
    (void)close(ends[0]);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
    if (strstr(said, text) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", said, text);
}

static void write_behind(vdnn_allocator *allocator, char *block)
{
    block[100] = 1;
    vdnn_allocator_free(allocator, block, 100);
}

static void write_far_behind(vdnn_allocator *allocator, char *block)
{
    block[100 + 4095] = 0;
    vdnn_allocator_free(allocator, block, 100);
}

static void write_before(vdnn_allocator *allocator, char *block)
{
    block[-1] = 0;
    vdnn_allocator_free(allocator, block, 100);
}

static void free_with_another_size(vdnn_allocator *allocator, char *block)
{
    vdnn_allocator_free(allocator, block, 99);
}

static void a_guard_aborts_and_names_the_offset_that_was_written(void **state)
{
    (void)state;
    assert_aborts(write_behind, "(100, ");
    assert_aborts(write_far_behind, "(4195, ");
    assert_aborts(write_before, "(-1, ");
    assert_aborts(free_with_another_size, "(99, 100)");
}

/* ---- the host tier --------------------------------------------------------------------------- */

/* jemalloc merges a free extent with the one before it unless it is the first of what was mapped at
 * once, whosever that one is: were a hole left before a block that is in use, another arena's
 * extent could come to lie there, and be merged. */
static void addresses_of_freed_blocks_stay_with_the_host_tier_and_cost_no_memory(void **state)
{
    (void)state;
    enum { BYTES = 8 * MIB, PAGES = BYTES / 4096 };
    static unsigned char resident[PAGES];
    vdnn_allocator *allocator = NULL;
    void *first = NULL, *second = NULL;
    assert_ok(vdnn_hostmem_create(&allocator));
    assert_ok(vdnn_allocator_alloc(allocator, BYTES, &first));
    assert_ok(vdnn_allocator_alloc(allocator, BYTES, &second));
    memset(first, 1, BYTES);
    vdnn_allocator_free(allocator, first, BYTES);
    assert_int_equal(mincore(first, BYTES, resident), 0);
    for (int i = 0; i < PAGES; i++)
        assert_int_equal(resident[i] & 1, 0);
    vdnn_allocator_free(allocator, second, BYTES);
    vdnn_allocator_destroy(allocator);
    assert_int_equal(mincore(first, BYTES, resident), -1);
    assert_int_equal(errno, ENOMEM);
}

static void many_host_tiers_beside_the_heap_keep_their_content(void **state)
{
    enum { TIERS = 3, HEAP = TIERS, SLOTS = 16 };
    vdnn_test_rng rng = {vdnn_test_seed()};
    vdnn_allocator *tiers[TIERS];
    shadow shadows[TIERS + 1][SLOTS] = {{{0}}};
    (void)state;
    for (int i = 0; i < TIERS; i++)
        assert_ok(vdnn_hostmem_create(&tiers[i]));
    for (int i = 0; i < vdnn_test_count(20000); i++) {
        size_t tier = (size_t)vdnn_test_between(&rng, 0, HEAP);
        shadow *own = &shadows[tier][vdnn_test_between(&rng, 0, SLOTS - 1)];
        if (own->block != NULL) {
            assert_content(own);
            if (tier == HEAP)
                free(own->block);
            else
                vdnn_allocator_free(tiers[tier], own->block, own->bytes);
            *own = (shadow){0};
            continue;
        }
        own->bytes = (size_t)vdnn_test_between(&rng, 1, 48) * 4096;
        own->fill = (unsigned char)i;
        void *block = tier == HEAP ? malloc(own->bytes) : NULL;
        if (tier != HEAP)
            assert_ok(vdnn_allocator_alloc(tiers[tier], own->bytes, &block));
        assert_non_null(block);
        own->block = memset(block, own->fill, own->bytes);
    }
    for (int i = 0; i < SLOTS; i++)
        free(shadows[HEAP][i].block);
    for (int tier = 0; tier < TIERS; tier++) {
        for (int i = 0; i < SLOTS; i++)
            vdnn_allocator_free(tiers[tier], shadows[tier][i].block, shadows[tier][i].bytes);
        vdnn_allocator_destroy(tiers[tier]);
    }
}

/* ---- pages ----------------------------------------------------------------------------------- */

static void locking_counts_whole_pages_and_is_never_an_error(void **state)
{
    (void)state;
    vdnn_allocator *allocator = NULL;
    void *block = NULL;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), locked = 1;
    assert_ok(vdnn_mapmem_create(&allocator));
    assert_ok(vdnn_allocator_alloc(allocator, 10 * page, &block));
    vdnn_lock_pages(block, 0, &locked);
    assert_int_equal(locked, 0);
    vdnn_lock_pages(block, 9 * page + 1, &locked);
    assert_true(locked <= 10 * page);
    assert_int_equal(locked % page, 0);
    vdnn_unlock_pages(block, locked);
    vdnn_allocator_free(allocator, block, 10 * page);
    vdnn_allocator_destroy(allocator);
}

/* In a child that is no longer root where it was, the limit of the system is found to the page. */
static int lock_under_a_limit(size_t limit_pages, size_t pages)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), locked = 0;
    struct rlimit limit = {limit_pages * page, limit_pages * page};
    vdnn_allocator *allocator = NULL;
    void *block = NULL;
    if (vdnn_mapmem_create(&allocator) != VDNN_OK ||
        vdnn_allocator_alloc(allocator, pages * page, &block) != VDNN_OK)
        return 2;
    if (setrlimit(RLIMIT_MEMLOCK, &limit) != 0 ||
        (geteuid() == 0 && setresuid(65534, 65534, 65534)))
        return 3;
    vdnn_lock_pages(block, pages * page, &locked);
    return locked == limit_pages * page ? 0 : 1;
}

static void locking_takes_all_that_the_limit_allows(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip_because("sanitizers make mlock do nothing");
#endif
    (void)fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(lock_under_a_limit(37, 101));
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 3)
        skip_because("this system does not let a test give up its rights");
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* ---- all ------------------------------------------------------------------------------------- */

static const struct CMUnitTest contract[] = {
    cmocka_unit_test(blocks_are_aligned_and_zeroed_also_when_memory_is_reused),
    cmocka_unit_test(a_size_beyond_any_address_space_is_refused),
    cmocka_unit_test(random_blocks_never_overlap_and_keep_their_content),
    cmocka_unit_test(creation_survives_every_failed_allocation_and_leaks_nothing),
};
enum { CONTRACT = sizeof contract / sizeof *contract };

static const struct CMUnitTest own[] = {
    cmocka_unit_test(a_limit_is_exact_to_the_byte),
    cmocka_unit_test(a_failed_allocation_upstream_uses_nothing_of_the_limit),
    cmocka_unit_test(counts_tell_calls_live_bytes_and_their_peak),
    cmocka_unit_test(exactly_the_nth_allocation_fails),
    cmocka_unit_test(a_guard_aborts_and_names_the_offset_that_was_written),
    cmocka_unit_test(addresses_of_freed_blocks_stay_with_the_host_tier_and_cost_no_memory),
    cmocka_unit_test(many_host_tiers_beside_the_heap_keep_their_content),
    cmocka_unit_test(locking_counts_whole_pages_and_is_never_an_error),
    cmocka_unit_test(locking_takes_all_that_the_limit_allows),
};
enum { OWN = sizeof own / sizeof *own };

/* cmocka has no const state; compositions are only read. */
static composition rows[COMPOSITIONS];

int main(void)
{
    static struct CMUnitTest all[COMPOSITIONS * CONTRACT + OWN];
    static char names[COMPOSITIONS * CONTRACT][160];
    size_t count = 0;
    memcpy(rows, compositions, sizeof rows);
    for (size_t c = 0; c < COMPOSITIONS; c++)
        for (size_t t = 0; t < CONTRACT; t++, count++) {
            (void)snprintf(names[count], sizeof names[count], "%s: %s", compositions[c].name,
                           contract[t].name);
            all[count] = contract[t];
            all[count].name = names[count];
            all[count].initial_state = &rows[c];
        }
    memcpy(&all[count], own, sizeof own);
    return cmocka_run_group_tests_name("allocators", all, NULL, NULL);
}
