#include "layers/conv/cpu_winograd/tiles.h"

vdnn_winograd_tile vdnn_winograd_tile_at(const vdnn_winograd_job *job,
                                         const vdnn_winograd_view *view, const void *map,
                                         int64_t block, int64_t tile)
{
    int64_t image_tiles = job->tiles[0] * job->tiles[1];
    int64_t image = tile / image_tiles, at = tile % image_tiles;
    int64_t place = (image * view->blocks + block) * view->size[0] * view->size[1];
    return (vdnn_winograd_tile){
        .map = (char *)(uintptr_t)map + (size_t)place * job->cell_bytes,
        .size = {view->size[0], view->size[1]},
        .first = {at / job->tiles[1] * job->m - view->shift[0],
                  at % job->tiles[1] * job->m - view->shift[1]},
        .lanes = (1U << vdnn_winograd_lanes_left(view->channels, block)) - 1U,
    };
}

void vdnn_winograd_load(const vdnn_winograd_job *job, vdnn_winograd_tile_kernel *kernel,
                        const vdnn_winograd_view *view, const void *map, int64_t first_block,
                        int64_t blocks, int64_t first, int64_t count, float *points, int64_t step)
{
    for (int64_t block = 0; block < blocks; block++)
        for (int64_t tile = 0; tile < count; tile++) {
            vdnn_winograd_tile task =
                vdnn_winograd_tile_at(job, view, map, first_block + block, first + tile);
            task.points = points + (block * count + tile) * VDNN_WINOGRAD_LANES;
            task.step = step;
            kernel(&task);
        }
}
