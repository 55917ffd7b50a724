#ifndef VDNN_RUNTIME_VDNN_H
#define VDNN_RUNTIME_VDNN_H

/* libvdnn: trains deep networks inside a memory budget.
 *
 *     vdnn_session_options options = {.size = sizeof options, .model = "lenet",
 *                                     .data = "idx:mnist", .device_mem = "24MiB"};
 *     vdnn_session *session = NULL;
 *     vdnn_status status = vdnn_session_create(&options, NULL, &session);
 *     if (status == VDNN_OK)
 *         status = vdnn_session_run(session);
 *     if (status != VDNN_OK)
 *         fprintf(stderr, "%s\n", vdnn_status_message());
 *     vdnn_session_destroy(session);
 *
 * Compile and link with `pkg-config --cflags --libs vdnn`.
 *
 * Rules that hold everywhere:
 *  - Whatever can fail returns a vdnn_status. Out-parameters come last and are written only on
 *    success, unless a function says otherwise. After a failure vdnn_status_message() tells the
 *    facts: what was found where, what was expected, what would help. It calls options by their
 * names on the command line: --device-mem is device_mem.
 *  - A struct that the caller makes begins with `size`, which must be its sizeof; a member that is
 *    0 or NULL has its default. So structs can grow without breaking programs: the library reads
 *    and fills only what the caller's version has. A struct that the library hands to a callback
 *    has no size, and may grow at its end.
 *  - Who creates destroys; destroy accepts NULL. Texts that are given to a function need live only
 *    until it returns, unless it says otherwise. What is `borrowed` belongs to the library.
 *  - Bytes are bytes, seconds are seconds. The library never prints, never reads the environment,
 *    never ends the process but on a broken invariant of its own.
 *  - A handle is used by one thread at a time; different handles by different threads.
 *  - A program made for an older version of this header runs with a newer library of the same
 *    soname.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VDNN_VERSION "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define VDNN_API __attribute__((visibility("default")))
#define VDNN_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define VDNN_API
#define VDNN_FORMAT(text, first)
#endif

/* The library's version, which may be newer than this header's: "0.1.0". */
VDNN_API const char *vdnn_version(void);

/* ---- statuses -------------------------------------------------------------------------------- */

/* name, exit code of the programs, text */
#define VDNN_STATUS_TABLE(X)                                                                       \
    X(OK, 0, "success")                                                                            \
    X(USAGE, 2, "wrong usage")                                                                     \
    X(BAD_INPUT, 3, "bad input")                                                                   \
    X(NO_FIT, 4, "does not fit the budget")                                                        \
    X(DEVICE, 5, "device missing or failed")                                                       \
    X(NO_MEMORY, 5, "out of host memory")                                                          \
    X(FILE, 6, "file or checkpoint error")                                                         \
    X(PEER, 7, "a peer process failed")                                                            \
    X(MISMATCH, 8, "verification mismatch")                                                        \
    X(INTERNAL, 9, "broken plan refused")                                                          \
    X(REQUEUE, 75, "checkpointed on a signal, please requeue")                                     \
    X(INTERRUPTED, 130, "interrupted")                                                             \
    X(TERMINATED, 143, "terminated")

typedef enum vdnn_status {
#define X(name, code, text) VDNN_##name,
    VDNN_STATUS_TABLE(X)
#undef X
} vdnn_status;

/* The message of the last failure in this thread; "" when there was none. Borrowed, until the next
 * failure in this thread. */
VDNN_API const char *vdnn_status_message(void);
/* "does not fit the budget". Static. */
VDNN_API const char *vdnn_status_text(vdnn_status status);
/* What a program that ends with this status should give back to the shell. */
VDNN_API int vdnn_status_exit_code(vdnn_status status);

/* For layers and policies of one's own: records the message in this thread and is `status`, so that
 * a callback can write `return vdnn_status_fail(VDNN_BAD_INPUT, "...")`. Messages longer than 2047
 * bytes are cut; control characters become '?', but for a line end before two blanks, which begins
 * a further line. A macro, so that the compiler sees which status comes out. */
#define vdnn_status_fail(status, ...) (vdnn_status_record(__VA_ARGS__), (status))

VDNN_API void vdnn_status_record(const char *format, ...) VDNN_FORMAT(1, 2);

