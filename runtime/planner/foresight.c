#include "runtime/planner/foresight.h"

#include "runtime/base/heap.h"
#include "runtime/base/system.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

/* More threads find little to do: a list that is tried ends after some six plans. */
enum { MOST_HELPERS = 3, PLACES = 32 };

/* Questions for each thread, the search's too, that wait while the search does something else. */
enum { AHEAD = 2 };

/* Of a thread that finds nothing to do, before it sleeps: some 50 us, as waking it takes. */
enum { IDLE_TURNS = 1000 };

typedef enum place_state { FREE, WAITING, RUNNING, KNOWN } place_state;

typedef struct place {
    place_state state;
    bool is_given_up;              /* while a thread looks at it: the search has looked itself */
    int64_t number;                /* of all that were expected */
    vdnn_foresight_question asked; /* about `decisions` */
    vdnn_decisions decisions;      /* owned */
    vdnn_crest crest;
} place;

typedef struct helper {
    vdnn_foresight *all; /* borrowed */
    pthread_t thread;
    vdnn_workbench bench;
} helper;

struct vdnn_foresight {
    int helper_count, started; /* the caller's, as all that follows up to the lock */
    bool has_begun;
    double look_seconds; /* of the last one by the caller */
    helper helpers[MOST_HELPERS];
    pthread_mutex_t lock; /* of all that follows; what runs is its thread's */
    pthread_cond_t wake;
    int asleep;
    bool is_closing;
    int64_t expected;
    place places[PLACES];
    atomic_int news; /* how often something was expected or looked at: read without the lock */
};

static double now_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The processor's hint that it does not have to hurry. */
static void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* ---- looking --------------------------------------------------------------------------------- */

static void use_bench(vdnn_workbench *bench, const vdnn_foresight_question *asked)
{
    if (bench->graph == asked->graph && bench->profile == asked->profile)
        return;
    bench->graph = asked->graph;
    bench->profile = asked->profile;
    bench->asked = 0;
}

vdnn_status vdnn_foresight_look(vdnn_workbench *bench, const vdnn_foresight_question *asked,
                                vdnn_crest *crest)
{
    vdnn_plan plan;
    vdnn_status status = vdnn_workbench_bound(bench, asked->decisions, asked->limit_bytes, &plan);
    return status == VDNN_OK ? vdnn_crest_find(&bench->builder, &plan, asked->limit_bytes, crest)
                             : status;
}

/* ---- under the lock -------------------------------------------------------------------------- */

static void clear(place *own)
{
    vdnn_crest_fini(&own->crest);
    own->state = FREE;
    own->is_given_up = false;
}

static place *find(vdnn_foresight *all, const vdnn_foresight_question *asked)
{
    for (int i = 0; i < PLACES; i++) {
        place *at = &all->places[i];
        if (at->state != FREE && !at->is_given_up && at->asked.graph == asked->graph &&
            at->asked.limit_bytes == asked->limit_bytes &&
            XXH128_isEqual(at->asked.key, asked->key))
            return at;
    }
    return NULL;
}

/* What was expected last: what came before it may not be asked about any more. */
static place *last_waiting(vdnn_foresight *all)
{
    place *last = NULL;
    for (int i = 0; i < PLACES; i++)
        if (all->places[i].state == WAITING &&
            (last == NULL || all->places[i].number > last->number))
            last = &all->places[i];
    return last;
}

/* What is asked about soonest behind one. */
static place *next_waiting(vdnn_foresight *all, const place *behind)
{
    place *next = NULL;
    for (int i = 0; i < PLACES; i++) {
        place *at = &all->places[i];
        if (at->state == WAITING && at->asked.graph == behind->asked.graph &&
            at->number > behind->number && (next == NULL || at->number < next->number))
            next = at;
    }
    return next;
}

/* A free one, else the oldest that no thread looks at; NULL: all run. */
static place *make_room(vdnn_foresight *all)
{
    place *oldest = NULL;
    for (int i = 0; i < PLACES; i++) {
        place *at = &all->places[i];
        if (at->state == FREE)
            return at;
        if (at->state != RUNNING && (oldest == NULL || at->number < oldest->number))
            oldest = at;
    }
    if (oldest != NULL)
        clear(oldest);
    return oldest;
}

/* Looks at what waits; the lock is open meanwhile. What fails is as if it was not expected. */
static void run(vdnn_foresight *all, place *own, vdnn_workbench *bench)
{
    own->state = RUNNING;
    (void)pthread_mutex_unlock(&all->lock);
    use_bench(bench, &own->asked);
    vdnn_status status = vdnn_foresight_look(bench, &own->asked, &own->crest);
    (void)pthread_mutex_lock(&all->lock);
    if (status == VDNN_OK && !own->is_given_up)
        own->state = KNOWN;
    else
        clear(own);
    atomic_fetch_add(&all->news, 1);
}

/* ---- threads --------------------------------------------------------------------------------- */

/* Until something new is there, for a while. */
static void wait_for_news(vdnn_foresight *all)
{
    const int seen = atomic_load(&all->news);
    (void)pthread_mutex_unlock(&all->lock);
    int turns = 0;
    for (; turns < IDLE_TURNS && atomic_load_explicit(&all->news, memory_order_relaxed) == seen;
         turns++)
        pause_briefly();
    (void)pthread_mutex_lock(&all->lock);
    if (turns < IDLE_TURNS)
        return;
    all->asleep++;
    while (!all->is_closing && last_waiting(all) == NULL)
        (void)pthread_cond_wait(&all->wake, &all->lock);
    all->asleep--;
}

