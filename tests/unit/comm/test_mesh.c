/* How processes meet: who is let in, who is turned away, and what is said when somebody is missing.
 */

#include "runtime/comm/handshake.h"
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

static void one_that_sends_garbage_is_turned_away(void **state)
{
    static const char garbage[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    (void)state;
    begin(long_timeout);
    start(0, 1);
    const int file = visit();
    say(file, garbage, sizeof garbage);
    expect_to_be_turned_away(file);
    start(2, 2);
    expect_all_well();
    expect_log("it is no process of vdnn");
}

static void one_of_another_version_is_turned_away_and_can_tell(void **state)
{
    vdnn_greeting greeting;
    (void)state;
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
static void one_that_repeats_the_proof_of_another_is_turned_away(void **state)
{
    vdnn_greeting greeting;
    vdnn_claim claim = {.channel = 0};
    (void)state;
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

static void those_that_are_silent_keep_nobody_waiting(void **state)
{
    static int files[MANY];
    (void)state;
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
}

static void one_that_is_too_slow_is_turned_away(void **state)
{
    (void)state;
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

static void a_rank_that_never_comes_is_named_to_all(void **state)
{
    (void)state;
    begin(short_timeout);
    start(0, 1);
    expect(0, VDNN_PEER, "rank 2 did not come to rank 0 at 127.0.0.1:");
    expect(1, VDNN_PEER, "rank 2 did not come to rank 0 at 127.0.0.1:");
}

static void ranks_without_rank_0_say_where_it_was_expected(void **state)
{
    (void)state;
    begin(short_timeout);
    (void)close(ranks.listener);
    start(1, 2);
    expect(1, VDNN_PEER, "rank 0 is not met at 127.0.0.1:");
    expect(2, VDNN_PEER, "Connection refused");
    ranks.listener = dup(STDOUT_FILENO); /* for the end */
}

static void a_rank_with_another_secret_is_told_and_named(void **state)
{
    (void)state;
    begin(short_timeout);
    ranks.members[2].world.secret = "another";
    start(0, 2);
    expect(2, VDNN_USAGE, "another secret");
    expect(1, VDNN_PEER, "rank 2 did not come");
    expect(0, VDNN_PEER, "rank 2 did not come");
    assert_non_null(strstr(ranks.outcomes[0].message, "does not know the secret"));
}

static void of_two_processes_that_claim_one_rank_the_second_is_turned_away(void **state)
{
    (void)state;
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

static void a_rank_of_another_number_of_ranks_is_turned_away(void **state)
{
    (void)state;
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

static void one_rank_meets_itself(void **state)
{
    (void)state;
    begin(long_timeout);
    ranks.members[0].world.ranks = 1;
    start(0, 0);
    expect(0, VDNN_MISMATCH, "the sum is 3"); /* of one rank */
}

/* ---- addresses ------------------------------------------------------------------------------- */

static void addresses_that_cannot_be_used_are_named(void **state)
{
    static const char *const wrong[] = {"",           "localhost",   ":7",
                                        "localhost:", "localhost:x", "localhost:65536",
                                        "::1:7",      "[::1]7",      "[]:7"};
    char taken[64];
    int listener, other, port;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_status(vdnn_socket_listen(wrong[i], &listener, &port), VDNN_USAGE);
        assert_message("HOST:PORT");
    }
    assert_status(vdnn_socket_listen("no such host:7", &listener, &port), VDNN_USAGE);
    assert_message("is not known");
    assert_status(vdnn_socket_listen("192.0.2.1:7", &listener, &port), VDNN_USAGE); /* RFC 5737 */
    assert_message("none of this host's");
    assert_ok(vdnn_socket_listen("127.0.0.1:0", &listener, &port));
    (void)snprintf(taken, sizeof taken, "127.0.0.1:%d", port);
    assert_status(vdnn_socket_listen(taken, &other, &port), VDNN_USAGE);
    assert_message("choose another port");
    (void)close(listener);
}

static void a_host_is_named_by_name_or_by_number(void **state)
{
    vdnn_endpoints found;
    char text[VDNN_ENDPOINT_TEXT_BYTES];
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(one_that_sends_garbage_is_turned_away, end_ranks),
        cmocka_unit_test_teardown(one_of_another_version_is_turned_away_and_can_tell, end_ranks),
        cmocka_unit_test_teardown(one_that_repeats_the_proof_of_another_is_turned_away, end_ranks),
        cmocka_unit_test_teardown(those_that_are_silent_keep_nobody_waiting, end_ranks),
        cmocka_unit_test_teardown(one_that_is_too_slow_is_turned_away, end_ranks),
        cmocka_unit_test_teardown(a_rank_that_never_comes_is_named_to_all, end_ranks),
        cmocka_unit_test_teardown(ranks_without_rank_0_say_where_it_was_expected, end_ranks),
        cmocka_unit_test_teardown(a_rank_with_another_secret_is_told_and_named, end_ranks),
        cmocka_unit_test_teardown(of_two_processes_that_claim_one_rank_the_second_is_turned_away,
                                  end_ranks),
        cmocka_unit_test_teardown(a_rank_of_another_number_of_ranks_is_turned_away, end_ranks),
        cmocka_unit_test_teardown(one_rank_meets_itself, end_ranks),
        cmocka_unit_test(addresses_that_cannot_be_used_are_named),
        cmocka_unit_test(a_host_is_named_by_name_or_by_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
