/* How processes meet: who is let in, who is turned away, and what is said when somebody is missing.
 */

#include "runtime/comm/approach.h"
#include "runtime/comm/handshake.h"
#include "runtime/comm/mesh.h"
#include "runtime/comm/sockets.h"
#include "tests/support/rank_processes.h"
#include "tests/support/vdnn_test.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RANKS = 3, MANY = 150 };

static const double long_timeout = 60, short_timeout = 1;

static vdnn_test_ranks ranks;

static vdnn_status sum_once(vdnn_group *end, vdnn_test_outcome *own)
{
    float values[3] = {1, 2, 3};
    vdnn_status status = vdnn_group_sum(end, values, 3);
    (void)own;
    if (status == VDNN_OK && values[2] != 3.0F * RANKS)
        status = vdnn_status_fail(VDNN_MISMATCH, "the sum is %g", (double)values[2]);
    return status;
}

static void begin(double peer_timeout)
{
    vdnn_test_ranks_begin(RANKS, peer_timeout, &ranks);
}

static int end_ranks(void **state)
{
    (void)state;
    vdnn_test_ranks_end(&ranks);
    return 0;
}

static void start(int32_t from, int32_t to)
{
    for (int32_t r = from; r <= to; r++)
        vdnn_test_ranks_start(&ranks, r, sum_once);
}

static void expect(int32_t member, vdnn_status status, const char *message)
{
    const vdnn_test_outcome *one = vdnn_test_ranks_wait(&ranks, member);
    if (one->signal != 0 || one->status != status ||
        (message != NULL && strstr(one->message, message) == NULL))
        fail_msg("member %d: signal %d, status %d: %s", (int)member, one->signal, (int)one->status,
                 one->message);
}

static void expect_all_well(void)
{
    for (int32_t r = 0; r < RANKS; r++)
        expect(r, VDNN_OK, NULL);
}

/* ---- strangers ------------------------------------------------------------------------------- */

static int visit(void)
{
    vdnn_endpoints found;
    int file;
    assert_ok(vdnn_socket_resolve(ranks.address, &found));
    assert_int_equal(vdnn_socket_connect(&found.all[0], vdnn_socket_now() + long_timeout, &file),
                     0);
    return file;
}

/* Until the other end closes the connection. */
static void expect_to_be_turned_away(int file)
{
    char bytes[256];
    int error = 0;
    while (error == 0)
        error = vdnn_socket_receive(file, bytes, 1, vdnn_socket_now() + long_timeout);
    assert_int_equal(error, ECONNRESET);
    (void)close(file);
}

static void say(int file, const void *bytes, size_t count)
{
    assert_int_equal(vdnn_socket_send(file, bytes, count, vdnn_socket_now() + long_timeout), 0);
}

static void expect_log(const char *line)
{
    if (strstr(ranks.outcomes[0].log, line) == NULL)
        fail_msg("\"%s\" is not in the log:\n%s", line, ranks.outcomes[0].log);
}