/* ---- texts ----------------------------------------------------------------------------------- */

/* A growing string: what the library writes into, and the caller frees. All-zero is empty. After a
 * failed allocation it is empty and `failed`. */
typedef struct vdnn_text {
    char *data; /* NUL-terminated once something was added */
    size_t length, capacity;
    int failed;
} vdnn_text;

VDNN_API void vdnn_text_add(vdnn_text *text, const char *format, ...) VDNN_FORMAT(2, 3);
/* Empty again; may be used further. */
VDNN_API void vdnn_text_fini(vdnn_text *text);

/* Writes the text to a file that appears whole or not at all: a temporary file in the same folder,
 * fsync, rename. VDNN_FILE with path and reason; what was there stays then. */
VDNN_API vdnn_status vdnn_text_save(const vdnn_text *text, const char *path);
/* Whether vdnn_text_save could write there now: to be asked before a long run. */
VDNN_API vdnn_status vdnn_text_check_path(const char *path);

/* Parses `512M`, `12GiB`, `1.5G`, `80%`, `4096`. K, M, G, T and KiB ... TiB are powers of 1024, kB,
 * MB, GB, TB powers of 1000; a share is of `whole_bytes`. VDNN_USAGE with the reason where the text
 * is no size, is negative, is zero, or does not fit size_t. */
VDNN_API vdnn_status vdnn_text_parse_size(const char *text, size_t whole_bytes, size_t *bytes);
/* Writes bytes for people: "1.50 GiB", "640 B". Returns `buffer`. */
VDNN_API const char *vdnn_text_bytes(char *buffer, size_t size, double bytes);
/* The name with the smallest edit distance to `name`, for "did you mean"; NULL when none is near
 * enough to be meant. */
VDNN_API const char *vdnn_text_nearest(const char *name, const char *const *names, size_t count);

/* ---- messages -------------------------------------------------------------------------------- */

/* name, text; in order: a level includes those before it */
#define VDNN_LOG_TABLE(X)                                                                          \
    X(ERROR, "error")                                                                              \
    X(WARN, "warn")                                                                                \
    X(INFO, "info")                                                                                \
    X(DEBUG, "debug")

typedef enum vdnn_log_level {
#define X(name, text) VDNN_LOG_##name,
    VDNN_LOG_TABLE(X)
#undef X
        VDNN_LOG_COUNT
} vdnn_log_level;

typedef struct vdnn_progress {
    const char *what; /* "training", "testing" */
    int64_t step, step_count;
    double loss, images_per_second, seconds_left; /* 0 while not known */
    size_t device_bytes, host_bytes;              /* the most in use in the last step */
    size_t moved_bytes;                           /* between the tiers since the beginning */
    bool simulated; /* nothing is computed: no loss, and seconds are the device's */
} vdnn_progress;

/* How a session talks to whoever started it. A function that is NULL is not called; all are called
 * by the thread that calls the session; what is passed is valid during the call only. */
typedef struct vdnn_messages {
    size_t size;
    void (*log)(void *context, vdnn_log_level level, const char *text);
    void (*progress)(void *context, const vdnn_progress *progress);
    /* Data for people: the plan as text, the footprint. */
    void (*print)(void *context, const char *text);
    /* VDNN_OK, or VDNN_INTERRUPTED or VDNN_TERMINATED once the run shall end: asked between two
     * steps. */
    vdnn_status (*interrupted)(void *context);
    void *context;
} vdnn_messages;

/* ---- networks -------------------------------------------------------------------------------- */

/* A network: layers with their keys, as its file says. The same reader serves files and code, so
 * whatever a file can say can be said in code, in the same words. */
typedef struct vdnn_model vdnn_model;

/* FILE|NAME: a path that exists, else NAME or NAME.yaml among the installed networks.
 * VDNN_BAD_INPUT with "file:line: what was found, what was expected, the nearest name". */
VDNN_API vdnn_status vdnn_model_load(const char *name, vdnn_model **model);
/* The same of a text; `path` is what messages call it. */
VDNN_API vdnn_status vdnn_model_parse(const char *text, size_t length, const char *path,
                                      vdnn_model **model);

