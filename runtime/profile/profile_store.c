#include "runtime/profile/profile_store.h"

#include "runtime/base/heap.h"
#include "runtime/base/input.h"
#include "runtime/base/numbers/decimal.h"
#include "runtime/base/output.h"
#include "runtime/base/system.h"
#include "runtime/base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#define HEAD "vdnn-profile 2"

/* All that is read begins so. Files of format 1 lack the rates of copies beside compute. */
static const char *const heads[] = {HEAD, "vdnn-profile 1"};
enum { HEADS = sizeof heads / sizeof *heads };

/* Of a file: some hundred bytes a row. */
enum { MAX_BYTES = 64 << 20 };

typedef struct row {
    char *signature, *algorithm;
    vdnn_pass pass;
    bool updates, is_brief, is_provisional;
    int64_t batch, workspace_bytes;
    double seconds;
} row;

struct vdnn_profile_store {
    char *key;
    double rates[VDNN_PROFILE_RATE_COUNT];
    row *rows;
    size_t row_count, row_capacity;
    size_t *slots;     /* open addressing: index of a row + 1, 0 where free */
    size_t slot_count; /* a power of two, at least twice the rows */
    size_t measured_count;
    vdnn_profile_device device;
    size_t cut_line;      /* of the file that was read; 0: it was whole */
    char *kept_path;      /* NULL: rows are not written to a file */
    vdnn_output *journal; /* the file, while rows are appended to it; else NULL */
};

static const char *const rate_names[] = {
#define X(name) #name,
    VDNN_PROFILE_RATE_TABLE(X)
#undef X
};

/* ---- the rows in memory ---------------------------------------------------------------------- */

