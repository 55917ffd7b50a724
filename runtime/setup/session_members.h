#ifndef VDNN_RUNTIME_SETUP_SESSION_MEMBERS_H
#define VDNN_RUNTIME_SETUP_SESSION_MEMBERS_H

/* The members of vdnn_session_options and its topics, one row each, which the build reads from
 * runtime/vdnn.h (session_members.awk). What is done with all of them, such as copying texts and
 * comparing ranks, is a loop over these rows, so that a new option has no row to be written.
 *
 * Invariant: each member has one row, except sizes and the topics' addresses.
 * Threads: any.
 *
 *     for (size_t i = 0; vdnn_session_member_at(i) != NULL; i++) {
 *         const vdnn_session_member *member = vdnn_session_member_at(i);
 *         use(vdnn_session_member_in(&options, member), member->kind);
 *     }
 */

#include "runtime/vdnn.h"

typedef enum vdnn_member_kind {
    VDNN_MEMBER_TEXT, /* const char * */
    VDNN_MEMBER_INT64,
    VDNN_MEMBER_INT,
    VDNN_MEMBER_BOOL,
    VDNN_MEMBER_DOUBLE,
    VDNN_MEMBER_OTHER,
} vdnn_member_kind;

typedef struct vdnn_session_member {
    const char *name;
    size_t topic;  /* where vdnn_session_options has the address of its struct; 0: it is of that */
    size_t offset; /* into its struct */
    vdnn_member_kind kind;
} vdnn_session_member;

enum { VDNN_MEMBER_NAME_BYTES = 64 };

/* Copies of all topics. */
typedef struct vdnn_session_topics {
    vdnn_planning_options planning;
    vdnn_machine_options machine;
    vdnn_dataset_options dataset;
    vdnn_output_options output;
    vdnn_trust_options trust;
    vdnn_process_options process;
    vdnn_print_options print;
    vdnn_report_options report;
} vdnn_session_topics;

/* Copies the topics that there are, sets the others to their defaults, and makes the options name
 * the copies. VDNN_USAGE for a size that is none. */
vdnn_status vdnn_session_topics_take(vdnn_session_options *ask, vdnn_session_topics *copies);

/* NULL beyond the last. */
const vdnn_session_member *vdnn_session_member_at(size_t i);

/* Where the options have it; all their topics are there, and may be written where they are the
 * caller's. */
void *vdnn_session_member_in(const vdnn_session_options *ask, const vdnn_session_member *member);

/* The option as it is typed: "device-mem" for device_mem. Returns `name`. */
const char *vdnn_session_member_option(const vdnn_session_member *member,
                                       char name[VDNN_MEMBER_NAME_BYTES]);

#endif
