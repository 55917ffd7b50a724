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
 *  - Functions that can fail return a vdnn_status. Out-parameters come last and are written only on
 *    success, unless a function says otherwise. After a failure vdnn_status_message() says what was
 *    found where, what was expected and what would help. It names options as on the command line:
 *    --device-mem is device_mem.
 *  - A struct that the caller fills begins with `size`, which must be its sizeof; a member that is
 *    0 or NULL takes its default. So structs can grow without breaking programs: the library reads
 *    and fills only the members of the caller's version. A struct that the library passes to a
 *    callback has no size, and may grow at its end.
 *  - The creator destroys; destroy accepts NULL. Strings passed to a function need to live only
 *    until it returns, unless it says otherwise. A `borrowed` pointer belongs to the library.
 *  - All macros that the header leaves defined begin with VDNN_. The tables (VDNN_STATUS_TABLE and
 *    others) are for programs, too: each calls a macro X that the program defines, with a row.
 *    Values of enumerators never change, and there is room between families of them; a later
 *    version may return or pass ones that this header does not name.
 *  - Sizes are bytes, times are seconds. The library never prints, never reads the environment, and
 *    ends the process only on a broken internal invariant.
 *  - A handle may be used by one thread at a time; different handles by different threads.
 *  - Numbers are read and written as in the "C" locale, whatever locale the program has set, also
 *    what the program itself formats by a function that takes a format. Callbacks run in the
 *    program's locale.
 *  - A running program may load the library (dlopen), close it once all handles are destroyed, and
 *    load it again; it stays in the process, with what is registered.
 *  - A program compiled with an older version of this header runs with a newer library of the same
 *    soname.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VDNN_VERSION "1.0.0"
#define VDNN_VERSION_NUMBER 10000 /* 10000 major + 100 minor + patch */

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

/* The library's version, which may be newer than this header's: "1.0.0", and as a number. Static.
 */
VDNN_API const char *vdnn_version(void);
VDNN_API int vdnn_version_number(void);

/* ---- statuses -------------------------------------------------------------------------------- */

/* name, value, exit code of the programs, text */
#define VDNN_STATUS_TABLE(X)                                                                       \
    X(OK, 0, 0, "success")                                                                         \
    X(USAGE, 4, 2, "wrong usage")                                                                  \
    X(BAD_INPUT, 5, 3, "bad input")                                                                \
    X(NO_FIT, 8, 4, "does not fit the budget")                                                     \
    X(DEVICE, 12, 5, "device missing or failed")                                                   \
    X(NO_MEMORY, 13, 5, "out of host memory")                                                      \
    X(FILE, 16, 6, "file or checkpoint error")                                                     \
    X(PEER, 20, 7, "a peer process failed")                                                        \
    X(MISMATCH, 24, 8, "verification mismatch")                                                    \
    X(INTERNAL, 25, 9, "broken plan refused")                                                      \
    X(DIVERGED, 26, 10, "the training diverged")                                                   \
    X(REQUEUE, 28, 75, "checkpointed on a signal, please requeue")                                 \
    X(INTERRUPTED, 29, 130, "interrupted")                                                         \
    X(TERMINATED, 30, 143, "terminated")

typedef enum vdnn_status {
#define X(name, value, code, text) VDNN_##name = value,
    VDNN_STATUS_TABLE(X)
#undef X
} vdnn_status;

/* The message of the last failure in this thread; "" if there was none. Borrowed, until the next
 * failure in this thread. */
VDNN_API const char *vdnn_status_message(void);
/* "VDNN_NO_FIT", and "does not fit the budget"; "unknown status" for other values. Static. */
VDNN_API const char *vdnn_status_name(vdnn_status status);
VDNN_API const char *vdnn_status_text(vdnn_status status);
/* The exit code of a program that ends with this status; 9 for other values. */
VDNN_API int vdnn_status_exit_code(vdnn_status status);

/* For custom layers and policies: records the message in this thread and evaluates to `status`, so
 * that a callback can write `return vdnn_status_fail(VDNN_BAD_INPUT, "...")`. Messages longer than
 * 2047 bytes are truncated; control characters become '?', except a newline before two blanks,
 * which begins a further line. A macro, so that the compiler sees the status that is returned. */
#define vdnn_status_fail(status, ...) (vdnn_status_record(__VA_ARGS__), (status))

VDNN_API void vdnn_status_record(const char *format, ...) VDNN_FORMAT(1, 2);

/* ---- texts ----------------------------------------------------------------------------------- */

/* A growing string, written by the library and freed by the caller. All-zero is empty. After a
 * failed allocation it is empty and `failed`. */
typedef struct vdnn_text {
    char *data; /* NUL-terminated once something was added */
    size_t length, capacity;
    int failed;
} vdnn_text;

VDNN_API void vdnn_text_add(vdnn_text *text, const char *format, ...) VDNN_FORMAT(2, 3);
/* Frees it; it is empty then and may be used further. */
VDNN_API void vdnn_text_fini(vdnn_text *text);

/* Writes the text to a file atomically: a temporary file in the same folder, fsync, rename. On
 * VDNN_FILE (path and reason are in the message) an earlier file of that name stays. */
VDNN_API vdnn_status vdnn_text_save(const vdnn_text *text, const char *path);
/* Whether vdnn_text_save could write there now: to be checked before a long run. */
VDNN_API vdnn_status vdnn_text_check_path(const char *path);

/* Parses `512M`, `12GiB`, `1.5G`, `80%`, `4096`. K, M, G, T and KiB ... TiB are powers of 1024, kB,
 * MB, GB, TB powers of 1000; a percentage is of `whole_bytes`. VDNN_USAGE with the reason if the
 * text is not a size, is negative, zero or above 100%, has a leading zero, or is 2^63 and more. */
VDNN_API vdnn_status vdnn_text_parse_size(const char *text, size_t whole_bytes, size_t *bytes);
/* Parse a number in decimal: a sign or none and digits, in a real number a point and an exponent.
 * VDNN_USAGE with the reason for all else: blanks, other bases, inf and nan, a leading zero, a real
 * number that in arithmetic of 32 bits would become 0 or infinity, a whole one beyond 64 bits. */
VDNN_API vdnn_status vdnn_text_parse_integer(const char *text, int64_t *number);
VDNN_API vdnn_status vdnn_text_parse_real(const char *text, double *number);
/* Writes bytes for people: "1.50 GiB", "640 B". Returns `buffer`. */
VDNN_API const char *vdnn_text_bytes(char *buffer, size_t size, double bytes);
/* The name with the smallest edit distance to `name`, for "did you mean"; NULL if none is near
 * enough. */
VDNN_API const char *vdnn_text_nearest(const char *name, const char *const *names, size_t count);

/* ---- messages -------------------------------------------------------------------------------- */

/* name, value, text; a level includes those of smaller values */
#define VDNN_LOG_TABLE(X)                                                                          \
    X(ERROR, 10, "error")                                                                          \
    X(WARN, 20, "warn")                                                                            \
    X(INFO, 30, "info")                                                                            \
    X(DEBUG, 40, "debug")

typedef enum vdnn_log_level {
#define X(name, value, text) VDNN_LOG_##name = value,
    VDNN_LOG_TABLE(X)
#undef X
} vdnn_log_level;

typedef struct vdnn_progress {
    const char *what;         /* "measuring", "training", "testing" */
    int64_t step, step_count; /* of measuring: layers, which take unequal times */
    double loss, images_per_second, seconds_left; /* 0 while unknown */
    size_t device_bytes, host_bytes;              /* peaks of the last step */
    size_t moved_bytes;                           /* copied between the tiers so far */
    bool simulated;        /* nothing is computed: no loss, and the times are simulated */
    const char *layer;     /* that is being measured; else NULL */
    int64_t sample_tokens; /* of a network of tokens whose loss is over positions; else 0 */
    const char *rate_unit; /* of training, for people: "images/s", "sequences/s", or of samples of
                              tokens that each have a label "tokens/s"; else NULL */
} vdnn_progress;

