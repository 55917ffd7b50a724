#include "runtime/setup/run_options.h"

#include "runtime/base/heap.h"
#include "runtime/base/numbers/decimal.h"
#include "runtime/base/text.h"
#include "runtime/base/versioned.h"
#include "runtime/setup/session_members.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* MOST_THREADS: of layers/cpu/threads.h. */
enum {
    MOST_WORDS = 96,
    MOST_THREADS = 1024,
    MOST_DEVICES = 1024,
    MOST_MICRO_BATCHES = 65536,
    MOST_COLUMNS = 10000
};

static const double PEER_TIMEOUT_SECONDS = 30;

/* The option's text, if its member is one; else NULL. */
static char **text_at(const vdnn_session_options *ask, const vdnn_session_member *member)
{
    return member->kind == VDNN_MEMBER_TEXT ? vdnn_session_member_in(ask, member) : NULL;
}

/* Copies every text; if that fails all are freed. */
static vdnn_status copy_texts(vdnn_session_options *ask)
{
    bool enough = true;
    for (size_t i = 0; vdnn_session_member_at(i) != NULL; i++) {
        char **text = text_at(ask, vdnn_session_member_at(i));
        if (text == NULL || *text == NULL)
            continue;
        *text = enough ? vdnn_heap_strdup(*text) : NULL;
        enough = enough && *text != NULL;
    }
    return enough ? VDNN_OK : vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the options");
}

/* The paper's accounting requires the paper's rules. */
static void preset_texts(vdnn_session_options *ask, vdnn_session_topics *topics)
{
    const char *accounting = topics->report.accounting;
    const bool is_paper = accounting != NULL && strcmp(accounting, "paper") == 0;
    const struct {
        const char **text, *preset;
    } presets[] = {{&ask->dtype, "f32"},
                   {&ask->device, "auto"},
                   {&ask->policy, "dyn"},
                   {&ask->algo, "p"},
                   {&ask->rules, is_paper ? "paper" : "lean"},
                   {&ask->data, "synthetic"},
                   {&topics->machine.reduce, "ring"},
                   {&topics->machine.shard, "none"},
                   {&topics->machine.schedule, "1f1b"},
                   {&topics->trust.on_nan, "stop"},
                   {&topics->output.names, "layers"},
                   {&topics->process.transport, "tcp"},
                   {&topics->report.accounting, "full"}};
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
        if (*presets[i].text == NULL)
            *presets[i].text = presets[i].preset;
}

/* They are the first process's. */
static void leave_files(vdnn_session_options *ask, vdnn_session_topics *topics)
{
    if (topics->process.rank > 0)
        ask->profile = topics->planning.cache = ask->save = topics->output.trace =
            topics->output.onnx = NULL;
}

void vdnn_run_options_fini(vdnn_run_options *options)
{
    for (size_t i = 0; options->topics != NULL && vdnn_session_member_at(i) != NULL; i++) {
        char **text = text_at(&options->ask, vdnn_session_member_at(i));
        if (text != NULL)
            vdnn_heap_free(*text);
    }
    vdnn_heap_free(options->topics);
    *options = (vdnn_run_options){0};
}

/* ---- words ----------------------------------------------------------------------------------- */

vdnn_status vdnn_run_options_find_word(const char *option, const char *word,
                                       const char *const *words, size_t count, size_t *found)
{
    char hint[320];
    vdnn_text all = {0};
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words[i], word) == 0) {
            *found = i;
            vdnn_text_fini(&all);
            return VDNN_OK;
        }
        vdnn_text_add(&all, "%s%s", i == 0 ? "" : "|", words[i]);
    }
    vdnn_status status =
        vdnn_status_fail(VDNN_USAGE, "--%s: there is no '%.64s'%s; expected one of %s", option,
                         word, vdnn_text_hint(hint, sizeof hint, word, words, count),
                         all.failed || all.length == 0 ? "none" : all.data);
    vdnn_text_fini(&all);
    return status;
}

bool vdnn_run_options_only_score(const vdnn_session_options *ask)
{
    const vdnn_output_options *output = ask->output;
    return output->evaluate || output->predict != NULL || output->generate > 0;
}

vdnn_status vdnn_run_options_find_policy(const char *name, const vdnn_policy **policy)
{
    const char *names[MOST_WORDS];
    size_t count = 0, found;
    for (; count < MOST_WORDS && count < vdnn_policy_count(); count++)
        names[count] = vdnn_policy_name(count);
    vdnn_status status = vdnn_run_options_find_word("policy", name, names, count, &found);
    if (status == VDNN_OK && policy != NULL)
        *policy = vdnn_policy_at(found);
    return status;
}

