#ifndef VDNN_TOOLS_OPTIONS_H
#define VDNN_TOOLS_OPTIONS_H

/* The options of all programs: one table, from which parsing, help, the environment variables and
 * the completions come.
 *
 * Invariant: after a parse every option of the program has a value that its kind allows; an option
 * that was not given has its default, or no text. Threads: a value.
 *
 *     vdnn_options options;
 *     status = vdnn_options_parse(VDNN_PROGRAM_RUN, argc, argv, getenv, &options);
 *     if (vdnn_options_flag(&options, VDNN_OPTION_HELP))
 *         vdnn_options_help(VDNN_PROGRAM_RUN, &text);
 *     const char *model = vdnn_options_text(&options, VDNN_OPTION_MODEL); // NULL: not given
 *     int64_t steps = vdnn_options_integer(&options, VDNN_OPTION_STEPS);
 *
 * A new option is one row.
 */

#include "runtime/vdnn.h"

enum { VDNN_PROGRAM_RUN = 1, VDNN_PROGRAM_REPORT = 2, VDNN_PROGRAM_SCALE = 4 };

typedef enum vdnn_option_kind {
    VDNN_OPTION_IS_TEXT,
    VDNN_OPTION_IS_FILE,
    VDNN_OPTION_IS_FILES,   /* words up to the next option */
    VDNN_OPTION_IS_SIZE,    /* as vdnn_text_parse_size reads it */
    VDNN_OPTION_IS_INTEGER, /* from `least` up */
    VDNN_OPTION_IS_REAL,    /* from `least` up, finite */
    VDNN_OPTION_IS_CHOICE,  /* one of `choices` */
    VDNN_OPTION_IS_LIST,    /* several of `choices`, with commas */
    VDNN_OPTION_IS_FLAG,
} vdnn_option_kind;

/* Programs that have the option. */
#define VDNN_RUN_ VDNN_PROGRAM_RUN
#define VDNN_REPORT_ VDNN_PROGRAM_REPORT
#define VDNN_SCALE_ VDNN_PROGRAM_SCALE
#define VDNN_BOTH_ (VDNN_PROGRAM_RUN | VDNN_PROGRAM_REPORT)
#define VDNN_ALL_ (VDNN_BOTH_ | VDNN_PROGRAM_SCALE)

/* name in code, name, metavar, kind, preset (NULL: none), least, choices, only, programs, group,
 * help
 *
 * `choices`: "a|b|c", or "policies" or "optimizers" for those tables. `only`: the one value of the
 * choices that this version offers, "": none yet, NULL: all. */