/* How a session reports to its program. A function that is NULL is not called; all are called by
 * the thread that calls the session; what is passed is valid during the call only. */
typedef struct vdnn_messages {
    size_t size;
    void (*log)(void *context, vdnn_log_level level, const char *text);
    void (*progress)(void *context, const vdnn_progress *progress);
    /* Output for people: the plan as text, the footprint. */
    void (*print)(void *context, const char *text);
    /* Called between two steps: VDNN_OK, or VDNN_INTERRUPTED or VDNN_TERMINATED to end the run. */
    vdnn_status (*interrupted)(void *context);
    void *context;
    /* Sampled text as it comes: bytes, which may be a part of a character. NULL: they are printed,
     * without bytes that are 0. */
    void (*write)(void *context, const char *bytes, size_t count);
} vdnn_messages;

/* ---- networks -------------------------------------------------------------------------------- */

/* A network: layers with their keys. Files and code share one reader, so everything that a file can
 * say can be said in code, in the same syntax. */
typedef struct vdnn_model vdnn_model;

/* FILE|NAME: a path that exists, else NAME or NAME.yaml among the installed networks.
 * VDNN_BAD_INPUT with "file:line: what was found, what was expected, the nearest name". */
VDNN_API vdnn_status vdnn_model_load(const char *name, vdnn_model **model);
/* The same from a string; messages call it `path`. */
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
/* Adds one item of a file's `layers`, a layer or a repeat. An error in it is reported here and
 * leaves the network unchanged; names in `from` and `weight_of` and shapes are checked when the
 * network is used. */
VDNN_API vdnn_status vdnn_model_add(vdnn_model *model, const char *format, ...) VDNN_FORMAT(2, 3);

VDNN_API void vdnn_model_destroy(vdnn_model *model);

/* Add the names of the installed networks, of the devices that can be asked for here ("cpu",
 * "cuda:0", "sim:h100"), and the kinds of data ("idx:DIR"), one a line. VDNN_NO_MEMORY. Any thread
 * may. */
VDNN_API vdnn_status vdnn_network_names(vdnn_text *names);
VDNN_API vdnn_status vdnn_device_names(vdnn_text *names);
VDNN_API vdnn_status vdnn_data_names(vdnn_text *names);

/* ---- data of the program --------------------------------------------------------------------- */

/* Samples that the program has, of which there are at least as many as in a batch. A sample is, of
 * each of the network's inputs in their order, a picture of channels x height x width floats, or
 * tokens, int32_t; and its label, or one for each position. Pictures are normalized, cropped and
 * flipped as the network says. Of a loss over numbers labels are floats, as many as it reads. */
typedef struct vdnn_data_source {
    size_t size;
    int64_t samples;
    /* Writes sample `index`. Threads of the library call it, several at once, ahead of the training
     * and in the order of the batches. A failure is that of the step that needs the sample. Labels
     * that are floats are written at `labels`, too; NULL where an input's values are the labels. */
    vdnn_status (*read)(void *context, int64_t index, void *const *inputs, int32_t *labels);
    void *context;
} vdnn_data_source;

/* ---- layers' passes -------------------------------------------------------------------------- */

/* The passes of a layer. name, value, text */
#define VDNN_PASS_TABLE(X)                                                                         \
    X(FORWARD, 0, "forward")                                                                       \
    X(BACKWARD_DATA, 1, "backward_data")                                                           \
    X(BACKWARD_FILTER, 2, "backward_filter")

typedef enum vdnn_pass {
#define X(name, value, text) VDNN_##name = value,
    VDNN_PASS_TABLE(X)
#undef X
        VDNN_PASS_COUNT
} vdnn_pass;

/* The length of arrays with an item for each pass in structs, so that passes can be added. */
enum { VDNN_PASS_ROOM = 8 };

/* ---- sessions -------------------------------------------------------------------------------- */

/* All optimizers, as `training: {optimizer: NAME}` and the options name them. */
VDNN_API size_t vdnn_optimizer_count(void);
VDNN_API const char *vdnn_optimizer_name(size_t i); /* NULL beyond the last */

/* How plans are made. */
typedef struct vdnn_planning_options {
    size_t size;
    const char *algos; /* JSON of an earlier run that names every algorithm; NULL: none */
    const char *cache; /* folder of profiles kept from run to run, one file a machine, used where
                          there is no `profile`; made if it is missing; NULL: none */
    bool nondeterministic; /* admit what makes bits differ from run to run: algorithms, parts */
    bool has_plan_seconds; /* plan_seconds is meant, although it is 0 */
    int64_t plan_trials;   /* a policy that searches makes this many plans, the same everywhere; 0:
                              as many as the time allows */
    double plan_seconds;   /* in which it searches; 0: 2, or 0.2 for each row of a report */
} vdnn_planning_options;

/* What a machine has in addition to one device and host memory. */
typedef struct vdnn_machine_options {
    size_t size;
    const char *disk;     /* a file tier behind the host tier: the folder of its file; NULL: none */
    const char *disk_mem; /* its budget: "100GiB"; NULL: 80 % of what is free there */
    const char *reduce;   /* how gradients of several devices are summed: "ring" (default), each
                             device a share of them, "gather" on device 0, "host" in host memory; the
                             same bits by all */
    const char *shard;    /* of what each of several devices keeps a share alone: "none" (default);
                             "optimizer": each updates its share of the parameters, and keeps the
                             optimizer's state of that; the same bits by both */
    const char *unified_mem; /* one budget over device and host together, in place of device_mem and
                                host_mem: what trainings take of both is at most that; NULL: none */
    int64_t stages; /* of a pipeline into which the network is cut, one on each of the devices,
                       which run the batch in micro-batches; 0 or 1: it is not cut. The same bits by
                       any number of stages, and by `accumulate` on one device */
    int64_t micro_batches; /* of stages; 0: four a stage, if the batch has as many samples */
    const char *schedule;  /* of stages: "gpipe", all forward passes first, "1f1b" (default),
                              backward  as soon as possible, with less memory, or "zb1p", the same
                              with filter  gradients where a stage would wait */
} vdnn_machine_options;

/* What is read of the data, and data of the program. */
typedef struct vdnn_dataset_options {
    size_t size;
    bool no_shuffle;
    bool orient; /* pictures are turned as their EXIF orientation says, not read as stored */
    bool feeds;  /* each batch comes with vdnn_session_step_on; there are only the steps that the
                    program makes, and `steps` is what a schedule of the learning rate counts */
    const char *test_data; /* NULL: the test part of `data`, if it has one */
    /* Data of the program, in place of `data` and `test_data`. Borrowed until destroy; several
     * processes must have the same. NULL: none */
    const vdnn_data_source *source, *test_source;
} vdnn_dataset_options;

/* What vdnn_session_run writes in addition to weights and checkpoints, and when. */
typedef struct vdnn_output_options {
    size_t size;
    /* Nothing is trained: the weights that the session begins with are assessed by the test data,
     * else by the data; or predict. */
    bool evaluate;
    bool overwrite; /* `predictions`, where there is such a file */
    bool keep_best; /* the checkpoint with the highest test accuracy (the lowest test loss, where
                       it is over tokens or numbers, the highest Dice of masks) stays, as
                       `checkpoint`/best */
    int64_t checkpoint_every; /* steps; 0: those of an epoch */
    int64_t keep;             /* checkpoints to keep; 0: 3 */
    const char *trace;        /* timeline of some steps; NULL: none */
    const char *trace_steps;  /* "A:B": these, the training's first is 1, both are in it; NULL: the
                                 first twenty of this run */
    const char *memory_snapshot; /* the memory of a step of the plan, also of one that is not run,
                                    for PyTorch's memory_viz; NULL: none */
    const char *onnx;            /* the network with the trained weights, for ONNX; NULL: none */
    const char *names;           /* of tensors in files of weights: "layers" (default), or
                                    "torchvision": VDNN_USAGE if it does not have the network */
    const char *predict; /* a folder of pictures, a picture, FILE.npy, or, where the network reads
                            tokens, a text, whose classes are said; NULL: none */
    const char *predictions; /* a file of CSV or .npy for them; NULL: they are printed as CSV */
    int64_t top;             /* classes of each sample in CSV; 0: one; of `generate`: all */
    int64_t eval_every; /* steps between evaluations by the test data, the last step among them; 0:
                           the last step alone, with keep_best as checkpoint_every */
    /* Nothing is trained: this many tokens are sampled (vdnn_session_generate, with `top` and
     * `seed`), and written by messages->write as they come; 0: none are. `batch` is 1 then, unless
     * it is given or the session resumes. */
    int64_t generate;
    const char *prompt; /* the text that they follow, or numbers of tokens where a network of more
                           than 256 has no tokenizer; NULL, or empty: the end of a line, or token
                           0 */
    double temperature; /* 0: always the most probable token */
} vdnn_output_options;

