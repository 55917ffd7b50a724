#include "runtime/train/agree.h"

#include "runtime/base/heap.h"
#include "runtime/base/json.h"
#include "runtime/base/text.h"
#include "runtime/profile/profile_store.h"
#include "runtime/train/description.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

enum {
    PIECE_BYTES = 4096,      /* of a text, sent at a time */
    TEXT_BYTES = 1 << 30,    /* a profile has a few megabytes */
    DIFFERENCE_BYTES = 1024, /* of the message that names one */
};

bool vdnn_agree_is_first(const vdnn_group *group)
{
    return group == NULL || vdnn_group_rank(group) == 0;
}

/* ---- exchanges ------------------------------------------------------------------------------- */

/* Each rank's `bytes` bytes, on the heap. */
static vdnn_status gather(vdnn_group *group, const void *own, size_t bytes, void **all)
{
    void *fresh = vdnn_heap_calloc((size_t)vdnn_group_ranks(group), bytes);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for what %d processes say",
                                (int)vdnn_group_ranks(group));
    vdnn_status status = vdnn_group_exchange(group, VDNN_LANE_DRIVER, own, bytes, fresh);
    if (status == VDNN_OK)
        *all = fresh;
    else
        vdnn_heap_free(fresh);
    return status;
}

static vdnn_status exchange_piece(vdnn_group *group, int32_t from, char piece[PIECE_BYTES])
{
    char *all;
    VDNN_TRY(gather(group, piece, PIECE_BYTES, (void **)&all));
    memcpy(piece, all + (ptrdiff_t)from * PIECE_BYTES, PIECE_BYTES);
    vdnn_heap_free(all);
    return VDNN_OK;
}

static vdnn_status length_of(vdnn_group *group, int32_t from, const vdnn_text *text, size_t *length)
{
    size_t *all;
    VDNN_TRY(gather(group, &text->length, sizeof *all, (void **)&all));
    *length = all[from];
    vdnn_heap_free(all);
    if (*length <= TEXT_BYTES)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_PEER, "rank %d has a text of %zu bytes, more than any", (int)from,
                            *length);
}

vdnn_status vdnn_agree_on_text(vdnn_group *group, int32_t from, vdnn_text *text)
{
    size_t length = 0;
    char piece[PIECE_BYTES];
    if (group == NULL)
        return VDNN_OK;
    const bool is_own = vdnn_group_rank(group) == from;
    vdnn_status status = length_of(group, from, text, &length);
    if (!is_own)
        vdnn_text_fini(text);
    for (size_t done = 0; status == VDNN_OK && done < length; done += PIECE_BYTES) {
        const size_t count = length - done < PIECE_BYTES ? length - done : PIECE_BYTES;
        memset(piece, 0, sizeof piece);
        if (is_own)
            memcpy(piece, text->data + done, count);
        status = exchange_piece(group, from, piece);
        if (status == VDNN_OK && !is_own)
            vdnn_text_add(text, "%.*s", (int)count, piece);
    }
    if (status == VDNN_OK && text->failed)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for what rank %d says", (int)from);
    return status;
}

vdnn_status vdnn_agree_on_least(vdnn_group *group, size_t *values, size_t count)
{
    size_t *all;
    if (group == NULL)
        return VDNN_OK;
    VDNN_TRY(gather(group, values, count * sizeof *values, (void **)&all));
    for (size_t i = 0; i < (size_t)vdnn_group_ranks(group) * count; i++)
        values[i % count] = all[i] < values[i % count] ? all[i] : values[i % count];
    vdnn_heap_free(all);
    return VDNN_OK;
}

vdnn_status vdnn_agree_to_end(vdnn_group *group)
{
    size_t nothing = 0;
    return vdnn_agree_on_least(group, &nothing, 1);
}

/* ---- the training ---------------------------------------------------------------------------- */

vdnn_status vdnn_agree_to_refuse(vdnn_group *group, vdnn_status refusal, const char *what,
                                 const vdnn_text *differences)
{
    char own[DIFFERENCE_BYTES], *all;
    vdnn_text text = {0};
    (void)snprintf(own, sizeof own, "%s", differences->length == 0 ? "" : differences->data);
    vdnn_status status = gather(group, own, sizeof own, (void **)&all);
    if (status != VDNN_OK)
        return status;
    for (int32_t r = 0; r < vdnn_group_ranks(group); r++)
        vdnn_text_add(&text, "%.*s", DIFFERENCE_BYTES - 1, all + (ptrdiff_t)r * DIFFERENCE_BYTES);
    if (text.failed)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for what differs");
    else if (text.length > 0)
        status = vdnn_status_fail(refusal, "%s:%s", what, text.data);
    vdnn_text_fini(&text);
    vdnn_heap_free(all);
    return status;
}

static vdnn_status compare(vdnn_group *group, const vdnn_text *first, const json_t *own)
{
    char here[32];
    vdnn_text text = {0};
    const vdnn_description_sides sides = {"on rank 0", here};
    (void)snprintf(here, sizeof here, "on rank %d", (int)vdnn_group_rank(group));
    json_t *theirs;
    VDNN_TRY(vdnn_json_parse(first->data, first->length, here, &theirs));
    vdnn_description_compare(theirs, own, &sides, &text);
    vdnn_status status =
        vdnn_agree_to_refuse(group, VDNN_BAD_INPUT,
                             "the processes do not train the same network in the same way", &text);
    vdnn_text_fini(&text);
    json_decref(theirs);
    return status;
}