TEST_WITH(one_that_sends_garbage_is_turned_away, NULL, end_ranks)
{
    static const char garbage[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    begin(long_timeout);
    start(0, 1);
    const int file = visit();
    say(file, garbage, sizeof garbage);
    expect_to_be_turned_away(file);
    start(2, 2);
    expect_all_well();
    expect_log("it is no process of vdnn");
}

TEST_WITH(one_of_another_version_is_turned_away_and_can_tell, NULL, end_ranks)
{
    vdnn_greeting greeting;
    begin(long_timeout);
    start(0, 1);
    const int file = visit();
    assert_int_equal(vdnn_socket_receive(file, &greeting, sizeof greeting.head,
                                         vdnn_socket_now() + long_timeout),
                     0);
    assert_true(vdnn_handshake_is_ours(&greeting.head));
    assert_int_equal(greeting.head.version, VDNN_HANDSHAKE_VERSION);
    greeting.head.version++;
    say(file, &greeting.head, sizeof greeting.head);
    expect_to_be_turned_away(file);
    start(2, 2);
    expect_all_well();
    expect_log("it has another version of vdnn");
}

/* It heard a whole conversation, and repeats it. */
TEST_WITH(one_that_repeats_the_proof_of_another_is_turned_away, NULL, end_ranks)
{
    vdnn_greeting greeting;
    vdnn_claim claim = {.channel = 0};
    begin(long_timeout);
    start(0, 1);
    assert_ok(vdnn_handshake_greet(&greeting, 0));
    assert_ok(vdnn_handshake_claim(&ranks.members[2].world, &greeting, &claim));
    const int file = visit();
    say(file, &claim, sizeof claim);
    expect_to_be_turned_away(file);
    start(2, 2);
    expect_all_well();
    expect_log("it does not know the secret");
}

TEST_WITH(those_that_are_silent_keep_nobody_waiting, NULL, end_ranks)
{
    static int files[MANY];
    begin(long_timeout);
    start(0, 0);
    for (int i = 0; i < MANY; i++) {
        files[i] = visit();
        if (i % 2 == 1)
            say(files[i], "vdnn", 4); /* and no more */
    }
    const double began = vdnn_socket_now();
    start(1, 2);
    expect_all_well();
    assert_true(vdnn_socket_now() - began < long_timeout / 2);
    for (int i = 0; i < MANY; i++)
        (void)close(files[i]);
    expect_log("too many come at a time");
    int lines = 0; /* of the first ones, and of each power of two */
    for (const char *c = ranks.outcomes[0].log; *c != '\0'; c++)
        lines += *c == '\n';
    assert_true(lines <= 16);
}

TEST_WITH(one_that_is_too_slow_is_turned_away, NULL, end_ranks)
{
    begin(8); /* a quarter of which it has */
    start(0, 1);
    const int file = visit();
    say(file, "vdnn", 4);
    expect_to_be_turned_away(file);
    start(2, 2);
    expect_all_well();
    expect_log("it did not prove in time");
}

/* ---- ranks that do not fit ------------------------------------------------------------------- */

TEST_WITH(a_rank_that_never_comes_is_named_to_all, NULL, end_ranks)
{
    begin(short_timeout);
    start(0, 1);
    expect(0, VDNN_PEER, "rank 2 did not come to rank 0 at 127.0.0.1:");
    expect(1, VDNN_PEER, "rank 2 did not come to rank 0 at 127.0.0.1:");
}

TEST_WITH(ranks_without_rank_0_say_where_it_was_expected, NULL, end_ranks)
{
    begin(short_timeout);
    vdnn_socket_close_all(&ranks.listeners);
    start(1, 2);
    expect(1, VDNN_PEER, "rank 0 is not met at 127.0.0.1:");
    expect(2, VDNN_PEER, "Connection refused");
}

TEST_WITH(a_rank_with_another_secret_is_told_and_named, NULL, end_ranks)
{
    begin(short_timeout);
    ranks.members[2].world.secret = "another";
    start(0, 2);
    expect(2, VDNN_USAGE, "another secret");
    expect(1, VDNN_PEER, "rank 2 did not come");
    expect(0, VDNN_PEER, "rank 2 did not come");
    assert_non_null(strstr(ranks.outcomes[0].message, "does not know the secret"));
}

TEST_WITH(of_two_processes_that_claim_one_rank_the_second_is_turned_away, NULL, end_ranks)
{
    begin(long_timeout);
    ranks.members[RANKS].world.rank = 1;
    start(0, 1);
    start(RANKS, RANKS);
    siginfo_t ended; /* the one that came later, whichever it is */
    assert_int_equal(waitid(P_ALL, 0, &ended, WEXITED | WNOWAIT), 0);
    const int32_t later = ended.si_pid == ranks.members[1].process ? 1 : RANKS;
    expect(later, VDNN_USAGE, "another one is rank 1 already");
    start(2, 2);
    expect(0, VDNN_OK, NULL);
    expect(later == 1 ? RANKS : 1, VDNN_OK, NULL);
    expect(2, VDNN_OK, NULL);
    expect_log("claims rank 1, which has come already");
}

TEST_WITH(a_rank_of_another_number_of_ranks_is_turned_away, NULL, end_ranks)
{
    begin(long_timeout);
    ranks.members[RANKS].world.rank = 2;
    ranks.members[RANKS].world.ranks = RANKS + 1;
    start(0, 1);
    start(RANKS, RANKS);
    expect(RANKS, VDNN_USAGE, "here are 4 ranks, there 3");
    start(2, 2);
    expect_all_well();
    expect_log("it is rank 2 of 4, but here are 3 ranks");
}

TEST_WITH(one_rank_meets_itself, NULL, end_ranks)
{
    begin(long_timeout);
    ranks.members[0].world.ranks = 1;
    start(0, 0);
    expect(0, VDNN_MISMATCH, "the sum is 3"); /* of one rank */
}

/* ---- addresses ------------------------------------------------------------------------------- */

TEST(addresses_that_cannot_be_used_are_named)
{
    static const char *const wrong[] = {"",           "localhost",   ":7",
                                        "localhost:", "localhost:x", "localhost:65536",
                                        "::1:7",      "[::1]7",      "[]:7"};
    char taken[64];
    int port;
    vdnn_listeners listeners, others;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_status(vdnn_socket_listen(wrong[i], &listeners, &port), VDNN_USAGE);
        assert_message("HOST:PORT");
    }
    assert_status(vdnn_socket_listen("no such host:7", &listeners, &port), VDNN_USAGE);
    assert_message("is not known");
    assert_status(vdnn_socket_listen("192.0.2.1:7", &listeners, &port), VDNN_USAGE); /* RFC 5737 */
    assert_message("none of this host's");
    assert_ok(vdnn_socket_listen("127.0.0.1:0", &listeners, &port));
    (void)snprintf(taken, sizeof taken, "127.0.0.1:%d", port);
    assert_status(vdnn_socket_listen(taken, &others, &port), VDNN_USAGE);
    assert_message("choose another port");
    vdnn_socket_close_all(&listeners);
}