/* Whether a training can be trusted. */
typedef struct vdnn_trust_options {
    size_t size;
    bool verify; /* checksums of offloaded buffers; VDNN_MISMATCH if one differs */
    bool poison; /* for authors of kernels: memory is NaN before it is written, operations run one
                    at a time, and one that writes past a buffer is VDNN_MISMATCH */
    bool require_offload; /* VDNN_MISMATCH if in a step the device copies other bytes between the
                             tiers than the plan says */
    const char *on_nan;   /* a loss, gradient or weight that is not finite: "stop" (default), before
                             it becomes part of the weights: VDNN_DIVERGED; "warn": say it */
    int64_t replay_every; /* in every N steps one is run twice from the same state:
                             VDNN_MISMATCH if a layer computes other bits; 0: none is */
    int64_t check_replicas; /* after every N steps the weights of several devices are compared, as
                               they are at the start: VDNN_MISMATCH; 0: then alone */
} vdnn_trust_options;

/* A training by several processes, one device each: all have the same options and calls. */
typedef struct vdnn_process_options {
    size_t size;
    int64_t ranks;         /* processes; 0: this one trains alone */
    int64_t rank;          /* this one's number, from 0: that one reads and writes the files */
    int64_t local_ranks;   /* processes on this host, which share its threads and memory; 0: all */
    int64_t local_rank;    /* this one's number among them */
    const char *transport; /* how they reach each other: "tcp" (default) */
    const char *address;   /* tcp: HOST:PORT where rank 0 waits for the others */
    const char *secret;    /* tcp: what all of them know, and no one else */
    int listener;          /* tcp, rank 0: a non-blocking socket that listens at this address, which
                              the session closes; 0: it opens one */
    double peer_timeout;   /* seconds after which a silent process counts as lost; 0: 30 */
} vdnn_process_options;

/* Texts for people, by messages->print. */
typedef struct vdnn_print_options {
    size_t size;
    bool print_plan;      /* the plan as text */
    bool print_footprint; /* a dry run's footprint, a run's last line */
    bool explain;         /* vdnn_session_explain instead of those */
    bool max_batch;       /* vdnn_session_max_batch; a run that does not fit is none to refuse then,
                             and nothing is trained */
    bool verbose;         /* after a run, or a dry run, a table of all layers; of a report what the
                             figures of its device model rest on */
    bool blocks;          /* texts may have the block characters of Unicode, in UTF-8; else they are
                             ASCII */
    int64_t columns;      /* of a line, that texts are laid out for; 0: 100 */
} vdnn_print_options;

/* Reports alone read these, but for `command`. */
typedef struct vdnn_report_options {
    size_t size;
    const char *accounting; /* "full" (default), "paper": as the vDNN paper, with its rules */
    const char *price;      /* of several simulated cards, for which `device` is "sim:A,B,C":
                               "A=2.5,C=1", positive numbers in one unit; NULL: none */
    const char *budgets;    /* "2GiB,50%": device budgets that policies are planned under too, in
                               addition to device_mem; NULL: none */
    const char *run;        /* JSON of a run of this network, shown next to the plans; NULL: none */
    const char *command;    /* how this was asked for: for the head of a page, and the command lines
                               that --explain advises; NULL: not known */
    const char *date;       /* when that was; NULL: not shown */
} vdnn_report_options;

/* What to run, like the options of vdnnrun: what most programs say, and by topic what few do. Of a
 * topic that is NULL all has its default; like strings, topics need to live only until the function
 * that they are passed to returns. */
typedef struct vdnn_session_options {
    size_t size;

    /* the network */
    const char *model;         /* FILE|NAME */
    const vdnn_model *network; /* used instead where it is not NULL; borrowed until destroy */
    int64_t batch;             /* of a step, on all devices; 0: the network's */
    int64_t accumulate;        /* micro-batches of a step's batch, one after the other, as equal as
                                  it divides: gradients are summed, parameters updated once; 0: 1 */
    const char *dtype;         /* of activations: "f32" (default), "tf32", "bf16", "f16" */
    const char *optimizer;     /* vdnn_optimizer_name; NULL: the network's */

    /* the machine */
    const char *device; /* "auto" (default), "cpu", "cuda[:N]", "sim:NAME" (simulated) */
    int64_t devices;    /* that share the batch, each with these budgets; 0: 1. In reports they are
                           simulated; trainings run on the CPU, whose threads and default budgets
                           they share, or on cards from `device` on */
    const char *device_mem; /* budgets: "2GiB", "80%"; NULL: a safe share of what is free */
    const char *host_mem;
    int threads;         /* 0: the device's default */
    const char *profile; /* file of measured times, read and written; NULL: none */

    /* the plan */
    const char *policy; /* NULL: "dyn" */
    const char *algo;   /* of a static policy: "p" fastest (default), "m" least memory */
    const char *rules;  /* "lean" (default): least memory; "paper": the paper's system */
    bool dry_run;       /* plan only; also finds the smallest budget */

    /* training */
    bool has_lr;      /* lr is meant, although it is 0 */
    double lr;        /* the base learning rate; 0: the network's */
    int64_t epochs;   /* 0: the network's */
    int64_t steps;    /* 0: as many as the epochs have */
    uint64_t seed;    /* of weights, order of the data and dropout */
    const char *data; /* KIND:PATH; NULL: "synthetic" */

    /* what vdnn_session_run does before and after training */
    const char *init;       /* safetensors, .npz or .onnx of initial weights; NULL: those of an ONNX
                               network, else random ones */
    const char *save;       /* safetensors to write, or .npz; NULL: none */
    const char *checkpoint; /* folder to write checkpoints to; NULL: none */
    const char *resume;     /* "auto": the newest in `checkpoint`, if there is one; else a
                               checkpoint or a folder of them; NULL: do not resume */

    /* topics */
    const vdnn_planning_options *planning;
    const vdnn_machine_options *machine;
    const vdnn_dataset_options *dataset;
    const vdnn_output_options *output;
    const vdnn_trust_options *trust;
    const vdnn_process_options *process;
    const vdnn_print_options *print;
    const vdnn_report_options *report;
} vdnn_session_options;

/* The samples of a whole batch, also where several devices share it, one after the other; each as a
 * vdnn_data_source writes it. */
typedef struct vdnn_batch {
    size_t size;
    int64_t samples; /* the session's batch, to say how long the arrays are */
    const void *const *inputs;
    const int32_t *labels; /* or floats; NULL where an input's values are the labels */
} vdnn_batch;

/* One of a network's inputs, as a sample of the program has it; the last one is its labels. */
typedef struct vdnn_input {
    size_t size;
    const char *name;                /* borrowed from the session */
    int64_t channels, height, width; /* of a picture or volume, of floats, or labels that are
                                        floats: a vector's are 1; else 0 */
    int64_t positions;               /* of int32_t: tokens, or labels; 0: one label */
    int64_t below;                   /* tokens and labels are less; of a picture 0; of labels that
                                        are floats 1: they are probabilities, else 0 */
    int64_t depth;                   /* of a volume; else 0 */
} vdnn_input;

