/* Plans in which given maps are recomputed, and all others are kept.
 *
 *     bench_recompute maps NETWORK BATCH DEVICE DTYPE           the maps
 *     bench_recompute plans NETWORK BATCH DEVICE DTYPE < LISTS  of each line of maps, the plan
 *
 * Algorithms are the fastest. Maps that no backward pass needs are recomputed where a recomputed
 * map is computed from them, and take no memory until then. Prints a JSON array. */

#include "runtime/vdnn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char policy_name[] = "listed";

typedef struct lists {
    FILE *file; /* NULL: the maps alone */
    bool done;  /* a report may ask a policy more than once */
} lists;

static void print_maps(const vdnn_proposal *proposal, int32_t count)
{
    for (int32_t m = 0; m < count; m++) {
        vdnn_map_facts map = {.size = sizeof map};
        if (vdnn_proposal_map(proposal, m, &map) == VDNN_OK)
            printf("%s\n {\"map\": %d, \"name\": \"%s\", \"bytes\": %zu, \"needed\": %s, "
                   "\"recomputable\": %s, \"recompute_seconds\": %.9f}",
                   m == 0 ? "" : ",", (int)m, map.name, map.bytes, map.is_needed ? "true" : "false",
                   map.can_be_recomputed ? "true" : "false", map.recompute_seconds);
    }
}

/* Of the maps that no backward pass needs. */
static vdnn_status recompute_unneeded(vdnn_proposal *proposal, int32_t count)
{
    vdnn_status status = VDNN_OK;
    for (int32_t m = 0; m < count && status == VDNN_OK; m++) {
        vdnn_map_facts map = {.size = sizeof map};
        status = vdnn_proposal_map(proposal, m, &map);
        if (status == VDNN_OK && !map.is_needed && map.can_be_recomputed)
            status = vdnn_proposal_recompute(proposal, m);
        else if (status == VDNN_OK)
            status = vdnn_proposal_keep(proposal, m);
    }
    return status;
}

static vdnn_status recompute_listed(vdnn_proposal *proposal, const char *line)
{
    vdnn_status status = VDNN_OK;
    char *end;
    for (long map = strtol(line, &end, 10); end != line && status == VDNN_OK;
         map = strtol(line, &end, 10)) {
        status = vdnn_proposal_recompute(proposal, (int32_t)map);
        line = end;
    }
    return status;
}

static vdnn_status print_plans(vdnn_proposal *proposal, int32_t count, FILE *file)
{
    char *line = NULL;
    size_t room = 0;
    vdnn_status status = VDNN_OK;
    for (bool is_first = true; status == VDNN_OK && getline(&line, &room, file) >= 0;
         is_first = false) {
        vdnn_plan_facts facts = {.size = sizeof facts};
        status = recompute_unneeded(proposal, count);
        if (status == VDNN_OK)
            status = recompute_listed(proposal, line);
        if (status == VDNN_OK)
            status = vdnn_proposal_try(proposal, &facts);
        if (status == VDNN_NO_FIT) /* the figures are there too */
            status = VDNN_OK;
        if (status == VDNN_OK)
            printf("%s\n {\"step_seconds\": %.9f, \"oracle_step_seconds\": %.9f, \"arena_bytes\": "
                   "%zu, \"device_peak_bytes\": %zu, \"recompute_seconds\": %.9f}",
                   is_first ? "" : ",", facts.step_seconds, facts.oracle_step_seconds,
                   facts.arena_bytes, facts.device_peak_bytes, facts.recompute_seconds);
    }
    free(line);
    return status;
}

static vdnn_status decide(vdnn_proposal *proposal, void *context)
{
    lists *own = context;
    vdnn_proposal_facts facts = {.size = sizeof facts};
    vdnn_status status = vdnn_proposal_describe(proposal, &facts);
    if (status != VDNN_OK || own->done)
        return status;
    own->done = true;
    if (own->file != NULL)
        return print_plans(proposal, facts.map_count, own->file);
    print_maps(proposal, facts.map_count);
    return VDNN_OK;
}

int main(int argc, char **argv)
{
    lists own = {.file = argc > 1 && strcmp(argv[1], "plans") == 0 ? stdin : NULL};
    const vdnn_policy_type policy = {.size = sizeof policy,
                                     .name = policy_name,
                                     .is_dynamic = true,
                                     .decide = decide,
                                     .context = &own};
    if (argc != 6) {
        (void)fprintf(stderr, "usage: bench_recompute maps|plans NETWORK BATCH DEVICE DTYPE\n");
        return 2;
    }
    const vdnn_session_options options = {.size = sizeof options,
                                          .model = argv[2],
                                          .batch = strtol(argv[3], NULL, 10),
                                          .device = argv[4],
                                          .dtype = argv[5]};
    vdnn_report *report = NULL;
    vdnn_status status = vdnn_policy_register(&policy);
    printf("[");
    if (status == VDNN_OK)
        status = vdnn_report_create(&options, NULL, policy_name, &report);
    printf("]\n");
    if (status != VDNN_OK)
        (void)fprintf(stderr, "bench_recompute: %s\n", vdnn_status_message());
    vdnn_report_destroy(report);
    return vdnn_status_exit_code(status);
}