TEST(a_host_is_named_by_name_or_by_number)
{
    vdnn_endpoints found;
    char text[VDNN_ENDPOINT_TEXT_BYTES];
    assert_true(vdnn_socket_is_local_name("localhost:1"));
    assert_true(vdnn_socket_is_local_name("127.0.1.1:1"));
    assert_true(vdnn_socket_is_local_name("[::1]:1"));
    assert_false(vdnn_socket_is_local_name("10.0.0.1:1"));
    assert_false(vdnn_socket_is_local_name("127.example.org:1"));
    assert_ok(vdnn_socket_resolve("10.1.2.3:45", &found));
    assert_int_equal(found.count, 1);
    assert_string_equal(vdnn_endpoint_text(&found.all[0], text), "10.1.2.3:45");
    assert_false(vdnn_endpoint_is_loopback(&found.all[0]));
    assert_ok(vdnn_socket_resolve("[::1]:45", &found));
    assert_string_equal(vdnn_endpoint_text(&found.all[0], text), "[::1]:45");
    assert_true(vdnn_endpoint_is_loopback(&found.all[0]));
}

static vdnn_status stop(void *context)
{
    (void)context;
    return VDNN_TERMINATED;
}

/* One that takes connections and says nothing, as behind some firewalls, keeps no other waiting. */
TEST_WITH(an_address_that_is_silent_keeps_no_other_waiting, NULL, end_ranks)
{
    vdnn_listeners silent;
    vdnn_endpoints found;
    vdnn_endpoint all[2];
    vdnn_greeting greeting;
    int port, file;
    int32_t which;
    begin(long_timeout);
    start(0, 0);
    assert_ok(vdnn_socket_listen("127.0.0.1:0", &silent, &port));
    assert_ok(vdnn_socket_resolve(ranks.address, &found));
    all[0] = all[1] = found.all[0];
    vdnn_endpoint_set_port(&all[0], port);
    const double began = vdnn_socket_now();
    const vdnn_approach ask = {&ranks.members[1].world, 0, all, 2, began + long_timeout, -1};
    assert_ok(vdnn_approach_reach(&ask, &file, &greeting, &which));
    assert_int_equal(which, 1);
    assert_true(vdnn_socket_now() - began < long_timeout / 2);
    (void)close(file);
    start(1, 2);
    expect_all_well();
    vdnn_socket_close_all(&silent);
}