/* A parameter of a network. Texts and dims are borrowed from the session. */
typedef struct vdnn_parameter {
    size_t size;
    const char *layer, *name; /* "conv1", "weight": together "conv1.weight", as in files */
    const int64_t *dims;      /* as in files: of a convolution out, in, (depth,) height, width */
    int32_t rank;             /* of the dims */
    int64_t count;            /* their product */
    bool trainable;           /* else statistics, which the optimizer leaves alone */
    const char *module;       /* what torchvision calls the layer, if it has the network, else as it
                                 is called: "features.0" */
} vdnn_parameter;

/* A pass of a layer, or a part of one, in a training step. A layer whose forward pass is that of
 * the layer before it (a ReLU after a convolution) has none. */
typedef struct vdnn_layer_run {
    int64_t step;     /* from 1 */
    const char *name; /* of the layer */
    int32_t layer;    /* its index in the order in which the layers run forward */
    vdnn_pass pass;
    bool recomputes;     /* a forward pass once more, for backward */
    int32_t micro_batch; /* from 0, as are the next */
    int32_t part;        /* of a layer that runs in parts */
} vdnn_layer_run;

/* Called around training steps and the passes of their layers; one that is NULL is not called. The
 * thread that calls the session calls them, of several devices around the work of the first of this
 * process. A status that is not VDNN_OK ends the step, and is returned with the message that the
 * hook recorded by vdnn_status_fail. */
typedef struct vdnn_hooks {
    size_t size;
    /* No step is in flight: parameters may be read and set, and samples predicted. One that ends
     * the step: none was made; or it is complete. `step` counts from 1. */
    vdnn_status (*before_step)(void *context, int64_t step);
    vdnn_status (*after_step)(void *context, int64_t step);
    /* All passes before it are complete, and, after it, the pass itself: with these hooks passes
     * run one at a time, and no bit of a result changes. The session must not be used meanwhile.
     * One that ends the step: it was not completed, and some parameters may be those after it. */
    vdnn_status (*before_layer)(void *context, const vdnn_layer_run *run);
    vdnn_status (*after_layer)(void *context, const vdnn_layer_run *run);
    void *context;
} vdnn_hooks;

/* One training step. */
typedef struct vdnn_sample {
    size_t size;
    int64_t step;                  /* from 1 */
    double loss;                   /* mean over the batch; NaN on a simulated device */
    double seconds;                /* from the first operation's start to the last one's end */
    double stall_seconds;          /* in which the compute stream had work but waited */
    double exposed_copy_seconds;   /* of copies that were not hidden behind compute */
    double wall_seconds;           /* including the wait for the batch */
    double exposed_reduce_seconds; /* of sums over devices that were not hidden behind compute */
} vdnn_sample;

/* From options to a trained network, in one call or step by step:
 *
 *     create     reads the network, opens the device, checks every file that will be needed
 *     prepare    makes the profile and the plan: from here on there is a record, also if the plan
 *                does not fit
 *     begin      reserves the tiers, opens the data, sets the initial weights
 *     step ...   and evaluate, save, trace, get the record: in any order, any number of times
 *
 * A call out of order is VDNN_USAGE and changes nothing. */
typedef struct vdnn_session vdnn_session;

/* `messages` may be NULL. VDNN_USAGE for an unknown value, with the nearest valid one;
 * VDNN_BAD_INPUT for a network, data or weights that cannot be used, with file and line; VDNN_FILE
 * if a file could not be written later; VDNN_DEVICE if there is no such device. */
VDNN_API vdnn_status vdnn_session_create(const vdnn_session_options *options,
                                         const vdnn_messages *messages, vdnn_session **session);
/* A session is its process's: in a child made by fork its functions that return a status return
 * VDNN_USAGE, and destroy does nothing. The child may create others. */
VDNN_API void vdnn_session_destroy(vdnn_session *session);

/* Everything that the options ask for: prepare and, unless it is a dry run, begin, every step, an
 * evaluation if there is test data, and the files. VDNN_INTERRUPTED or VDNN_TERMINATED after a
 * complete step, when messages->interrupted says so: no file is written then except, if the options
 * name a folder for them, a checkpoint, and VDNN_TERMINATED becomes VDNN_REQUEUE; of a dry run,
 * after it printed the best plan that it had found. A checkpoint that cannot be written during
 * training is a warning; if it is the last one, VDNN_FILE after everything else is done. What fails
 * after the last step (an evaluation, a file) is returned after the rest is done, too. */
VDNN_API vdnn_status vdnn_session_run(vdnn_session *session);

/* What a session will be asked for beyond its steps, so that the plan has it: bits. */
enum {
    VDNN_EXPECT_PREDICTIONS = 1, /* vdnn_session_predict; known where there is test data */
    VDNN_EXPECT_GRADIENTS = 2,   /* vdnn_session_get_gradient */
};
/* After create and before prepare: VDNN_USAGE later, or for other bits. The plan may take more
 * memory: for predictions that of a forward pass alone, where it is more than a step's; for
 * gradients that of each until it is used. By 0 nothing is expected any more. */
VDNN_API vdnn_status vdnn_session_expect(vdnn_session *session, unsigned what);

/* Sets the hooks, in place of those before; NULL: none. Between steps, also before begin. The
 * struct is copied; its context is borrowed. On a simulated device no pass runs, and only steps
 * have hooks. */
VDNN_API vdnn_status vdnn_session_set_hooks(vdnn_session *session, const vdnn_hooks *hooks);

/* Measures what the profile does not have, and plans. VDNN_NO_FIT with a message that says what
 * would fit (the smallest budget, another policy, another batch); the plan is then the smallest. */
VDNN_API vdnn_status vdnn_session_prepare(vdnn_session *session);

/* Reserves the tiers and sets the initial weights. After a successful prepare. VDNN_DEVICE if the
 * machine has less memory than the plan takes. */
VDNN_API vdnn_status vdnn_session_begin(vdnn_session *session);

/* One step of training, also beyond vdnn_session_step_count. `sample` may be NULL. After a failure
 * vdnn_session_step_number tells whether the step was completed. VDNN_DIVERGED: weights and the
 * optimizer's state are finite, but in part those of the step that was not; they are not written
 * any more, and no further step is made. VDNN_MISMATCH of a step that was run twice: they are those
 * from before it. */
VDNN_API vdnn_status vdnn_session_step(vdnn_session *session, vdnn_sample *sample);
/* One step on these samples, of a session that feeds. The arrays are read until it returns.
 * VDNN_USAGE for another number of samples; VDNN_BAD_INPUT for a label or token out of its range;
 * else as vdnn_session_step, which is refused then. */
VDNN_API vdnn_status vdnn_session_step_on(vdnn_session *session, const vdnn_batch *batch,
                                          vdnn_sample *sample);
/* The base learning rate from the next step on, in place of the network's; its schedule applies to
 * it. After begin; VDNN_USAGE unless it is a finite number from 0 up, of 32 bits. */
VDNN_API vdnn_status vdnn_session_set_learning_rate(vdnn_session *session, double rate);
/* Steps completed; steps that the options ask for (known after begin). */
VDNN_API int64_t vdnn_session_step_number(const vdnn_session *session);
VDNN_API int64_t vdnn_session_step_count(const vdnn_session *session);

/* The share of the test data, 0 to 1, that is classified correctly with the current weights; below
 * 0: there is none, no label counts, the loss is over numbers, or the device is simulated. The test
 * loss, and of masks Dice, are in the JSON then. It does not affect later steps. */
VDNN_API vdnn_status vdnn_session_evaluate(vdnn_session *session, double *accuracy);

/* The scores of samples with the current weights: what the loss reads, as floats whatever the type
 * of the network's activations, and their softmax over the classes, or, of a loss over
 * probabilities, the sigmoid of each. `batch` has any number of samples and no labels; its arrays
 * are read until it returns, pictures are normalized as for an evaluation. `logits` and
 * `probabilities` take batch->samples times vdnn_session_score_count floats, which is `count`,
 * sample after sample; either may be NULL. On the caller's device alone, by the plan of
 * evaluations: the same bits under every policy with the same algorithms. It does not affect later
 * steps. After begin; VDNN_USAGE without test data or VDNN_EXPECT_PREDICTIONS, for another count,
 * for probabilities of a loss over other numbers, and on a simulated device; VDNN_BAD_INPUT for a
 * token out of its range; VDNN_INTERRUPTED or VDNN_TERMINATED as a run. After a failure scores may
 * be written in part. */
