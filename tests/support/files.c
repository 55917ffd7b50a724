#include "tests/support/files.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

void vdnn_test_make_folders_in_memory(void)
{
    static const char memory[] = "/dev/shm";
    if (access(memory, W_OK | X_OK) == 0)
        (void)setenv("TMPDIR", memory, 0);
}

int vdnn_test_make_folder(void **state)
{
    const char *parent = getenv("TMPDIR");
    size_t size = strlen(parent != NULL ? parent : "/tmp") + 32;
    char *path = malloc(size);
    if (path == NULL)
        return -1;
    (void)snprintf(path, size, "%s/vdnn_test_XXXXXX", parent != NULL ? parent : "/tmp");
    *state = path;
    return mkdtemp(path) != NULL ? 0 : -1;
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *at)
{
    (void)info, (void)type, (void)at;
    return remove(path);
}

void vdnn_test_remove(const char *folder)
{
    assert_int_equal(nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS), 0);
}

int vdnn_test_remove_folder(void **state)
{
    int error = nftw(*state, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    free(*state);
    return error;
}

const char *vdnn_test_path(const char *folder, const char *name)
{
    static char paths[8][1024];
    static size_t turn;
    char *path = paths[turn++ % 8];
    assert_true((size_t)snprintf(path, sizeof *paths, "%s/%s", folder, name) < sizeof *paths);
    return path;
}

void vdnn_test_write_file(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

void vdnn_test_write_below(const char *folder, const char *path, const char *text)
{
    char whole[1024];
    assert_true((size_t)snprintf(whole, sizeof whole, "%s/%s", folder, path) < sizeof whole);
    for (char *slash = strchr(whole + strlen(folder) + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(whole, 0700);
        *slash = '/';
    }
    vdnn_test_write_file(whole, text, strlen(text));
}

void vdnn_test_make_below(const char *folder, const char *name)
{
    assert_int_equal(mkdir(vdnn_test_path(folder, name), 0755), 0);
}

void vdnn_test_write_packed(const char *path, const void *bytes, size_t count)
{
    gzFile file = gzopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, bytes, (unsigned)count), count);
    assert_int_equal(gzclose(file), Z_OK);
}

void vdnn_test_read_file(const char *path, char **bytes, size_t *count)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    assert_true(size >= 0);
    rewind(file);
    char *fresh = malloc((size_t)size + 1);
    assert_non_null(fresh);
    assert_int_equal(fread(fresh, 1, (size_t)size, file), (size_t)size);
    assert_int_equal(fclose(file), 0);
    fresh[size] = '\0';
    *bytes = fresh;
    *count = (size_t)size;
}

void vdnn_test_same_files(const char *folder, const char *one, const char *other)
{
    char *bytes[2];
    size_t counts[2];
    vdnn_test_read_file(vdnn_test_path(folder, one), &bytes[0], &counts[0]);
    vdnn_test_read_file(vdnn_test_path(folder, other), &bytes[1], &counts[1]);
    assert_int_equal(counts[0], counts[1]);
    assert_memory_equal(bytes[0], bytes[1], counts[0]);
    free(bytes[0]);
    free(bytes[1]);
}

void vdnn_test_expect_same_file(const char *a, const char *b)
{
    char *left, *right;
    size_t left_count, right_count;
    vdnn_test_read_file(a, &left, &left_count);
    vdnn_test_read_file(b, &right, &right_count);
    assert_int_equal(left_count, right_count);
    assert_memory_equal(left, right, left_count);
    free(left);
    free(right);
}

static const char *needed(const char *folder, const char *where)
{
    if (access(folder, R_OK) != 0)
        skip_because("%s is not there (%s)", folder, where);
    return folder;
}

const char *vdnn_test_data(const char *name)
{
    const char *parent = getenv("VDNN_TEST_DATASETS");
    return needed(vdnn_test_path(parent == NULL ? "../shared/data" : parent, name),
                  "VDNN_TEST_DATASETS names a folder with it");
}

const char *vdnn_test_fashion_mnist(void)
{
    return needed("/usr/share/datasets/fashion-mnist", "`tools/setup.sh build` installs it");
}

int vdnn_test_folder_count(const char *folder)
{
    int count = 0;
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (const struct dirent *entry; (entry = readdir(entries)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    assert_int_equal(closedir(entries), 0);
    return count;
}

void vdnn_test_copy_folder(const char *from, const char *to)
{
    assert_int_equal(mkdir(to, 0755), 0);
    DIR *entries = opendir(from);
    assert_non_null(entries);
    for (const struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        char source[1024], target[1024], *bytes;
        size_t count;
        struct stat info;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        (void)snprintf(source, sizeof source, "%s/%s", from, entry->d_name);
        (void)snprintf(target, sizeof target, "%s/%s", to, entry->d_name);
        assert_int_equal(stat(source, &info), 0);
        if (S_ISDIR(info.st_mode)) {
            vdnn_test_copy_folder(source, target);
            continue;
        }
        vdnn_test_read_file(source, &bytes, &count);
        vdnn_test_write_file(target, bytes, count);
        free(bytes);
    }
    assert_int_equal(closedir(entries), 0);
}