/* A network to add layers to. `head` is the text of a network file without `layers`:
 *
 *     vdnn_model_create("{name: small, input: {channels: 1, height: 28, width: 28}, classes: 10,"
 *                       " batch: 64, training: {lr: 0.01}}", &model);
 *     vdnn_model_add(model, "{name: conv1, type: conv, out: %d, kernel: 5}", width);
 *     vdnn_model_add(model, "{name: fc1, type: fc, out: 10}");
 *     vdnn_model_add(model, "{name: loss, type: softmax_loss}");
 */
VDNN_API vdnn_status vdnn_model_create(const char *head, vdnn_model **model);
/* One item of a file's `layers`, a layer or a repeat. What is wrong with it is said here and leaves
 * the network as it was; names in `from` and shapes are checked when the network is used. */
VDNN_API vdnn_status vdnn_model_add(vdnn_model *model, const char *format, ...) VDNN_FORMAT(2, 3);

VDNN_API void vdnn_model_destroy(vdnn_model *model);

/* ---- sessions -------------------------------------------------------------------------------- */

/* What to run, as the options of vdnnrun. Those of the first two groups are also a report's. */
typedef struct vdnn_session_options {
    size_t size;

    /* the network and the machine */
    const char *model;         /* FILE|NAME */
    const vdnn_model *network; /* used instead where it is not NULL; borrowed until destroy */
    int64_t batch;             /* 0: the network's */
    const char *dtype;         /* of activations: "f32" (default), "tf32", "bf16" */
    const char *rules;         /* "lean" (default): the leanest correct; "paper": as its system */
    const char *device;        /* "auto" (default), "cpu", "sim:NAME" (keeps time alone) */
    const char *device_mem;    /* budgets: "2GiB", "80%"; NULL: a safe share of what is free */
    const char *host_mem;
    int threads;         /* 0: the device's default */
    const char *profile; /* file of measured times, read and written; NULL: none */
    const char *algos;   /* JSON of an earlier run that names every algorithm; NULL: none */

    /* the plan */
    const char *policy; /* NULL: "dyn" */
    const char *algo;   /* of a static policy: "p" fastest (default), "m" least memory */
    bool dry_run;       /* plan only: also finds out the smallest budget */

    /* training */
    int64_t epochs; /* 0: the network's */
    int64_t steps;  /* 0: as many as the epochs have */
    uint64_t seed;  /* of weights, order of the data and dropout */
    bool has_lr;    /* use lr, not the network's */
    double lr;
    const char *data;      /* KIND:PLACE; NULL: "synthetic" */
    const char *test_data; /* NULL: the test part of `data`, where it has one */
    bool no_shuffle;

    /* what vdnn_session_run does at its ends */
    const char *init;         /* safetensors to begin with; NULL: weights made from the seed */
    const char *save;         /* safetensors to write; NULL: none */
    const char *trace;        /* timeline of the first steps; NULL: none */
    const char *checkpoint;   /* folder to write checkpoints to; NULL: none are written */
    int64_t checkpoint_every; /* steps; 0: an epoch's */
    int64_t keep;             /* checkpoints that stay; 0: 3 */
    const char *resume;       /* "auto": the newest of `checkpoint`, if there is one; else a
                                 checkpoint or a folder of them; NULL: the training begins anew */
    bool verify;              /* checksums of offloaded buffers, out and back: VDNN_MISMATCH */
    bool print_plan;          /* by messages->print: the plan as text */
    bool print_footprint;     /* by messages->print: a dry run's footprint, a run's last line */
    bool explain;             /* by messages->print: vdnn_session_explain instead of those */

    /* of reports */
    const char *accounting; /* "full" (default), "paper": as the vDNN paper counts, and by its rules
                             */
    int64_t devices; /* 0: 1; more than one share the batch, each with these budgets: only a report
                        of simulated devices has them */

    /* of both */
    bool nondeterministic; /* algorithms that give other bits each time are let in */

    /* of training, for whoever writes kernels */
    bool poison; /* memory is full of NaN before it is written, operations run one at a time, and
                    one that writes behind a buffer is VDNN_MISMATCH */

    /* of training */
    bool require_offload; /* VDNN_MISMATCH where the device copies other bytes between the tiers, in
                             a step, than the plan says */
} vdnn_session_options;