TEST(a_signal_ends_the_wait_for_others)
{
    const vdnn_messages messages = {.size = sizeof messages, .interrupted = stop};
    vdnn_world world = {.ranks = 2, .address = "127.0.0.1:0", .secret = "s", .messages = &messages};
    vdnn_endpoints found;
    vdnn_mesh *mesh;
    vdnn_greeting greeting;
    vdnn_listeners silent;
    int port, file;
    int32_t which;
    world.peer_timeout = long_timeout;
    const double began = vdnn_socket_now();
    assert_status(vdnn_mesh_open(&world, 1, &mesh), VDNN_TERMINATED);
    assert_message("while the processes met");
    assert_ok(vdnn_socket_listen("127.0.0.1:0", &silent, &port));
    assert_ok(vdnn_socket_resolve("127.0.0.1:0", &found));
    vdnn_endpoint_set_port(&found.all[0], port);
    const vdnn_approach ask = {&world, 0, found.all, 1, began + long_timeout, -1};
    assert_status(vdnn_approach_reach(&ask, &file, &greeting, &which), VDNN_TERMINATED);
    assert_true(vdnn_socket_now() - began < long_timeout / 2);
    vdnn_socket_close_all(&silent);
}

TEST(rank_0_listens_at_every_address_of_its_name)
{
    vdnn_listeners listeners;
    vdnn_endpoints found;
    int port, file, error;
    assert_ok(vdnn_socket_listen("localhost:0", &listeners, &port));
    assert_ok(vdnn_socket_resolve("localhost:0", &found));
    for (int32_t i = 0; i < found.count; i++) {
        vdnn_endpoint_set_port(&found.all[i], port);
        error = vdnn_socket_connect(&found.all[i], vdnn_socket_now() + long_timeout, &file);
        assert_true(error == 0 || error == EADDRNOTAVAIL || error == EAFNOSUPPORT);
        if (error == 0)
            (void)close(file);
    }
    vdnn_socket_close_all(&listeners);
}

/* This process is rank 0. */
TEST_WITH(a_word_of_rank_0_that_is_no_status_is_refused, NULL, end_ranks)
{
    struct {
        uint32_t status;
        char why[512];
    } word = {.status = 999};
    vdnn_greeting greeting;
    vdnn_claim claim;
    vdnn_answer answer;
    vdnn_endpoint from;
    const double until = vdnn_socket_now() + long_timeout;
    begin(long_timeout);
    start(1, 1);
    struct pollfd door = {.fd = ranks.listeners.files[0], .events = POLLIN};
    assert_int_equal(vdnn_socket_wait(&door, 1, until), 0);
    const int file = vdnn_socket_accept(door.fd, &from);
    assert_ok(vdnn_handshake_greet(&greeting, 0));
    say(file, &greeting, sizeof greeting);
    assert_int_equal(vdnn_socket_receive(file, &claim, sizeof claim, until), 0);
    vdnn_handshake_answer(&ranks.members[0].world, &greeting, &claim, VDNN_WELCOME, &answer);
    say(file, &answer, sizeof answer);
    say(file, &word, sizeof word);
    expect(1, VDNN_PEER, "ends with 999, which is no status");
    (void)close(file);
}
