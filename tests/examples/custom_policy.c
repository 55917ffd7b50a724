/* A custom policy: offloads the largest maps first, until the step fits; then the footprint of all
 * policies, side by side.
 *
 *     cc custom_policy.c $(pkg-config --cflags --libs vdnn) -o custom_policy
 *     ./custom_policy [MODEL [BUDGET]]        default: lenet 18.1MiB
 */

#include <vdnn/vdnn.h>

#include <stdio.h>

/* The largest map that backward needs and that is still on the device; -1: none. */
static int32_t largest_kept(const vdnn_proposal *proposal, int32_t map_count)
{
    int32_t largest = -1;
    size_t bytes = 0;
    for (int32_t m = 0; m < map_count; m++) {
        vdnn_map_facts map = {.size = sizeof map};
        if (vdnn_proposal_map(proposal, m, &map) == VDNN_OK && map.is_needed && !map.is_offloaded &&
            map.bytes > bytes) {
            largest = m;
            bytes = map.bytes;
        }
    }
    return largest;
}

static vdnn_status decide(vdnn_proposal *proposal, void *context)
{
    (void)context;
    vdnn_proposal_facts facts = {.size = sizeof facts};
    vdnn_status status = vdnn_proposal_describe(proposal, &facts);
    if (status == VDNN_OK)
        status = vdnn_proposal_try(proposal, NULL);
    while (status == VDNN_NO_FIT) {
        int32_t map = largest_kept(proposal, facts.map_count);
        if (map < 0)
            return VDNN_OK; /* all are away: whether that fits is for the plan to say */
        status = vdnn_proposal_offload(proposal, map, -1, -1);
        if (status == VDNN_OK)
            status = vdnn_proposal_try(proposal, NULL);
    }
    return status;
}

int main(int argc, char **argv)
{
    const vdnn_policy_type policy = {.size = sizeof policy, .name = "largest", .decide = decide};
    const vdnn_session_options options = {.size = sizeof options,
                                          .model = argc > 1 ? argv[1] : "lenet",
                                          .device_mem = argc > 2 ? argv[2] : "18.1MiB"};
    vdnn_report *report = NULL;
    vdnn_text text = {0};
    vdnn_status status = vdnn_policy_register(&policy);
    if (status == VDNN_OK)
        status = vdnn_report_create(&options, NULL, "base,all,largest", &report);
    if (status == VDNN_OK)
        status = vdnn_report_write(report, VDNN_REPORT_TABLE, &text);
    if (status == VDNN_OK)
        printf("%s", text.data);
    else
        fprintf(stderr, "%s\n", vdnn_status_message());
    vdnn_text_fini(&text);
    vdnn_report_destroy(report);
    return vdnn_status_exit_code(status);
}