vdnn_status vdnn_profile_store_create(const char *key, vdnn_profile_store **store)
{
    vdnn_profile_store *made = vdnn_heap_calloc(1, sizeof *made);
    if (made == NULL)
        goto fail;
    made->key = vdnn_heap_strdup(key);
    if (made->key == NULL)
        goto fail;
    /* It is one line of the file. */
    for (char *c = made->key; *c != '\0'; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' ';
    *store = made;
    return VDNN_OK;
fail:
    vdnn_profile_store_destroy(made);
    return vdnn_status_fail(VDNN_NO_MEMORY, "profile store: out of memory");
}

void vdnn_profile_store_clear_rates(vdnn_profile_store *store)
{
    for (size_t i = 0; i < VDNN_PROFILE_RATE_COUNT; i++)
        store->rates[i] = 0;
}

void vdnn_profile_store_clear(vdnn_profile_store *store)
{
    for (size_t i = 0; i < store->row_count; i++) {
        vdnn_heap_free(store->rows[i].signature);
        vdnn_heap_free(store->rows[i].algorithm);
    }
    for (size_t i = 0; i < store->slot_count; i++)
        store->slots[i] = 0;
    store->row_count = 0;
    vdnn_profile_store_clear_rates(store);
}

void vdnn_profile_store_destroy(vdnn_profile_store *store)
{
    if (store == NULL)
        return;
    vdnn_profile_store_clear(store);
    vdnn_output_abandon(store->journal);
    vdnn_heap_free(store->kept_path);
    vdnn_heap_free(store->rows);
    vdnn_heap_free(store->slots);
    vdnn_heap_free(store->key);
    vdnn_heap_free(store);
}

size_t vdnn_profile_store_measured_count(const vdnn_profile_store *store)
{
    return store->measured_count;
}

static size_t hash_of(const char *signature, const char *algorithm, vdnn_pass pass, int64_t batch)
{
    uint64_t hash = XXH3_64bits_withSeed(signature, strlen(signature), (uint64_t)batch);
    return (size_t)XXH3_64bits_withSeed(algorithm, strlen(algorithm), hash + (uint64_t)pass);
}

/* The slot that holds the row, or the free slot for it. */
static size_t *slot_of(const vdnn_profile_store *store, const vdnn_profile_row *want)
{
    size_t mask = store->slot_count - 1;
    size_t i = hash_of(want->signature, want->algorithm, want->pass, want->batch) & mask;
    for (;; i = (i + 1) & mask) {
        if (store->slots[i] == 0)
            return &store->slots[i];
        const row *at = &store->rows[store->slots[i] - 1];
        if (at->pass == want->pass && at->batch == want->batch &&
            strcmp(at->algorithm, want->algorithm) == 0 &&
            strcmp(at->signature, want->signature) == 0)
            return &store->slots[i];
    }
}

bool vdnn_profile_store_find(const vdnn_profile_store *store, vdnn_profile_row *want)
{
    if (store->slot_count == 0)
        return false;
    size_t slot = *slot_of(store, want);
    if (slot == 0)
        return false;
    want->seconds = store->rows[slot - 1].seconds;
    want->workspace_bytes = store->rows[slot - 1].workspace_bytes;
    want->updates = store->rows[slot - 1].updates;
    want->is_brief = store->rows[slot - 1].is_brief;
    want->is_provisional = store->rows[slot - 1].is_provisional;
    return true;
}

static vdnn_profile_row row_at(const row *at)
{
    return (vdnn_profile_row){.signature = at->signature,
                              .algorithm = at->algorithm,
                              .pass = at->pass,
                              .batch = at->batch,
                              .seconds = at->seconds,
                              .workspace_bytes = at->workspace_bytes,
                              .updates = at->updates,
                              .is_brief = at->is_brief,
                              .is_provisional = at->is_provisional};
}

static bool grow_rows(vdnn_profile_store *store)
{
    if (store->row_count < store->row_capacity)
        return true;
    size_t capacity = store->row_capacity == 0 ? 64 : 2 * store->row_capacity;
    row *rows = vdnn_heap_realloc(store->rows, capacity, sizeof *rows);
    if (rows == NULL)
        return false;
    store->rows = rows;
    store->row_capacity = capacity;
    return true;
}

static bool grow_slots(vdnn_profile_store *store)
{
    if (2 * (store->row_count + 1) <= store->slot_count)
        return true;
    size_t count = store->slot_count == 0 ? 128 : 2 * store->slot_count;
    size_t *slots = vdnn_heap_calloc(count, sizeof *slots);
    if (slots == NULL)
        return false;
    vdnn_heap_free(store->slots);
    store->slots = slots;
    store->slot_count = count;
    for (size_t i = 0; i < store->row_count; i++) {
        const row *at = &store->rows[i];
        vdnn_profile_row name = row_at(at);
        *slot_of(store, &name) = i + 1;
    }
    return true;
}

static vdnn_status put(vdnn_profile_store *store, const vdnn_profile_row *fresh)
{
    row made = {.pass = fresh->pass,
                .updates = fresh->updates,
                .is_brief = fresh->is_brief,
                .is_provisional = fresh->is_provisional,
                .batch = fresh->batch,
                .workspace_bytes = fresh->workspace_bytes,
                .seconds = fresh->seconds};
    if (!grow_rows(store) || !grow_slots(store))
        goto fail;
    size_t *slot = slot_of(store, fresh);
    if (*slot != 0) {
        store->rows[*slot - 1].seconds = fresh->seconds;
        store->rows[*slot - 1].workspace_bytes = fresh->workspace_bytes;
        store->rows[*slot - 1].updates = fresh->updates;
        store->rows[*slot - 1].is_brief = fresh->is_brief;
        store->rows[*slot - 1].is_provisional = fresh->is_provisional;
        return VDNN_OK;
    }
    made.signature = vdnn_heap_strdup(fresh->signature);
    made.algorithm = vdnn_heap_strdup(fresh->algorithm);
    if (made.signature == NULL || made.algorithm == NULL)
        goto fail;
    store->rows[store->row_count++] = made;
    *slot = store->row_count;
    return VDNN_OK;
fail:
    vdnn_heap_free(made.signature);
    vdnn_heap_free(made.algorithm);
    return vdnn_status_fail(VDNN_NO_MEMORY, "profile store of %zu rows: out of memory",
                            store->row_count);
}

size_t vdnn_profile_store_row_count(const vdnn_profile_store *store)
{
    return store->row_count;
}

vdnn_profile_row vdnn_profile_store_row(const vdnn_profile_store *store, size_t i)
{
    return row_at(&store->rows[i]);
}

void vdnn_profile_store_set_device(vdnn_profile_store *store, const vdnn_profile_device *device)
{
    store->device = *device;
}

const vdnn_profile_device *vdnn_profile_store_device(const vdnn_profile_store *store)
{
    return &store->device;
}

const char *vdnn_profile_store_key(const vdnn_profile_store *store)
{
    return store->key;
}

double vdnn_profile_store_rate(const vdnn_profile_store *store, vdnn_profile_rate rate)
{
    return store->rates[rate];
}

/* ---- reading a file -------------------------------------------------------------------------- */

typedef struct profile_reader {
    const char *path;
    vdnn_profile_store *store; /* what the file holds */
    size_t line, rows;
    bool headed, ended;
} profile_reader;

static vdnn_status malformed(const profile_reader *reader, const char *what)
{
    return vdnn_status_fail(VDNN_BAD_INPUT,
                            "%s:%zu: %s; give another file, or none, to measure again",
                            reader->path, reader->line, what);
}

static bool read_number(const char *word, double *number)
{
    return word != NULL && vdnn_decimal_read_real(word, number) == NULL && *number > 0;
}

static bool read_count(const char *word, int64_t least, int64_t *count)
{
    return word != NULL && vdnn_decimal_read_integer(word, count) == NULL && *count >= least;
}

static bool read_pass(const char *word, vdnn_pass *pass)
{
    for (int i = 0; word != NULL && i < VDNN_PASS_COUNT; i++)
        if (strcmp(word, vdnn_pass_text((vdnn_pass)i)) == 0) {
            *pass = (vdnn_pass)i;
            return true;
        }
    return false;
}

static vdnn_status read_key(profile_reader *reader, char *rest)
{
    vdnn_heap_free(reader->store->key);
    reader->store->key = vdnn_heap_strdup(rest);
    if (reader->store->key == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "%s: out of memory", reader->path);
    return VDNN_OK;
}

static vdnn_status read_rate(profile_reader *reader, char *rest)
{
    char *save = NULL;
    const char *name = strtok_r(rest, " ", &save), *value = strtok_r(NULL, " ", &save);
    size_t rate = 0;
    while (rate < VDNN_PROFILE_RATE_COUNT && (name == NULL || strcmp(name, rate_names[rate]) != 0))
        rate++;
    if (rate == VDNN_PROFILE_RATE_COUNT)
        return malformed(reader, "unknown rate");
    if (!read_number(value, &reader->store->rates[rate]) || strtok_r(NULL, " ", &save) != NULL)
        return malformed(reader, "expected \"rate NAME VALUE\", the value positive");
    return VDNN_OK;
}

/* Takes `word` out of the words that may follow a workspace, which stand in this order. */
static bool take_word(const char **at, char **save, const char *word)
{
    if (*at == NULL || strcmp(*at, word) != 0)
        return false;
    *at = strtok_r(NULL, " ", save);
    return true;
}

static vdnn_status read_row(profile_reader *reader, char *rest)
{
    char *save = NULL;
    vdnn_profile_row fresh = {.signature = strtok_r(rest, " ", &save)};
    const char *pass = strtok_r(NULL, " ", &save);
    fresh.algorithm = strtok_r(NULL, " ", &save);
    const char *batch = strtok_r(NULL, " ", &save), *seconds = strtok_r(NULL, " ", &save);
    const char *workspace = strtok_r(NULL, " ", &save), *words = strtok_r(NULL, " ", &save);
    fresh.workspace_bytes = -1;
    fresh.updates = take_word(&words, &save, "updates");
    fresh.is_brief = take_word(&words, &save, "brief");
    fresh.is_provisional = take_word(&words, &save, "provisional");
    if (fresh.signature == NULL || !read_pass(pass, &fresh.pass) || fresh.algorithm == NULL ||
        !read_count(batch, 1, &fresh.batch) || !read_number(seconds, &fresh.seconds) ||
        (workspace != NULL && !read_count(workspace, 0, &fresh.workspace_bytes)) || words != NULL)
        return malformed(reader,
                         "expected \"row SIGNATURE PASS ALGORITHM BATCH SECONDS WORKSPACE\", the "
                         "pass forward, backward_data or backward_filter, the seconds positive, "
                         "and behind it nothing, or some of the words updates, brief, provisional");
    reader->rows++;
    return put(reader->store, &fresh);
}

/* Words of the file for fuses_relu and pools_first: how the device computes ReLUs. */
static const char *const relu_words[2][2] = {{"alone", "alone-behind-pools"},
                                             {"fused", "fused-behind-pools"}};

static bool read_relu(const char *word, vdnn_profile_device *device)
{
    for (int fuses = 0; fuses < 2; fuses++)
        for (int pools = 0; pools < 2; pools++)
            if (word != NULL && strcmp(word, relu_words[fuses][pools]) == 0) {
                device->fuses_relu = fuses == 1;
                device->pools_first = pools == 1;
                return true;
            }
    return false;
}

static vdnn_status read_device(profile_reader *reader, char *rest)
{
    enum { THREADS, MEMORY, DEVICE, HOST, COUNTS };
    vdnn_profile_device fresh = {.kind = ""};
    int64_t counts[COUNTS];
    char *save = NULL;
    const char *kind = strtok_r(rest, " ", &save);
    bool good = kind != NULL && strlen(kind) < sizeof fresh.kind &&
                vdnn_layout_find(strtok_r(NULL, " ", &save), &fresh.preferred) &&
                read_relu(strtok_r(NULL, " ", &save), &fresh);
    for (int i = 0; good && i < COUNTS; i++)
        good = read_count(strtok_r(NULL, " ", &save), 1, &counts[i]);
    if (!good || counts[THREADS] > INT_MAX || strtok_r(NULL, " ", &save) != NULL)
        return malformed(reader,
                         "expected \"device KIND LAYOUT fused|alone[-behind-pools] THREADS MEMORY "
                         "DEVICE HOST\", the last three in bytes");
    memcpy(fresh.kind, kind, strlen(kind) + 1);
    fresh.threads = (int)counts[THREADS];
    fresh.memory_bytes = (size_t)counts[MEMORY];
    fresh.device_bytes = (size_t)counts[DEVICE];
    fresh.host_bytes = (size_t)counts[HOST];
    reader->store->device = fresh;
    return VDNN_OK;
}

static vdnn_status read_end(profile_reader *reader, char *rest)
{
    int64_t count;
    if (!read_count(rest, 0, &count) || (size_t)count != reader->rows)
        return malformed(reader, "the number of rows differs from the rows that were read");
    reader->ended = true;
    return VDNN_OK;
}

static bool is_head(const char *line)
{
    bool is = false;
    for (int i = 0; i < HEADS; i++)
        is = is || strcmp(line, heads[i]) == 0;
    return is;
}

static vdnn_status read_line(profile_reader *reader, char *line)
{
    static const struct {
        const char *word;
        vdnn_status (*read)(profile_reader *, char *rest);
    } kinds[] = {{"key", read_key},
                 {"device", read_device},
                 {"rate", read_rate},
                 {"row", read_row},
                 {"end", read_end}};

    reader->line++;
    line[strcspn(line, "\r\n")] = '\0';
    if (!reader->headed) {
        reader->headed = is_head(line);
        return reader->headed ? VDNN_OK : malformed(reader, "not a profile: expected \"" HEAD "\"");
    }
    if (reader->ended)
        return malformed(reader, "text after the end");
    size_t length = strcspn(line, " ");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strlen(kinds[i].word) == length && strncmp(line, kinds[i].word, length) == 0)
            return kinds[i].read(reader, line + length + (line[length] == ' '));
    return malformed(reader, "expected a line that begins with key, device, rate, row or end");
}

