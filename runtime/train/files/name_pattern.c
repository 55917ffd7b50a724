#include "runtime/train/files/name_pattern.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = VDNN_NAME_PATTERN_BYTES, GROUPS = VDNN_NAME_PATTERN_GROUPS };

bool vdnn_name_pattern_match(const char *pattern, const char *name, vdnn_name_groups *groups,
                             bool *no_memory)
{
    char whole[BYTES];
    regex_t compiled;
    (void)snprintf(whole, sizeof whole, "^(%s)$", pattern);
    if (regcomp(&compiled, whole, REG_EXTENDED) != 0) {
        *no_memory = true; /* the patterns are good */
        return false;
    }
    regmatch_t found[GROUPS + 1];
    const bool is_one = regexec(&compiled, name, GROUPS + 1, found, 0) == 0;
    for (int g = 0; g < GROUPS; g++) {
        const regmatch_t *group = &found[g + 1]; /* the first is around the pattern */
        groups->begin[g] = is_one && group->rm_so >= 0 ? (int)group->rm_so : 0;
        groups->end[g] = is_one && group->rm_so >= 0 ? (int)group->rm_eo : 0;
    }
    regfree(&compiled);
    return is_one;
}

void vdnn_name_pattern_fill(const char *template, const char *name, const vdnn_name_groups *groups,
                            int number, char filled[BYTES])
{
    enum { DECIMAL = 10 };
    size_t length = 0;
    for (const char *c = template; *c != '\0' && length + 1 < BYTES; c++) {
        char *to = filled + length;
        size_t left = BYTES - length;
        int added = 1;
        if (c[0] != '\\') {
            *to = *c;
        } else if (*++c == 'n') {
            added = snprintf(to, left, "%d", number);
        } else if (*c == 'i') {
            added = snprintf(to, left, "%ld", strtol(name + groups->begin[1], NULL, DECIMAL) + 1);
        } else {
            int g = *c - '0';
            added = snprintf(to, left, "%.*s", groups->end[g] - groups->begin[g],
                             name + groups->begin[g]);
        }
        length += (size_t)added;
    }
    filled[length < BYTES ? length : BYTES - 1] = '\0';
}
