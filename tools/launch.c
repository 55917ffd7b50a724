#include "tools/launch.h"

#include "tools/console.h"
#include "tools/world.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    SECRET_BYTES = 32,
    NUMBER_BYTES = 24,
    ADDRESS_BYTES = 64,
    NOT_STARTED = 126, /* a shell's exit code for it */
};

/* Beyond the time in which the others of a lost process notice it. */
static const double GRACE_SECONDS = 2;

/* A process that was started. */
typedef struct child {
    pid_t pid;       /* 0: it has ended */
    int ended;       /* as waitpid says */
    bool is_overdue; /* killed here, since it did not end when others had */
} child;

/* One attempt: all processes from their start to their end. */
typedef struct attempt {
    const vdnn_launch *launch;
    child *children;
    int living;
    int signals;     /* that were passed on: from the second on processes end at once */
    double deadline; /* when those that live still are killed; 0: none has failed */
    int listener;    /* where rank 0 is met; -1: closed */
    const char *address, *secret;
    char own_address[ADDRESS_BYTES], own_secret[2 * SECRET_BYTES + 1]; /* of one host alone */
    sigset_t before; /* the signals that the children block */
} attempt;

/* The rank of a process of this host. */
static int rank_of(const attempt *now, int place)
{
    return now->launch->node * now->launch->count + place;
}

static double now_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- start ----------------------------------------------------------------------------------- */

/* Where the processes meet: rank 0 inherits the socket, so that no other process takes the port. */
static vdnn_status open_listener(attempt *now)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    now->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (now->listener < 0 || bind(now->listener, (const struct sockaddr *)&at, size) != 0 ||
        getsockname(now->listener, (struct sockaddr *)&at, &size) != 0 ||
        listen(now->listener, SOMAXCONN) != 0)
        return vdnn_status_fail(VDNN_PEER, "--launch: no port for the processes to meet at: %s",
                                strerror(errno));
    (void)snprintf(now->own_address, sizeof now->own_address, "127.0.0.1:%d", ntohs(at.sin_port));
    now->address = now->own_address;
    return VDNN_OK;
}

static void close_listener(attempt *now)
{
    if (now->listener >= 0)
        (void)close(now->listener);
    now->listener = -1;
}