static void *help(void *argument)
{
    helper *own = argument;
    vdnn_foresight *all = own->all;
    (void)pthread_mutex_lock(&all->lock);
    while (!all->is_closing) {
        place *at = last_waiting(all);
        if (at != NULL)
            run(all, at, &own->bench);
        else
            wait_for_news(all);
    }
    (void)pthread_mutex_unlock(&all->lock);
    return NULL;
}

static void start_threads(vdnn_foresight *all)
{
    all->has_begun = true;
    for (bool is_started = true; is_started && all->started < all->helper_count;) {
        helper *own = &all->helpers[all->started];
        own->all = all;
        is_started = vdnn_system_start_thread(&own->thread, help, own) == 0;
        all->started += is_started;
    }
}

/* ---- the search's ---------------------------------------------------------------------------- */

vdnn_status vdnn_foresight_begin(const vdnn_graph *graph, int threads, vdnn_foresight **foresight)
{
    *foresight = NULL;
    if (threads <= 1)
        return VDNN_OK;
    vdnn_foresight *own = vdnn_heap_calloc(1, sizeof *own);
    if (own == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for threads that plan");
    own->helper_count = threads - 1 < MOST_HELPERS ? threads - 1 : MOST_HELPERS;
    (void)pthread_mutex_init(&own->lock, NULL);
    (void)pthread_cond_init(&own->wake, NULL);
    vdnn_status status = VDNN_OK;
    for (int i = 0; i < PLACES && status == VDNN_OK; i++)
        status = vdnn_decisions_init(&own->places[i].decisions, graph);
    if (status != VDNN_OK) {
        vdnn_foresight_end(own);
        return status;
    }
    *foresight = own;
    return VDNN_OK;
}

static void close_threads(vdnn_foresight *own)
{
    (void)pthread_mutex_lock(&own->lock);
    own->is_closing = true;
    (void)pthread_cond_broadcast(&own->wake);
    (void)pthread_mutex_unlock(&own->lock);
    for (int i = 0; i < own->started; i++) {
        (void)pthread_join(own->helpers[i].thread, NULL);
        vdnn_workbench_fini(&own->helpers[i].bench);
    }
}

void vdnn_foresight_end(vdnn_foresight *foresight)
{
    if (foresight == NULL)
        return;
    close_threads(foresight);
    for (int i = 0; i < PLACES; i++) {
        clear(&foresight->places[i]);
        vdnn_decisions_fini(&foresight->places[i].decisions);
    }
    (void)pthread_cond_destroy(&foresight->wake);
    (void)pthread_mutex_destroy(&foresight->lock);
    vdnn_heap_free(foresight);
}

int vdnn_foresight_reach(const vdnn_foresight *foresight)
{
    return foresight == NULL ? 0 : AHEAD * (foresight->helper_count + 1);
}

void vdnn_foresight_expect(vdnn_foresight *foresight, const vdnn_foresight_question *asked)
{
    if (!foresight->has_begun)
        start_threads(foresight);
    (void)pthread_mutex_lock(&foresight->lock);
    place *at =
        find(foresight, asked) == NULL && foresight->started > 0 ? make_room(foresight) : NULL;
    if (at != NULL) {
        vdnn_decisions_assign(&at->decisions, asked->decisions);
        at->asked = *asked;
        at->asked.decisions = &at->decisions;
        at->number = ++foresight->expected;
        at->state = WAITING;
        atomic_fetch_add(&foresight->news, 1);
        if (foresight->asleep > 0)
            (void)pthread_cond_signal(&foresight->wake);
    }
    (void)pthread_mutex_unlock(&foresight->lock);
}

/* What a thread looks at is waited for, up to what looking takes. */
static void wait_for(vdnn_foresight *own, const place *of)
{
    const double latest = now_seconds() + own->look_seconds;
    while (of->state == RUNNING && now_seconds() < latest) {
        const int seen = atomic_load(&own->news);
        (void)pthread_mutex_unlock(&own->lock);
        while (atomic_load_explicit(&own->news, memory_order_relaxed) == seen &&
               now_seconds() < latest)
            pause_briefly();
        (void)pthread_mutex_lock(&own->lock);
    }
}

/* Looks at what will be asked about soon until this is known, then waits. */
static void reach(vdnn_foresight *own, place *at, vdnn_workbench *bench)
{
    place *next = next_waiting(own, at);
    while (at->state == RUNNING && next != NULL) {
        const double begin = now_seconds();
        run(own, next, bench);
        own->look_seconds = now_seconds() - begin;
        next = next_waiting(own, at);
    }
    wait_for(own, at);
}

bool vdnn_foresight_take(vdnn_foresight *foresight, const vdnn_foresight_question *asked,
                         vdnn_workbench *bench, vdnn_crest *crest)
{
    if (foresight == NULL || foresight->started == 0)
        return false;
    (void)pthread_mutex_lock(&foresight->lock);
    place *at = find(foresight, asked);
    if (at != NULL && at->state == RUNNING)
        reach(foresight, at, bench);
    const bool is_known = at != NULL && at->state == KNOWN;
    if (is_known) {
        vdnn_crest_fini(crest);
        *crest = at->crest;
        at->crest = (vdnn_crest){0};
    }
    if (at != NULL && at->state == RUNNING)
        at->is_given_up = true;
    else if (at != NULL)
        clear(at);
    (void)pthread_mutex_unlock(&foresight->lock);
    return is_known;
}
