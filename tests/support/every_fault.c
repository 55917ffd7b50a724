#include "tests/support/every_fault.h"

#include "runtime/base/heap.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Of many points about that many are tried: more where a sanitizer sees what a fault leaves. A
 * scene that plays for a second has thousands, of which most differ only in the layer. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { MOST = 11 };
#else
enum { MOST = 8 };
#endif
enum { MOST_OF_ALL = 60, NAME_BYTES = 128 };

static struct {
    size_t heap;
    int files, threads;
} before;

static struct {
    size_t points, tried;
} scene_sum, whole_sum;

/* ---- what is held ---------------------------------------------------------------------------- */

static int entries_of(const char *folder)
{
    int count = 0;
    DIR *open = opendir(folder);
    assert_non_null(open);
    while (readdir(open) != NULL)
        count++;
    (void)closedir(open);
    return count;
}

/* Threads that were joined may take a moment to vanish. */
static void pause_a_moment(void)
{
    (void)nanosleep(&(struct timespec){0, 5000000}, NULL);
}

static void expect_entries(const char *folder, int count)
{
    for (int tries = 0; tries < 200 && entries_of(folder) != count; tries++)
        pause_a_moment();
    assert_int_equal(entries_of(folder), count);
}

/* What is there when nothing has vanished for a tenth of a second. */
static int settled_entries_of(const char *folder)
{
    int count = entries_of(folder);
    for (int same = 0; same < 20; same++) {
        pause_a_moment();
        int now = entries_of(folder);
        if (now != count)
            same = 0;
        count = now;
    }
    return count;
}

static void *do_nothing(void *argument)
{
    return argument;
}

/* With the first thread a sanitizer starts one of its own, which stays. */
static void start_a_first_thread(void)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, do_nothing, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

void vdnn_test_scene_begin(void)
{
    start_a_first_thread();
    before.heap = vdnn_heap_live_count();
    before.files = entries_of("/proc/self/fd");
    before.threads = settled_entries_of("/proc/self/task");
    scene_sum.points = scene_sum.tried = 0;
}

void vdnn_test_scene_end(void)
{
    print_message("%zu injection points, of which %zu were tried\n", scene_sum.points,
                  scene_sum.tried);
    whole_sum.points += scene_sum.points;
    whole_sum.tried += scene_sum.tried;
}

int vdnn_test_scenes_end(void **state)
{
    (void)state;
    print_message("in all scenes: %zu injection points, of which %zu were tried\n",
                  whole_sum.points, whole_sum.tried);
    return 0;
}

static void check(const vdnn_test_scene *scene, vdnn_status status, vdnn_test_held open)
{
    assert_int_equal(vdnn_heap_live_count(), before.heap);
    assert_int_equal(open.files, 0);
    assert_int_equal(open.folders, 0);
    assert_int_equal(open.mappings, 0);
    expect_entries("/proc/self/fd", before.files);
    expect_entries("/proc/self/task", before.threads);
    scene->check(status);
}

vdnn_status vdnn_test_scene_play(const vdnn_test_scene *scene, const vdnn_test_fault *world)
{
    vdnn_test_fault_begin(world);
    vdnn_status status = scene->play();
    vdnn_test_held open = vdnn_test_fault_held();
    (void)vdnn_test_fault_end();
    check(scene, status, open);
    return status;
}

/* ---- one after the other --------------------------------------------------------------------- */

/* What is done again and again. */
typedef struct sweep {
    const vdnn_test_scene *scene;
    const vdnn_test_trouble *trouble;
    vdnn_test_device_call call;
    char name[NAME_BYTES];
} sweep;

static void expect_verdict(const sweep *s, unsigned allowed, vdnn_status status, size_t nth)
{
    allowed |= allowed != 0 ? s->scene->also : 0;
    if (status != VDNN_OK && (1U << (unsigned)status & allowed) == 0)
        fail_msg("%s %zu: \"%s\", message \"%s\"", s->name, nth, vdnn_status_text(status),
                 vdnn_status_message());
    if (status != VDNN_OK && vdnn_status_message()[0] == '\0')
        fail_msg("%s %zu: \"%s\" without a message", s->name, nth, vdnn_status_text(status));
}

