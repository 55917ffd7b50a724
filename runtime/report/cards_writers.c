#include "runtime/base/numbers/decimal.h"
#include "runtime/base/table.h"
#include "runtime/report/cards.h"
#include "runtime/report/page/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- columns --------------------------------------------------------------------------------- */

typedef const char *cell_writer(const vdnn_card *card, char cell[VDNN_REPORT_CELL_BYTES]);

static const char nothing[] = "-";

/* Three digits of it at least. */
static const char *number(double value, char cell[VDNN_REPORT_CELL_BYTES])
{
    if (isnan(value))
        return nothing;
    (void)vdnn_decimal_print(cell, VDNN_REPORT_CELL_BYTES, "%.*f",
                             value >= 100  ? 0
                             : value >= 10 ? 1
                             : value >= 1  ? 2
                                           : 3,
                             value);
    return cell;
}

static const char *bytes_or_nothing(size_t bytes, char cell[VDNN_REPORT_CELL_BYTES])
{
    return bytes == 0 ? nothing : vdnn_text_bytes(cell, VDNN_REPORT_CELL_BYTES, (double)bytes);
}

static const char *policy_cell(const vdnn_card *card, char cell[VDNN_REPORT_CELL_BYTES])
{
    return card->best == NULL ? "does not fit" : vdnn_report_policy_text(card->best, cell);
}

static const char *rate_cell(const vdnn_card *card, char cell[VDNN_REPORT_CELL_BYTES])
{
    return number(card->images_per_second, cell);
}

static const char *range_cell(const vdnn_card *card, char cell[VDNN_REPORT_CELL_BYTES])
{
    char least[VDNN_REPORT_CELL_BYTES], most[VDNN_REPORT_CELL_BYTES];
    if (isnan(card->slowest))
        return nothing;
    (void)snprintf(cell, VDNN_REPORT_CELL_BYTES, "%.24s to %.24s", number(card->slowest, least),
                   number(card->fastest, most));
    return cell;
}

static const char *memory_cell(const vdnn_card *card, char cell[VDNN_REPORT_CELL_BYTES])
{
    return bytes_or_nothing(card->report->setup.properties.memory_bytes, cell);
}

static const char *arena_cell(const vdnn_card *card, char cell[VDNN_REPORT_CELL_BYTES])
{
    return bytes_or_nothing(card->best == NULL ? 0 : card->best->plan->span_bytes[VDNN_TIER_DEVICE],
                            cell);
}

static const char *smallest_cell(const vdnn_card *card, char cell[VDNN_REPORT_CELL_BYTES])
{
    return card->nearest == NULL ? "host too small"
                                 : bytes_or_nothing(card->nearest->verdict.smallest_bytes, cell);
}

static const char *per_gib_cell(const vdnn_card *card, char cell[VDNN_REPORT_CELL_BYTES])
{
    return number(card->per_gib, cell);
}

static const char *per_price_cell(const vdnn_card *card, char cell[VDNN_REPORT_CELL_BYTES])
{
    return number(card->per_price, cell);
}

/* Behind the card's name; the last is left out without prices. Where a line is too narrow the one
 * of the highest rank leaves first, one of rank 0 never. */