#define VDNN_OPTION_TABLE(X)                                                                       \
    X(MODEL, "model", "FILE|NAME", TEXT, NULL, 0, NULL, NULL, VDNN_ALL_, "Network",                \
      "network file, or the name of one in models/")                                               \
    X(BATCH, "batch", "N", INTEGER, NULL, 1, NULL, NULL, VDNN_BOTH_, "Network",                    \
      "samples in a step (default: the network's)")                                                \
    X(BATCHES, "batches", "LIST", TEXT, NULL, 0, NULL, NULL, VDNN_SCALE_, "Network",               \
      "samples in a step on all devices, separated by commas (default: the network's)")            \
    X(ACCUMULATE, "accumulate", "N", INTEGER, NULL, 1, NULL, NULL, VDNN_RUN_, "Network",           \
      "micro-batches that a step's batch is run in, gradients summed, one update")                 \
    X(DTYPE, "dtype", "TYPE", CHOICE, "f32", 0, "f32|tf32|bf16|f16", NULL, VDNN_ALL_, "Network",   \
      "arithmetic and activations; weights stay f32; f16 on simulated devices only")               \
    X(RULES, "rules", "RULES", CHOICE, "lean", 0, "paper|lean", NULL, VDNN_ALL_, "Network",        \
      "paper = the paper's system, faithful (stash, joins, shared gradients); lean = the leanest " \
      "correct one")                                                                               \
    X(POLICY, "policy", "POLICY", CHOICE, "dyn", 0, "policies", NULL, VDNN_RUN_ | VDNN_SCALE_,     \
      "Policy", "what is offloaded, and when")                                                     \
    X(ALGO, "algo", "MODE", CHOICE, "p", 0, "m|p", NULL, VDNN_RUN_ | VDNN_SCALE_, "Policy",        \
      "algorithms of a static policy: m = least memory, p = fastest")                              \
    X(PLAN_SECONDS, "plan-seconds", "S", REAL, "2", 0, NULL, NULL, VDNN_BOTH_, "Policy",           \
      "how long opt may search for a plan; in a report, where it is not given, 0.2 for each row")  \
    X(PLAN_TRIALS, "plan-trials", "N", INTEGER, NULL, 1, NULL, NULL, VDNN_BOTH_, "Policy",         \
      "stop opt after so many plans, however long that takes: the same plan everywhere")           \
    X(POLICIES, "policies", "LIST", LIST, NULL, 0, "policies", NULL, VDNN_REPORT_, "Policy",       \
      "policies to show, separated by commas (default: all)")                                      \
    X(ACCOUNTING, "accounting", "RULE", CHOICE, "full", 0, "full|paper", NULL, VDNN_REPORT_,       \
      "Policy",                                                                                    \
      "what is counted: full = everything that a step needs, paper = as in the paper's figures, "  \
      "with --rules paper")                                                                        \
    X(PROFILE, "profile", "FILE", FILE, NULL, 0, NULL, NULL, VDNN_BOTH_, "Policy",                 \
      "read the per-layer profile from this file, or write it there: same profile, same choices")  \
    X(NO_CACHE, "no-cache", NULL, FLAG, NULL, 0, NULL, NULL, VDNN_ALL_, "Policy",                  \
      "neither read nor write the profiles kept in XDG_CACHE_HOME/vdnn, or ~/.cache/vdnn")         \
    X(ALGOS, "algos", "FILE.json", FILE, NULL, 0, NULL, NULL, VDNN_RUN_, "Policy",                 \
      "take every algorithm from an earlier run's JSON")                                           \
    X(DEVICE, "device", "DEVICE", TEXT, "auto", 0, NULL, NULL, VDNN_ALL_, "Device and memory",     \
      "auto, cpu, cuda[:N] or sim:NAME; auto = cuda where one is usable, else cpu; sim:A,B,C in "  \
      "a report compares these cards")                                                             \
    X(PRICE, "price", "NAME=X,...", TEXT, NULL, 0, NULL, NULL, VDNN_REPORT_, "Device and memory",  \
      "price of each of --device's cards, in any one unit: adds images/s per unit of it")          \
    X(DEVICE_MEM, "device-mem", "SIZE", SIZE, NULL, 0, NULL, NULL, VDNN_ALL_, "Device and memory", \
      "budget of the device tier: 512M, 12GiB, 80% (default: a safe share of what is free)")       \
    X(HOST_MEM, "host-mem", "SIZE", SIZE, NULL, 0, NULL, NULL, VDNN_ALL_, "Device and memory",     \
      "budget of the pinned host tier (default: a safe share of what is free)")                    \
    X(DISK, "disk", "DIR", FILE, NULL, 0, NULL, NULL, VDNN_RUN_, "Device and memory",              \
      "folder of a file tier behind the host tier, for what the host tier cannot hold (default: "  \
      "none)")                                                                                     \
    X(DISK_MEM, "disk-mem", "SIZE", SIZE, NULL, 0, NULL, NULL, VDNN_RUN_, "Device and memory",     \
      "budget of the file tier (default: 80 % of what is free there)")                             \
    X(THREADS, "threads", "N", INTEGER, NULL, 1, NULL, NULL, VDNN_ALL_, "Device and memory",       \
      "compute threads of the CPU device, threads that load data for a card, and, up to 4, that "  \
      "plan; at most 1024 (default: OMP_NUM_THREADS, else all cores)")                             \
    X(NONDETERMINISTIC, "nondeterministic", NULL, FLAG, NULL, 0, NULL, NULL, VDNN_BOTH_,           \
      "Device and memory",                                                                         \
      "allow what is faster and differs in the last bits from run to run: algorithms, and layers " \
      "in parts wherever opt gains by them")                                                       \
    X(VERIFY, "verify", NULL, FLAG, NULL, 0, NULL, NULL, VDNN_RUN_, "Device and memory",           \
      "checksum every offloaded buffer when it is copied out and in; exit 8 if one differs")       \
    X(REQUIRE_OFFLOAD, "require-offload", NULL, FLAG, NULL, 0, NULL, NULL, VDNN_RUN_,              \
      "Device and memory",                                                                         \
      "exit 8 unless the device copies out and in, in each step, exactly the bytes of the plan")   \
    X(POISON, "poison", NULL, FLAG, NULL, 0, NULL, NULL, VDNN_RUN_, "Device and memory",           \
      "for authors of kernels: memory is NaN before it is written, operations run one at a time; " \
      "exit 8 if one writes past a buffer")                                                        \
    X(DEVICES, "devices", "N", INTEGER, "1", 1, NULL, NULL, VDNN_BOTH_, "Device and memory",       \
      "data-parallel devices; --batch is the global batch")                                        \
    X(DEVICE_COUNTS, "devices", "LIST", TEXT, "1,2,4,8", 0, NULL, NULL, VDNN_SCALE_,               \
      "Device and memory", "numbers of data-parallel devices, separated by commas")                \
    X(REDUCE, "reduce", "HOW", CHOICE, "ring", 0, "ring|gather|host", NULL,                        \
      VDNN_BOTH_ | VDNN_SCALE_, "Device and memory",                                               \
      "how gradients of several devices are summed: ring = a share by each, gather = all on "      \
      "device 0, the naive scheme, host = in host memory; the same bits by all")                   \
    X(SHARD, "shard", "WHAT", CHOICE, "none", 0, "none|optimizer", NULL, VDNN_BOTH_ | VDNN_SCALE_, \
      "Device and memory",                                                                         \
      "optimizer = each of several devices updates its share of the parameters, and keeps the "    \
      "optimizer's state of that alone; the same bits, and half as many bytes more to move where " \
      "gradients are clipped")                                                                     \
    X(LAUNCH, "launch", "N", INTEGER, NULL, 1, NULL, NULL, VDNN_RUN_, "Several processes",         \
      "start N processes on this host, one device each, and watch them")                           \
    X(MAX_RESTARTS, "max-restarts", "R", INTEGER, "3", 0, NULL, NULL, VDNN_RUN_,                   \
      "Several processes",                                                                         \
      "how often --launch starts them anew, from the newest checkpoint, when one was lost")        \
    X(PEER_TIMEOUT, "peer-timeout", "SECONDS", REAL, "30", 0.1, NULL, NULL, VDNN_RUN_,             \
      "Several processes", "a process that is silent for so long counts as lost")                  \
    X(EPOCHS, "epochs", "N", INTEGER, NULL, 1, NULL, NULL, VDNN_RUN_ | VDNN_SCALE_, "Training",    \
      "passes over the data (default: the network's)")                                             \
    X(CONVERGE, "converge", "TARGET", REAL, NULL, 0, NULL, NULL, VDNN_SCALE_, "Training",          \
      "train each combination until its test accuracy is TARGET, of devices that compute")         \
    X(STEPS, "steps", "N", INTEGER, NULL, 1, NULL, NULL, VDNN_RUN_, "Training",                    \
      "stop after N steps, whatever the epochs")                                                   \
    X(SEED, "seed", "N", INTEGER, "1", 0, NULL, NULL, VDNN_RUN_ | VDNN_SCALE_, "Training",         \
      "seed of weights, order of the data and dropout")                                            \
    X(LR, "lr", "X", REAL, NULL, 0, NULL, NULL, VDNN_RUN_, "Training",                             \
      "base learning rate (default: the network's)")                                               \
    X(OPTIMIZER, "optimizer", "NAME", CHOICE, NULL, 0, "optimizers", NULL, VDNN_ALL_, "Training",  \
      "how parameters are updated, by PyTorch's rules (default: the network's, else sgd)")         \
    X(ON_NAN, "on-nan", "WHAT", CHOICE, "stop", 0, "stop|warn", NULL, VDNN_RUN_, "Training",       \
      "a loss, gradient or weight that is not finite: stop = exit 10 before it becomes part of "   \
      "the weights, warn = say it and continue; checkpoints of such weights are never written")    \
    X(REPLAY_EVERY, "replay-every", "N", INTEGER, NULL, 1, NULL, NULL, VDNN_RUN_, "Training",      \
      "run every N-th step twice from the same state, and compare what each layer writes; exit 8 " \
      "if any bit differs")                                                                        \
    X(CHECK_REPLICAS, "check-replicas", "N", INTEGER, NULL, 1, NULL, NULL, VDNN_RUN_, "Training",  \
      "compare the weights of several devices every N steps (always at the start); exit 8 if "     \
      "they differ")                                                                               \
    X(DATA, "data", "SPEC", TEXT, "synthetic", 0, NULL, NULL, VDNN_RUN_ | VDNN_SCALE_,             \
      "Data and weights", "idx:DIR, cifar10:DIR, images:DIR, npy:DIR or synthetic[:SEED]")         \
    X(TEST_DATA, "test-data", "SPEC", TEXT, NULL, 0, NULL, NULL, VDNN_RUN_ | VDNN_SCALE_,          \
      "Data and weights",                                                                          \
      "data for the final evaluation (default: the test part of --data, if it has one)")           \
    X(NO_SHUFFLE, "no-shuffle", NULL, FLAG, NULL, 0, NULL, NULL, VDNN_RUN_, "Data and weights",    \
      "do not shuffle: take the samples in the order of the data")                                 \
    X(ORIENT, "orient", NULL, FLAG, NULL, 0, NULL, NULL, VDNN_RUN_ | VDNN_SCALE_,                  \
      "Data and weights",                                                                          \
      "turn pictures of images:DIR as their EXIF orientation says (default: as they are stored)")  \
    X(INIT, "init", "FILE.safetensors", FILE, NULL, 0, NULL, NULL, VDNN_RUN_, "Data and weights",  \
      "initial weights (default: random, from --seed)")                                            \
    X(SAVE, "save", "FILE.safetensors", FILE, NULL, 0, NULL, NULL, VDNN_RUN_, "Data and weights",  \
      "write the trained weights")                                                                 \
    X(CHECKPOINT, "checkpoint", "DIR", FILE, NULL, 0, NULL, NULL, VDNN_RUN_, "Checkpoints",        \
      "write checkpoints there: during training, at the end and on a signal")                      \
    X(CHECKPOINT_EVERY, "checkpoint-every", "N", INTEGER, NULL, 1, NULL, NULL, VDNN_RUN_,          \
      "Checkpoints", "steps between checkpoints (default: those of an epoch)")                     \
    X(KEEP, "keep", "K", INTEGER, "3", 1, NULL, NULL, VDNN_RUN_, "Checkpoints",                    \
      "how many of the newest checkpoints to keep")                                                \
    X(RESUME, "resume", "auto|DIR", TEXT, NULL, 0, NULL, NULL, VDNN_RUN_, "Checkpoints",           \
      "resume from a checkpoint, or from the newest in a folder of them; auto = the newest in "    \
      "--checkpoint, if there is one")                                                             \
    X(DRY_RUN, "dry-run", NULL, FLAG, NULL, 0, NULL, NULL, VDNN_RUN_, "Output",                    \
      "plan and print the footprint, run nothing")                                                 \
    X(EXPLAIN, "explain", NULL, FLAG, NULL, 0, NULL, NULL, VDNN_RUN_, "Output",                    \
      "plan, and explain why it does not fit and what would help, or how much memory is left")     \
    X(MAX_BATCH, "max-batch", NULL, FLAG, NULL, 0, NULL, NULL, VDNN_RUN_, "Output",                \
      "plan, and print the largest batch that fits, and the fastest")                              \
    X(DOCTOR, "doctor", NULL, FLAG, NULL, 0, NULL, NULL, VDNN_RUN_, "Output",                      \
      "print what a bug report needs about build and machine, and problems with remedies")         \
    X(VERBOSE, "verbose", NULL, FLAG, NULL, 0, NULL, NULL, VDNN_RUN_, "Output",                    \
      "print all layers as a table too: times, what they lost beyond their compute, and what "     \
      "the plan does with them")                                                                   \
    X(CALIBRATE, "calibrate", "FILE.yaml", FILE, NULL, 0, NULL, NULL, VDNN_RUN_, "Output",         \
      "measure the device in less than two minutes and write a device model of it, for "           \
      "--device sim:FILE.yaml")                                                                    \
    X(PRINT_PLAN, "print-plan", NULL, FLAG, NULL, 0, NULL, NULL, VDNN_RUN_, "Output",              \
      "print the plan as stable text")                                                             \
    X(TRACE, "trace", "FILE.json[.gz]", FILE, NULL, 0, NULL, NULL, VDNN_RUN_, "Output",            \
      "write a timeline of the first 20 steps for Perfetto")                                       \
    X(TRACE_STEPS, "trace-steps", "A:B", TEXT, NULL, 0, NULL, NULL, VDNN_RUN_, "Output",           \
      "those from A to B instead, the training's first is 1")                                      \
    X(MEMORY_SNAPSHOT, "memory-snapshot", "FILE.pickle", FILE, NULL, 0, NULL, NULL, VDNN_RUN_,     \
      "Output", "write the planned step's memory for PyTorch's page memory_viz")                   \
    X(JSON, "json", "FILE|-", FILE, NULL, 0, NULL, NULL, VDNN_ALL_, "Output",                      \
      "write the results as JSON; - is standard output")                                           \
    X(ALGORITHMS, "algorithms", NULL, FLAG, NULL, 0, NULL, NULL, VDNN_REPORT_, "Output",           \
      "list every algorithm of every layer: time, workspace, work, depth, or why it does not "     \
      "apply")                                                                                     \
    X(BUDGETS, "budgets", "LIST", TEXT, NULL, 0, NULL, NULL, VDNN_REPORT_, "Output",               \
      "plan every policy under these device budgets too, separated by commas: what more memory "   \
      "buys")                                                                                      \
    X(RUN, "run", "RUN.json", FILE, NULL, 0, NULL, NULL, VDNN_REPORT_, "Output",                   \
      "show what a run of this network measured, by its JSON, beside what is planned")             \
    X(COMPARE, "compare", "A.json B.json", FILES, NULL, 0, NULL, NULL, VDNN_REPORT_, "Output",     \
      "compare reports that were written with --json, without a --model")                          \
    X(CSV, "csv", "FILE", FILE, NULL, 0, NULL, NULL, VDNN_REPORT_ | VDNN_SCALE_, "Output",         \
      "write the table as CSV")                                                                    \
    X(MARKDOWN, "markdown", "FILE", FILE, NULL, 0, NULL, NULL, VDNN_REPORT_, "Output",             \
      "write the table as Markdown")                                                               \
    X(HTML, "html", "FILE", FILE, NULL, 0, NULL, NULL, VDNN_REPORT_ | VDNN_SCALE_, "Output",       \
      "write a page with tables and charts, which needs nothing else")                             \
    X(QUIET, "quiet", NULL, FLAG, NULL, 0, NULL, NULL, VDNN_ALL_, "General",                       \
      "no progress, and no messages except errors")                                                \
    X(LOG_LEVEL, "log-level", "LEVEL", CHOICE, "info", 0, "error|warn|info|debug", NULL,           \
      VDNN_ALL_, "General", "how much is written to standard error")                               \
    X(VERSION, "version", NULL, FLAG, NULL, 0, NULL, NULL, VDNN_ALL_, "General",                   \
      "print the version")                                                                         \
    X(HELP, "help", NULL, FLAG, NULL, 0, NULL, NULL, VDNN_ALL_, "General", "print this text")