/* A share, one at least, and no more of many than MOST or so, or MOST_OF_ALL where all cases are
 * asked for. */
static size_t stride_over(size_t total)
{
    const size_t percent = (size_t)vdnn_test_count(100), share = 100 / percent,
                 most = percent == 100 ? MOST_OF_ALL : MOST;
    if (total <= most)
        return 1;
    const size_t stride = total / most > share ? total / most : share;
    return stride < total ? stride : total;
}

/* `one` plays with the n-th failing and returns how many there were. The seed chooses the first. */
static void for_every(const sweep *s, size_t (*one)(const sweep *s, size_t nth))
{
    size_t total = one(s, SIZE_MAX), plays = 0;
    size_t stride = stride_over(total);
    vdnn_test_rng rng = {vdnn_test_seed()};
    size_t nth = (size_t)vdnn_test_between(&rng, 1, (int64_t)stride);
    for (; nth <= total && one(s, nth) >= nth; nth += stride)
        plays++;
    print_message("%s: %zu of %zu points\n", s->name, plays, total);
    scene_sum.points += total;
    scene_sum.tried += plays;
}

static size_t fail_allocation(const sweep *s, size_t nth)
{
    const vdnn_test_fault none = {0};
    vdnn_test_fault_begin(&none);
    size_t calls = vdnn_heap_call_count();
    vdnn_heap_fail_after(nth);
    vdnn_status status = s->scene->play();
    vdnn_heap_fail_after(0);
    calls = vdnn_heap_call_count() - calls;
    vdnn_test_held open = vdnn_test_fault_held();
    (void)vdnn_test_fault_end();
    expect_verdict(s, 1U << VDNN_NO_MEMORY, status, nth);
    check(s->scene, status, open);
    return calls;
}

void vdnn_test_every_allocation(const vdnn_test_scene *scene)
{
    sweep s = {.scene = scene, .name = "our own allocations"};
    for_every(&s, fail_allocation);
}

static size_t fail_call(const sweep *s, size_t nth)
{
    vdnn_test_fault fault = s->trouble->fault;
    fault.nth = nth;
    vdnn_test_fault_begin(&fault);
    vdnn_status status = s->scene->play();
    vdnn_test_held open = vdnn_test_fault_held();
    size_t calls = vdnn_test_fault_end();
    expect_verdict(s, s->trouble->allowed, status, nth);
    check(s->scene, status, open);
    return calls;
}

static const char *calls_text(uint64_t calls)
{
    for (int i = 0; i < VDNN_SYSTEM_CALL_COUNT; i++)
        if (calls == UINT64_C(1) << i)
            return vdnn_test_call_text((vdnn_system_call)i);
    return "calls of the system";
}

void vdnn_test_every_call(const vdnn_test_scene *scene, const vdnn_test_trouble *trouble)
{
    const vdnn_test_fault *fault = &trouble->fault;
    sweep s = {.scene = scene, .trouble = trouble};
    (void)snprintf(s.name, sizeof s.name, "%s, %s%s", calls_text(fault->calls),
                   fault->effect == VDNN_TEST_IS_SHORT ? "short" : strerror(fault->error),
                   fault->lasting ? " from then on" : "");
    for_every(&s, fail_call);
}

static size_t fail_device(const sweep *s, size_t nth)
{
    const vdnn_test_fault none = {0};
    vdnn_test_device_fault fault = {.calls = 1U << s->call, .nth = nth};
    vdnn_test_fault_begin(&none);
    vdnn_test_device_begin(&fault);
    vdnn_status status = s->scene->play();
    size_t calls = vdnn_test_device_end();
    vdnn_test_held open = vdnn_test_fault_held();
    (void)vdnn_test_fault_end();
    expect_verdict(s, 1U << VDNN_DEVICE, status, nth);
    if (calls >= nth && !s->scene->does_without)
        assert_int_equal(status, VDNN_DEVICE);
    check(s->scene, status, open);
    return calls;
}

void vdnn_test_every_device_call(const vdnn_test_scene *scene, vdnn_test_device_call call)
{
    sweep s = {.scene = scene, .call = call};
    (void)snprintf(s.name, sizeof s.name, "device, %s", vdnn_test_device_text(call));
    for_every(&s, fail_device);
}