/* One training step. */
typedef struct vdnn_sample {
    size_t size;
    int64_t step;                /* from 1 */
    double loss;                 /* mean over the batch; of a simulated device not a number */
    double seconds;              /* from the first operation's start to the last one's end */
    double stall_seconds;        /* in which the compute stream had work but waited */
    double exposed_copy_seconds; /* of copies that no compute hid */
    double wall_seconds;         /* with the wait for the batch */
} vdnn_sample;

/* From options to a trained network, in one call or step by step:
 *
 *     create     reads the network, opens the device, checks every file that will be needed
 *     prepare    the profile, the plan: from here on there is a record, also of what does not fit
 *     begin      the tiers, the data, the first weights
 *     step ...   evaluate, save, trace, ask for the record: in any order, any number of times
 *
 * A call in a wrong order is VDNN_USAGE and changes nothing. */
typedef struct vdnn_session vdnn_session;

/* `messages` may be NULL. VDNN_USAGE for a value that there is not, with the nearest;
 * VDNN_BAD_INPUT for a network, data or weights that cannot be used, with file and line; VDNN_FILE
 * where a file could not be written later; VDNN_DEVICE where there is no such device. */
VDNN_API vdnn_status vdnn_session_create(const vdnn_session_options *options,
                                         const vdnn_messages *messages, vdnn_session **session);
VDNN_API void vdnn_session_destroy(vdnn_session *session);

/* All that the options say: prepare, and but for a dry run begin, every step, an evaluation where
 * there is test data, and the files. VDNN_INTERRUPTED and VDNN_TERMINATED after a whole step, when
 * messages->interrupted says so: no file is written then but, where the options name a folder for
 * them, a checkpoint; what would be VDNN_TERMINATED is VDNN_REQUEUE then. A checkpoint that cannot
 * be written on the way is a warning; VDNN_FILE, after all else is done, where that is so of the
 * last one. */
VDNN_API vdnn_status vdnn_session_run(vdnn_session *session);

/* Measures what the profile does not know, and plans. VDNN_NO_FIT with what would fit (the smallest
 * budget, another policy, another batch), in words; the plan is then the smallest there is. */
VDNN_API vdnn_status vdnn_session_prepare(vdnn_session *session);

/* Reserves the tiers, fills in the first weights. After a successful prepare. VDNN_DEVICE where the
 * machine has less memory than the plan takes. */
VDNN_API vdnn_status vdnn_session_begin(vdnn_session *session);

/* One step of training, also beyond vdnn_session_step_count. `sample` may be NULL. After a failure
 * vdnn_session_step_number tells whether the step was done. */
VDNN_API vdnn_status vdnn_session_step(vdnn_session *session, vdnn_sample *sample);
/* Steps that were done; steps that the options ask for (known once begun). */
VDNN_API int64_t vdnn_session_step_number(const vdnn_session *session);
VDNN_API int64_t vdnn_session_step_count(const vdnn_session *session);

/* The share of the test data, 0 to 1, that is recognized with the weights as they are; below 0:
 * there is no test data, or the device is simulated. No later step notices it. */
VDNN_API vdnn_status vdnn_session_evaluate(vdnn_session *session, double *accuracy);

/* The weights as they are, as safetensors, whole or not at all. */
VDNN_API vdnn_status vdnn_session_save(vdnn_session *session, const char *path);

/* Writes where the training stands to the options' folder. VDNN_FILE where it cannot; the
 * checkpoints that there are stay then. */
VDNN_API vdnn_status vdnn_session_checkpoint(vdnn_session *session);

/* A timeline of the next steps (the first 20 of them) for Perfetto, compressed where the path ends
 * in .gz; the file is there, whole, after trace_end. */
VDNN_API vdnn_status vdnn_session_trace_begin(vdnn_session *session, const char *path);
VDNN_API vdnn_status vdnn_session_trace_end(vdnn_session *session);

/* Adds what is known of the run so far, as JSON: network, device, plan, layers, and once it has
 * begun measurements, losses, test accuracy. After prepare, also after VDNN_NO_FIT. */
VDNN_API vdnn_status vdnn_session_json(const vdnn_session *session, vdnn_text *json);
/* The same for people: the footprint of the plan. */
VDNN_API vdnn_status vdnn_session_footprint(const vdnn_session *session, vdnn_text *text);

/* Why the run does not fit its budgets, or how much room it has, and what every change would do
 * (policies, algorithms, rules, data type, batch, host memory), each with its exact smallest
 * budget: in words, after prepare. What the profile does not know is measured. */
