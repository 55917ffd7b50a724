#include "tests/support/plan_editor.h"

#include "tests/support/plan_edit.h"
#include "tests/support/plan_edits.h"
#include "tests/support/plan_repair.h"

static const struct {
    const char *name;
    bool (*apply)(vdnn_plan *, vdnn_test_rng *);
} rows[] = {
#define X(edit, name) {name, vdnn_edit_##edit},
    VDNN_EDIT_TABLE(X)
#undef X
};

size_t vdnn_editor_count(void)
{
    return sizeof rows / sizeof *rows;
}

const char *vdnn_editor_name(size_t i)
{
    return rows[i].name;
}

bool vdnn_editor_apply(size_t i, vdnn_plan *plan, vdnn_test_rng *rng)
{
    return rows[i].apply(plan, rng);
}

static void lose_wait(vdnn_plan *plan, vdnn_test_rng *rng)
{
    const int32_t i = vdnn_edits_draw_inner(rng, plan);
    if (plan->steps[i].wait_count > 0)
        vdnn_plan_edit_remove_wait(plan, i, vdnn_edits_pick(rng, 0, plan->steps[i].wait_count - 1));
}

void vdnn_editor_finish(vdnn_plan *plan, vdnn_test_rng *rng)
{
    vdnn_plan_repair(plan);
    if (vdnn_edits_one_in(rng, 6))
        (void)vdnn_edit_add_wait(plan, rng);
    if (vdnn_edits_one_in(rng, 8))
        lose_wait(plan, rng);
    vdnn_plan_repair_claims(plan);
}
