#ifndef VDNN_RUNTIME_REPORT_DOCTOR_H
#define VDNN_RUNTIME_REPORT_DOCTOR_H

/* Facts about build and machine for bug reports (doctor_facts.c), which vdnn_doctor_write
 * (doctor.c) prints, with the problems that it finds.
 *
 * Invariant: a fact that cannot be read is unknown, and never an error.
 * Threads: any; devices are opened by the thread that calls.
 *
 *     for (size_t i = 0; (row = vdnn_doctor_fact_at(i)) != NULL; i++) {
 *         vdnn_doctor_value found = {.known = false};
 *         row->find(row, &machine, &found);
 *     }
 *
 * A new fact is one row there, a new problem one row in doctor.c.
 */

#include "runtime/device/device.h"
#include "runtime/profile/profile_store.h"

enum { VDNN_DOCTOR_WORDS_BYTES = 512 };

typedef enum vdnn_doctor_kind {
    VDNN_DOCTOR_WORDS,
    VDNN_DOCTOR_COUNT,
    VDNN_DOCTOR_BYTES,
    VDNN_DOCTOR_RATE, /* bytes a second */
} vdnn_doctor_kind;

typedef struct vdnn_doctor_value {
    bool known, unlimited;
    double number;
    char words[VDNN_DOCTOR_WORDS_BYTES];
} vdnn_doctor_value;

/* Shared by several facts and problems. */
typedef struct vdnn_doctor_machine {
    vdnn_device_properties properties; /* of the device; without a name: it cannot be opened */
    double rates[VDNN_PROFILE_RATE_COUNT];
    char rates_lack[VDNN_DOCTOR_WORDS_BYTES]; /* why there are none */
    vdnn_device_properties card;              /* the first of CUDA; without a name: there is none */
    double card_rates[VDNN_PROFILE_RATE_COUNT];
    size_t available_bytes, total_bytes; /* SIZE_MAX: unknown */
    const char *limit;
    double disk_bytes; /* below 0: unknown */
} vdnn_doctor_machine;

typedef struct vdnn_doctor_fact {
    const char *group, *name;
    vdnn_doctor_kind kind;
    void (*find)(const struct vdnn_doctor_fact *row, const vdnn_doctor_machine *m,
                 vdnn_doctor_value *out);
    const char *from, *key; /* for find */
} vdnn_doctor_fact;

/* NULL after the last; those of a group are together. */
const vdnn_doctor_fact *vdnn_doctor_fact_at(size_t i);

/* Sets the value to the words; known if there are any. */
void vdnn_doctor_say(vdnn_doctor_value *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The rest of the file's line that begins with `key`, without surrounding blanks and quotes. */
bool vdnn_doctor_line(const char *path, const char *key, char *line, size_t size);

/* The number of items in a line such as "0-3,8"; 0 if it is not understood. */
long vdnn_doctor_count(const char *path, const char *key);

#endif