VDNN_API vdnn_status vdnn_session_explain(const vdnn_session *session, vdnn_text *text);

/* ---- plans ----------------------------------------------------------------------------------- */

/* name: the key in by_category */
#define VDNN_CATEGORY_TABLE(X)                                                                     \
    X(weights)                                                                                     \
    X(weight_gradients)                                                                            \
    X(optimizer)                                                                                   \
    X(feature_maps)                                                                                \
    X(gradient_maps)                                                                               \
    X(workspace)                                                                                   \
    X(other)

typedef struct vdnn_category_bytes {
#define X(name) size_t name;
    VDNN_CATEGORY_TABLE(X)
#undef X
} vdnn_category_bytes;

/* A whole training step: every operation with its addresses and what it waits for. Immutable. */
typedef struct vdnn_plan vdnn_plan;

typedef struct vdnn_plan_facts {
    size_t size;
    const char *policy, *algo;       /* what was settled on; borrowed from the plan */
    size_t arena_bytes;              /* span of device addresses: what the budget must hold */
    size_t host_arena_bytes;         /* of the host tier */
    size_t device_peak_bytes;        /* most that is live at one time */
    size_t host_peak_bytes;          /* likewise, in the host tier */
    double device_average_bytes;     /* weighted by the estimated time */
    size_t offload_bytes;            /* out, a step */
    size_t prefetch_bytes;           /* back in, a step */
    double step_seconds;             /* estimated */
    double oracle_step_seconds;      /* with the fastest algorithms and unlimited memory */
    const char *peak_layer;          /* at the peak; NULL: none; borrowed from the plan */
    vdnn_category_bytes by_category; /* each category's own maximum */
    vdnn_category_bytes by_category_at_peak; /* sums to device_peak_bytes */
    int32_t step_count, layer_count;
    double recompute_seconds; /* estimated: of a step, what goes into making maps again */
} vdnn_plan_facts;

/* One operation. Texts are borrowed from the plan, "" where there is none. */
typedef struct vdnn_plan_step {
    size_t size;
    const char *kind;      /* "run", "copy_out", "copy_in", "update", ... */
    const char *stream;    /* "compute", "out", "in" */
    const char *layer;     /* whose pass, update or copy it is */
    const char *pass;      /* of a run: "forward", "backward_data", "backward_filter" */
    const char *algorithm; /* of a run */
    const char *label;     /* the map's name; "begin" and "end" of the step */
    size_t bytes;          /* of copies, loads, sums, updates */
    double seconds;        /* estimated */
} vdnn_plan_step;

/* What the budgets say about a plan. */
typedef struct vdnn_verdict {
    size_t size;
    bool fits;
    size_t device_budget_bytes, host_budget_bytes;
    size_t smallest_bytes;    /* the device budget that is just enough; 0: not known */
    size_t host_locked_bytes; /* of the host tier, once begun */
    bool overlap;             /* once begun: copies run beside the compute; false where host memory
                                 could not be pinned, which a warning says */
} vdnn_verdict;

/* NULL before prepare. Borrowed from the session. */
VDNN_API const vdnn_plan *vdnn_session_plan(const vdnn_session *session);
VDNN_API vdnn_status vdnn_session_verdict(const vdnn_session *session, vdnn_verdict *verdict);

VDNN_API vdnn_status vdnn_plan_describe(const vdnn_plan *plan, vdnn_plan_facts *facts);
/* Operation `i` below facts.step_count, in the order of the plan. VDNN_USAGE beyond it. */
VDNN_API vdnn_status vdnn_plan_step_at(const vdnn_plan *plan, int32_t i, vdnn_plan_step *step);
/* Adds the plan as stable text: the same plan gives the same text. */
VDNN_API vdnn_status vdnn_plan_print(const vdnn_plan *plan, vdnn_text *text);

/* ---- reports --------------------------------------------------------------------------------- */

/* Every policy side by side for one network. */
typedef struct vdnn_report vdnn_report;

/* name, text */
#define VDNN_REPORT_FORMAT_TABLE(X)                                                                \
    X(TABLE, "table") /* for people */                                                             \
    X(JSON, "json")   /* as vdnnreport --json */                                                   \
    X(CSV, "csv")     /* bytes and seconds */                                                      \
    X(MARKDOWN, "markdown")                                                                        \
    X(HTML, "html")             /* one page with a chart, without references to others */          \
    X(ALGORITHMS, "algorithms") /* every algorithm of every layer, for people */