VDNN_API vdnn_status vdnn_session_predict(vdnn_session *session, const vdnn_batch *batch,
                                          float *logits, float *probabilities, int64_t count);
/* The scores of a sample: the classes, times its positions if each has a label; known after create.
 */
VDNN_API int64_t vdnn_session_score_count(const vdnn_session *session);

/* Tokens that a network of sequences is asked for. */
typedef struct vdnn_generation {
    size_t size;
    int64_t tokens;        /* to sample, from 1 up */
    const int32_t *prompt; /* tokens that they follow, at least one */
    int64_t prompt_tokens;
    double temperature; /* that scores are divided by before their softmax; 0: always the most
                           probable token */
    int64_t top;        /* of the most probable tokens this many; 0: all */
    uint64_t seed;      /* the same tokens for the same seed */
    /* Called with each token as it is sampled; another status than VDNN_OK ends the sampling. May
     * be NULL. */
    vdnn_status (*take)(void *context, int32_t token);
    void *context;
} vdnn_generation;

/* Samples tokens with the current weights, each by the scores of the one before it, of which the
 * network reads as many as a sample has, the last ones; it must read no token after a position to
 * say what follows it. On the caller's device alone, by the plan of evaluations, in the first
 * sample of a batch, so that a batch of 1 is the fastest: the same tokens under every policy with
 * the same algorithms. It does not affect later steps. After begin; VDNN_BAD_INPUT for a network
 * that has not one input of tokens and a softmax_loss with a label for each, and for a token out of
 * its range; VDNN_USAGE, VDNN_INTERRUPTED, VDNN_TERMINATED as vdnn_session_predict. */
VDNN_API vdnn_status vdnn_session_generate(vdnn_session *session,
                                           const vdnn_generation *generation);
/* The tokens of a text, by the tokenizer of the network's input; without one its bytes, or the
 * numbers that it has where there are more than 256 tokens. Writes the first `most` of them, and
 * how many there are to *count. Adds the text of tokens, whose bytes may be a part of a character.
 * Known after create; VDNN_BAD_INPUT as vdnn_session_generate, and for what is no token. */
VDNN_API vdnn_status vdnn_session_encode(vdnn_session *session, const char *text, size_t length,
                                         int32_t *tokens, int64_t most, int64_t *count);
VDNN_API vdnn_status vdnn_session_decode(vdnn_session *session, const int32_t *tokens,
                                         int64_t count, vdnn_text *text);

/* Writes the current weights as safetensors, or, where the path ends in ".npz", as arrays of NumPy,
 * or in ".onnx", the network with them as ONNX, in inference form (beyond 2 GiB with the weights in
 * PATH.data); atomically. VDNN_DIVERGED, and no file, if one of them is not
 * finite; VDNN_USAGE with the layer that ONNX does not have. */
VDNN_API vdnn_status vdnn_session_save(vdnn_session *session, const char *path);

/* The inputs of the network, in their order, with the labels; known after create. VDNN_USAGE beyond
 * the last. */
VDNN_API int32_t vdnn_session_input_count(const vdnn_session *session);
VDNN_API vdnn_status vdnn_session_input_at(const vdnn_session *session, int32_t i,
                                           vdnn_input *input);
/* Samples of a step's batch, of all devices; known after create. */
VDNN_API int64_t vdnn_session_batch(const vdnn_session *session);

/* The parameters of the network, each once, in the order of its layers; known after create.
 * VDNN_USAGE beyond the last. */
VDNN_API int32_t vdnn_session_parameter_count(const vdnn_session *session);
VDNN_API vdnn_status vdnn_session_parameter_at(const vdnn_session *session, int32_t i,
                                               vdnn_parameter *parameter);
/* Copy the current values of a parameter, by its index, to or from `count` floats, whatever the
 * type of the network's activations. After begin; of several processes each has its own copy, and
 * all must set the same. VDNN_USAGE if it has another count, on a simulated device, and where a
 * process that sets it trains on several devices; VDNN_BAD_INPUT, and nothing is set, for a value
 * that is not finite. */
VDNN_API vdnn_status vdnn_session_get_parameter(vdnn_session *session, int32_t i, float *values,
                                                int64_t count);
VDNN_API vdnn_status vdnn_session_set_parameter(vdnn_session *session, int32_t i,
                                                const float *values, int64_t count);

/* The index of a parameter by its name in files, "conv1.weight"; known after create. VDNN_USAGE if
 * there is none of that name. */
VDNN_API vdnn_status vdnn_session_find_parameter(const vdnn_session *session, const char *name,
                                                 int32_t *index);
/* Copies the gradient of a parameter in the last step, in the parameter's order: of the mean loss
 * over the whole batch, so summed over micro-batches and devices, before it is clipped and without
 * weight decay. Of a session that expects gradients: it keeps all of them in its process's memory,
 * as many bytes as parameters, in addition to the budgets. After a step that was completed or
 * diverged. VDNN_USAGE else, as vdnn_session_get_parameter, for statistics, and where gradients are
 * in shares (`shard`). */
VDNN_API vdnn_status vdnn_session_get_gradient(vdnn_session *session, int32_t i, float *values,
                                               int64_t count);
/* What the optimizer keeps of each parameter: how many values, and their names as in checkpoints
 * ("momentum", "exp_avg"; NULL beyond the last); known after create. */
VDNN_API int32_t vdnn_session_state_count(const vdnn_session *session);
VDNN_API const char *vdnn_session_state_name(const vdnn_session *session, int32_t slot);
/* Copy one of these, of the parameter `i`, as vdnn_session_get_parameter and set_parameter copy its
 * values. VDNN_USAGE also for statistics, and where state is in shares (`shard`). */
VDNN_API vdnn_status vdnn_session_get_state(vdnn_session *session, int32_t i, int32_t slot,
                                            float *values, int64_t count);
VDNN_API vdnn_status vdnn_session_set_state(vdnn_session *session, int32_t i, int32_t slot,
                                            const float *values, int64_t count);

/* Writes a checkpoint to the options' folder. VDNN_FILE if it cannot; older checkpoints stay. */
VDNN_API vdnn_status vdnn_session_checkpoint(vdnn_session *session);

/* A timeline of the next steps (at most 20) for Perfetto, compressed if the path ends in .gz; the
 * file is complete after trace_end. */
VDNN_API vdnn_status vdnn_session_trace_begin(vdnn_session *session, const char *path);
VDNN_API vdnn_status vdnn_session_trace_end(vdnn_session *session);

/* Adds the record of the run so far, as JSON: network, device, plan, layers, and after begin
 * measurements, losses, test accuracy. After prepare, also after VDNN_NO_FIT. */
VDNN_API vdnn_status vdnn_session_json(const vdnn_session *session, vdnn_text *json);
/* The same for people: the footprint of the plan. */
VDNN_API vdnn_status vdnn_session_footprint(const vdnn_session *session, vdnn_text *text);

/* Explains why the run does not fit its budgets, or how much memory is left, and what each change
 * would do (policies, algorithms, rules, data type, batch, micro-batches, host memory), each with
 * its exact smallest budget. After prepare. What the profile does not have is measured. */
VDNN_API vdnn_status vdnn_session_explain(const vdnn_session *session, vdnn_text *text);

/* Looks for the largest batch that fits the budgets, for the one of the most images per second, and
 * for the largest at 90 % of the images per second of unlimited memory, each batch planned within
 * the search limit of the options. After prepare, also after VDNN_NO_FIT; vdnn_session_json has it
 * from then on. VDNN_NO_FIT: no batch fits. */
VDNN_API vdnn_status vdnn_session_max_batch(vdnn_session *session, vdnn_text *text);

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

/* A complete training step: each operation with its addresses and what it waits for. Immutable. */
typedef struct vdnn_plan vdnn_plan;

