#include "tests/support/pipedream_profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 4096, LINE_BYTES = 8192 };

typedef struct node {
    bool is_layer;
    double result_bytes;
    int32_t last_reader;
    vdnn_partition_layer layer;
} node;

/* The number after a name, or the sum of the numbers in brackets: [a; b; c]. */
static double sum_after(const char *line, const char *name)
{
    const char *at = strstr(line, name);
    double sum = 0;
    if (at == NULL)
        return 0;
    at += strlen(name);
    do {
        char *end;
        sum += strtod(at + strspn(at, "[; "), &end);
        at = end;
    } while (*at == ';');
    return sum;
}

static void read_node(const char *line, node *own)
{
    own->is_layer = strstr(line, " -- Input") == NULL;
    own->result_bytes = sum_after(line, "activation_size=");
    own->layer = (vdnn_partition_layer){
        .forward_seconds = 1e-3 * sum_after(line, "forward_compute_time="),
        .backward_seconds = 1e-3 * sum_after(line, "backward_compute_time="),
        .parameter_bytes = sum_after(line, "parameter_size="),
    };
}

static void read_lines(FILE *file, node *nodes)
{
    char line[LINE_BYTES];
    while (fgets(line, sizeof line, file) != NULL) {
        const bool is_node = line[0] == 'n';
        char *end;
        if (strncmp(line + !is_node, "node", 4) != 0)
            continue;
        const long from = strtol(line + !is_node + 4, &end, 10);
        const long to = is_node ? from : strtol(end + strlen(" -- node"), NULL, 10);
        if (from < 0 || to < from || to >= MOST_NODES)
            continue;
        if (is_node)
            read_node(line, &nodes[from]);
        else if (to > nodes[from].last_reader)
            nodes[from].last_reader = (int32_t)to;
    }
}

int32_t vdnn_pipedream_read(const char *path, vdnn_partition_layer **layers)
{
    FILE *file = fopen(path, "r");
    node *nodes = calloc(MOST_NODES, sizeof *nodes);
    int32_t count = 0;
    *layers = calloc(MOST_NODES, sizeof **layers);
    if (file != NULL && nodes != NULL && *layers != NULL)
        read_lines(file, nodes);
    for (int32_t n = 0; *layers != NULL && nodes != NULL && n < MOST_NODES; n++) {
        if (!nodes[n].is_layer)
            continue;
        for (int32_t before = 0; before <= n; before++)
            if (nodes[before].is_layer && nodes[before].last_reader > n)
                nodes[n].layer.cut_bytes += nodes[before].result_bytes;
        (*layers)[count++] = nodes[n].layer;
    }
    free(nodes);
    if (file != NULL)
        (void)fclose(file);
    return count;
}

vdnn_partition_request vdnn_pipedream_request(const vdnn_partition_layer *layers, int32_t count,
                                              int32_t devices)
{
    return (vdnn_partition_request){.layers = layers,
                                    .layer_count = count,
                                    .devices = devices,
                                    .bandwidth = 12.8e9,
                                    .cut_factor = 2,
                                    .sum_factor = 4,
                                    .schedule = VDNN_SCHEDULE_1F1B};
}

double vdnn_pipedream_speedup(const vdnn_partition_request *request,
                              const vdnn_partition *partition)
{
    double alone = 0;
    for (int32_t l = 0; l < request->layer_count; l++)
        alone += request->layers[l].forward_seconds + request->layers[l].backward_seconds;
    return alone / partition->seconds;
}