typedef enum vdnn_report_format {
#define X(name, text) VDNN_REPORT_##name,
    VDNN_REPORT_FORMAT_TABLE(X)
#undef X
} vdnn_report_format;

/* Of the options the first group is read. `policies`: names with commas, NULL: all there are;
 * `messages` may be NULL. Statuses as vdnn_session_create. */
VDNN_API vdnn_status vdnn_report_create(const vdnn_session_options *options,
                                        const vdnn_messages *messages, const char *policies,
                                        vdnn_report **report);
VDNN_API void vdnn_report_destroy(vdnn_report *report);
/* VDNN_NO_FIT, with the smallest budget that is enough for one of the policies, where none fits. */
VDNN_API vdnn_status vdnn_report_verdict(const vdnn_report *report);
/* Adds the report to the text. */
VDNN_API vdnn_status vdnn_report_write(const vdnn_report *report, vdnn_report_format format,
                                       vdnn_text *text);

/* For reports of faults: adds the facts of build, machine, libraries and limits, and each problem
 * found with its remedy, as VDNN_REPORT_TABLE or VDNN_REPORT_JSON. Of `environment` (NAME=value,
 * the last is NULL; may itself be NULL) it shows what concerns vdnn and its libraries. Measures
 * copies for less than a second. */
VDNN_API vdnn_status vdnn_doctor_write(const char *const *environment, vdnn_report_format format,
                                       vdnn_text *text);

/* ---- layers of one's own --------------------------------------------------------------------- */

/* What a policy may want to know of a layer, without knowing its type. */
typedef enum vdnn_role {
    VDNN_ROLE_CONV,       /* convolution: computes long enough to hide copies */
    VDNN_ROLE_FEATURE,    /* other feature-extraction layers: pooling, normalization ... */
    VDNN_ROLE_ACTIVATION, /* element by element: relu, dropout */
    VDNN_ROLE_CLASSIFIER, /* fully connected layers and the loss */
} vdnn_role;

/* The passes of a layer. name, text */
#define VDNN_PASS_TABLE(X)                                                                         \
    X(FORWARD, "forward")                                                                          \
    X(BACKWARD_DATA, "backward_data")                                                              \
    X(BACKWARD_FILTER, "backward_filter")

typedef enum vdnn_pass {
#define X(name, text) VDNN_##name,
    VDNN_PASS_TABLE(X)
#undef X
        VDNN_PASS_COUNT
} vdnn_pass;

/* What a backward pass reads beside dy: bits. */
typedef unsigned vdnn_needs;
enum { VDNN_NEEDS_X = 1, VDNN_NEEDS_Y = 2, VDNN_NEEDS_W = 4, VDNN_NEEDS_AUX = 8 };

typedef enum vdnn_key_kind {
    VDNN_KEY_INT,  /* int64_t */
    VDNN_KEY_PAIR, /* int64_t[2], h and w; written `n` or `[h, w]` */
    VDNN_KEY_REAL, /* double */
    VDNN_KEY_BOOL, /* bool */
} vdnn_key_kind;

/* A key of a layer in a network file, and where its value goes. */
typedef struct vdnn_key {
    const char *name;
    vdnn_key_kind kind;
    size_t offset; /* into the layer's config struct */
    bool required;
    double preset;          /* value when absent (both of a pair), unless preset_key is set */
    const char *preset_key; /* an earlier key of the same kind whose value is the preset, or NULL */
    double min, max;        /* inclusive */
} vdnn_key;

enum { VDNN_MAX_PARAMS = 4 };

/* Of a map: samples, channels, height, width; a vector has height = width = 1. */
typedef struct vdnn_dims {
    int64_t n, c, h, w;
} vdnn_dims;

/* A parameter of a layer: learned by SGD, written to weight files as `<layer>.<name>`. */
typedef struct vdnn_param_shape {
    const char *name; /* static */
    int64_t dims[4];
    int dim_count;
    int64_t fan_in, fan_out; /* for the network's init; 0: filled with `fill` */
    double fill;
} vdnn_param_shape;