static vdnn_status read_lines(profile_reader *reader, char *text, size_t length)
{
    vdnn_status status = VDNN_OK;
    char *end = text + length;
    while (status == VDNN_OK && text < end) {
        char *next = memchr(text, '\n', (size_t)(end - text));
        if (next != NULL)
            *next = '\0';
        status = read_line(reader, text);
        text = next == NULL ? end : next + 1;
    }
    if (status != VDNN_OK || reader->ended)
        return status;
    reader->line++;
    return malformed(reader, reader->headed ? "the file is cut off: no \"end\"" : "empty file");
}

/* Whether its last line is the end. */
static bool has_end(const char *text, size_t length)
{
    while (length > 0 && text[length - 1] == '\n')
        length--;
    const char *line = length == 0 ? NULL : memrchr(text, '\n', length);
    return line != NULL && strncmp(line, "\nend ", 5) == 0;
}

/* If measuring was interrupted, the text after the last newline is not a line; after a crash of the
 * machine earlier text may be damaged too. The lines before the first damaged one are used. */
static vdnn_status read_cut(profile_reader *reader, char *text, size_t length)
{
    const char *torn = memrchr(text, '\n', length);
    vdnn_status status =
        read_lines(reader, text, torn == NULL ? length : (size_t)(torn - text) + 1);
    if (status != VDNN_BAD_INPUT || !reader->headed || reader->ended)
        return status;
    reader->store->cut_line = reader->line;
    return VDNN_OK;
}

