#include "tests/fuzz/written.h"

#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 1024, MOST_WORDS = 8, MOST_OPEN = 16 };

json_t *vdnn_written_json(const void *bytes, size_t count)
{
    json_error_t error;
    json_t *root = json_loadb(bytes, count, JSON_REJECT_DUPLICATES, &error);
    VDNN_FUZZ_CHECK(root != NULL);
    return root;
}

void vdnn_written_people(const vdnn_text *text)
{
    VDNN_FUZZ_CHECK(strlen(text->data) == text->length);
    for (const char *c = text->data; *c != '\0'; c++)
        VDNN_FUZZ_CHECK(*c == '\n' || vdnn_text_control(c) == 0);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static const char *end_of(const char *line)
{
    const char *end = strchr(line, '\n');
    VDNN_FUZZ_CHECK(end != NULL);
    return end;
}

/* How many fields there are between separators that are neither quoted nor behind a backslash. */
static size_t count_fields(const char *line, const char *end, char separator)
{
    size_t fields = 1;
    bool quoted = false;
    for (; line < end; line++) {
        if (separator == '|' && *line == '\\')
            line++;
        else if (separator == ',' && *line == '"')
            quoted = !quoted;
        else
            fields += *line == separator && !quoted;
    }
    VDNN_FUZZ_CHECK(!quoted);
    return fields;
}

void vdnn_written_csv(const vdnn_text *text, size_t lines)
{
    size_t found = 0, fields = 0;
    for (const char *line = text->data; *line != '\0'; found++) {
        const char *end = end_of(line);
        size_t count = count_fields(line, end, ',');
        fields = found == 0 ? count : fields;
        VDNN_FUZZ_CHECK(count == fields);
        line = end + 1;
    }
    VDNN_FUZZ_CHECK(found == lines);
}

/* ---- Markdown -------------------------------------------------------------------------------- */

/* The plain text of a line that has nothing else; `most` has room for it. */
static void read_plain_markdown(const char *line, const char *end, char *plain, size_t most)
{
    size_t length = 0;
    for (; line < end; line++) {
        VDNN_FUZZ_CHECK(strchr("`*_[]<>#|~&!", *line) == NULL);
        if (*line == '\\')
            line++;
        VDNN_FUZZ_CHECK(line < end && length + 1 < most);
        plain[length++] = *line;
    }
    plain[length] = '\0';
}

void vdnn_written_markdown(const vdnn_text *text, const char *name, size_t rows)
{
    static char plain[4096];
    const char *line = text->data, *end = end_of(line);
    read_plain_markdown(line, end, plain, sizeof plain);
    VDNN_FUZZ_CHECK(strncmp(plain, name, strlen(name)) == 0);
    VDNN_FUZZ_CHECK(end[1] == '\n');
    size_t found = 0, cells = 0;
    for (line = end + 2; *line != '\n' && *line != '\0'; found++) {
        end = end_of(line);
        size_t count = count_fields(line, end, '|');
        cells = found == 0 ? count : cells;
        VDNN_FUZZ_CHECK(line[0] == '|' && end[-1] == '|' && count == cells);
        line = end + 1;
    }
    VDNN_FUZZ_CHECK(found == rows + 2);
    for (; *line == '\n'; line = end + 1) { /* lines of text, each behind an empty one */
        line += strspn(line, "\n");
        end = end_of(line);
        read_plain_markdown(line, end, plain, sizeof plain);
    }
    VDNN_FUZZ_CHECK(*line == '\0');
}

/* ---- HTML ------------------------------------------------------------------------------------ */

/* Of what is open, the content of a style or a script is no HTML; others stand alone. */
typedef enum tag_kind { HOLDS_TAGS, HOLDS_CODE, STANDS_ALONE } tag_kind;

static const struct {
    const char *name;
    tag_kind kind;
} tags[] = {{"!doctype", STANDS_ALONE}, {"meta", STANDS_ALONE},     {"input", STANDS_ALONE},
            {"style", HOLDS_CODE},      {"script", HOLDS_CODE},     {"html", HOLDS_TAGS},
            {"head", HOLDS_TAGS},       {"title", HOLDS_TAGS},      {"body", HOLDS_TAGS},
            {"header", HOLDS_TAGS},     {"main", HOLDS_TAGS},       {"section", HOLDS_TAGS},
            {"h1", HOLDS_TAGS},         {"h2", HOLDS_TAGS},         {"h3", HOLDS_TAGS},
            {"p", HOLDS_TAGS},          {"dl", HOLDS_TAGS},         {"dt", HOLDS_TAGS},
            {"dd", HOLDS_TAGS},         {"div", HOLDS_TAGS},        {"code", HOLDS_TAGS},
            {"figure", HOLDS_TAGS},     {"figcaption", HOLDS_TAGS}, {"details", HOLDS_TAGS},
            {"summary", HOLDS_TAGS},    {"label", HOLDS_TAGS},      {"noscript", HOLDS_TAGS},
            {"table", HOLDS_TAGS},      {"caption", HOLDS_TAGS},    {"thead", HOLDS_TAGS},
            {"tbody", HOLDS_TAGS},      {"tfoot", HOLDS_TAGS},      {"tr", HOLDS_TAGS},
            {"th", HOLDS_TAGS},         {"td", HOLDS_TAGS}};

enum { TAG_COUNT = sizeof tags / sizeof tags[0] };

/* The tag at `at`, behind its "<" or "</". */
static size_t find_tag(const char *at)
{
    size_t length = strcspn(at, " />"), t = 0;
    while (t < TAG_COUNT &&
           (strlen(tags[t].name) != length || strncmp(tags[t].name, at, length) != 0))
        t++;
    VDNN_FUZZ_CHECK(t < TAG_COUNT);
    return t;
}

/* The tag that closes it. */
static const char *end_of_code(const char *at, const char *name)
{
    while ((at = strstr(at, "</")) != NULL && strncmp(at + 2, name, strlen(name)) != 0)
        at += 2;
    return at;
}

/* Where the tag that begins at `at` ends; what it opens or closes is put on or taken off. */
static const char *read_tag(const char *at, size_t open[MOST_OPEN], size_t *depth)
{
    bool closes = at[1] == '/';
    size_t tag = find_tag(at + 1 + closes);
    const char *end = at + 1 + strcspn(at + 1, "<>");
    VDNN_FUZZ_CHECK(*end == '>');
    if (closes) {
        VDNN_FUZZ_CHECK(*depth > 0 && open[*depth - 1] == tag);
        --*depth;
    } else if (tags[tag].kind != STANDS_ALONE) {
        VDNN_FUZZ_CHECK(*depth < MOST_OPEN);
        open[(*depth)++] = tag;
        if (tags[tag].kind == HOLDS_CODE)
            return end_of_code(end, tags[tag].name);
    }
    return end + 1;
}

/* What stands there up to the next tag. */
static void read_html_text(const char *at, char *plain, size_t most)
{
    size_t length = 0;
    while (*at != '<' && *at != '\0') {
        char *after;
        VDNN_FUZZ_CHECK(length + 1 < most);
        if (*at != '&') {
            plain[length++] = *at++;
            continue;
        }
        VDNN_FUZZ_CHECK(at[1] == '#');
        plain[length++] = (char)strtol(at + 2, &after, 10);
        VDNN_FUZZ_CHECK(*after == ';');
        at = after + 1;
    }
    plain[length] = '\0';
}

void vdnn_written_html(const vdnn_text *text, const char *name)
{
    static const char title[] = "<title>", behind[] = ": memory";
    char plain[WORD_BYTES];
    size_t open[MOST_OPEN], depth = 0;
    for (const char *at = text->data; at != NULL && (at = strpbrk(at, "<>")) != NULL;) {
        VDNN_FUZZ_CHECK(*at == '<');
        at = read_tag(at, open, &depth);
    }
    VDNN_FUZZ_CHECK(depth == 0);
    const char *at = text->data == NULL ? NULL : strstr(text->data, title);
    VDNN_FUZZ_CHECK(at != NULL);
    if (at == NULL) /* the check has ended the process; analysers do not know */
        return;
    read_html_text(at + strlen(title), plain, sizeof plain);
    size_t length = strlen(name);
    VDNN_FUZZ_CHECK(strncmp(plain, name, length) == 0 && strcmp(plain + length, behind) == 0);
}

/* ---- the text of a plan ---------------------------------------------------------------------- */

/* The next word: up to a blank, or in quotes; brackets around one are left away. */
static const char *read_word(const char *at, char word[WORD_BYTES])
{
    size_t length = 0;
    bool bracket = *at == '[';
    at += bracket;
    bool quoted = *at == '"';
    at += quoted;
    while (*at != '\n' && (quoted ? *at != '"' : strchr(" ]", *at) == NULL)) {
        at += quoted && *at == '\\';
        VDNN_FUZZ_CHECK(length + 1 < WORD_BYTES);
        word[length++] = *at++;
    }
    word[length] = '\0';
    VDNN_FUZZ_CHECK(!quoted || *at == '"');
    at += quoted;
    VDNN_FUZZ_CHECK(!bracket || *at == ']');
    at += bracket;
    VDNN_FUZZ_CHECK(*at == ' ' || *at == '\n');
    return *at == ' ' ? at + 1 : at;
}

/* The first words of the line, and where the next one begins. */
static const char *read_words(const char *line, char words[][WORD_BYTES], size_t count)
{
    for (size_t w = 0; w < count; w++)
        line = read_word(line, words[w]);
    return end_of(line) + 1;
}

static const char *read_buffer(const char *line, const vdnn_plan *plan, int32_t index)
{
    enum { NUMBER = 1, CLASS = 3, LABEL, OFFSET = 6, BYTES = 8, COUNT };
    static char words[COUNT][WORD_BYTES];
    const vdnn_buffer *buffer = &plan->buffers[index];
    const char *next = read_words(line, words, COUNT);
    VDNN_FUZZ_CHECK(strcmp(words[0], "buffer") == 0 && atoi(words[NUMBER]) == index);
    VDNN_FUZZ_CHECK(strcmp(words[CLASS], vdnn_class_text(buffer->class)) == 0);
    VDNN_FUZZ_CHECK(strcmp(words[LABEL], buffer->label) == 0);
    VDNN_FUZZ_CHECK(strtoull(words[OFFSET], NULL, 10) == buffer->offset);
    VDNN_FUZZ_CHECK(strtoull(words[BYTES], NULL, 10) == buffer->bytes);
    return next;
}

static const char *read_step(const char *line, const vdnn_plan *plan, int32_t index)
{
    enum { NUMBER = 1, STREAM, KIND, LAYER, COUNT };
    static char words[COUNT][WORD_BYTES];
    const vdnn_step *step = &plan->steps[index];
    const char *next = read_words(line, words, step->layer >= 0 ? COUNT : LAYER);
    VDNN_FUZZ_CHECK(strcmp(words[0], "step") == 0 && atoi(words[NUMBER]) == index);
    VDNN_FUZZ_CHECK(strcmp(words[STREAM], vdnn_stream_text(step->stream)) == 0);
    VDNN_FUZZ_CHECK(strcmp(words[KIND], vdnn_step_kind_text(step->kind)) == 0);
    VDNN_FUZZ_CHECK(step->layer < 0 ||
                    strcmp(words[LAYER], plan->graph->layers[step->layer].name) == 0);
    return next;
}

void vdnn_written_plan(const vdnn_text *text, const vdnn_plan *plan)
{
    static char words[MOST_WORDS][WORD_BYTES];
    const char *line = read_words(text->data, words, 3);
    VDNN_FUZZ_CHECK(strcmp(words[0], "plan") == 0 && strcmp(words[1], plan->graph->name) == 0);
    while (strncmp(line, "buffer ", strlen("buffer ")) != 0) {
        line = read_words(line, words, 2);
        VDNN_FUZZ_CHECK(words[1][0] != '\0');
    }
    for (int32_t b = 0; b < plan->buffer_count; b++)
        line = read_buffer(line, plan, b);
    for (int32_t s = 0; s < plan->step_count; s++)
        line = read_step(line, plan, s);
    VDNN_FUZZ_CHECK(*line == '\0');
}
