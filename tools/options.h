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
 *     vdnn_options_fill(&options, &structs);
 *     status = vdnn_session_create(&structs.session, messages, &session);
 *
 * A new option is one row, which names the member of the library's structs that it sets.
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

/* name in code, name, kind, programs, group, then what the option has of vdnn_option's members.
 *
 * `choices`: "a|b|c", or "policies" or "optimizers" for those tables. VDNN_SETS: the member of
 * vdnn_option_structs that the option sets; AND: a bool says whether the option was given;
 * IF_GIVEN: else the member keeps the library's default.
 * VDNN_WRITES: the format of the file that the option names. */
#define VDNN_OPTION_TABLE(X)                                                                       \
    X(MODEL, "model", TEXT, VDNN_ALL_, "Network", .metavar = "FILE|NAME",                          \
      VDNN_SETS(session.model),                                                                    \
      .help = "network file (YAML, or FILE.onnx), or the name of one in models/")                  \
    X(BATCH, "batch", INTEGER, VDNN_BOTH_, "Network", .metavar = "N", .least = 1,                  \
      VDNN_SETS(session.batch), .json = "batch",                                                   \
      .help = "samples in a step (default: the network's)")                                        \
    X(BATCHES, "batches", TEXT, VDNN_SCALE_, "Network", .metavar = "LIST",                         \
      VDNN_SETS(scale.batches),                                                                    \
      .help = "samples in a step on all devices, separated by commas (default: the network's)")    \
    X(ACCUMULATE, "accumulate", INTEGER, VDNN_RUN_, "Network", .metavar = "N", .least = 1,         \
      VDNN_SETS(session.accumulate), .json = "accumulate",                                         \
      .help = "micro-batches that a step's batch is run in, gradients summed, one update")         \
    X(DTYPE, "dtype", CHOICE, VDNN_ALL_, "Network", .metavar = "TYPE", .preset = "f32",            \
      .choices = "f32|tf32|bf16|f16", VDNN_SETS(session.dtype), .json = "dtype",                   \
      .help = "arithmetic and activations; weights stay f32; f16 on simulated devices only")       \
    X(RULES, "rules", CHOICE, VDNN_ALL_, "Network", .metavar = "RULES", .preset = "lean",          \
      .choices = "paper|lean", VDNN_SETS_IF_GIVEN(session.rules), .json = "rules",                 \
      .help = "paper = the paper's system, faithful (stash, joins, shared gradients); lean = the " \
              "leanest correct one")                                                               \
    X(POLICY, "policy", CHOICE, VDNN_RUN_ | VDNN_SCALE_, "Policy", .metavar = "POLICY",            \
      .preset = "dyn", .choices = "policies", VDNN_SETS(session.policy), .json = "policy",         \
      .help = "what is offloaded, and when")                                                       \
    X(ALGO, "algo", CHOICE, VDNN_RUN_ | VDNN_SCALE_, "Policy", .metavar = "MODE", .preset = "p",   \
      .choices = "m|p", VDNN_SETS(session.algo), .json = "algo",                                   \
      .help = "algorithms of a static policy: m = least memory, p = fastest")                      \
    X(PLAN_SECONDS, "plan-seconds", REAL, VDNN_BOTH_, "Policy", .metavar = "S", .preset = "2",     \
      VDNN_SETS_AND(planning.plan_seconds, planning.has_plan_seconds),                             \
      .help = "how long opt may search for a plan; in a report, where it is not given, 0.2 for "   \
              "each row")                                                                          \
    X(PLAN_TRIALS, "plan-trials", INTEGER, VDNN_BOTH_, "Policy", .metavar = "N", .least = 1,       \
      VDNN_SETS(planning.plan_trials),                                                             \
      .help = "stop opt after this many plans, however long that takes: the same plan everywhere") \
    X(POLICIES, "policies", LIST, VDNN_REPORT_, "Policy", .metavar = "LIST",                       \
      .choices = "policies", .help = "policies to show, separated by commas (default: all)")       \
    X(ACCOUNTING, "accounting", CHOICE, VDNN_REPORT_, "Policy", .metavar = "RULE",                 \
      .preset = "full", .choices = "full|paper", VDNN_SETS(report.accounting),                     \
      .help = "what is counted: full = everything that a step needs, paper = as in the paper's "   \
              "figures, with --rules paper")                                                       \
    X(PROFILE, "profile", FILE, VDNN_BOTH_, "Policy", .metavar = "FILE",                           \
      VDNN_SETS(session.profile),                                                                  \
      .help = "read the per-layer profile from this file, or write it there: same profile, same "  \
              "choices")                                                                           \
    X(NO_CACHE, "no-cache", FLAG, VDNN_ALL_, "Policy",                                             \
      .help = "neither read nor write the profiles kept in XDG_CACHE_HOME/vdnn, or ~/.cache/vdnn") \
    X(ALGOS, "algos", FILE, VDNN_RUN_, "Policy", .metavar = "FILE.json",                           \
      VDNN_SETS(planning.algos), .help = "take every algorithm from an earlier run's JSON")        \
    X(DEVICE, "device", TEXT, VDNN_ALL_, "Device and memory", .metavar = "DEVICE",                 \
      .preset = "auto", VDNN_SETS(session.device),                                                 \
      .help = "auto, cpu, cuda[:N] or sim:NAME; auto = cuda where one is usable, else cpu; "       \
              "sim:A,B,C in a report compares these cards")                                        \
    X(PRICE, "price", TEXT, VDNN_REPORT_, "Device and memory", .metavar = "NAME=X,...",            \
      VDNN_SETS(report.price),                                                                     \
      .help = "price of each of --device's cards, in any one unit: adds images/s per unit of it")  \
    X(DEVICE_MEM, "device-mem", SIZE, VDNN_ALL_, "Device and memory", .metavar = "SIZE",           \
      VDNN_SETS(session.device_mem), .json = "device.budget_bytes",                                \
      .help =                                                                                      \
          "budget of the device tier: 512M, 12GiB, 80% (default: a safe share of what is free)")   \
    X(HOST_MEM, "host-mem", SIZE, VDNN_ALL_, "Device and memory", .metavar = "SIZE",               \
      VDNN_SETS(session.host_mem), .json = "host_budget_bytes",                                    \
      .help = "budget of the pinned host tier (default: a safe share of what is free)")            \
    X(UNIFIED_MEM, "unified-mem", SIZE, VDNN_RUN_, "Device and memory", .metavar = "SIZE",         \
      VDNN_SETS(machine.unified_mem), .json = "unified_budget_bytes",                              \
      .help = "one budget over device and host together, in place of the two: as much of it is "   \
              "host memory as the policy needs (default: none)")                                   \
    X(DISK, "disk", FILE, VDNN_RUN_, "Device and memory", .metavar = "DIR",                        \
      VDNN_SETS(machine.disk),                                                                     \
      .help = "folder of a file tier behind the host tier, for what the host tier cannot hold "    \
              "(default: none)")                                                                   \
    X(DISK_MEM, "disk-mem", SIZE, VDNN_RUN_, "Device and memory", .metavar = "SIZE",               \
      VDNN_SETS(machine.disk_mem),                                                                 \
      .help = "budget of the file tier (default: 80 % of what is free there)")                     \
    X(THREADS, "threads", INTEGER, VDNN_ALL_, "Device and memory", .metavar = "N", .least = 1,     \
      VDNN_SETS(session.threads), .json = "threads",                                               \
      .help = "compute threads of the CPU device, or threads that load data for a card; at most "  \
              "1024 (default: OMP_NUM_THREADS, else all cores)")                                   \
    X(NONDETERMINISTIC, "nondeterministic", FLAG, VDNN_BOTH_, "Device and memory",                 \
      VDNN_SETS(planning.nondeterministic), .json = "device.nondeterministic",                     \
      .help = "allow what is faster and differs in the last bits from run to run: algorithms, "    \
              "and layers in parts wherever opt gains by them")                                    \
    X(VERIFY, "verify", FLAG, VDNN_RUN_, "Device and memory", VDNN_SETS(trust.verify),             \
      .help =                                                                                      \
          "checksum every offloaded buffer when it is copied out and in; exit 8 if one differs")   \
    X(REQUIRE_OFFLOAD, "require-offload", FLAG, VDNN_RUN_, "Device and memory",                    \
      VDNN_SETS(trust.require_offload),                                                            \
      .help = "exit 8 unless the device copies out and in, in each step, exactly the bytes of "    \
              "the plan")                                                                          \
    X(POISON, "poison", FLAG, VDNN_RUN_, "Device and memory", VDNN_SETS(trust.poison),             \
      .help = "for authors of kernels: memory is NaN before it is written, operations run one at " \
              "a time; exit 8 if one writes past a buffer")                                        \
    X(DEVICES, "devices", INTEGER, VDNN_BOTH_, "Device and memory", .metavar = "N", .preset = "1", \
      .least = 1, VDNN_SETS(session.devices), .json = "devices",                                   \
      .help = "data-parallel devices; --batch is the global batch")                                \
    X(STAGES, "stages", INTEGER, VDNN_RUN_, "Device and memory", .metavar = "N", .preset = "1",    \
      .least = 1, VDNN_SETS(machine.stages), .json = "stages",                                     \
      .help = "stages of a pipeline into which the network is cut, one on each device")            \
    X(MICRO_BATCHES, "micro-batches", INTEGER, VDNN_RUN_, "Device and memory", .metavar = "M",     \
      .least = 1, VDNN_SETS(machine.micro_batches),                                                \
      .help = "of stages: micro-batches of each batch, as --accumulate (default: four a stage)")   \
    X(SCHEDULE, "schedule", CHOICE, VDNN_RUN_, "Device and memory", .metavar = "HOW",              \
      .preset = "1f1b", .choices = "gpipe|1f1b|zb1p", VDNN_SETS(machine.schedule),                 \
      .help = "of stages: the order of passes: gpipe = all forward passes first, 1f1b = backward " \
              "as soon as possible, zb1p = filter gradients where a stage would wait")             \
    X(DEVICE_COUNTS, "devices", TEXT, VDNN_SCALE_, "Device and memory", .metavar = "LIST",         \
      .preset = "1,2,4,8", VDNN_SETS_IF_GIVEN(scale.devices),                                      \
      .help = "numbers of data-parallel devices, separated by commas")                             \
    X(STAGE_COUNTS, "stages", TEXT, VDNN_SCALE_, "Device and memory", .metavar = "LIST",           \
      VDNN_SETS(scale.stages),                                                                     \
      .help = "numbers of pipeline stages into which the network is cut, separated by commas; "    \
              "the replicas of each share the batch (of simulated devices)")                       \
    X(STAGE_MICRO_BATCHES, "micro-batches", INTEGER, VDNN_SCALE_, "Device and memory",             \
      .metavar = "M", .least = 1, VDNN_SETS(scale.micro_batches),                                  \
      .help = "of stages: micro-batches of each replica's share of the batch (default: the "       \
              "fastest of one, two and four for each stage)")                                      \
    X(STAGE_SCHEDULE, "schedule", CHOICE, VDNN_SCALE_, "Device and memory", .metavar = "HOW",      \
      .preset = "1f1b", .choices = "gpipe|1f1b|zb1p", VDNN_SETS(scale.schedule),                   \
      .help = "of stages: the order of passes: gpipe = all forward passes first, 1f1b = backward " \
              "as soon as possible, zb1p = filter gradients where a stage would wait")             \
    X(REDUCE, "reduce", CHOICE, VDNN_BOTH_ | VDNN_SCALE_, "Device and memory", .metavar = "HOW",   \
      .preset = "ring", .choices = "ring|gather|host", VDNN_SETS(machine.reduce),                  \
                                                                                                   \
      .help = "how gradients of several devices are summed: ring = a share by each, gather = all " \
              "on device 0, the naive scheme, host = in host memory; the same bits by all")        \
    X(SHARD, "shard", CHOICE, VDNN_BOTH_ | VDNN_SCALE_, "Device and memory", .metavar = "WHAT",    \
      .preset = "none", .choices = "none|optimizer", VDNN_SETS(machine.shard),                     \
      .help = "optimizer = each of several devices updates its share of the parameters, and "      \
              "keeps the optimizer's state of that alone; the same bits, and half as many bytes "  \
              "more to move where gradients are clipped")                                          \
    X(LAUNCH, "launch", INTEGER, VDNN_RUN_, "Several processes", .metavar = "N", .least = 1,       \
      .help = "start N processes on this host, one device each, and watch them")                   \
    X(NODES, "nodes", INTEGER, VDNN_RUN_, "Several processes", .metavar = "K", .least = 1,         \
      .help =                                                                                      \
          "--launch starts N processes on each of K hosts: run it there, each with --node-rank "   \
          "and the same --master and VDNN_WORLD_SECRET")                                           \
    X(NODE_RANK, "node-rank", INTEGER, VDNN_RUN_, "Several processes", .metavar = "R",             \
      .help = "which of them this is, from 0")                                                     \
    X(MASTER, "master", TEXT, VDNN_RUN_, "Several processes", .metavar = "HOST:PORT",              \
      .help = "a free port of host 0, where all meet")                                             \
    X(MAX_RESTARTS, "max-restarts", INTEGER, VDNN_RUN_, "Several processes", .metavar = "R",       \
      .preset = "3",                                                                               \
      .help =                                                                                      \
          "how often --launch starts them again, from the newest checkpoint, when one was lost")   \
    X(PEER_TIMEOUT, "peer-timeout", REAL, VDNN_RUN_, "Several processes", .metavar = "SECONDS",    \
      .preset = "30", .least = 0.1, VDNN_SETS(process.peer_timeout),                               \
      .help = "a process that is silent for longer counts as lost")                                \
    X(EPOCHS, "epochs", INTEGER, VDNN_RUN_ | VDNN_SCALE_, "Training", .metavar = "N", .least = 1,  \
      VDNN_SETS(session.epochs), .help = "passes over the data (default: the network's)")          \
    X(CONVERGE, "converge", REAL, VDNN_SCALE_, "Training", .metavar = "TARGET",                    \
      VDNN_SETS(scale.converge),                                                                   \
      .help = "train each combination until its test accuracy is TARGET, of devices that compute") \
    X(HYBRID, "hybrid", FLAG, VDNN_SCALE_, "Training", VDNN_SETS(scale.hybrid),                    \
      .help =                                                                                      \
          "project the time of whole trainings: data parallelism alone against workers of "        \
          "several stages, each worker with the batch of --batches (default of --stages: 1,2)")    \
    X(EPOCHS_CURVE, "epochs-curve", FILE, VDNN_SCALE_, "Training", .metavar = "FILE",              \
      VDNN_SETS(scale.epochs_curve),                                                               \
      .help = "of --hybrid: how many epochs a training takes, by its batch: lines BATCH EPOCHS "   \
              "(default: an assumed curve)")                                                       \
    X(STEPS, "steps", INTEGER, VDNN_RUN_, "Training", .metavar = "N", .least = 1,                  \
      VDNN_SETS(session.steps), .help = "stop after N steps, whatever the epochs")                 \
    X(SEED, "seed", INTEGER, VDNN_RUN_ | VDNN_SCALE_, "Training", .metavar = "N", .preset = "1",   \
      VDNN_SETS(session.seed), .json = "seed",                                                     \
      .help = "seed of weights, order of the data and dropout")                                    \
    X(LR, "lr", REAL, VDNN_RUN_, "Training", .metavar = "X",                                       \
      VDNN_SETS_AND(session.lr, session.has_lr), .json = "optimizer.lr",                           \
      .help = "base learning rate (default: the network's)")                                       \
    X(OPTIMIZER, "optimizer", CHOICE, VDNN_ALL_, "Training", .metavar = "NAME",                    \
      .choices = "optimizers", VDNN_SETS(session.optimizer), .json = "optimizer.name",             \
      .help = "how parameters are updated, by PyTorch's rules (default: the network's, else sgd)") \
    X(ON_NAN, "on-nan", CHOICE, VDNN_RUN_, "Training", .metavar = "WHAT", .preset = "stop",        \
      .choices = "stop|warn", VDNN_SETS(trust.on_nan),                                             \
      .help = "a loss, gradient or weight that is not finite: stop = exit 10 before it becomes "   \
              "part of the weights, warn = say it and continue; checkpoints of such weights are "  \
              "never written")                                                                     \
    X(REPLAY_EVERY, "replay-every", INTEGER, VDNN_RUN_, "Training", .metavar = "N", .least = 1,    \
      VDNN_SETS(trust.replay_every),                                                               \
      .help = "run every N-th step twice from the same state, and compare what each layer "        \
              "writes; exit 8 if any bit differs")                                                 \
    X(CHECK_REPLICAS, "check-replicas", INTEGER, VDNN_RUN_, "Training", .metavar = "N",            \
      .least = 1, VDNN_SETS(trust.check_replicas),                                                 \
      .help = "compare the weights of several devices every N steps (always at the start); exit "  \
              "8 if they differ")                                                                  \
    X(DATA, "data", TEXT, VDNN_RUN_ | VDNN_SCALE_, "Data and weights", .metavar = "SPEC",          \
      .preset = "synthetic", VDNN_SETS(session.data),                                              \
      .help = "idx:DIR, cifar10:DIR, images:DIR, npy:DIR, tokens:FILE, tokens16:FILE or "          \
              "synthetic[:SEED]")                                                                  \
    X(TEST_DATA, "test-data", TEXT, VDNN_RUN_ | VDNN_SCALE_, "Data and weights",                   \
      .metavar = "SPEC", VDNN_SETS(dataset.test_data),                                             \
      .help = "data for the final evaluation (default: the test part of --data, if it has one)")   \
    X(NO_SHUFFLE, "no-shuffle", FLAG, VDNN_RUN_, "Data and weights",                               \
      VDNN_SETS(dataset.no_shuffle),                                                               \
      .help = "do not shuffle: take the samples in the order of the data")                         \
    X(ORIENT, "orient", FLAG, VDNN_RUN_ | VDNN_SCALE_, "Data and weights",                         \
      VDNN_SETS(dataset.orient),                                                                   \
      .help = "turn pictures of images:DIR as their EXIF orientation says (default: as they are "  \
              "stored)")                                                                           \
    X(INIT, "init", FILE, VDNN_RUN_, "Data and weights", .metavar = "FILE.safetensors",            \
      VDNN_SETS(session.init),                                                                     \
      .help = "initial weights; also FILE.npz or FILE.onnx (default: those of the network's ONNX " \
              "file, else random, from --seed)")                                                   \
    X(SAVE, "save", FILE, VDNN_RUN_, "Data and weights", .metavar = "FILE.safetensors",            \
      VDNN_SETS(session.save), .help = "write the trained weights; also FILE.npz")                 \
    X(NAMES, "names", CHOICE, VDNN_RUN_, "Data and weights", .metavar = "WHOSE",                   \
      .preset = "layers", .choices = "layers|torchvision", VDNN_SETS(output.names),                \
      .help = "what --save calls the weights: as the layers, or as torchvision's modules (--init " \
              "takes either)")                                                                     \
    X(EXPORT, "export", FILE, VDNN_RUN_, "Data and weights", .metavar = "FILE.onnx",               \
      VDNN_SETS(output.onnx), .help = "write the network and the trained weights as ONNX")         \
    X(EVALUATE, "evaluate", FLAG, VDNN_RUN_, "Evaluation and prediction",                          \
      VDNN_SETS(output.evaluate),                                                                  \
      .help = "train nothing: print how well the weights classify the test data (without any, "    \
              "the data), in all and by class; with --verbose also what is mistaken for what")     \
    X(PREDICT, "predict", FILE, VDNN_RUN_, "Evaluation and prediction", .metavar = "DIR|FILE",     \
      VDNN_SETS(output.predict),                                                                   \
      .help = "train nothing: print the class of each picture in a folder and the folders in it, " \
              "of a picture, or of each row of an array (FILE.npy) or part of a text, by the "     \
              "weights of --init or --resume")                                                     \
    X(OUT, "out", FILE, VDNN_RUN_, "Evaluation and prediction", .metavar = "FILE.csv|FILE.npy",    \
      VDNN_SETS(output.predictions),                                                               \
      .help = "write the predictions to this file; .npy has the probabilities of all classes, "    \
              "or the numbers or masks that the network is for")                                   \
    X(TOP, "top", INTEGER, VDNN_RUN_, "Evaluation and prediction", .metavar = "K", .least = 1,     \
      VDNN_SETS(output.top),                                                                       \
      .help = "predict the K most probable classes (default: 1); sample of the K most probable "   \
              "tokens (default: all)")                                                             \
    X(GENERATE, "generate", INTEGER, VDNN_RUN_, "Evaluation and prediction", .metavar = "N",       \
      .least = 1, VDNN_SETS(output.generate),                                                      \
      .help = "train nothing: sample N tokens from a network of sequences, by the weights of "     \
              "--init or --resume, and write the text as it comes")                                \
    X(PROMPT, "prompt", TEXT, VDNN_RUN_, "Evaluation and prediction", .metavar = "TEXT",           \
      VDNN_SETS(output.prompt), .help = "the text that sampled tokens follow")                     \
    X(TEMPERATURE, "temperature", REAL, VDNN_RUN_, "Evaluation and prediction", .metavar = "X",    \
      .preset = "1", VDNN_SETS(output.temperature),                                                \
      .help = "of --generate: lower ones prefer probable tokens; 0 = the most probable, always")   \
    X(FORCE, "force", FLAG, VDNN_RUN_, "Evaluation and prediction", VDNN_SETS(output.overwrite),   \
      .help = "replace the file of --out, if there is one")                                        \
    X(EVAL_EVERY, "eval-every", INTEGER, VDNN_RUN_, "Evaluation and prediction", .metavar = "N",   \
      .least = 1, VDNN_SETS(output.eval_every),                                                    \
      .help = "while training: print the test accuracy after every N steps, and after the last")   \
    X(KEEP_BEST, "keep-best", FLAG, VDNN_RUN_, "Evaluation and prediction",                        \
      VDNN_SETS(output.keep_best),                                                                 \
      .help =                                                                                      \
          "while training: keep the checkpoint with the highest test accuracy (the lowest test "   \
          "loss of sequences and numbers, the highest Dice of masks), as "                         \
          "DIR/best of --checkpoint DIR (default of --eval-every: --checkpoint-every)")            \
    X(CHECKPOINT, "checkpoint", FILE, VDNN_RUN_, "Checkpoints", .metavar = "DIR",                  \
      VDNN_SETS(session.checkpoint),                                                               \
      .help = "write checkpoints there: during training, at the end and on a signal")              \
    X(CHECKPOINT_EVERY, "checkpoint-every", INTEGER, VDNN_RUN_, "Checkpoints", .metavar = "N",     \
      .least = 1, VDNN_SETS(output.checkpoint_every),                                              \
      .help = "steps between checkpoints (default: those of an epoch)")                            \
    X(KEEP, "keep", INTEGER, VDNN_RUN_, "Checkpoints", .metavar = "K", .preset = "3", .least = 1,  \
      VDNN_SETS(output.keep), .help = "how many of the newest checkpoints to keep")                \
    X(RESUME, "resume", TEXT, VDNN_RUN_, "Checkpoints", .metavar = "auto|DIR",                     \
      VDNN_SETS(session.resume),                                                                   \
      .help = "resume from a checkpoint, or from the newest in a folder of them; auto = the "      \
              "newest in --checkpoint, if there is one")                                           \
    X(DRY_RUN, "dry-run", FLAG, VDNN_RUN_, "Output", VDNN_SETS(session.dry_run),                   \
      .help = "plan and print the footprint, run nothing")                                         \
    X(EXPLAIN, "explain", FLAG, VDNN_RUN_, "Output", VDNN_SETS(print.explain),                     \
      .help =                                                                                      \
          "plan, and explain why it does not fit and what would help, or how much memory is left") \
    X(MAX_BATCH, "max-batch", FLAG, VDNN_RUN_, "Output", VDNN_SETS(print.max_batch),               \
      .help = "plan, and print the largest batch that fits, and the fastest")                      \
    X(LIST, "list", CHOICE, VDNN_RUN_, "Output", .metavar = "WHAT",                                \
      .choices = "models|devices|policies|layers|data",                                            \
      .help =                                                                                      \
          "print what there is of these: the networks by name, the devices here, the types of "    \
          "layers with their keys, the kinds of data")                                             \
    X(DOCTOR, "doctor", FLAG, VDNN_RUN_, "Output",                                                 \
      .help = "print what a bug report needs about build and machine, and problems with remedies") \
    X(VERBOSE, "verbose", FLAG, VDNN_BOTH_, "Output", VDNN_SETS(print.verbose),                    \
      .help = "print all layers of a run as a table too: times, what they lost beyond their "      \
              "compute, and what the plan does with them; a report: what each figure of the "      \
              "device model rests on")                                                             \
    X(CALIBRATE, "calibrate", FILE, VDNN_RUN_, "Output", .metavar = "FILE.yaml",                   \
      .help = "measure the device in less than two minutes and write a device model of it, for "   \
              "--device sim:FILE.yaml")                                                            \
    X(PRINT_PLAN, "print-plan", FLAG, VDNN_RUN_, "Output", VDNN_SETS(print.print_plan),            \
      .help = "print the plan as stable text")                                                     \
    X(TRACE, "trace", FILE, VDNN_RUN_, "Output", .metavar = "FILE.json[.gz]",                      \
      VDNN_SETS(output.trace), .help = "write a timeline of the first 20 steps for Perfetto")      \
    X(TRACE_STEPS, "trace-steps", TEXT, VDNN_RUN_, "Output", .metavar = "A:B",                     \
      VDNN_SETS(output.trace_steps),                                                               \
      .help = "those from A to B instead, the training's first is 1")                              \
    X(MEMORY_SNAPSHOT, "memory-snapshot", FILE, VDNN_RUN_, "Output", .metavar = "FILE.pickle",     \
      VDNN_SETS(output.memory_snapshot),                                                           \
      .help = "write the planned step's memory for PyTorch's page memory_viz")                     \
    X(JSON, "json", FILE, VDNN_ALL_, "Output", .metavar = "FILE|-", VDNN_WRITES(JSON),             \
      .help = "write the results as JSON; - is standard output")                                   \
    X(ALGORITHMS, "algorithms", FLAG, VDNN_REPORT_, "Output",                                      \
      .help = "list every algorithm of every layer: time, workspace, work, depth, or why it does " \
              "not apply")                                                                         \
    X(BUDGETS, "budgets", TEXT, VDNN_REPORT_, "Output", .metavar = "LIST",                         \
      VDNN_SETS(report.budgets),                                                                   \
      .help = "plan every policy under these device budgets too, separated by commas: what more "  \
              "memory buys")                                                                       \
    X(RUN, "run", FILE, VDNN_REPORT_, "Output", .metavar = "RUN.json", VDNN_SETS(report.run),      \
      .help = "show what a run of this network measured, by its JSON, next to what is planned")    \
    X(COMPARE, "compare", FILES, VDNN_REPORT_, "Output", .metavar = "A.json B.json",               \
      .help = "compare reports that were written with --json, without a --model")                  \
    X(CSV, "csv", FILE, VDNN_REPORT_ | VDNN_SCALE_, "Output", .metavar = "FILE", VDNN_WRITES(CSV), \
      .help = "write the table as CSV")                                                            \
    X(MARKDOWN, "markdown", FILE, VDNN_REPORT_, "Output", .metavar = "FILE",                       \
      VDNN_WRITES(MARKDOWN), .help = "write the table as Markdown")                                \
    X(HTML, "html", FILE, VDNN_REPORT_ | VDNN_SCALE_, "Output", .metavar = "FILE",                 \
      VDNN_WRITES(HTML), .help = "write a page with tables and charts, which needs nothing else")  \
    X(QUIET, "quiet", FLAG, VDNN_ALL_, "General",                                                  \
      .help = "no progress, and no messages except errors")                                        \
    X(LOG_LEVEL, "log-level", CHOICE, VDNN_ALL_, "General", .metavar = "LEVEL", .preset = "info",  \
      .choices = "error|warn|info|debug", .help = "how much is written to standard error")         \
    X(VERSION, "version", FLAG, VDNN_ALL_, "General", .help = "print the version")                 \
    X(HELP, "help", FLAG, VDNN_ALL_, "General", .help = "print this text")