static const struct {
    const char *title;
    cell_writer *cell;
    int rank;
} columns[] = {
    {"policy", policy_cell, 0},   {"images/s", rate_cell, 0},       {"range", range_cell, 4},
    {"memory", memory_cell, 2},   {"arena", arena_cell, 5},         {"smallest", smallest_cell, 1},
    {"per GiB", per_gib_cell, 3}, {"per price", per_price_cell, 0},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

static size_t column_count(const vdnn_cards *cards)
{
    return cards->has_prices ? COLUMNS : COLUMNS - 1;
}

static const char legend[] =
    "Policy: the fastest that fits; arena: what it takes of the card's memory; smallest: the least "
    "device memory under which any policy can be planned; per GiB of the card's memory";

/* ---- the conclusion -------------------------------------------------------------------------- */

typedef double figure(const vdnn_card *card);

static double images_per_second(const vdnn_card *card)
{
    return card->images_per_second;
}

static double per_gib(const vdnn_card *card)
{
    return card->per_gib;
}

static double per_price(const vdnn_card *card)
{
    return card->per_price;
}

/* The first of the largest; NULL: no card has the figure. */
static const vdnn_card *most(const vdnn_cards *cards, figure *of)
{
    const vdnn_card *best = NULL;
    for (size_t i = 0; i < cards->count; i++)
        if (!isnan(of(&cards->cards[i])) && (best == NULL || of(&cards->cards[i]) > of(best)))
            best = &cards->cards[i];
    return best;
}

/* What a row is marked for: the most for the money where there are prices, else the fastest. */
static const vdnn_card *marked(const vdnn_cards *cards)
{
    return most(cards, cards->has_prices ? per_price : images_per_second);
}

/* Cards whose range reaches into that of the fastest: the order of these is not certain. */
static void add_rivals(const vdnn_cards *cards, const vdnn_card *fastest, vdnn_text *text)
{
    int count = 0;
    for (size_t i = 0; i < cards->count; i++) {
        const vdnn_card *card = &cards->cards[i];
        if (card == fastest || !(card->fastest >= fastest->slowest)) /* also without a range */
            continue;
        vdnn_text_add(text, "%s%s", count++ == 0 ? " (its range overlaps that of " : ", ",
                      card->name);
    }
    vdnn_text_add(text, "%s", count == 0 ? "" : ")");
}

/* One sentence, without its full stop. */
static void add_conclusion(const vdnn_cards *cards, vdnn_text *text)
{
    char cell[VDNN_REPORT_CELL_BYTES];
    const vdnn_card *fastest = most(cards, images_per_second);
    if (fastest == NULL) {
        vdnn_text_add(text, "No policy fits on any of these cards");
        return;
    }
    vdnn_text_add(text, "%s is the fastest with %s images/s", fastest->name,
                  rate_cell(fastest, cell));
    vdnn_text_add(text, " under %s", policy_cell(fastest, cell));
    add_rivals(cards, fastest, text);
    const vdnn_card *cheapest = most(cards, per_price);
    vdnn_text_add(text, ",%s %s has the most images/s per GiB", cheapest == NULL ? " and" : "",
                  most(cards, per_gib)->name);
    if (cheapest != NULL)
        vdnn_text_add(text, " and %s the most per unit of price", cheapest->name);
}

/* "vgg16, batch 256, in f32, on each of 3 cards" */
static void add_head(const vdnn_report *report, vdnn_text *text)
{
    const vdnn_cards *cards = report->cards;
    const vdnn_report *first = cards->cards[0].report;
    vdnn_text_add(text, "%s, batch %lld, in %s, on ", first->setup.graph->name,
                  (long long)first->batch, vdnn_dtype_text(first->setup.graph->dtype));
    if (first->device_count > 1)
        vdnn_text_add(text, "%d of ", first->device_count);
    vdnn_text_add(text, cards->count == 1 ? "1 card" : "each of %zu cards", cards->count);
}

/* ---- text, Markdown, HTML -------------------------------------------------------------------- */

typedef void add_words(vdnn_text *text, const char *words);

static void add_as_they_are(vdnn_text *text, const char *words)
{
    vdnn_text_add(text, "%s", words);
}

/* All that a paragraph below or above the table says, escaped by `add`. */
static void add_paragraph(const char *begin, const vdnn_text *words, const char *end,
                          add_words *add, vdnn_text *text)
{
    vdnn_text_add(text, "%s", begin);
    if (words->data != NULL)
        add(text, words->data);
    vdnn_text_add(text, "%s", end);
    text->failed = text->failed || words->failed;
}

/* How sure the times of each card are, and the conclusion: each in `begin` and `end`. */
static void add_notes(const vdnn_report *report, const char *begin, const char *end, add_words *add,
                      vdnn_text *text)
{
    const vdnn_cards *cards = report->cards;
    vdnn_text words = {0};
    add_conclusion(cards, &words);
    vdnn_text_add(&words, ".");
    add_paragraph(begin, &words, end, add, text);
    vdnn_text_fini(&words);
    vdnn_text_add(&words, "%s.", legend);
    add_paragraph(begin, &words, end, add, text);
    vdnn_text_fini(&words);
    for (size_t i = 0; i < cards->count; i++) {
        const vdnn_device_properties *properties = &cards->cards[i].report->setup.properties;
        char device[sizeof properties->name + 128];
        vdnn_text_add(&words, "%s: %s", cards->cards[i].name,
                      vdnn_setup_device_text(device, sizeof device, properties));
        add_paragraph(begin, &words, end, add, text);
        vdnn_text_fini(&words);
    }
}

static void add_head_paragraph(const vdnn_report *report, const char *begin, const char *end,
                               add_words *add, vdnn_text *text)
{
    vdnn_text head = {0};
    add_head(report, &head);
    add_paragraph(begin, &head, end, add, text);
    vdnn_text_fini(&head);
}

/* The card's name, marked where it is the one to take, and behind it the columns. */
static const char *table_cell(const void *context, size_t row, size_t column,
                              char words[VDNN_TABLE_CELL_BYTES])
{
    const vdnn_cards *cards = context;
    const vdnn_card *card = &cards->cards[row];
    if (column > 0)
        return columns[column - 1].cell(card, words);
    (void)snprintf(words, VDNN_TABLE_CELL_BYTES, "%c %.60s", card == marked(cards) ? '*' : ' ',
                   card->name);
    return words;
}

static void write_table(const vdnn_report *report, vdnn_text *text)
{
    const vdnn_cards *cards = report->cards;
    const size_t line = vdnn_text_line(report->options.ask.columns);
    vdnn_table_column titles[COLUMNS + 1] = {{"  card", 0, true}};
    const vdnn_table table = {titles, column_count(cards) + 1, cards->count, table_cell, cards};
    vdnn_text lines = {0};
    for (size_t c = 0; c < column_count(cards); c++)
        titles[c + 1] = (vdnn_table_column){columns[c].title, columns[c].rank, c == 0};
    add_head_paragraph(report, "", "\n\n", add_as_they_are, &lines);
    vdnn_text_move_folded(text, &lines, line);
    vdnn_table_add(&table, line, text);
    vdnn_text_add(text, "\n");
    add_notes(report, "", "\n", add_as_they_are, &lines);
    vdnn_text_move_folded(text, &lines, line);
}

static void write_markdown(const vdnn_report *report, vdnn_text *text)
{
    const vdnn_cards *cards = report->cards;
    const vdnn_card *mark = marked(cards);
    char cell[VDNN_REPORT_CELL_BYTES];
    add_head_paragraph(report, "", "\n\n| card |", vdnn_page_add_plain_markdown, text);
    for (size_t c = 0; c < column_count(cards); c++)
        vdnn_text_add(text, " %s |", columns[c].title);
    vdnn_text_add(text, "\n| --- |");
    for (size_t c = 0; c < column_count(cards); c++)
        vdnn_text_add(text, c == 0 ? " --- |" : " ---: |");
    for (size_t i = 0; i < cards->count; i++) {
        const vdnn_card *card = &cards->cards[i];
        const char *bold = card == mark ? "**" : "";
        vdnn_text_add(text, "\n| %s", bold);
        vdnn_page_add_plain_markdown(text, card->name);
        vdnn_text_add(text, "%s |", bold);
        for (size_t c = 0; c < column_count(cards); c++)
            vdnn_text_add(text, " %s |", columns[c].cell(card, cell));
    }
    vdnn_text_add(text, "\n");
    add_notes(report, "\n", "\n", vdnn_page_add_plain_markdown, text);
}

/* ---- CSV, JSON ------------------------------------------------------------------------------- */

/* Where there is no policy, the cells are empty. */
static void write_csv(const vdnn_report *report, vdnn_text *text)
{
    const vdnn_cards *cards = report->cards;
    vdnn_text_add(text, "card,fits,policy,algo,chosen_policy,memory_bytes,arena_bytes,smallest_"
                        "bytes,images_per_second,images_per_second_least,images_per_second_most,"
                        "images_per_second_per_gib,price,images_per_second_per_price\n");
    for (size_t i = 0; i < cards->count; i++) {
        const vdnn_card *card = &cards->cards[i];
        const vdnn_report_row *best = card->best;
        const double numbers[] = {card->images_per_second,
                                  card->slowest,
                                  card->fastest,
                                  card->per_gib,
                                  card->price > 0 ? card->price : (double)NAN,
                                  card->per_price};
        vdnn_text_add(text, "%s,%s,%s,%s,%s,%zu,", card->name, best != NULL ? "true" : "false",
                      best == NULL ? "" : best->policy->name, best == NULL ? "" : best->plan->algo,
                      best == NULL ? "" : best->plan->policy,
                      card->report->setup.properties.memory_bytes);
        if (best != NULL)
            vdnn_text_add(text, "%zu", best->plan->span_bytes[VDNN_TIER_DEVICE]);
        vdnn_text_add(text, ",%zu",
                      card->nearest == NULL ? 0 : card->nearest->verdict.smallest_bytes);
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
            vdnn_text_add(text, isnan(numbers[n]) ? "," : ",%.9g", numbers[n]);
        vdnn_text_add(text, "\n");
    }
}

static json_t *number_record(double value)
{
    return isnan(value) ? json_null() : json_real(value);
}

static json_t *name_record(const vdnn_card *card)
{
    return card == NULL ? json_null() : json_string(card->name);
}

static json_t *card_record(const vdnn_card *card)
{
    const vdnn_report *report = card->report;
    const vdnn_report_row *best = card->best;
    json_t *policies = json_array();
    for (size_t r = 0; r < report->row_count; r++)
        if (report->rows[r].micro_batches == 0)
            (void)json_array_append_new(policies, vdnn_report_row_record(report, &report->rows[r]));
    json_t *object = json_pack(
        "{s:s, s:o, s:b, s:o, s:I, s:o, s:o, s:o, s:o}", "card", card->name, "device",
        vdnn_record_device(&report->setup), "fits", best != NULL, "best",
        best == NULL ? json_null() : vdnn_report_row_record(report, best), "smallest_bytes",
        (json_int_t)(card->nearest == NULL ? 0 : card->nearest->verdict.smallest_bytes),
        "images_per_second", number_record(card->images_per_second), "images_per_second_per_gib",
        number_record(card->per_gib), "price",
        number_record(card->price > 0 ? card->price : (double)NAN), "images_per_second_per_price",
        number_record(card->per_price));
    if (!isnan(card->slowest))
        (void)json_object_set_new(object, "images_per_second_range",
                                  json_pack("[f, f]", card->slowest, card->fastest));
    (void)json_object_set_new(object, "layout",
                              json_string(vdnn_layout_text(report->setup.graph->preferred)));
    (void)json_object_set_new(object, "policies", policies);
    return object;
}

static json_t *cards_record(const vdnn_report *report)
{
    const vdnn_cards *cards = report->cards;
    const vdnn_report *first = cards->cards[0].report;
    const vdnn_graph *graph = first->setup.graph;
    json_t *rows = json_array();
    for (size_t i = 0; i < cards->count; i++)
        (void)json_array_append_new(rows, card_record(&cards->cards[i]));
    return json_pack("{s:i, s:s, s:I, s:s, s:s, s:s, s:i, s:o, s:o, s:o, s:o}", "schema_version",
                     VDNN_SCHEMA_VERSION, "model", graph->name, "batch", (json_int_t)first->batch,
                     "rules", graph->rules == VDNN_RULES_PAPER ? "paper" : "lean", "dtype",
                     vdnn_dtype_text(graph->dtype), "accounting", report->options.ask.accounting,
                     "devices", first->device_count, "fastest",
                     name_record(most(cards, images_per_second)), "most_per_gib",
                     name_record(most(cards, per_gib)), "most_per_price",
                     name_record(most(cards, per_price)), "cards", rows);
}

static vdnn_status write_json(const vdnn_report *report, vdnn_text *text)
{
    return vdnn_record_dump(cards_record(report), text);
}

/* ---- HTML ------------------------------------------------------------------------------------ */

static json_t *page_row(const vdnn_cards *cards, const vdnn_card *card)
{
    char cell[VDNN_REPORT_CELL_BYTES];
    json_t *cells = json_array();
    for (size_t c = 0; c < column_count(cards); c++)
        (void)json_array_append_new(cells, json_string(columns[c].cell(card, cell)));
    return json_pack("{s:s, s:s, s:o}", "card", card->name, "class",
                     card == marked(cards) ? "best"
                     : card->best == NULL  ? "no"
                                           : "yes",
                     "cells", cells);
}

static vdnn_status write_html(const vdnn_report *report, vdnn_text *text)
{
    const vdnn_cards *cards = report->cards;
    vdnn_text head = {0}, notes = {0};
    json_t *titles = json_array(), *rows = json_array();
    add_head(report, &head);
    add_notes(report, "", "\n", add_as_they_are, &notes);
    for (size_t c = 0; c < column_count(cards); c++)
        (void)json_array_append_new(titles, json_string(columns[c].title));
    for (size_t i = 0; i < cards->count; i++)
        (void)json_array_append_new(rows, page_row(cards, &cards->cards[i]));
    return vdnn_page_write("cards.html",
                           json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "name",
                                     cards->cards[0].report->setup.graph->name, "head",
                                     vdnn_page_lines(&head), "titles", titles, "rows", rows,
                                     "notes", vdnn_page_lines(&notes), "report",
                                     cards_record(report)),
                           text);
}

/* ---- the formats ----------------------------------------------------------------------------- */

static void (*const writers[])(const vdnn_report *report, vdnn_text *text) = {
    [VDNN_REPORT_TABLE] = write_table,
    [VDNN_REPORT_CSV] = write_csv,
    [VDNN_REPORT_MARKDOWN] = write_markdown,
};

vdnn_status vdnn_cards_write(const vdnn_report *report, vdnn_report_format format, vdnn_text *text)
{
    if (format == VDNN_REPORT_JSON)
        return write_json(report, text);
    if (format == VDNN_REPORT_HTML)
        return write_html(report, text);
    if (format == VDNN_REPORT_ALGORITHMS)
        return vdnn_status_fail(VDNN_USAGE, "--algorithms lists those of one device: --device "
                                            "names several cards, or --price is given");
    writers[format](report, text);
    return vdnn_text_status(text, "the report");
}
