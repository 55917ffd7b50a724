#include "tests/support/vdnn_test.h"

#include "runtime/base/heap.h"

#include <pthread.h>
#include <string.h>

TEST(memory_is_zeroed_and_counted)
{
    size_t live = vdnn_heap_live_count(), calls = vdnn_heap_call_count();
    unsigned char *block = vdnn_heap_calloc(1000, 3);
    assert_non_null(block);
    for (int i = 0; i < 3000; i++)
        assert_int_equal(block[i], 0);
    assert_int_equal(vdnn_heap_live_count(), live + 1);
    assert_int_equal(vdnn_heap_call_count(), calls + 1);
    vdnn_heap_free(block);
    assert_int_equal(vdnn_heap_live_count(), live);
}

TEST(a_zero_product_gives_a_pointer_of_its_own)
{
    void *a = vdnn_heap_calloc(0, 8), *b = vdnn_heap_calloc(8, 0),
         *c = vdnn_heap_realloc(NULL, 0, 1);
    assert_non_null(a);
    assert_non_null(b);
    assert_non_null(c);
    assert_ptr_not_equal(a, b);
    assert_ptr_not_equal(b, c);
    vdnn_heap_free(a);
    vdnn_heap_free(b);
    vdnn_heap_free(c);
}

TEST(products_that_overflow_give_null)
{
    volatile size_t many = SIZE_MAX / 2 + 1;
    size_t live = vdnn_heap_live_count();
    assert_null(vdnn_heap_calloc(many, 2));
    assert_null(vdnn_heap_realloc(NULL, many, 2));
    assert_null(vdnn_heap_realloc(NULL, many, 1));
    assert_int_equal(vdnn_heap_live_count(), live);
}

TEST(growing_keeps_the_content)
{
    size_t live = vdnn_heap_live_count();
    char *text = vdnn_heap_realloc(NULL, 4, 1);
    assert_non_null(text);
    memcpy(text, "abc", 4);
    text = vdnn_heap_realloc(text, 100000, 1);
    assert_non_null(text);
    assert_string_equal(text, "abc");
    assert_int_equal(vdnn_heap_live_count(), live + 1);
    vdnn_heap_free(text);
    assert_int_equal(vdnn_heap_live_count(), live);
}

TEST(a_failed_growth_leaves_the_old_block)
{
    char *text = vdnn_heap_strdup("offload");
    vdnn_heap_fail_after(1);
    assert_null(vdnn_heap_realloc(text, 1000, 1));
    assert_string_equal(text, "offload");
    vdnn_heap_free(text);
}

TEST(only_the_nth_call_fails)
{
    vdnn_heap_fail_after(3);
    void *a = vdnn_heap_calloc(1, 1), *b = vdnn_heap_strdup("b");
    assert_non_null(a);
    assert_non_null(b);
    assert_null(vdnn_heap_calloc(1, 1));
    void *c = vdnn_heap_calloc(1, 1);
    assert_non_null(c);
    vdnn_heap_free(a);
    vdnn_heap_free(b);
    vdnn_heap_free(c);
}

TEST(a_failure_that_was_asked_for_can_be_taken_back)
{
    vdnn_heap_fail_after(1);
    vdnn_heap_fail_after(0);
    void *block = vdnn_heap_calloc(1, 1);
    assert_non_null(block);
    vdnn_heap_free(block);
}

TEST(freeing_null_changes_nothing)
{
    size_t live = vdnn_heap_live_count();
    vdnn_heap_free(NULL);
    assert_int_equal(vdnn_heap_live_count(), live);
}

enum { THREADS = 4, ROUNDS = 5000 };

static void *churn(void *unused)
{
    for (int i = 0; i < ROUNDS; i++)
        vdnn_heap_free(vdnn_heap_calloc(1, (size_t)i % 64));
    return unused;
}

TEST(counts_are_right_with_many_threads)
{
    size_t live = vdnn_heap_live_count(), calls = vdnn_heap_call_count();
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, churn, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(vdnn_heap_live_count(), live);
    assert_int_equal(vdnn_heap_call_count(), calls + THREADS * ROUNDS);
}