typedef enum vdnn_option_id {
#define X(id, ...) VDNN_OPTION_##id,
    VDNN_OPTION_TABLE(X)
#undef X
        VDNN_OPTION_COUNT
} vdnn_option_id;

typedef struct vdnn_option_value {
    bool given;         /* on the command line or in the environment */
    const char *text;   /* borrowed from either, or the preset; a flag that is set has one */
    int64_t integer;    /* of files: how many there are, from `words` on */
    char *const *words; /* of files, from the command line: borrowed; else NULL */
    double real;
} vdnn_option_value;

/* The library's structs, which options fill. */
typedef struct vdnn_option_structs {
    vdnn_session_options session;
    vdnn_planning_options planning; /* the session's topics */
    vdnn_machine_options machine;
    vdnn_dataset_options dataset;
    vdnn_output_options output;
    vdnn_trust_options trust;
    vdnn_process_options process;
    vdnn_print_options print;
    vdnn_report_options report;
    vdnn_scale_options scale;
} vdnn_option_structs;

/* The member that an option sets; the table's macros (options.c) make it. */
typedef struct vdnn_option_member {
    size_t offset, bytes; /* in vdnn_option_structs */
    /* By the member's type; NULL: the program reads the option itself. */
    void (*set)(void *member, const vdnn_option_value *value);
    size_t has_offset;  /* of the bool that says whether it was given; 0: there is none */
    bool stays_default; /* unless it is given: its preset is only the help's */
} vdnn_option_member;

typedef struct vdnn_option {
    const char *name;
    vdnn_option_kind kind;
    unsigned programs;
    const char *group, *help;
    const char *metavar; /* NULL: a flag */
    const char *preset;  /* NULL: none */
    double least;
    const char *choices;
    vdnn_option_member sets;
    bool is_output;            /* it names a file of results, */
    vdnn_report_format format; /* in this format */
    const char *json; /* "key" or "object.key" of the value in vdnnrun's JSON; NULL: none */
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

typedef struct vdnn_options {
    unsigned program;
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

/* Sets the sizes, the session's topics, and the members that the program's options name, all else
 * to 0. */
void vdnn_options_fill(const vdnn_options *options, vdnn_option_structs *structs);

/* Examples, then all options of the program by group. */
void vdnn_options_help(unsigned program, vdnn_text *text);

#endif
