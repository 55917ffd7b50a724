/* Profiles: what is read is written again, and what was written is read as the same. */

#include "runtime/profile/profile_store.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/memory_files.h"

#include <string.h>

enum { KEY_BYTES = 256 };

/* The machine that the file says it is of, so that its rows are not all left out. */
static void find_key(const uint8_t *data, size_t size, char key[KEY_BYTES])
{
    static const char mark[] = "key ";
    const uint8_t *at = memmem(data, size, mark, strlen(mark));
    size_t length = 0;
    if (at != NULL) {
        at += strlen(mark);
        size_t left = size - (size_t)(at - data);
        while (length < left && length + 1 < KEY_BYTES && at[length] != '\n' &&
               at[length] != '\r' && at[length] != '\0')
            length++;
        memcpy(key, at, length);
    }
    key[length] = '\0';
}

static vdnn_status read_as(const char *key, const char *path, bool *stale,
                           vdnn_profile_store **store)
{
    VDNN_FUZZ_CHECK(vdnn_profile_store_create(key, store) == VDNN_OK);
    *stale = true;
    return vdnn_profile_store_read(*store, path, stale);
}

/* Written twice, with a reading between, the text is the same. */
static void check_round_trip(const vdnn_profile_store *store, const char *key)
{
    bool stale = true;
    const void *first, *second;
    size_t first_size, second_size;
    vdnn_profile_store *again = NULL;
    VDNN_FUZZ_CHECK(vdnn_profile_store_write(store, VDNN_MEMORY_FILES "/first") == VDNN_OK);
    VDNN_FUZZ_CHECK(read_as(key, VDNN_MEMORY_FILES "/first", &stale, &again) == VDNN_OK && !stale);
    VDNN_FUZZ_CHECK(vdnn_profile_store_write(again, VDNN_MEMORY_FILES "/second") == VDNN_OK);
    VDNN_FUZZ_CHECK(vdnn_memory_files_get("first", &first, &first_size));
    VDNN_FUZZ_CHECK(vdnn_memory_files_get("second", &second, &second_size));
    VDNN_FUZZ_CHECK(first_size == second_size && memcmp(first, second, first_size) == 0);
    vdnn_profile_store_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char key[KEY_BYTES];
    bool stale;
    vdnn_profile_store *store = NULL;
    vdnn_fuzz_begin();
    find_key(data, size, key);
    vdnn_status status = read_as(key, vdnn_fuzz_file("profile", data, size), &stale, &store);
    vdnn_fuzz_status(status, 1U << VDNN_BAD_INPUT);
    if (status == VDNN_OK && !stale)
        check_round_trip(store, key);
    vdnn_profile_store_destroy(store);
    return vdnn_fuzz_end();
}