/* A layer in a network: what is given, and what the type says about it. */
typedef struct vdnn_layer_shape {
    const void *config; /* the keys' values */
    int input_count;
    const vdnn_dims *x; /* of each input */

    vdnn_dims y; /* of the output; as the first input until it is set */
    vdnn_param_shape params[VDNN_MAX_PARAMS];
    int param_count;
    size_t aux_bytes;                        /* that forward keeps for backward */
    size_t workspace_bytes[VDNN_PASS_COUNT]; /* lent during a pass */
    double flops[VDNN_PASS_COUNT];           /* 0: one for each element */
} vdnn_layer_shape;

/* One run of a pass. All arrays are float, row-major (samples, channels, height, width), whatever
 * the network's data type. What the pass did not declare is NULL. */
typedef struct vdnn_layer_call {
    const void *config;
    int input_count;
    const vdnn_dims *x_dims; /* of each input */
    vdnn_dims y_dims;
    int threads;           /* that the pass may use */
    bool evaluate;         /* not training: dropout would be the identity */
    uint64_t seed;         /* of the run */
    uint64_t step;         /* from 0 */
    uint64_t first_sample; /* global number of the batch's first sample */
    int layer;             /* which one of the network: with the above, random numbers' counter */
    const float *const *x; /* inputs */
    float *y;              /* forward writes it; backward reads it */
    float *const *dx;      /* backward data writes every one that is not NULL */
    const float *dy;
    const float *const *w; /* parameters */
    float *const *dw;      /* backward filter writes all of them, does not add */
    void *aux;             /* forward writes it, backward reads it */
    void *workspace;       /* 64-byte aligned; holds nothing */
} vdnn_layer_call;

/* A type of layer. All that it points to must stay as it is until the process ends. */
typedef struct vdnn_layer_type {
    size_t size;
    const char *name; /* `type:` in network files */
    vdnn_role role;
    const vdnn_key *keys;
    size_t key_count, config_bytes;
    int min_inputs, max_inputs; /* 0 and 0: exactly one; max 0: any number from min on */
    vdnn_needs needs_data;      /* what backward_data reads beside dy */
    vdnn_needs needs_filter;    /* what backward_filter reads beside dy */
    /* Output, parameters, memory, from config and inputs: a pure function, asked again and again.
     * A refusal (VDNN_BAD_INPUT) says which value does not fit which; the library says where. NULL:
     * the output has the first input's shape, and there is nothing else. */
    vdnn_status (*shape)(vdnn_layer_shape *shape);
    /* Same arguments, same results, whatever the threads: all that a run promises of its bits it
     * promises only then. They neither keep memory nor print. */
    vdnn_status (*forward)(const vdnn_layer_call *call);
    vdnn_status (*backward_data)(const vdnn_layer_call *call);
    vdnn_status (*backward_filter)(const vdnn_layer_call *call); /* NULL: no parameters */
} vdnn_layer_type;

/* From now on networks may have layers of this type, in files as in code; there can be 64 of one's
 * own in a process. VDNN_USAGE where the name is taken or a function is missing. Before any other
 * thread uses the library. */
VDNN_API vdnn_status vdnn_layer_register(const vdnn_layer_type *type);

/* ---- policies -------------------------------------------------------------------------------- */

/* The policies there are, with one's own. */
VDNN_API size_t vdnn_policy_count(void);
VDNN_API const char *vdnn_policy_name(size_t i); /* NULL beyond the last */

/* What a policy proposes for one network, machine and budget. A *map* is the memory that an
 * activation lives in; what backward needs of them is kept, offloaded to the host, or made again.
 * At first everything is kept, with the fastest algorithms (the leanest where the options ask for
 * "m").
 */
typedef struct vdnn_proposal vdnn_proposal;

typedef struct vdnn_proposal_facts {
    size_t size;
    size_t device_bytes, host_bytes;  /* the budgets */
    double copy_out_bytes_per_second; /* to the host */
    double copy_in_bytes_per_second;  /* and back */
    double copy_latency_seconds;
    int32_t map_count, layer_count;
    bool wants_least_memory; /* the options ask for "m" */
} vdnn_proposal_facts;