static vdnn_status find_optimizer(const char *name, const vdnn_optimizer **optimizer)
{
    const char *names[VDNN_OPTIMIZER_COUNT];
    size_t found;
    if (name == NULL)
        return VDNN_OK;
    for (size_t i = 0; i < VDNN_OPTIMIZER_COUNT; i++)
        names[i] = vdnn_optimizer_name(i);
    vdnn_status status =
        vdnn_run_options_find_word("optimizer", name, names, VDNN_OPTIMIZER_COUNT, &found);
    if (status == VDNN_OK)
        *optimizer = vdnn_optimizer_at((vdnn_optimizer_id)found);
    return status;
}

static vdnn_status find_reduce(const char *scheme, vdnn_reduce_scheme *reduce)
{
    const char *names[VDNN_REDUCE_COUNT];
    size_t found;
    for (size_t i = 0; i < VDNN_REDUCE_COUNT; i++)
        names[i] = vdnn_reduce_scheme_text((vdnn_reduce_scheme)i);
    vdnn_status status =
        vdnn_run_options_find_word("reduce", scheme, names, VDNN_REDUCE_COUNT, &found);
    if (status == VDNN_OK)
        *reduce = (vdnn_reduce_scheme)found;
    return status;
}

/* Of one device there is nothing to share, so that its share is all. */
static vdnn_status find_shard(const char *shard, vdnn_reduce_scheme reduce, bool *shards)
{
    static const char *const names[] = {"none", "optimizer"};
    size_t found;
    vdnn_status status = vdnn_run_options_find_word("shard", shard, names, 2, &found);
    if (status == VDNN_OK && found == 1 && reduce != VDNN_REDUCE_RING)
        return vdnn_status_fail(VDNN_USAGE,
                                "--shard optimizer: each device updates the share that it sums, "
                                "and --reduce %s sums no shares; leave it at ring",
                                vdnn_reduce_scheme_text(reduce));
    if (status == VDNN_OK)
        *shards = found == 1;
    return status;
}

vdnn_status vdnn_run_options_find_schedule(const char *text, vdnn_schedule *schedule)
{
    const char *names[VDNN_SCHEDULE_COUNT];
    size_t found = 0;
    for (size_t i = 0; i < VDNN_SCHEDULE_COUNT; i++)
        names[i] = vdnn_schedule_text((vdnn_schedule)i);
    vdnn_status status =
        vdnn_run_options_find_word("schedule", text, names, VDNN_SCHEDULE_COUNT, &found);
    if (status == VDNN_OK)
        *schedule = (vdnn_schedule)found;
    return status;
}

