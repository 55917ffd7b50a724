#include "runtime/fit/command_line.h"

/* Past a word and the blanks after it. A blank, or anything else, may be quoted. */
static const char *past_word(const char *at, size_t *length)
{
    const char *end = at;
    bool is_quoted = false;
    for (; *end != '\0' && (is_quoted || *end != ' '); end++) {
        if (*end == '\\' && !is_quoted && end[1] != '\0')
            end++;
        else if (*end == '\'')
            is_quoted = !is_quoted;
    }
    *length = (size_t)(end - at);
    while (*end == ' ')
        end++;
    return end;
}

/* Of "--name" and "--name=value" the part before the value. */
static size_t name_length(const char *word, size_t length)
{
    const char *equals = memchr(word, '=', length);
    return equals == NULL ? length : (size_t)(equals - word);
}

static bool is_changed(const char *word, size_t length, const char *changes)
{
    size_t other = 0;
    const size_t name = name_length(word, length);
    if (length < 2 || strncmp(word, "--", 2) != 0)
        return false;
    for (const char *at = changes, *next; *at != '\0'; at = next) {
        next = past_word(at, &other);
        if (other == name && strncmp(at, word, name) == 0)
            return true;
    }
    return false;
}

void vdnn_command_line_add(const char *command, const char *changes, vdnn_text *text)
{
    size_t length;
    const char *before = "";
    for (const char *at = command, *next; *at != '\0'; at = next) {
        next = past_word(at, &length);
        if (is_changed(at, length, changes)) {
            if (name_length(at, length) == length) /* its value is a word by itself */
                next = past_word(next, &length);
            continue;
        }
        vdnn_text_add(text, "%s%.*s", before, (int)length, at);
        before = " ";
    }
    if (changes[0] != '\0')
        vdnn_text_add(text, "%s%s", before, changes);
}
