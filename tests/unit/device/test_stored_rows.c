/* When times of an earlier run are those of this machine. */

#include "runtime/measure/stored_rows.h"
#include "tests/support/vdnn_test.h"

TEST(the_middle_row_decides)
{
    static const struct {
        vdnn_stored_rows check;
        bool holds;
    } cases[] = {
        {{{0}, 0}, true},
        {{{1}, 1}, true},
        {{{1.4}, 1}, true},
        {{{1.6}, 1}, false},
        {{{0.7}, 1}, true},
        {{{0.6}, 1}, false},
        {{{0.1, 1, 9}, 3}, true},
        {{{1, 1.6, 1.7}, 3}, false},
        {{{0.1, 0.2, 1}, 3}, false},
        {{{1, 1.2}, 2}, true},
        {{{1, 2}, 2}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (vdnn_stored_rows_hold(&cases[i].check) != cases[i].holds)
            fail_msg("case %zu", i);
}
