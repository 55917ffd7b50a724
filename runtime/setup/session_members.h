#ifndef VDNN_RUNTIME_SETUP_SESSION_MEMBERS_H
#define VDNN_RUNTIME_SETUP_SESSION_MEMBERS_H

/* The members of vdnn_session_options, one row each: what is done with every one of them, such as
 * copying texts and comparing ranks, is a loop over this table.
 *
 * Invariant: each member has one row.
 * Threads: any.
 *
 *     for (size_t i = 0; vdnn_session_member_at(i) != NULL; i++) {
 *         const vdnn_session_member *member = vdnn_session_member_at(i);
 *         use((const char *)&options + member->offset, member->kind);
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

/* What processes that train together must have in common of a member. */
typedef enum vdnn_member_rule {
    VDNN_RANKS_SAME,   /* the value */
    VDNN_RANKS_GIVEN,  /* whether it is there: its value is a place on each host */
    VDNN_RANKS_LATER,  /* what it leads to, as vdnn_agree_on_training finds */
    VDNN_RANKS_FIRST,  /* nothing: the first process's counts */
    VDNN_RANKS_OWN,    /* nothing: it is of each process alone, or the least one counts */
    VDNN_RANKS_OTHERS, /* nothing: trainings do not read it */
} vdnn_member_rule;

typedef struct vdnn_session_member {
    const char *name;
    size_t offset;
    vdnn_member_kind kind;
    vdnn_member_rule rule;
    bool is_count;      /* a negative one is refused */
    const char *preset; /* of a text that is NULL; NULL: it stays so */
} vdnn_session_member;

enum { VDNN_MEMBER_NAME_BYTES = 64 };

/* NULL beyond the last. */
const vdnn_session_member *vdnn_session_member_at(size_t i);

/* The option as it is typed: "device-mem" for device_mem. Returns `name`. */
const char *vdnn_session_member_option(const vdnn_session_member *member,
                                       char name[VDNN_MEMBER_NAME_BYTES]);

#endif
