/* Stages by PipeDream's model, of PipeDream's profiles:
 *
 *     bench_partition DEVICES FILE...
 *
 * Prints a line for each file: the layers, the speed-up of the best partition and of data
 * parallelism, then the replicas of each stage. */

#include "tests/support/pipedream_profile.h"

#include <stdio.h>
#include <stdlib.h>

static vdnn_status print(const char *path, int32_t devices)
{
    vdnn_partition_layer *layers;
    vdnn_partition best = {0}, replicated = {0};
    const int32_t count = vdnn_pipedream_read(path, &layers);
    vdnn_partition_request request = vdnn_pipedream_request(layers, count, devices);
    vdnn_status status = VDNN_OK;
    if (count == 0)
        status = vdnn_status_fail(VDNN_FILE, "%s: no profile", path);
    VDNN_IF_OK(status, vdnn_partition_find(&request, &best));
    request.stages = 1;
    VDNN_IF_OK(status, vdnn_partition_find(&request, &replicated));
    if (status == VDNN_OK)
        printf("%d %.4f %.4f", (int)count, vdnn_pipedream_speedup(&request, &best),
               vdnn_pipedream_speedup(&request, &replicated));
    for (int32_t s = 0; s < best.stage_count; s++)
        printf(" %d", (int)best.stages[s].replicas);
    printf("\n");
    vdnn_partition_fini(&best);
    vdnn_partition_fini(&replicated);
    free(layers);
    return status;
}

int main(int count, char **words)
{
    const int32_t devices = count > 2 ? (int32_t)strtol(words[1], NULL, 10) : 0;
    vdnn_status status = VDNN_OK;
    if (devices < 1)
        status = vdnn_status_fail(VDNN_USAGE, "bench_partition DEVICES FILE...");
    for (int i = 2; i < count; i++)
        VDNN_IF_OK(status, print(words[i], devices));
    if (status != VDNN_OK)
        fprintf(stderr, "%s\n", vdnn_status_message());
    return vdnn_status_exit_code(status);
}
