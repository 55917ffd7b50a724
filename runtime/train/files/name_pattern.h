#ifndef VDNN_RUNTIME_TRAIN_FILES_NAME_PATTERN_H
#define VDNN_RUNTIME_TRAIN_FILES_NAME_PATTERN_H

/* From a name by one rule to a name by another: a pattern (a POSIX extended regular expression) and
 * a template, in which \0 is the whole name, \1 the first group and so on, \i the first group as a
 * number plus one, and \n a number that the caller gives.
 *
 * Invariant: pure. Threads: any.
 *
 *     vdnn_name_groups groups;
 *     if (vdnn_name_pattern_match("h\\.([0-9]+)\\.ln_1", name, &groups, &no_memory))
 *         vdnn_name_pattern_fill("ln1_\\i", name, &groups, 0, other);
 */

#include <stdbool.h>

enum { VDNN_NAME_PATTERN_BYTES = 256, VDNN_NAME_PATTERN_GROUPS = 5 };

/* Where each group begins and ends in the name; the first one is the whole. */
typedef struct vdnn_name_groups {
    int begin[VDNN_NAME_PATTERN_GROUPS], end[VDNN_NAME_PATTERN_GROUPS];
} vdnn_name_groups;

/* Whether the pattern is the whole name; *no_memory is set if that is not known. */
bool vdnn_name_pattern_match(const char *pattern, const char *name, vdnn_name_groups *groups,
                             bool *no_memory);

/* Cut to its length. */
void vdnn_name_pattern_fill(const char *template, const char *name, const vdnn_name_groups *groups,
                            int number, char filled[VDNN_NAME_PATTERN_BYTES]);

#endif
