#include "runtime/checker/checker_internal.h"

/* All writes to one buffer must form a chain in happens-before. A wait names an earlier step, so
 * the chain follows the list, and a read must name the last write before it in the list:
 *
 *     write 1 ---> write 2 ---> write 3
 *        \         ^  \         ^
 *         read ---/    read ---/
 *
 * Each arrow is checked at its later end; earlier and later writes follow by transitivity. */

typedef struct cursor {
    int32_t buffer;
    int32_t write;      /* the last write met: an access, -1: none */
    int32_t first_read; /* where in buffer_access the reads since that write begin */
} cursor;

static int32_t step_of(const vdnn_checker *checker, int32_t access)
{
    return access < 0 ? -1 : checker->access_step[access];
}

static bool writes(const vdnn_checker *checker, int32_t step, int32_t buffer)
{
    const vdnn_step *writer = &checker->plan->steps[step];
    for (int32_t k = 0; k < writer->access_count; k++) {
        const vdnn_access *access = &checker->plan->accesses[writer->first_access + k];
        if (access->buffer == buffer && (access->mode & VDNN_WRITE) != 0)
            return true;
    }
    return false;
}

/* Why a read that does not name the last write before it is wrong. */
static vdnn_status refuse_writer(const vdnn_checker *checker, const cursor *at, int32_t step,
                                 int32_t named)
{
    const int32_t last = step_of(checker, at->write);
    if (named < 0 && last < 0)
        return vdnn_checker_refuse(checker, step, -1, at->buffer,
                                   "a read of a buffer that is not kept between training steps "
                                   "and was not written in this one");
    if (named < 0)
        return vdnn_checker_refuse(checker, step, last, at->buffer,
                                   "a read means what was there before the training step, but it "
                                   "was overwritten");
    if (!writes(checker, named, at->buffer))
        return vdnn_checker_refuse(checker, step, named, at->buffer,
                                   "a read names a writer that does not write the buffer");
    if (named >= step)
        return vdnn_checker_refuse(checker, step, named, at->buffer,
                                   "a read names a write that comes after it");
    return vdnn_checker_refuse(checker, step, last, at->buffer,
                               "a read means the write of step %d, but a later write replaced it",
                               named);
}

static vdnn_status check_read(vdnn_checker *checker, const cursor *at, int32_t access)
{
    const vdnn_plan *plan = checker->plan;
    const int32_t step = checker->access_step[access], named = plan->accesses[access].writer;
    if (named != step_of(checker, at->write) ||
        (named < 0 && !plan->buffers[at->buffer].persistent &&
         !vdnn_plan_has_arrived(&plan->buffers[at->buffer])))
        return refuse_writer(checker, at, step, named);
    if (named >= 0 && !vdnn_checker_before(checker, named, step))
        return vdnn_checker_refuse(checker, step, named, at->buffer,
                                   "a read does not wait for the write that it means");
    checker->source[access] = at->write;
    return VDNN_OK;
}

/* The one case of two writes by one step: rows of two parameters, which the pass "runs" found to be
 * in their places. */
static bool are_rows(const vdnn_checker *checker, int32_t a, int32_t b)
{
    return checker->plan->accesses[a].bind == VDNN_BIND_DW &&
           checker->plan->accesses[b].bind == VDNN_BIND_DW;
}

static vdnn_status check_write(const vdnn_checker *checker, const cursor *at, int32_t end,
                               int32_t access)
{
    const int32_t step = checker->access_step[access], last = step_of(checker, at->write);
    if (last == step && !are_rows(checker, at->write, access))
        return vdnn_checker_refuse(checker, step, -1, at->buffer, "a step writes a buffer twice");
    if (last >= 0 && last != step && !vdnn_checker_before(checker, last, step))
        return vdnn_checker_refuse(checker, step, last, at->buffer,
                                   "a write does not wait for the write before it");
    for (int32_t k = at->first_read; k < end; k++) {
        const int32_t other = checker->buffer_access[k], reader = checker->access_step[other];
        const bool holds = checker->plan->accesses[other].mode == VDNN_HOLD;
        if (!holds && reader != step && !vdnn_checker_before(checker, reader, step))
            return vdnn_checker_refuse(checker, step, reader, at->buffer,
                                       "a write does not wait for a read of what it replaces");
    }
    return VDNN_OK;
}

/* The accesses of one step, [begin, end) in buffer_access: it reads before it writes. */
static vdnn_status check_group(vdnn_checker *checker, cursor *at, int32_t begin, int32_t end)
{
    vdnn_status status = VDNN_OK;
    for (int32_t k = begin; k < end && status == VDNN_OK; k++) {
        const int32_t access = checker->buffer_access[k];
        if ((checker->plan->accesses[access].mode & VDNN_READ) != 0)
            status = check_read(checker, at, access);
    }
    for (int32_t k = begin; k < end && status == VDNN_OK; k++) {
        const int32_t access = checker->buffer_access[k];
        if ((checker->plan->accesses[access].mode & VDNN_WRITE) == 0)
            continue;
        status = check_write(checker, at, begin, access);
        at->write = access;
        at->first_read = end;
    }
    return status;
}

vdnn_status vdnn_checker_reads(vdnn_checker *checker)
{
    for (int32_t b = 0; b < checker->plan->buffer_count; b++) {
        const int32_t stop = checker->buffer_first[b + 1];
        cursor at = {.buffer = b, .write = -1, .first_read = checker->buffer_first[b]};
        for (int32_t begin = at.first_read, end; begin < stop; begin = end) {
            const int32_t step = step_of(checker, checker->buffer_access[begin]);
            for (end = begin + 1; end < stop; end++)
                if (step_of(checker, checker->buffer_access[end]) != step)
                    break;
            VDNN_TRY(check_group(checker, &at, begin, end));
        }
    }
    return VDNN_OK;
}