static vdnn_status make_secret(char secret[2 * SECRET_BYTES + 1])
{
    unsigned char bytes[SECRET_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return vdnn_status_fail(VDNN_PEER, "--launch: no random bytes for the secret: %s",
                                strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++)
        (void)snprintf(secret + 2 * i, 3, "%02x", bytes[i]);
    return VDNN_OK;
}

/* Of several hosts rank 0 listens itself, where all others know it to be. */
static vdnn_status prepare_meeting(attempt *now)
{
    now->listener = -1;
    now->address = now->launch->master;
    now->secret = now->launch->secret;
    if (now->launch->nodes > 1)
        return VDNN_OK;
    vdnn_status status = open_listener(now);
    now->secret = now->own_secret;
    return status == VDNN_OK ? make_secret(now->own_secret) : status;
}

/* Other users do not see the environment of a process, as they see its command line. */
static bool set_place(const attempt *now, int place)
{
    char rank[NUMBER_BYTES], ranks[NUMBER_BYTES], local[NUMBER_BYTES], locals[NUMBER_BYTES],
        listener[NUMBER_BYTES];
    (void)snprintf(rank, sizeof rank, "%d", rank_of(now, place));
    (void)snprintf(ranks, sizeof ranks, "%d", now->launch->nodes * now->launch->count);
    (void)snprintf(local, sizeof local, "%d", place);
    (void)snprintf(locals, sizeof locals, "%d", now->launch->count);
    (void)snprintf(listener, sizeof listener, "%d",
                   place == 0 && now->listener >= 0 ? now->listener : 0);
    const struct {
        const char *name, *value;
    } variables[] = {{VDNN_WORLD_RANK, rank},         {VDNN_WORLD_RANKS, ranks},
                     {VDNN_WORLD_LOCAL_RANK, local},  {VDNN_WORLD_LOCAL_RANKS, locals},
                     {VDNN_WORLD_LISTENER, listener}, {VDNN_WORLD_ADDRESS, now->address},
                     {VDNN_WORLD_SECRET, now->secret}};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (setenv(variables[i].name, variables[i].value, 1) != 0)
            return false;
    return true;
}

/* In the child. A terminal sends Ctrl-C to a group of processes: the supervisor's, which passes it
 * on once. */
static void become(const attempt *now, int place, char *const *argv, pid_t parent)
{
    const bool is_tied = prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent;
    const bool is_met = place > 0 || now->listener < 0 || fcntl(now->listener, F_SETFD, 0) == 0;
    if (is_tied && is_met && setpgid(0, 0) == 0 && set_place(now, place) &&
        sigprocmask(SIG_SETMASK, &now->before, NULL) == 0)
        (void)execv("/proc/self/exe", argv);
    _exit(NOT_STARTED);
}

static vdnn_status start(attempt *now, char *const *argv)
{
    const pid_t parent = getpid();
    for (int r = 0; r < now->launch->count; r++) {
        const pid_t pid = fork();
        if (pid == 0)
            become(now, r, argv, parent);
        if (pid < 0)
            return vdnn_status_fail(VDNN_PEER, "--launch: process %d cannot be started: %s",
                                    rank_of(now, r), strerror(errno));
        now->children[r].pid = pid;
        now->living++;
    }
    return VDNN_OK;
}

/* ---- watch ----------------------------------------------------------------------------------- */

static void send_all(const attempt *now, int number)
{
    for (int r = 0; r < now->launch->count; r++)
        if (now->children[r].pid > 0)
            (void)kill(now->children[r].pid, number);
}

static void kill_overdue(attempt *now)
{
    for (int r = 0; r < now->launch->count; r++)
        now->children[r].is_overdue = now->children[r].is_overdue || now->children[r].pid > 0;
    send_all(now, SIGKILL);
}

static void reap(attempt *now)
{
    for (int r = 0; r < now->launch->count; r++) {
        child *own = &now->children[r];
        if (own->pid == 0 || waitpid(own->pid, &own->ended, WNOHANG) != own->pid)
            continue;
        own->pid = 0;
        now->living--;
        if (own->ended != 0 && now->deadline <= 0)
            now->deadline = now_seconds() + now->launch->peer_timeout + GRACE_SECONDS;
    }
}

/* Until none is left. */
static void watch(attempt *now, const sigset_t *signals)
{
    const struct timespec pause = {.tv_nsec = 100000000};
    while (now->living > 0) {
        const int number = sigtimedwait(signals, NULL, &pause);
        if (number > 0 && number != SIGCHLD) {
            now->signals++;
            send_all(now, number);
        }
        reap(now);
        if (now->deadline > 0 && now_seconds() > now->deadline)
            kill_overdue(now);
    }
}

/* ---- how it ended ---------------------------------------------------------------------------- */

static vdnn_status status_of(int code)
{
    static const vdnn_status statuses[] = {
#define X(name, value, code_, text) VDNN_##name,
        VDNN_STATUS_TABLE(X)
#undef X
    };
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (vdnn_status_exit_code(statuses[i]) == code)
            return statuses[i];
    return VDNN_PEER;
}

/* As what a process ended; VDNN_OK also of one that was killed by a signal that nobody passed on.
 * One that was passed on kills a process that does not handle it yet. */
static vdnn_status status_of_end(const attempt *now, int ended)
{
    static const struct {
        int number;
        vdnn_status status;
    } signals[] = {
#define X(number, status) {number, VDNN_##status},
        VDNN_CONSOLE_SIGNALS(X)
#undef X
    };
    if (!WIFSIGNALED(ended))
        return status_of(WEXITSTATUS(ended));
    for (size_t i = 0; now->signals > 0 && i < sizeof signals / sizeof *signals; i++)
        if (signals[i].number == WTERMSIG(ended))
            return signals[i].status;
    return VDNN_OK;
}

/* What a child's end says of the cause: the others only follow one that was killed or failed. One
 * that ended at once on a signal is lost to those that hear of it later. */
static int weight_of(const attempt *now, const child *own)
{
    if (own->ended == 0)
        return 0;
    if (own->is_overdue)
        return 4;
    switch (status_of_end(now, own->ended)) {
    case VDNN_OK:
        return 6;
    case VDNN_PEER:
        return 2;
    case VDNN_REQUEUE:
    case VDNN_INTERRUPTED:
    case VDNN_TERMINATED:
        return now->signals > 1 ? 3 : 1;
    default:
        return 5;
    }
}

static int find_cause(const attempt *now)
{
    int cause = 0;
    for (int r = 1; r < now->launch->count; r++)
        if (weight_of(now, &now->children[r]) > weight_of(now, &now->children[cause]))
            cause = r;
    return cause;
}

/* With the message. */
static vdnn_status conclude(const attempt *now)
{
    const int cause = find_cause(now), ended = now->children[cause].ended,
              rank = rank_of(now, cause);
    if (ended == 0)
        return VDNN_OK;
    if (now->children[cause].is_overdue)
        return vdnn_status_fail(VDNN_PEER, "rank %d did not end when others had, and was killed",
                                rank);
    const vdnn_status status = status_of_end(now, ended);
    if (WIFSIGNALED(ended))
        return vdnn_status_fail(status == VDNN_OK ? VDNN_PEER : status,
                                "rank %d was killed by signal %d (%s)", rank, WTERMSIG(ended),
                                strsignal(WTERMSIG(ended)));
    const int code = WEXITSTATUS(ended);
    return vdnn_status_fail(status, "rank %d ended with exit code %d: %s", rank, code,
                            code == NOT_STARTED ? "it could not be started"
                                                : vdnn_status_text(status));
}

/* ---- attempts -------------------------------------------------------------------------------- */

static vdnn_status try_once(attempt *now, char *const *argv, const sigset_t *signals)
{
    memset(now->children, 0, (size_t)now->launch->count * sizeof *now->children);
    now->living = 0;
    now->deadline = 0;
    vdnn_status status = prepare_meeting(now);
    if (status == VDNN_OK)
        status = start(now, argv);
    close_listener(now);
    if (status != VDNN_OK)
        send_all(now, SIGKILL);
    watch(now, signals);
    return status == VDNN_OK ? conclude(now) : status;
}

/* The command line, and from the second attempt on the wish to resume. NULL: no memory. */
static char **copy_arguments(char *const *argv)
{
    size_t count = 0;
    while (argv[count] != NULL)
        count++;
    char **copy = calloc(count + 3, sizeof *copy);
    if (copy != NULL)
        memcpy(copy, argv, count * sizeof *copy);
    return copy;
}

static void resume(char **argv, size_t count)
{
    static char option[] = "--resume", value[] = "auto";
    argv[count] = option;
    argv[count + 1] = value;
}

/* Whether a checkpoint was written, which has its manifest. */
static bool has_checkpoint(const char *folder)
{
    bool is_found = false;
    const struct dirent *entry;
    DIR *all = opendir(folder);
    while (all != NULL && !is_found && (entry = readdir(all)) != NULL) {
        char path[PATH_MAX];
        const int length =
            snprintf(path, sizeof path, "%s/%s/manifest.json", folder, entry->d_name);
        is_found = strncmp(entry->d_name, "step-", 5) == 0 && length < (int)sizeof path &&
                   access(path, F_OK) == 0;
    }
    if (all != NULL)
        (void)closedir(all);
    return is_found;
}

static vdnn_status try_all(attempt *now, char **argv, const sigset_t *signals,
                           const vdnn_messages *messages)
{
    size_t count = 0;
    while (argv[count] != NULL)
        count++;
    for (int64_t restarts = 0;; restarts++) {
        char line[512];
        vdnn_status status = try_once(now, argv, signals);
        if (status != VDNN_PEER || now->signals > 0 || restarts == now->launch->most_restarts)
            return status;
        const bool is_begun =
            !now->launch->resumes_elsewhere || has_checkpoint(now->launch->checkpoints);
        (void)snprintf(line, sizeof line, "%s; restart %lld of %lld, from %s",
                       vdnn_status_message(), (long long)restarts + 1,
                       (long long)now->launch->most_restarts,
                       is_begun ? "the newest checkpoint" : "the checkpoint that it began from");
        messages->log(messages->context, VDNN_LOG_WARN, line);
        if (is_begun)
            resume(argv, count);
    }
}

/* As nohup has SIGHUP, which must not end the processes; one that is blocked would be waited for
 * even so. */
static bool is_ignored(int number)
{
    struct sigaction action;
    return number == SIGHUP && sigaction(number, NULL, &action) == 0 &&
           action.sa_handler == SIG_IGN;
}

vdnn_status vdnn_launch_run(const vdnn_launch *launch, const vdnn_messages *messages)
{
    static const int numbers[] = {
#define X(number, status) number,
        VDNN_CONSOLE_SIGNALS(X)
#undef X
            SIGCHLD};
    attempt now = {.launch = launch};
    sigset_t signals;
    (void)sigemptyset(&signals);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!is_ignored(numbers[i]))
            (void)sigaddset(&signals, numbers[i]);
    now.children = calloc((size_t)launch->count, sizeof *now.children);
    char **argv = copy_arguments(launch->argv);
    vdnn_status status = VDNN_OK;
    if (now.children == NULL || argv == NULL)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory to start %d processes", launch->count);
    (void)sigprocmask(SIG_BLOCK, &signals, &now.before);
    if (status == VDNN_OK)
        status = try_all(&now, argv, &signals, messages);
    (void)sigprocmask(SIG_SETMASK, &now.before, NULL);
    free(now.children);
    free(argv);
    return status;
}
