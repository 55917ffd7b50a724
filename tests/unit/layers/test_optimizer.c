#include "layers/optimizer.h"
#include "runtime/vdnn.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <string.h>

static const vdnn_optimizer *at(size_t i)
{
    return vdnn_optimizer_at((vdnn_optimizer_id)i);
}

TEST(every_optimizer_is_found_by_its_name)
{
    assert_int_equal(vdnn_optimizer_count(), VDNN_OPTIMIZER_COUNT);
    for (size_t i = 0; i < VDNN_OPTIMIZER_COUNT; i++) {
        assert_int_equal(at(i)->id, i);
        assert_ptr_equal(vdnn_optimizer_find(vdnn_optimizer_name(i)), at(i));
    }
    assert_null(vdnn_optimizer_find("sgdm"));
    assert_null(vdnn_optimizer_name(VDNN_OPTIMIZER_COUNT));
}

/* A context that says nothing is of it, and so are networks. */
TEST(the_first_optimizer_is_sgd)
{
    assert_int_equal(VDNN_OPTIMIZER_SGD, 0);
}

TEST(slots_have_names_of_their_own)
{
    for (size_t i = 0; i < VDNN_OPTIMIZER_COUNT; i++) {
        assert_in_range(at(i)->slot_count, 1, VDNN_MAX_SLOTS);
        for (int32_t s = 0; s < VDNN_MAX_SLOTS; s++) {
            assert_int_equal(at(i)->slots[s] != NULL, s < at(i)->slot_count);
            for (int32_t k = 0; k < s && s < at(i)->slot_count; k++)
                assert_string_not_equal(at(i)->slots[s], at(i)->slots[k]);
        }
    }
}

TEST(every_preset_is_one_that_a_file_could_have)
{
    for (size_t i = 0; i < VDNN_OPTIMIZER_COUNT; i++) {
        vdnn_settings presets = vdnn_optimizer_presets(at(i));
        for (size_t k = 0; k < VDNN_SETTING_COUNT; k++) {
            const vdnn_setting *setting = vdnn_setting_at(k);
            const double *values = vdnn_setting_values(setting, &presets);
            bool has = vdnn_optimizer_has(at(i), setting);
            for (int32_t n = 0; n < setting->count; n++)
                if (has ? values[n] < setting->min || values[n] > setting->max : values[n] != 0)
                    fail_msg("%s of %s is %g", setting->name, at(i)->name, values[n]);
        }
        assert_true(vdnn_optimizer_has(at(i), vdnn_setting_at(0)));
    }
    assert_string_equal(vdnn_setting_at(0)->name, "lr");
}

TEST(slots_begin_at_aligned_places_one_behind_the_other)
{
    static const size_t bytes[] = {4, 252, 256, 260, 4096, 4100};
    static float block[4096];
    for (size_t b = 0; b < sizeof bytes / sizeof *bytes; b++)
        for (size_t i = 0; i < VDNN_OPTIMIZER_COUNT; i++) {
            size_t end = 0;
            float *slots[VDNN_MAX_SLOTS];
            vdnn_optimizer_place_slots(at(i)->id, block, bytes[b], 1, slots);
            for (int32_t s = 0; s < VDNN_MAX_SLOTS; s++) {
                size_t offset = vdnn_optimizer_slot_offset(bytes[b], s);
                assert_int_equal(offset % VDNN_SLOT_ALIGNMENT, 0);
                assert_true(offset >= end);
                end = offset + bytes[b];
                if (s >= at(i)->slot_count)
                    assert_null(slots[s]);
                else
                    assert_ptr_equal(slots[s], block + offset / sizeof *block + 1);
                if (s + 1 == at(i)->slot_count)
                    assert_int_equal(vdnn_optimizer_state_bytes(at(i), bytes[b]), end);
            }
            assert_int_equal(vdnn_optimizer_state_bytes(at(i), 0), 0);
        }
}

TEST(averages_are_corrected_by_the_number_of_the_step)
{
    const vdnn_settings settings = {.lr = 0.5, .weight_decay = 0.25, .betas = {0.5, 0.75}};
    vdnn_update_factors first = vdnn_optimizer_factors(&settings, 0),
                        third = vdnn_optimizer_factors(&settings, 2),
                        late = vdnn_optimizer_factors(&settings, UINT64_C(1) << 40);
    assert_true(first.lr1 == 1 && first.root2 == 0.5F && first.kept == 0.875F);
    assert_true(third.lr1 == (float)(0.5 / 0.875));
    assert_true(fabsf(third.root2 - sqrtf(1 - 27.0F / 64)) < 1e-7F);
    assert_true(late.lr1 == 0.5F && late.root2 == 1);
}