typedef struct vdnn_plan_facts {
    size_t size;
    const char *policy, *algo;       /* what dyn or opt chose; borrowed from the plan */
    size_t arena_bytes;              /* span of device addresses: what the budget must hold */
    size_t host_arena_bytes;         /* of the host tier */
    size_t device_peak_bytes;        /* the most that is live at one time */
    size_t host_peak_bytes;          /* the most that is live in the host tier */
    double device_average_bytes;     /* weighted by the estimated time */
    size_t offload_bytes;            /* copied out per step */
    size_t prefetch_bytes;           /* copied in per step */
    double step_seconds;             /* estimated */
    double oracle_step_seconds;      /* with the fastest algorithms and unlimited memory */
    const char *peak_layer;          /* at the peak; NULL: none; borrowed from the plan */
    vdnn_category_bytes by_category; /* the maximum of each category */
    vdnn_category_bytes by_category_at_peak; /* sums to device_peak_bytes */
    int32_t step_count, layer_count;
    double recompute_seconds; /* estimated: time of a step spent on recomputing */
    size_t file_arena_bytes;  /* span of the file tier */
    size_t spill_bytes;       /* copied on from the host to the file tier per step */
    size_t fill_bytes;        /* copied back from it per step */
} vdnn_plan_facts;

/* One operation. Texts are borrowed from the plan, "" where there is none. */
typedef struct vdnn_plan_step {
    size_t size;
    const char *kind;      /* "run", "copy_out", "copy_in", "update", ... */
    const char *stream;    /* "compute", "out", "in" */
    const char *layer;     /* of the pass, update or copy */
    const char *pass;      /* of a run: "forward", "backward_data", "backward_filter" */
    const char *algorithm; /* of a run */
    const char *label;     /* the map's name; "begin" and "end" of the step */
    size_t bytes;          /* of copies, loads, sums, updates */
    double seconds;        /* estimated */
} vdnn_plan_step;