static vdnn_status find_words(vdnn_run_options *options)
{
    static const char *const dtypes[] = {"f32", "bf16", "tf32", "f16"},
                             *const rule_sets[] = {"paper", "lean"}, *const algos[] = {"m", "p"},
                             *const accountings[] = {"full", "paper"};
    static const vdnn_dtype dtype_of[] = {VDNN_F32, VDNN_BF16, VDNN_TF32, VDNN_F16};
    static const char *const reactions[] = {"stop", "warn"}, *const names[] = {"layers",
                                                                               "torchvision"};
    size_t dtype = 0, rules = 0, algo = 0, accounting = 0, reaction = 0, name = 0;
    vdnn_status status = vdnn_run_options_find_word("dtype", options->ask.dtype, dtypes, 4, &dtype);
    VDNN_IF_OK(status,
               vdnn_run_options_find_word("rules", options->ask.rules, rule_sets, 2, &rules));
    VDNN_IF_OK(status, vdnn_run_options_find_word("algo", options->ask.algo, algos, 2, &algo));
    VDNN_IF_OK(status, vdnn_run_options_find_policy(options->ask.policy, &options->policy));
    VDNN_IF_OK(status, find_optimizer(options->ask.optimizer, &options->optimizer));
    VDNN_IF_OK(status, find_reduce(options->ask.machine->reduce, &options->reduce));
    VDNN_IF_OK(status, find_shard(options->ask.machine->shard, options->reduce, &options->shards));
    VDNN_IF_OK(status,
               vdnn_run_options_find_schedule(options->ask.machine->schedule, &options->schedule));
    VDNN_IF_OK(status, vdnn_run_options_find_word("accounting", options->ask.report->accounting,
                                                  accountings, 2, &accounting));
    VDNN_IF_OK(status, vdnn_run_options_find_word("on-nan", options->ask.trust->on_nan, reactions,
                                                  2, &reaction));
    VDNN_IF_OK(status,
               vdnn_run_options_find_word("names", options->ask.output->names, names, 2, &name));
    if (status == VDNN_OK && accounting == 1 && rules == 1)
        status =
            vdnn_status_fail(VDNN_USAGE, "--accounting paper requires --rules paper, not lean");
    if (status != VDNN_OK)
        return status;
    options->dtype = dtype_of[dtype];
    options->rules = rules == 0 ? VDNN_RULES_PAPER : VDNN_RULES_LEAN;
    options->counts_as_paper = accounting == 1;
    options->by_torch = name == 1;
    options->algo = algo == 0 ? VDNN_ALGO_M : VDNN_ALGO_P;
    return VDNN_OK;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static bool is_images(const char *data)
{
    return data != NULL && strncmp(data, "images:", strlen("images:")) == 0;
}

/* Those of the processes are checked by their place among each other. */
static vdnn_status check_counts(const vdnn_session_options *ask)
{
    const vdnn_session_member *member;
    for (size_t i = 0; (member = vdnn_session_member_at(i)) != NULL; i++) {
        char name[VDNN_MEMBER_NAME_BYTES];
        const void *at = vdnn_session_member_in(ask, member);
        const int64_t count = member->topic == offsetof(vdnn_session_options, process) ? 0
                              : member->kind == VDNN_MEMBER_INT   ? *(const int *)at
                              : member->kind == VDNN_MEMBER_INT64 ? *(const int64_t *)at
                                                                  : 0;
        if (count < 0)
            return vdnn_status_fail(VDNN_USAGE, "--%s: %lld is negative",
                                    vdnn_session_member_option(member, name), (long long)count);
    }
    return VDNN_OK;
}

static vdnn_status check_numbers(const vdnn_session_options *ask)
{
    vdnn_status status = check_counts(ask);
    if (status != VDNN_OK)
        return status;
    if (ask->threads > MOST_THREADS)
        return vdnn_status_fail(VDNN_USAGE,
                                "--threads: more than %d is too many: oneDNN computes with no more",
                                MOST_THREADS);
    if (ask->devices > MOST_DEVICES || ask->process->ranks > MOST_DEVICES)
        return vdnn_status_fail(VDNN_USAGE, "--devices: more than %d is too many", MOST_DEVICES);
    if (ask->accumulate > MOST_MICRO_BATCHES || ask->machine->micro_batches > MOST_MICRO_BATCHES)
        return vdnn_status_fail(VDNN_USAGE, "--accumulate: more than %d is too many",
                                MOST_MICRO_BATCHES);
    if (ask->has_lr &&
        !(ask->lr == 0.0 || (ask->lr >= (double)FLT_MIN && ask->lr <= (double)FLT_MAX)))
        return vdnn_status_fail(VDNN_USAGE, "--lr: %g is not a finite number from 0 up, of 32 bits",
                                ask->lr);
    if (ask->dataset->orient && !is_images(ask->data) && !is_images(ask->dataset->test_data))
        return vdnn_status_fail(
            VDNN_USAGE, "--orient turns pictures of images:DIR, but --data is %s", ask->data);
    if (ask->planning->has_plan_seconds &&
        (!isfinite(ask->planning->plan_seconds) || ask->planning->plan_seconds < 0.0))
        return vdnn_status_fail(VDNN_USAGE, "--plan-seconds: %g is not a finite number from 0 up",
                                ask->planning->plan_seconds);
    return VDNN_OK;
}

/* Reads the number of a step, from 0 up; whether these bytes are one. */
static bool read_step(const char *text, size_t length, int64_t *step)
{
    char number[32];
    if (length >= sizeof number)
        return false;
    (void)snprintf(number, sizeof number, "%.*s", (int)length, text);
    return vdnn_decimal_read_integer(number, step) == NULL && *step < INT64_MAX;
}

/* "A:B" */
static vdnn_status read_trace_steps(vdnn_run_options *options)
{
    const char *const text = options->ask.output->trace_steps;
    int64_t first, last;
    if (!options->traces)
        return vdnn_status_fail(VDNN_USAGE, "--trace-steps says which steps are in a trace: "
                                            "--trace FILE.json names it");
    const size_t length = strcspn(text, ":");
    if (text[length] != ':' || !read_step(text, length, &first) ||
        !read_step(text + length + 1, strlen(text + length + 1), &last))
        return vdnn_status_fail(VDNN_USAGE,
                                "--trace-steps: '%s' is not A:B, the first and the last step, "
                                "for example 101:110",
                                text);
    if (first < 1 || last < first)
        return vdnn_status_fail(VDNN_USAGE,
                                "--trace-steps: there are no steps from %lld to %lld; the first of "
                                "a training is 1",
                                (long long)first, (long long)last);
    options->trace_steps = (vdnn_step_range){first - 1, last};
    return VDNN_OK;
}

/* Over tcp, at an address and with a secret that is one; MPI brings both. */
static vdnn_status check_meeting(const vdnn_process_options *process)
{
    const bool is_tcp = process->ranks > 1 && strcmp(process->transport, "tcp") == 0;
    if (is_tcp && (process->address == NULL || process->secret == NULL))
        return vdnn_status_fail(
            VDNN_USAGE,
            "rank %lld of %lld has no %s: over tcp processes meet at `address`, "
            "HOST:PORT of rank 0, and prove that they know `secret`",
            (long long)process->rank, (long long)process->ranks,
            process->address == NULL ? "address" : "secret");
    if (process->secret != NULL && process->secret[0] == '\0')
        return vdnn_status_fail(VDNN_USAGE, "the secret of the processes is empty: whoever uses an "
                                            "empty one would be let in");
    return VDNN_OK;
}

/* A process among others knows its place, and the devices are as many as they are. */
static vdnn_status place(vdnn_session_options *ask, vdnn_process_options *process)
{
    if (process->ranks == 0)
        return VDNN_OK;
    if (process->local_ranks == 0) {
        process->local_ranks = process->ranks;
        process->local_rank = process->rank;
    }
    const bool is_placed = process->rank >= 0 && process->rank < process->ranks &&
                           process->local_rank >= 0 && process->local_rank < process->local_ranks &&
                           process->local_ranks <= process->ranks;
    if (!is_placed)
        return vdnn_status_fail(VDNN_USAGE,
                                "there is no rank %lld among %lld processes, of which %lld are on "
                                "this host, where it is number %lld",
                                (long long)process->rank, (long long)process->ranks,
                                (long long)process->local_ranks, (long long)process->local_rank);
    if (ask->devices > 0 && ask->devices != process->ranks)
        return vdnn_status_fail(VDNN_USAGE,
                                "--devices %lld: %lld processes were started, each with one device",
                                (long long)ask->devices, (long long)process->ranks);
    if (!isfinite(process->peer_timeout) || process->peer_timeout < 0.0)
        return vdnn_status_fail(VDNN_USAGE, "--peer-timeout: %g is not a finite number from 0 up",
                                process->peer_timeout);
    ask->devices = process->ranks;
    process->peer_timeout =
        process->peer_timeout > 0.0 ? process->peer_timeout : PEER_TIMEOUT_SECONDS;
    return check_meeting(process);
}

/* In the place of a spec, for messages and records. */
static void name_sources(vdnn_session_options *ask, vdnn_dataset_options *dataset)
{
    if (dataset->source != NULL || dataset->feeds)
        ask->data = "program";
    if (dataset->test_source != NULL)
        dataset->test_data = "program";
}

/* Sampled tokens are those of one text. */
static void preset_batch(vdnn_session_options *ask, const vdnn_output_options *output)
{
    const bool only_samples = output->generate > 0 && !output->evaluate && output->predict == NULL;
    const bool is_alone = ask->devices <= 1 && ask->process->ranks <= 1;
    if (only_samples && ask->batch == 0 && is_alone && ask->resume == NULL)
        ask->batch = 1;
}

static vdnn_status take(const vdnn_session_options *given, vdnn_run_options *options)
{
    vdnn_session_options *ask = &options->ask;
    VDNN_TRY(vdnn_versioned_take(ask, sizeof *ask, given, "vdnn_session_options"));
    vdnn_session_topics *topics = vdnn_heap_calloc(1, sizeof *topics);
    if (topics == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the options");
    vdnn_status status = vdnn_session_topics_take(ask, topics);
    if (status != VDNN_OK) {
        vdnn_heap_free(topics);
        return status;
    }
    options->topics = topics;
    name_sources(ask, &topics->dataset);
    preset_texts(ask, topics);
    options->traces = topics->output.trace != NULL;
    leave_files(ask, topics);
    preset_batch(ask, &topics->output);
    ask->has_lr = ask->has_lr || ask->lr != 0.0;
    topics->planning.has_plan_seconds =
        topics->planning.has_plan_seconds || topics->planning.plan_seconds != 0.0;
    options->columns =
        (int)(topics->print.columns < MOST_COLUMNS ? topics->print.columns : MOST_COLUMNS);
    return copy_texts(ask);
}

/* It is divided by what a plan needs, which is one plan here. */
static vdnn_status check_unified(const vdnn_session_options *ask)
{
    const struct {
        bool is_given;
        const char *option;
    } others[] = {{ask->device_mem != NULL, "--device-mem"},
                  {ask->host_mem != NULL, "--host-mem"},
                  {ask->print->explain, "--explain"},
                  {ask->print->max_batch, "--max-batch"}};
    for (size_t i = 0; ask->machine->unified_mem != NULL && i < sizeof others / sizeof *others; i++)
        if (others[i].is_given)
            return vdnn_status_fail(VDNN_USAGE,
                                    "--unified-mem is one budget over device and host: it goes "
                                    "without %s",
                                    others[i].option);
    return VDNN_OK;
}

/* What a pipeline does not do. */
static vdnn_status check_stages(const vdnn_run_options *options)
{
    const vdnn_session_options *ask = &options->ask;
    const struct {
        const char *option;
        bool given;
    } refused[] = {{"--rules paper", options->rules == VDNN_RULES_PAPER},
                   {"--shard optimizer", options->shards},
                   {"--unified-mem", ask->machine->unified_mem != NULL},
                   {"--check-replicas", ask->trust->check_replicas > 0},
                   {"--replay-every", ask->trust->replay_every > 0},
                   {"--poison", ask->trust->poison},
                   {"--explain", ask->print->explain},
                   {"--max-batch", ask->print->max_batch},
                   {"--export", ask->output->onnx != NULL},
                   {"--evaluate", ask->output->evaluate},
                   {"--predict", ask->output->predict != NULL},
                   {"--generate", ask->output->generate > 0}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (refused[i].given)
            return vdnn_status_fail(VDNN_USAGE,
                                    "%s and --stages cannot be given together: leave out one of "
                                    "them",
                                    refused[i].option);
    return VDNN_OK;
}

/* One device a stage. */
static vdnn_status take_stages(vdnn_run_options *options)
{
    vdnn_session_options *ask = &options->ask;
    const int64_t stages = ask->machine->stages, micro_batches = ask->machine->micro_batches;
    if (micro_batches > 0 && (stages <= 1 || ask->accumulate > 0))
        return vdnn_status_fail(VDNN_USAGE, "--micro-batches is of --stages N, where it stands for "
                                            "--accumulate: expected one of the two");
    if (stages <= 1)
        return VDNN_OK;
    if (micro_batches > 0)
        ask->accumulate = micro_batches;
    if (stages > MOST_DEVICES)
        return vdnn_status_fail(VDNN_USAGE, "--stages: more than %d is too many", MOST_DEVICES);
    if (ask->devices <= 1 && ask->process->ranks == 0)
        ask->devices = stages;
    if (ask->devices % stages != 0)
        return vdnn_status_fail(VDNN_USAGE,
                                "--stages %lld: %lld devices cannot have as many stages each; "
                                "expected a multiple of %lld devices",
                                (long long)stages, (long long)ask->devices, (long long)stages);
    if (ask->devices != stages)
        return vdnn_status_fail(VDNN_USAGE,
                                "--stages %lld: several replicas of each stage (%lld devices) are "
                                "simulated by vdnnscale, and not run yet",
                                (long long)stages, (long long)ask->devices);
    options->stages = (int32_t)stages;
    return check_stages(options);
}

vdnn_status vdnn_run_options_init(const vdnn_session_options *given, vdnn_run_options *options)
{
    vdnn_run_options fresh = {0};
    vdnn_status status = take(given, &fresh);
    const vdnn_session_options *ask = &fresh.ask;
    if (status == VDNN_OK && ask->model == NULL && ask->network == NULL)
        status = vdnn_status_fail(VDNN_USAGE, "--model is missing: a network file, or the name of "
                                              "one in models/ (for example --model lenet)");
    VDNN_IF_OK(status, check_numbers(ask));
    VDNN_IF_OK(status, place(&fresh.ask, &fresh.topics->process));
    if (status == VDNN_OK && ask->machine->disk_mem != NULL && ask->machine->disk == NULL)
        status = vdnn_status_fail(VDNN_USAGE, "--disk-mem is the budget of a file tier: --disk DIR "
                                              "names its folder");
    VDNN_IF_OK(status, check_unified(ask));
    if (status == VDNN_OK && ask->output->trace_steps != NULL)
        status = read_trace_steps(&fresh);
    VDNN_IF_OK(status, find_words(&fresh));
    VDNN_IF_OK(status, take_stages(&fresh));
    if (status == VDNN_OK)
        *options = fresh;
    else
        vdnn_run_options_fini(&fresh);
    return status;
}
