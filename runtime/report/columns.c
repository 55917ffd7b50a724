#include "runtime/report/columns.h"

static size_t width_below(const vdnn_column *columns, size_t count, int rank)
{
    size_t width = 0;
    for (size_t i = 0; i < count; i++)
        if (columns[i].width > 0 && columns[i].rank < rank)
            width += 1 + (size_t)columns[i].width;
    return width;
}

void vdnn_columns_fit(const vdnn_column *columns, size_t count, size_t taken, size_t most,
                      bool *shown)
{
    int below = 1;
    for (size_t i = 0; i < count; i++)
        below = columns[i].rank >= below ? columns[i].rank + 1 : below;
    while (below > 1 && taken + width_below(columns, count, below) > most)
        below--;
    for (size_t i = 0; i < count; i++)
        shown[i] = columns[i].width > 0 && columns[i].rank < below;
}