static vdnn_status take_all(vdnn_profile_store *store, const vdnn_profile_store *from)
{
    if (from->device.kind[0] != '\0')
        store->device = from->device;
    for (size_t i = 0; i < VDNN_PROFILE_RATE_COUNT; i++)
        if (from->rates[i] > 0)
            store->rates[i] = from->rates[i];
    for (size_t i = 0; i < from->row_count; i++) {
        const row *at = &from->rows[i];
        vdnn_profile_row fresh = row_at(at);
        VDNN_TRY(put(store, &fresh));
    }
    return VDNN_OK;
}

static vdnn_status read_file(profile_reader *reader)
{
    char *text = NULL;
    size_t length;
    vdnn_status status = vdnn_input_read(reader->path, MAX_BYTES, &text, &length);
    if (status != VDNN_OK)
        return vdnn_status_prefix(status, "profile");
    status = vdnn_profile_store_create("", &reader->store);
    VDNN_IF_OK(status, has_end(text, length) ? read_lines(reader, text, length)
                                             : read_cut(reader, text, length));
    vdnn_heap_free(text);
    return status;
}

/* Of rates in bytes per second the slower is the smaller one, of seconds and their factors the
 * larger. */
static bool is_slower(vdnn_profile_rate rate, double value, double than)
{
    static const char per_second[] = "_bytes_per_second";
    const size_t length = strlen(rate_names[rate]), tail = sizeof per_second - 1;
    const bool is_rate = length > tail && strcmp(rate_names[rate] + length - tail, per_second) == 0;
    return is_rate ? value < than : value > than;
}