vdnn_status vdnn_agree_on_training(vdnn_group *group, const vdnn_session_options *options,
                                   const vdnn_setup *setup)
{
    vdnn_description own = {0};
    vdnn_text text = {0};
    if (group == NULL)
        return VDNN_OK;
    vdnn_status status = vdnn_description_make(options, setup, &own);
    VDNN_IF_OK(status, vdnn_description_add_process(options, setup, &own));
    char *dump = status == VDNN_OK ? vdnn_json_dump(own.training, JSON_REAL_PRECISION(17)) : NULL;
    if (status == VDNN_OK && dump == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for what a training is");
    if (status == VDNN_OK) {
        vdnn_text_add(&text, "%s", dump);
        status = vdnn_agree_on_text(group, 0, &text);
    }
    VDNN_IF_OK(status, compare(group, &text, own.training));
    free(dump);
    vdnn_text_fini(&text);
    vdnn_description_fini(&own);
    return status;
}

/* ---- the profile ----------------------------------------------------------------------------- */

/* The first rank of each kind of device measures: how many such ranks there are, and a flag a rank.
 */
static vdnn_status find_measuring(vdnn_group *group, const vdnn_setup *setup, bool **measures,
                                  int32_t *count)
{
    char key[VDNN_SETUP_KEY_BYTES], *all;
    const int32_t ranks = vdnn_group_ranks(group);
    memset(key, 0, sizeof key);
    VDNN_TRY(gather(group, vdnn_setup_key(setup, key), sizeof key, (void **)&all));
    bool *fresh = vdnn_heap_calloc((size_t)ranks, sizeof *fresh);
    *count = 0;
    for (int32_t r = 0; fresh != NULL && r < ranks; r++) {
        int32_t other = 0;
        while (strcmp(all + other * (ptrdiff_t)sizeof key, all + r * (ptrdiff_t)sizeof key) != 0)
            other++;
        fresh[r] = other == r;
        *count += other == r;
    }
    vdnn_heap_free(all);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %d processes", (int)ranks);
    *measures = fresh;
    return VDNN_OK;
}

/* Every store takes the rows of the others'. */
static vdnn_status share_rows(vdnn_group *group, const vdnn_setup *setup, const bool *measures)
{
    const int32_t own = vdnn_group_rank(group);
    vdnn_status status = VDNN_OK;
    for (int32_t r = 0; status == VDNN_OK && r < vdnn_group_ranks(group); r++) {
        vdnn_text rows = {0};
        if (!measures[r])
            continue;
        if (r == own)
            status = vdnn_profile_store_print(setup->store, &rows);
        VDNN_IF_OK(status, vdnn_agree_on_text(group, r, &rows));
        if (status == VDNN_OK && r != own)
            status = vdnn_profile_store_merge(setup->store, rows.data, rows.length);
        vdnn_text_fini(&rows);
    }
    return status;
}

vdnn_status vdnn_agree_on_profile(vdnn_group *group, const vdnn_setup *setup,
                                  vdnn_agree_measure *measure, void *context)
{
    bool *measures = NULL;
    int32_t count = 0;
    if (group == NULL)
        return measure(context);
    vdnn_status status = find_measuring(group, setup, &measures, &count);
    if (status == VDNN_OK && measures[vdnn_group_rank(group)])
        status = measure(context);
    VDNN_IF_OK(status, share_rows(group, setup, measures));
    if (status == VDNN_OK && (count > 1 || !measures[vdnn_group_rank(group)]))
        status = measure(context);
    vdnn_heap_free(measures);
    return status;
}

/* ---- contents of files ----------------------------------------------------------------------- */

vdnn_status vdnn_agree_on_content(vdnn_group *group, const char *text, const char *what)
{
    uint64_t own = XXH3_64bits(text, strlen(text)), *all;
    if (group == NULL)
        return VDNN_OK;
    vdnn_status status = gather(group, &own, sizeof own, (void **)&all);
    if (status != VDNN_OK)
        return status;
    for (int32_t r = 1; status == VDNN_OK && r < vdnn_group_ranks(group); r++)
        if (all[r] != all[0])
            status = vdnn_status_fail(VDNN_FILE,
                                      "rank %d reads another %s than rank 0: all ranks must have "
                                      "the same one",
                                      (int)r, what);
    vdnn_heap_free(all);
    return status;
}

/* ---- the plan -------------------------------------------------------------------------------- */

vdnn_status vdnn_agree_on_plan(vdnn_group *group, const vdnn_plan *plan)
{
    vdnn_text text = {0};
    uint64_t own = 0, *all;
    if (group == NULL)
        return VDNN_OK;
    vdnn_status status = plan == NULL ? VDNN_OK : vdnn_plan_print(plan, &text);
    if (status == VDNN_OK && plan != NULL)
        own = XXH3_64bits(text.data, text.length);
    vdnn_text_fini(&text);
    VDNN_IF_OK(status, gather(group, &own, sizeof own, (void **)&all));
    if (status != VDNN_OK)
        return status;
    for (int32_t r = 1; status == VDNN_OK && r < vdnn_group_ranks(group); r++)
        if (all[r] != all[0])
            status = vdnn_status_fail(VDNN_INTERNAL,
                                      "rank %d plans otherwise than rank 0, from the same profile "
                                      "and decisions: its device may offer other algorithms; "
                                      "--algos FILE.json names those of all",
                                      (int)r);
    vdnn_heap_free(all);
    return status;
}
