#ifndef VDNN_RUNTIME_PROFILE_PROFILE_H
#define VDNN_RUNTIME_PROFILE_PROFILE_H

/* The profile: seconds and workspace bytes for each layer, pass and algorithm, and the bandwidths
 * of the link. Policies and the planner's clock have no other source of time.
 *
 * Times are kept in a store by (signature, pass, algorithm, batch). The store can be written to a
 * file, so that choices can be repeated. A profile has a store's rows in the order of one graph's
 * layers.
 *
 * Invariant: the choices of one layer and pass are sorted by workspace, then by seconds. Every pass
 * of a layer has at least one choice; choice 0 is the memory-optimal one. Threads: immutable.
 *
 *     status = vdnn_measured_profile_create(graph, device, store, &observer, &profile);
 *     int fast = vdnn_profile_fastest(profile, layer, VDNN_FORWARD);
 *     seconds = profile->layers[layer].choices[VDNN_FORWARD][fast].seconds;
 */

#include "runtime/graph/graph.h"
#include "runtime/profile/rates.h"

typedef struct vdnn_choice {
    const vdnn_algorithm *algorithm;
    double seconds;
    size_t workspace_bytes;
    double lesser_seconds; /* in the shape of graph->lesser; 0: the graph has none */
    size_t lesser_workspace_bytes;
} vdnn_choice;

typedef struct vdnn_layer_profile {
    vdnn_choice *choices[VDNN_PASS_COUNT];
    int32_t choice_count[VDNN_PASS_COUNT]; /* 0: the layer has no such pass */
} vdnn_layer_profile;

/* An algorithm that applies but could not be measured, so that it is left out. */
typedef struct vdnn_omission {
    int32_t layer; /* the first layer with its signature */
    vdnn_pass pass;
    const vdnn_algorithm *algorithm;
    char *reason;
} vdnn_omission;

typedef struct vdnn_profile {
    vdnn_layer_profile *layers;
    int32_t layer_count, omission_count;
    vdnn_omission *omissions;
    double copy_out_bytes_per_second, copy_in_bytes_per_second;
    double copy_both_bytes_per_second; /* sum of both directions; 0: they are independent */
    double copy_latency_seconds;
    /* Of this run's file tier; not in the profile's file, since no device has it. */
    double spill_bytes_per_second, fill_bytes_per_second;
    double elementwise_bytes_per_second; /* bytes per second of updates and accumulations */
    double launch_seconds;               /* added to every step of a compute stream */
    /* Of copies during compute, and of compute during copies, as in vdnn_rates. */
    double copy_out_beside_bytes_per_second, copy_in_beside_bytes_per_second;
    double copy_out_slows_products, copy_in_slows_products;
    double copy_out_slows_moves, copy_in_slows_moves;
    vdnn_reduce_rates reduce; /* over the devices of this run; not in the profile's file */
    bool has_link;            /* of the device (vdnn_device_properties) */
} vdnn_profile;

typedef struct vdnn_profile_store vdnn_profile_store;

/* An empty store for a machine; `key` names its processor, library versions and threads. */
vdnn_status vdnn_profile_store_create(const char *key, vdnn_profile_store **store);
/* Adds a file's rows. VDNN_BAD_INPUT with file and line if it is not a profile, VDNN_FILE if it
 * cannot be read. A file with another key is ignored: *stale is set, with a message. If measuring
 * was interrupted, all complete lines of the file are used. A missing file adds nothing. */
vdnn_status vdnn_profile_store_read(vdnn_profile_store *store, const char *path, bool *stale);
/* The first line of such a file that was not used; 0: the file is complete. */
size_t vdnn_profile_store_cut(const vdnn_profile_store *store);
/* Writes the store to a temporary file and renames it. */
vdnn_status vdnn_profile_store_write(const vdnn_profile_store *store, const char *path);
/* From now on each row is written to the file when it is added, so that a killed run loses little.
 * The first such row replaces the file; further rows are appended. */
vdnn_status vdnn_profile_store_keep(vdnn_profile_store *store, const char *path);
/* Sorts the lines of such a file and completes it; does nothing if no row was measured. */
vdnn_status vdnn_profile_store_finish(vdnn_profile_store *store);
void vdnn_profile_store_destroy(vdnn_profile_store *store);
/* The number of rows measured since creation; 0: the file need not be written. */
size_t vdnn_profile_store_measured_count(const vdnn_profile_store *store);

/* Accepts NULL. */
void vdnn_profile_destroy(vdnn_profile *profile);

/* For other sources of times, such as device models: creates a profile without choices, with all
 * rates 0, and inserts a choice in order. */
vdnn_status vdnn_profile_create_empty(int32_t layer_count, vdnn_profile **profile);
vdnn_status vdnn_profile_add(vdnn_profile *profile, int32_t layer, vdnn_pass pass,
                             vdnn_choice choice);
/* Copies the choices of layer `like` of profile `of` to a layer that has none. */
vdnn_status vdnn_profile_repeat(vdnn_profile *profile, int32_t layer, const vdnn_profile *of,
                                int32_t like);
/* Keeps only the first `layer_count` layers. */
void vdnn_profile_shorten(vdnn_profile *profile, int32_t layer_count);
vdnn_status vdnn_profile_omit(vdnn_profile *profile, int32_t layer, vdnn_pass pass,
                              const vdnn_algorithm *algorithm, const char *reason);

/* Creates the profile of a network in one shape, without graph->lesser. */
typedef vdnn_status vdnn_profile_of_shape(void *argument, const vdnn_graph *shape,
                                          vdnn_profile **profile);
/* The profile of a graph: calls `of_shape` for it and, if there is one, for graph->lesser. Leaves
 * out an algorithm that only one of them has; VDNN_BAD_INPUT if a pass has none left. */
vdnn_status vdnn_profile_create_of(const vdnn_graph *graph, vdnn_profile_of_shape *of_shape,
                                   void *argument, vdnn_profile **profile);

/* A choice with the seconds and workspace that it has in the shape of a micro-batch. */
static inline vdnn_choice vdnn_profile_choice_of_micro(const vdnn_choice *choice,
                                                       const vdnn_graph *graph, int32_t micro)
{
    vdnn_choice own = *choice;
    if (vdnn_graph_of_micro(graph, micro) != graph) {
        own.seconds = choice->lesser_seconds;
        own.workspace_bytes = choice->lesser_workspace_bytes;
    }
    return own;
}

/* Times of copies and of steps that belong to no layer. */
vdnn_rates vdnn_profile_rates(const vdnn_profile *profile);

/* Keeps only the choice with this algorithm name. VDNN_BAD_INPUT, with the valid names, if no
 * choice has that name. */
vdnn_status vdnn_profile_pin(vdnn_profile *profile, int32_t layer, vdnn_pass pass,
                             const char *algorithm);

/* The choice with the least seconds; among equal ones, that with the least workspace. */
int32_t vdnn_profile_fastest(const vdnn_profile *profile, int32_t layer, vdnn_pass pass);
/* Seconds of recomputing a forward pass: those of the choice or, if the layer is cheap to recompute
 * (def->recompute_is_cheap), those of moving its bytes if these are less. */
double vdnn_profile_recompute_seconds(const vdnn_profile *profile, const vdnn_layer *layer,
                                      const vdnn_choice *choice);
/* The choice with this algorithm name; -1: none. */
int32_t vdnn_profile_find(const vdnn_profile *profile, int32_t layer, vdnn_pass pass,
                          const char *algorithm);

#endif