typedef struct vdnn_map_facts {
    size_t size;
    const char *name; /* of the layer that makes it, or "input" */
    size_t bytes;
    bool is_needed;         /* by some backward pass: only such a map can be offloaded */
    bool is_offloaded;      /* as proposed so far */
    int32_t maker;          /* layer, -1: the input */
    int32_t last_forward;   /* the last layer that touches it in forward */
    int32_t first_backward; /* the first layer (the highest) that needs it in backward; -1: none */
    bool can_be_recomputed; /* an output of a layer below the loss, by deterministic algorithms */
    bool is_recomputed;     /* as proposed so far */
    double recompute_seconds; /* that its layers take to make it again, of what they read */
} vdnn_map_facts;

typedef struct vdnn_layer_facts {
    size_t size;
    const char *name, *type;
    vdnn_role role;
    double forward_seconds, backward_seconds; /* with the algorithms proposed so far */
    size_t workspace_bytes;                   /* the most of its passes */
    int32_t choice_count[VDNN_PASS_COUNT];    /* algorithms of each pass, leanest first */
} vdnn_layer_facts;

typedef struct vdnn_choice_facts {
    size_t size;
    const char *algorithm;
    double seconds;
    size_t workspace_bytes;
} vdnn_choice_facts;

/* VDNN_USAGE for an index that there is not. */
VDNN_API vdnn_status vdnn_proposal_describe(const vdnn_proposal *proposal,
                                            vdnn_proposal_facts *facts);
VDNN_API vdnn_status vdnn_proposal_map(const vdnn_proposal *proposal, int32_t map,
                                       vdnn_map_facts *facts);
VDNN_API vdnn_status vdnn_proposal_layer(const vdnn_proposal *proposal, int32_t layer,
                                         vdnn_layer_facts *facts);
VDNN_API vdnn_status vdnn_proposal_choice(const vdnn_proposal *proposal, int32_t layer,
                                          vdnn_pass pass, int32_t choice, vdnn_choice_facts *facts);

/* Offloads a map: it leaves while the forward pass of layer `leaves` runs, and returns while the
 * backward pass of layer `returns` runs; -1: as soon and as late as can be without waiting for the
 * copies. VDNN_USAGE where backward does not need the map, or the layers are not last_forward <=
 * leaves and first_backward <= returns. */
VDNN_API vdnn_status vdnn_proposal_offload(vdnn_proposal *proposal, int32_t map, int32_t leaves,
                                           int32_t returns);
/* Gives a map back after forward and makes it again right before the first backward pass that needs
 * it, by running the layers that write it once more. What they read is kept until then, comes back
 * until then where it is offloaded, or is made again first where it is recomputed too; so it may be
 * a map that no backward pass needs. VDNN_USAGE where the map cannot be recomputed. */
VDNN_API vdnn_status vdnn_proposal_recompute(vdnn_proposal *proposal, int32_t map);
/* Takes back what was proposed for a map. */
VDNN_API vdnn_status vdnn_proposal_keep(vdnn_proposal *proposal, int32_t map);
/* Takes an algorithm: choice 0 is the leanest. */
VDNN_API vdnn_status vdnn_proposal_choose(vdnn_proposal *proposal, int32_t layer, vdnn_pass pass,
                                          int32_t choice);
/* Plans what is proposed so far: VDNN_OK, or VDNN_NO_FIT where it does not fit the budgets. *facts
 * (which may be NULL) are set in both cases; their texts are NULL. */
VDNN_API vdnn_status vdnn_proposal_try(const vdnn_proposal *proposal, vdnn_plan_facts *facts);

/* A policy. All that it points to must stay as it is until the process ends. */
typedef struct vdnn_policy_type {
    size_t size;
    const char *name; /* for --policy and reports */
    /* It decides by itself what fits, whatever `algo` says. Else a report shows it with both. */
    bool is_dynamic;
    /* Pure: same proposal, same decisions; no clock, no random numbers, no files. VDNN_NO_FIT of a
     * dynamic policy that found nothing: the proposal must be the smallest it could do then. */
    vdnn_status (*decide)(vdnn_proposal *proposal, void *context);
    void *context;
} vdnn_policy_type;

/* From now on the policy can be named in options and reports; there can be 64 of one's own in a
 * process. VDNN_USAGE where the name is taken or a function is missing. Before any other thread
 * uses the library. */
VDNN_API vdnn_status vdnn_policy_register(const vdnn_policy_type *type);

#ifdef __cplusplus
}
#endif

#endif