/* A plan against its budgets. */
typedef struct vdnn_verdict {
    size_t size;
    bool fits;
    size_t device_budget_bytes, host_budget_bytes;
    size_t smallest_bytes;    /* the smallest device budget that fits, or unified_mem; 0: unknown */
    size_t host_locked_bytes; /* of the host tier, after begin */
    bool overlap;             /* after begin: copies run during the compute; false, with a warning,
                                 if host memory could not be pinned */
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

/* name, value, text */
#define VDNN_REPORT_FORMAT_TABLE(X)                                                                \
    X(TABLE, 0, "table") /* for people */                                                          \
    X(JSON, 1, "json")   /* as vdnnreport --json */                                                \
    X(CSV, 2, "csv")     /* bytes and seconds */                                                   \
    X(MARKDOWN, 3, "markdown")                                                                     \
    X(HTML, 4, "html")             /* a self-contained page with a chart */                        \
    X(ALGORITHMS, 5, "algorithms") /* every algorithm of every layer, for people */

typedef enum vdnn_report_format {
#define X(name, value, text) VDNN_REPORT_##name = value,
    VDNN_REPORT_FORMAT_TABLE(X)
#undef X
} vdnn_report_format;

/* Reads the options' first group and the reports'; of several simulated cards, or with prices, it
 * compares cards, each with its fastest policy that fits. `policies`: names separated by commas,
 * NULL: all, and the row of accumulation (README.md); `messages` may be NULL. Statuses as
 * vdnn_session_create. */
VDNN_API vdnn_status vdnn_report_create(const vdnn_session_options *options,
                                        const vdnn_messages *messages, const char *policies,
                                        vdnn_report **report);
VDNN_API void vdnn_report_destroy(vdnn_report *report);
/* VDNN_NO_FIT, with the smallest budget that one of the policies fits in, if none fits (on any
 * card). */
VDNN_API vdnn_status vdnn_report_verdict(const vdnn_report *report);
/* Adds the report to the text. */
VDNN_API vdnn_status vdnn_report_write(const vdnn_report *report, vdnn_report_format format,
                                       vdnn_text *text);

/* Compares `count` reports, 2 to 26, that were written as JSON: adds what each policy takes in each
 * of them, as table, JSON or HTML. VDNN_FILE, VDNN_BAD_INPUT for what is no report of one device.
 */
VDNN_API vdnn_status vdnn_report_compare(const char *const *paths, size_t count,
                                         vdnn_report_format format, vdnn_text *text);

/* ---- scaling --------------------------------------------------------------------------------- */

/* One network on several numbers of devices and with several batches, side by side. */
typedef struct vdnn_scale vdnn_scale;

typedef struct vdnn_scale_options {
    size_t size;
    const char
        *devices; /* numbers separated by commas; NULL: those of 1, 2, 4 and 8 that are there */
    const char *batches; /* samples of all devices, separated by commas; NULL: the network's */
    double converge;     /* of devices that compute: train each until its test accuracy is this,
                            at most for the options' epochs; 0: only a few steps */
    /* Of simulated devices: numbers of stages of a pipeline, separated by commas, into which the
     * network is cut; each has as many replicas as the devices allow. NULL: no stages */
    const char *stages;
    int64_t micro_batches;    /* of each replica's share of the batch; 0: the fastest of one, two
                                 and four for each stage */
    const char *schedule;     /* "gpipe", "1f1b" (default) or "zb1p" */
    bool hybrid;              /* project the time of whole trainings, each worker (a device, or one
                                 for each of its stages) with the batch; `stages`: 1 and 2 if NULL */
    const char *epochs_curve; /* file with lines "BATCH EPOCHS"; NULL: an assumed curve */
} vdnn_scale_options;

/* Reads the options' first group and of training's `policy`, `algo`, `reduce`, `shard` and, to
 * converge, data, epochs, seed and lr. Simulated devices are planned, up to 1,024 of them; others
 * run each combination. Statuses as vdnn_session_create. */
VDNN_API vdnn_status vdnn_scale_create(const vdnn_session_options *options,
                                       const vdnn_scale_options *scale_options,
                                       const vdnn_messages *messages, vdnn_scale **scale);
VDNN_API void vdnn_scale_destroy(vdnn_scale *scale);
/* VDNN_NO_FIT, with the smallest budget that is enough for one, if no combination fits. */
VDNN_API vdnn_status vdnn_scale_verdict(const vdnn_scale *scale);
/* Adds the study to the text: as table, JSON, CSV or HTML. The table and the page compare the ways
 * of summing, too, which takes a moment. */
VDNN_API vdnn_status vdnn_scale_write(vdnn_scale *scale, vdnn_report_format format,
                                      vdnn_text *text);

/* For bug reports: adds a description of build, machine, libraries and limits, and each problem
 * found with its remedy, as VDNN_REPORT_TABLE or VDNN_REPORT_JSON. Of `environment` (NAME=value,
 * ends with NULL; may be NULL) it shows the variables that affect vdnn and its libraries. Measures
 * copies for less than a second. */
VDNN_API vdnn_status vdnn_doctor_write(const char *const *environment, vdnn_report_format format,
                                       vdnn_text *text);

/* Measures a set of shapes on a device, "cpu", "cuda[:N]" or "auto" (convolutions, matrix products,
 * layers that move bytes, copies, launches), which takes less than two minutes, and writes a device
 * model of it, with its errors, atomically: `sim:PATH` plans by it anywhere. `threads` of the CPU;
 * 0: OpenMP's default. VDNN_USAGE for a simulated device, and for a file that is no device model
 * and would be replaced; VDNN_FILE where it cannot be written; VDNN_DEVICE if the device is too
 * slow. */
VDNN_API vdnn_status vdnn_calibrate(const char *device, int threads, const char *path,
                                    const vdnn_messages *messages);

/* ---- custom layers --------------------------------------------------------------------------- */

/* The role of a layer, for policies, which do not know its type. */
typedef enum vdnn_role {
    VDNN_ROLE_CONV = 0,       /* convolution: computes long enough to hide copies */
    VDNN_ROLE_FEATURE = 1,    /* other feature-extraction layers: pooling, normalization ... */
    VDNN_ROLE_ACTIVATION = 2, /* element by element: relu, dropout */
    VDNN_ROLE_CLASSIFIER = 3, /* fully connected layers and the loss */
} vdnn_role;

/* What a backward pass reads in addition to dy: bits. */
typedef unsigned vdnn_needs;
enum { VDNN_NEEDS_X = 1, VDNN_NEEDS_Y = 2, VDNN_NEEDS_W = 4, VDNN_NEEDS_AUX = 8 };

typedef enum vdnn_key_kind {
    VDNN_KEY_INT = 0,  /* int64_t */
    VDNN_KEY_PAIR = 1, /* int64_t[2], h and w; written `n` or `[h, w]` */
    VDNN_KEY_REAL = 2, /* double */
    VDNN_KEY_BOOL = 3, /* bool */
    VDNN_KEY_WORD = 4, /* int64_t, the number of one of the key's words */
    /* int64_t[3], h, w and d, which is the key's least value unless the first input is a volume;
     * written `n`, `[h, w]`, or, for a volume, `[d, h, w]` */
    VDNN_KEY_SIDES = 5,
} vdnn_key_kind;

/* A key of a layer in a network file, and where its value is stored. */
typedef struct vdnn_key {
    const char *name;
    vdnn_key_kind kind;
    size_t offset; /* into the layer's config struct */
    bool required;
    double preset; /* default (all of a pair or of sides, the number of a word), unless preset_key
                      is set */
    const char
        *preset_key; /* an earlier key of the same kind whose value is the default, or NULL */
    double min, max; /* inclusive */
} vdnn_key;

/* Parameters of a layer at most, and the length of the array for them, so that there can be more.
 */
enum { VDNN_MAX_PARAMS = 4, VDNN_PARAM_ROOM = 16 };

/* Size of a map: samples, channels, height, width; a vector has height = width = 1. A volume is a
 * picture of its slices, one below the other; an output as high as that is a volume too. */
typedef struct vdnn_dims {
    int64_t n, c, h, w;
} vdnn_dims;

/* A parameter of a layer: learned by the optimizer, written to weight files as `<layer>.<name>`. */
typedef struct vdnn_param_shape {
    const char *name; /* static */
    int64_t dims[4];
    int dim_count;
    int64_t fan_in, fan_out; /* for the network's init; 0: filled with `fill` */
    double fill;
} vdnn_param_shape;

/* A layer in a network: its inputs, and what the type's shape function fills in. */
typedef struct vdnn_layer_shape {
    const void *config; /* the keys' values */
    int input_count;
    const vdnn_dims *x; /* of each input */

    vdnn_dims y; /* of the output; as the first input until it is set */
    vdnn_param_shape params[VDNN_PARAM_ROOM];
    int param_count;                        /* at most VDNN_MAX_PARAMS */
    size_t aux_bytes;                       /* that forward stores for backward */
    size_t workspace_bytes[VDNN_PASS_ROOM]; /* by vdnn_pass: available during it */
    double flops[VDNN_PASS_ROOM];           /* 0: one per element */
} vdnn_layer_shape;

/* One run of a pass. All arrays are float, row-major (samples, channels, height, width), whatever
 * the network's data type. An array that the type did not declare for the pass is NULL. */
typedef struct vdnn_layer_call {
    const void *config;
    int input_count;
    const vdnn_dims *x_dims; /* of each input */
    vdnn_dims y_dims;
    int threads;           /* that the pass may use */
    bool evaluate;         /* not training: dropout is the identity */
    uint64_t seed;         /* of the run */
    uint64_t step;         /* from 0 */
    uint64_t first_sample; /* global number of the batch's first sample */
    int layer;             /* index in the network: with the above, the counter of random numbers */
    const float *const *x; /* inputs */
    float *y;              /* forward writes it; backward reads it */
    float *const *dx;      /* backward data writes every one that is not NULL */
    const float *dy;
    const float *const *w; /* parameters */
    float *const *dw;      /* backward filter writes all of them, does not add */
    void *aux;             /* forward writes it, backward reads it */
    void *workspace;       /* 64-byte aligned; contents undefined */
} vdnn_layer_call;

/* A custom type of layer. What it points to must stay unchanged until the process ends. */
typedef struct vdnn_layer_type {
    size_t size;
    const char *name; /* `type:` in network files */
    vdnn_role role;
    const vdnn_key *keys;
    size_t key_count, config_bytes;
    int min_inputs, max_inputs; /* 0 and 0: exactly one; max 0: any number from min on */
    vdnn_needs needs_data;      /* what backward_data reads in addition to dy */
    vdnn_needs needs_filter;    /* what backward_filter reads in addition to dy */
    /* Output, parameters and memory from config and inputs: a pure function, called many times.
     * The message of VDNN_BAD_INPUT says which value does not fit which; the library adds where.
     * NULL: the output has the first input's shape, and there is nothing else. */
    vdnn_status (*shape)(vdnn_layer_shape *shape);
    /* The passes must be deterministic: same arguments, same results, for any number of threads;
     * else a run's bits are not reproducible. They neither keep memory nor print. */
    vdnn_status (*forward)(const vdnn_layer_call *call);
    vdnn_status (*backward_data)(const vdnn_layer_call *call);
    vdnn_status (*backward_filter)(const vdnn_layer_call *call); /* NULL: no parameters */
    /* By key: the words that one of VDNN_KEY_WORD can be, in the order of their numbers, then NULL.
     * NULL: no key is of that kind. */
    const char *const *const *words;
} vdnn_layer_type;

/* All types of layers that a network can have, custom ones included; NULL beyond the last. */
VDNN_API size_t vdnn_layer_count(void);
VDNN_API const char *vdnn_layer_name(size_t i);

/* A key of a type of layers, in addition to those that all have: name, type, from, and others that
 * models/README.md lists. Texts are static. */
typedef struct vdnn_layer_key {
    size_t size;
    const char *name;
    vdnn_key_kind kind;
    bool required;
    double preset;          /* default, unless preset_key is set */
    const char *preset_key; /* the key whose value is the default, or NULL */
    double min, max;        /* inclusive */
    /* Of VDNN_KEY_WORD: what it can be, in the order of the numbers, then NULL; of others NULL. */
    const char *const *words;
} vdnn_layer_key;

/* How many keys a type has, 0 of one that there is not; and the i-th of them: VDNN_USAGE for
 * an unknown type, and beyond the last key. Any thread may, as above. */
VDNN_API size_t vdnn_layer_key_count(const char *type);
VDNN_API vdnn_status vdnn_layer_key_at(const char *type, size_t i, vdnn_layer_key *key);

/* Registers the type for networks, in files and in code; at most 64 custom types in a process.
 * VDNN_USAGE if the name is taken or a function is missing. Any thread may. */
VDNN_API vdnn_status vdnn_layer_register(const vdnn_layer_type *type);

/* ---- policies -------------------------------------------------------------------------------- */

/* All policies, custom ones included. */
VDNN_API size_t vdnn_policy_count(void);
VDNN_API const char *vdnn_policy_name(size_t i); /* NULL beyond the last */

/* What a policy proposes for one network, machine and budget. A *map* is the memory that holds an
 * activation; each map that backward needs is kept, offloaded to the host, or recomputed. At first
 * every map is kept, with the fastest algorithms (the leanest if the options ask for "m"). */
typedef struct vdnn_proposal vdnn_proposal;

typedef struct vdnn_proposal_facts {
    size_t size;
    size_t device_bytes, host_bytes;  /* the budgets */
    double copy_out_bytes_per_second; /* to the host */
    double copy_in_bytes_per_second;  /* from the host */
    double copy_latency_seconds;
    int32_t map_count, layer_count;
    bool wants_least_memory; /* the options ask for "m" */
} vdnn_proposal_facts;

typedef struct vdnn_map_facts {
    size_t size;
    const char *name; /* of the layer that writes it, or of the input: "input", if it has none */
    size_t bytes;
    bool is_needed;         /* by a backward pass: only such a map can be offloaded */
    bool is_offloaded;      /* as proposed so far */
    int32_t maker;          /* layer, -1: it is an input */
    int32_t last_forward;   /* the last layer that uses it in forward */
    int32_t first_backward; /* the first layer of backward (the highest) that needs it; -1: none */
    bool can_be_recomputed; /* a layer's output, not the loss, by deterministic algorithms */
    bool is_recomputed;     /* as proposed so far */
    double recompute_seconds; /* of the layers that write it, from what they read */
    bool can_gradient_leave, does_gradient_leave;
} vdnn_map_facts;

typedef struct vdnn_layer_facts {
    size_t size;
    const char *name, *type;
    vdnn_role role;
    double forward_seconds, backward_seconds; /* with the algorithms proposed so far */
    size_t workspace_bytes;                   /* the largest of its passes */
    int32_t choice_count[VDNN_PASS_ROOM];     /* algorithms of each pass, leanest first */
    size_t parameter_bytes; /* with the optimizer's state; 0: they are with those of the layer whose
                               weight it reads */
    bool can_parameters_leave, do_parameters_leave;
    bool can_gradients_leave, do_gradients_leave; /* those of its parameters */
    bool can_be_chained, is_chained;              /* to the layer before it, as proposed so far */
} vdnn_layer_facts;

typedef struct vdnn_choice_facts {
    size_t size;
    const char *algorithm;
    double seconds;
    size_t workspace_bytes;
} vdnn_choice_facts;

/* VDNN_USAGE for an index out of range. */
VDNN_API vdnn_status vdnn_proposal_describe(const vdnn_proposal *proposal,
                                            vdnn_proposal_facts *facts);
VDNN_API vdnn_status vdnn_proposal_map(const vdnn_proposal *proposal, int32_t map,
                                       vdnn_map_facts *facts);
VDNN_API vdnn_status vdnn_proposal_layer(const vdnn_proposal *proposal, int32_t layer,
                                         vdnn_layer_facts *facts);
VDNN_API vdnn_status vdnn_proposal_choice(const vdnn_proposal *proposal, int32_t layer,
                                          vdnn_pass pass, int32_t choice, vdnn_choice_facts *facts);

/* Offloads a map: it is copied out by the end of the forward pass of layer `leaves`, and copied in
 * while the backward pass of layer `returns` runs; -1: as early and as late as possible without
 * waiting for the copies. VDNN_USAGE if backward does not need the map, or unless last_forward <=
 * leaves and first_backward <= returns. */
VDNN_API vdnn_status vdnn_proposal_offload(vdnn_proposal *proposal, int32_t map, int32_t leaves,
                                           int32_t returns);
/* Frees a map after forward and recomputes it right before the first backward pass that needs it,
 * by running the layers that write it once more. What these layers read is kept until then,
 * prefetched before if it is offloaded, or recomputed first if it is recomputed too; it may be a
 * map that no backward pass needs. VDNN_USAGE if the map cannot be recomputed. */
VDNN_API vdnn_status vdnn_proposal_recompute(vdnn_proposal *proposal, int32_t map);
/* Frees a map that is offloaded, or recomputed, after each layer of backward that needed it, and
 * copies it in, or recomputes it, once more for the next one; by itself it stays from the first of
 * them to the last. VDNN_USAGE if it is neither. */
VDNN_API vdnn_status vdnn_proposal_repeat(vdnn_proposal *proposal, int32_t map);
/* Offloads a map in backward: where two layers of backward or more run between two that need it, it
 * is copied out after the first of them, once, and copied in while the layer before the next runs.
 * Until the first it is what else was proposed: kept, recomputed, or offloaded. VDNN_USAGE if no
 * backward pass needs it, or it is copied in pieces. */
VDNN_API vdnn_status vdnn_proposal_offload_between(vdnn_proposal *proposal, int32_t map);
/* Copies an offloaded map in as many pieces as the layers that need it in backward have parts (the
 * key `parts` of a layer), each piece while the part before the one that needs it runs, and frees
 * the piece after that part. VDNN_USAGE if it is not offloaded, or if these layers do not have the
 * same parts. */
VDNN_API vdnn_status vdnn_proposal_cut(vdnn_proposal *proposal, int32_t map);
/* Of a map that is kept, or copied in pieces, and made and read within one chain of layers,
 * `pieces` pieces, one a part of the chain, spread evenly, are recomputed instead, each right
 * before the part that needs it; 0: none. VDNN_USAGE if it is not, if it has no more pieces than
 * that, or if it cannot be recomputed. */
VDNN_API vdnn_status vdnn_proposal_recompute_pieces(vdnn_proposal *proposal, int32_t map,
                                                    int32_t pieces);
/* Chains a layer to the one before it, which runs in the same parts of the samples, whether or not
 * it reads that one: each of its parts runs right after the same part of that one, in backward
 * right before. What is made and read within a chain of layers is then on the device one part at a
 * time, if it is recomputed, or offloaded and cut. Of a chain that ends with the loss each part
 * runs forward and at once backward, and all that is made or read within it is kept, what is made a
 * part at a time. No bit of a result changes. VDNN_USAGE if these layers cannot be chained, or if
 * what was proposed for a map could not be so any longer: chain first. */
VDNN_API vdnn_status vdnn_proposal_chain(vdnn_proposal *proposal, int32_t layer);
/* Offloads the gradient of a map wherever two layers of backward or more run between two that use
 * it, as those of a branch that another one joins: it is copied out while the first of them runs,
 * and in while the last does. VDNN_USAGE if the map has no gradient, or shares its memory with
 * others (the rules of the paper). */
VDNN_API vdnn_status vdnn_proposal_offload_gradient(vdnn_proposal *proposal, int32_t map);
/* Keeps the map on the device: undoes what was proposed for it. */
VDNN_API vdnn_status vdnn_proposal_keep(vdnn_proposal *proposal, int32_t map);
/* Keeps a layer's parameters, and the optimizer's state, in the host tier: they are copied to the
 * device for its forward and again for its backward, each hidden by the layer with parameters that
 * runs before it, and what the update makes of them is copied back. VDNN_USAGE if the layer has
 * none that are trained, or holds running statistics. */
VDNN_API vdnn_status vdnn_proposal_offload_parameters(vdnn_proposal *proposal, int32_t layer);
/* Offloads the gradient of a layer's parameters whenever it waits: for the next micro-batch, for
 * another layer that reads the same weight, for the norm of all gradients. It is copied out while
 * the next layer of backward runs, and in while the one before its next use does. VDNN_USAGE if it
 * never waits, or the layer has no parameters that are trained. */
VDNN_API vdnn_status vdnn_proposal_offload_parameter_gradients(vdnn_proposal *proposal,
                                                               int32_t layer);
/* Chooses an algorithm: choice 0 is the leanest. */
VDNN_API vdnn_status vdnn_proposal_choose(vdnn_proposal *proposal, int32_t layer, vdnn_pass pass,
                                          int32_t choice);
/* Plans what is proposed so far: VDNN_OK, or VDNN_NO_FIT if it does not fit the budgets. *facts
 * (may be NULL) is set in both cases; its texts are NULL. */
VDNN_API vdnn_status vdnn_proposal_try(const vdnn_proposal *proposal, vdnn_plan_facts *facts);

/* A custom policy. What it points to must stay unchanged until the process ends. */
typedef struct vdnn_policy_type {
    size_t size;
    const char *name; /* for --policy and reports */
    /* It chooses algorithms by itself and ignores `algo`. Otherwise a report shows it with both. */
    bool is_dynamic;
    /* Pure: same proposal, same decisions; no clock, no random numbers, no files. A dynamic policy
     * that finds nothing that fits returns VDNN_NO_FIT and leaves the smallest proposal it found.
     * With a file tier, what the host tier is too small for goes on to that once it is decided. */
    vdnn_status (*decide)(vdnn_proposal *proposal, void *context);
    void *context;
} vdnn_policy_type;

/* Registers the policy for options and reports; at most 64 custom policies in a process. VDNN_USAGE
 * if the name is taken or a function is missing. Any thread may. */
VDNN_API vdnn_status vdnn_policy_register(const vdnn_policy_type *type);

#undef VDNN_API
#undef VDNN_FORMAT

#ifdef __cplusplus
}
#endif

#endif