/* What both have becomes the slower one's in `from`. */
static void keep_slower(const vdnn_profile_store *store, vdnn_profile_store *from)
{
    for (size_t i = 0; i < VDNN_PROFILE_RATE_COUNT; i++)
        if (store->rates[i] > 0 && from->rates[i] > 0 &&
            is_slower((vdnn_profile_rate)i, store->rates[i], from->rates[i]))
            from->rates[i] = store->rates[i];
    for (size_t i = 0; i < from->row_count; i++) {
        vdnn_profile_row own = row_at(&from->rows[i]);
        if (!vdnn_profile_store_find(store, &own))
            continue;
        from->rows[i].is_brief = from->rows[i].is_brief && own.is_brief;
        from->rows[i].is_provisional = from->rows[i].is_provisional || own.is_provisional;
        if (own.seconds > from->rows[i].seconds)
            from->rows[i].seconds = own.seconds;
    }
}

vdnn_status vdnn_profile_store_merge(vdnn_profile_store *store, const char *text, size_t length)
{
    profile_reader reader = {.path = "the profile of another process"};
    char *copy = vdnn_heap_calloc(length + 1, 1);
    if (copy == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a profile of %zu bytes", length);
    memcpy(copy, text, length);
    vdnn_status status = vdnn_profile_store_create("", &reader.store);
    VDNN_IF_OK(status, read_lines(&reader, copy, length));
    if (status == VDNN_OK) {
        keep_slower(store, reader.store);
        reader.store->device = store->device; /* stays the process's own */
        status = take_all(store, reader.store);
    }
    vdnn_profile_store_destroy(reader.store);
    vdnn_heap_free(copy);
    return status;
}

vdnn_status vdnn_profile_store_open(const char *path, vdnn_profile_store **store)
{
    profile_reader reader = {.path = path};
    vdnn_status status = read_file(&reader);
    if (status == VDNN_OK && reader.store != NULL && reader.store->cut_line > 0)
        status = malformed(&reader, "the file is incomplete: its measuring was interrupted");
    if (status == VDNN_OK)
        *store = reader.store;
    else
        vdnn_profile_store_destroy(reader.store);
    return status;
}

bool vdnn_profile_store_is_one(const char *path)
{
    char begin[sizeof HEAD];
    return vdnn_system_read_text(path, begin, sizeof begin) && is_head(begin);
}

vdnn_status vdnn_profile_store_read(vdnn_profile_store *store, const char *path, bool *stale)
{
    profile_reader reader = {.path = path};
    if (vdnn_system_access(path, F_OK) != 0 && errno == ENOENT) {
        *stale = false;
        return VDNN_OK;
    }
    vdnn_status status = read_file(&reader);
    if (status == VDNN_OK)
        VDNN_INVARIANT(reader.store != NULL, ==, true);
    bool differs = status == VDNN_OK && strcmp(reader.store->key, store->key) != 0;
    if (differs)
        (void)vdnn_status_fail(VDNN_OK,
                               "profile %s is of another machine: made on \"%s\", this is \"%s\"",
                               path, reader.store->key, store->key);
    else if (status == VDNN_OK)
        status = take_all(store, reader.store);
    if (status == VDNN_OK) {
        *stale = differs;
        store->cut_line = differs ? 0 : reader.store->cut_line;
    }
    vdnn_profile_store_destroy(reader.store);
    return status;
}

size_t vdnn_profile_store_cut(const vdnn_profile_store *store)
{
    return store->cut_line;
}

/* ---- writing a file -------------------------------------------------------------------------- */

static int compare_rows(const void *left, const void *right)
{
    const row *a = *(const row *const *)left, *b = *(const row *const *)right;
    int order = strcmp(a->signature, b->signature);
    if (order == 0)
        order = (a->pass > b->pass) - (a->pass < b->pass);
    if (order == 0)
        order = strcmp(a->algorithm, b->algorithm);
    return order != 0 ? order : (a->batch > b->batch) - (a->batch < b->batch);
}

static void print_device(const vdnn_profile_device *device, vdnn_text *text)
{
    if (device->kind[0] != '\0')
        vdnn_text_add(text, "device %s %s %s %d %zu %zu %zu\n", device->kind,
                      vdnn_layout_text(device->preferred),
                      relu_words[device->fuses_relu][device->pools_first], device->threads,
                      device->memory_bytes, device->device_bytes, device->host_bytes);
}

static void print_row(const row *at, vdnn_text *text)
{
    vdnn_text_add(text, "row %s %s %s %" PRId64 " %.17g", at->signature, vdnn_pass_text(at->pass),
                  at->algorithm, at->batch, at->seconds);
    if (at->workspace_bytes >= 0)
        vdnn_text_add(text, " %" PRId64 "%s%s%s", at->workspace_bytes,
                      at->updates ? " updates" : "", at->is_brief ? " brief" : "",
                      at->is_provisional ? " provisional" : "");
    vdnn_text_add(text, "\n");
}

static void print_rate(vdnn_profile_rate rate, double value, vdnn_text *text)
{
    vdnn_text_add(text, "rate %s %.17g\n", rate_names[rate], value);
}

static vdnn_status fail_print(void)
{
    return vdnn_status_fail(VDNN_NO_MEMORY, "profile store: no memory to write it");
}

/* All but the end. */
static vdnn_status print(const vdnn_profile_store *store, vdnn_text *text)
{
    const row **sorted = vdnn_heap_calloc(store->row_count, sizeof *sorted);
    if (sorted == NULL)
        return fail_print();
    for (size_t i = 0; i < store->row_count; i++)
        sorted[i] = &store->rows[i];
    qsort(sorted, store->row_count, sizeof *sorted, compare_rows);

    vdnn_text_add(text, HEAD "\nkey %s\n", store->key);
    print_device(&store->device, text);
    for (size_t i = 0; i < VDNN_PROFILE_RATE_COUNT; i++)
        if (store->rates[i] > 0)
            print_rate((vdnn_profile_rate)i, store->rates[i], text);
    for (size_t i = 0; i < store->row_count; i++)
        print_row(sorted[i], text);
    vdnn_heap_free(sorted);
    return text->failed ? fail_print() : VDNN_OK;
}

/* To a file that does not have its final name yet. */
static vdnn_status write_text(const char *path, const vdnn_text *text, vdnn_output **output)
{
    vdnn_output *made = NULL;
    vdnn_status status = text->failed ? fail_print() : vdnn_output_create(path, &made);
    VDNN_IF_OK(status, vdnn_output_write(made, text->data, text->length));
    if (status == VDNN_OK)
        *output = made;
    else
        vdnn_output_abandon(made);
    return status;
}

vdnn_status vdnn_profile_store_print(const vdnn_profile_store *store, vdnn_text *text)
{
    vdnn_status status = print(store, text);
    vdnn_text_add(text, "end %zu\n", store->row_count);
    return status == VDNN_OK && text->failed ? fail_print() : status;
}

vdnn_status vdnn_profile_store_write(const vdnn_profile_store *store, const char *path)
{
    vdnn_text text = {0};
    vdnn_output *output = NULL;
    vdnn_status status = vdnn_profile_store_print(store, &text);
    VDNN_IF_OK(status, write_text(path, &text, &output));
    VDNN_IF_OK(status, vdnn_output_commit(output));
    vdnn_text_fini(&text);
    return status == VDNN_OK ? VDNN_OK : vdnn_status_prefix(status, "profile");
}

vdnn_status vdnn_profile_store_write_over(const vdnn_profile_store *store, const char *path)
{
    vdnn_profile_store *all = NULL;
    bool stale;
    VDNN_TRY(vdnn_profile_store_create(store->key, &all));
    (void)vdnn_profile_store_read(all, path, &stale);
    vdnn_status status = take_all(all, store);
    VDNN_IF_OK(status, vdnn_profile_store_write(all, path));
    vdnn_profile_store_destroy(all);
    return status;
}

/* ---- a file that has every row at once ------------------------------------------------------- */

vdnn_status vdnn_profile_store_keep(vdnn_profile_store *store, const char *path)
{
    char *copy = vdnn_heap_strdup(path);
    if (copy == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "profile store: out of memory");
    vdnn_heap_free(store->kept_path);
    store->kept_path = copy;
    return VDNN_OK;
}

/* All that the store has. */
static vdnn_status begin_journal(vdnn_profile_store *store)
{
    vdnn_text text = {0};
    vdnn_output *output = NULL;
    vdnn_status status = print(store, &text);
    VDNN_IF_OK(status, write_text(store->kept_path, &text, &output));
    vdnn_text_fini(&text);
    VDNN_IF_OK(status, vdnn_output_publish(output));
    if (status == VDNN_OK)
        store->journal = output;
    else
        vdnn_output_abandon(output);
    return status;
}

/* Appends the line of a row that is in the store already; stops appending after a failure. */
static vdnn_status keep_line(vdnn_profile_store *store, vdnn_text *line)
{
    vdnn_status status = line->failed ? fail_print() : VDNN_OK;
    store->measured_count++;
    if (status == VDNN_OK && store->kept_path != NULL)
        status = store->journal == NULL
                     ? begin_journal(store)
                     : vdnn_output_write(store->journal, line->data, line->length);
    vdnn_text_fini(line);
    return status == VDNN_OK ? VDNN_OK : vdnn_status_prefix(status, "profile");
}

vdnn_status vdnn_profile_store_add(vdnn_profile_store *store, const vdnn_profile_row *fresh)
{
    vdnn_text line = {0};
    VDNN_TRY(put(store, fresh));
    print_row(&store->rows[*slot_of(store, fresh) - 1], &line);
    return keep_line(store, &line);
}

vdnn_status vdnn_profile_store_set_rate(vdnn_profile_store *store, vdnn_profile_rate rate,
                                        double value)
{
    vdnn_text line = {0};
    store->rates[rate] = value;
    print_rate(rate, value, &line);
    return keep_line(store, &line);
}

vdnn_status vdnn_profile_store_finish(vdnn_profile_store *store)
{
    if (store->kept_path == NULL || (store->journal == NULL && store->cut_line == 0))
        return VDNN_OK;
    VDNN_TRY(vdnn_profile_store_write(store, store->kept_path));
    vdnn_output_abandon(store->journal);
    store->journal = NULL;
    store->cut_line = 0;
    return VDNN_OK;
}