typedef enum vdnn_option_id {
#define X(id, ...) VDNN_OPTION_##id,
    VDNN_OPTION_TABLE(X)
#undef X
        VDNN_OPTION_COUNT
} vdnn_option_id;

typedef struct vdnn_option {
    const char *name, *metavar;
    vdnn_option_kind kind;
    const char *preset;
    double least;
    const char *choices, *only;
    unsigned programs;
    const char *group, *help;
} vdnn_option;

const vdnn_option *vdnn_option_at(vdnn_option_id id);

typedef struct vdnn_program_text {
    unsigned program; /* its bit */
    const char *name, *what, *examples;
} vdnn_program_text;

/* NULL beyond the last. */
const vdnn_program_text *vdnn_program_text_at(size_t i);

/* Writes the names of a choice, separated by `|`. Returns `buffer`. */
const char *vdnn_option_choices(const vdnn_option *option, char *buffer, size_t size);

/* "VDNN_DEVICE_MEM" for "device-mem". Returns `buffer`. */
const char *vdnn_option_variable(const vdnn_option *option, char *buffer, size_t size);

typedef struct vdnn_option_value {
    bool given;         /* on the command line or in the environment */
    const char *text;   /* borrowed from either, or the preset; a flag that is set has one */
    int64_t integer;    /* of files: how many there are, from `words` on */
    char *const *words; /* of files, from the command line: borrowed; else NULL */
    double real;
} vdnn_option_value;

typedef struct vdnn_options {
    char *const *argv; /* of the program; borrowed */
    vdnn_option_value values[VDNN_OPTION_COUNT];
} vdnn_options;

/* Reads the environment, then the command line over it. VDNN_USAGE with the nearest valid name or
 * the valid values. With --help or --version nothing else is checked. */
vdnn_status vdnn_options_parse(unsigned program, int argc, char *const *argv,
                               char *(*environment)(const char *name), vdnn_options *options);

const char *vdnn_options_text(const vdnn_options *options, vdnn_option_id id); /* NULL: none */
int64_t vdnn_options_integer(const vdnn_options *options, vdnn_option_id id);  /* 0: none */
bool vdnn_options_flag(const vdnn_options *options, vdnn_option_id id);

/* Examples, then all options of the program by group. */
void vdnn_options_help(unsigned program, vdnn_text *text);

#endif
