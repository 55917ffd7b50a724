/* Profiles: what is read is written again, and what was written is read as the same. */

#include "runtime/profile_store.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <string.h>

enum { KEY_BYTES = 256, TEXT_BYTES = 1 << 16 };

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

static size_t load(const char *path, char text[TEXT_BYTES])
{
    FILE *file = fopen(path, "rbe");
    VDNN_FUZZ_CHECK(file != NULL);
    size_t size = fread(text, 1, TEXT_BYTES, file);
    (void)fclose(file);
    return size;
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
    static char first[TEXT_BYTES], second[TEXT_BYTES];
    bool stale = true;
    vdnn_profile_store *again = NULL;
    const char *path = vdnn_fuzz_file("again", "", 0);
    VDNN_FUZZ_CHECK(vdnn_profile_store_write(store, path) == VDNN_OK);
    size_t size = load(path, first);
    VDNN_FUZZ_CHECK(read_as(key, path, &stale, &again) == VDNN_OK && !stale);
    VDNN_FUZZ_CHECK(vdnn_profile_store_write(again, path) == VDNN_OK);
    VDNN_FUZZ_CHECK(load(path, second) == size && memcmp(first, second, size) == 0);
    vdnn_profile_store_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char key[KEY_BYTES];
    bool stale;
    static unsigned turn;
    vdnn_profile_store *store = NULL;
    vdnn_fuzz_begin();
    find_key(data, size, key);
    vdnn_status status = read_as(key, vdnn_fuzz_file("profile", data, size), &stale, &store);
    vdnn_fuzz_status(status, 1U << VDNN_BAD_INPUT);
    /* Writing waits for the disk; one in a few is enough. */
    if (status == VDNN_OK && !stale && turn++ % 16 == 0)
        check_round_trip(store, key);
    vdnn_profile_store_destroy(store);
    return vdnn_fuzz_end();
}
