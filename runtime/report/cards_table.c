/* Cards as a table (runtime/report/table.h). */

#include "runtime/base/numbers/rounded.h"
#include "runtime/report/cards.h"
#include "runtime/report/formats/formats.h"
#include "runtime/report/page/page.h"

#include <math.h>
#include <stdio.h>

/* The last is left out without prices. */
static const vdnn_report_column columns[] = {
    {"card", "card", NULL, NULL, 0, true},
    {"policy", "chosen", NULL, "does not fit", 0, true},
    {NULL, "shown.rate", NULL, NULL, 0, false},
    {"range", "range", NULL, NULL, 4, false},
    {"memory", "device.memory_bytes", "size", NULL, 2, false},
    {"arena", "best.arena_bytes", "size", NULL, 5, false},
    {"smallest", "smallest_bytes", "size", "host too small", 1, false},
    {"per GiB", "shown.per_gib", NULL, NULL, 3, false},
    {"per price", "shown.per_price", NULL, NULL, 0, false},
};

static const vdnn_report_field fields[] = {
    {"card", "card"},
    {"fits", "fits"},
    {"policy", "best.policy"},
    {"algo", "best.algo"},
    {"chosen_policy", "best.chosen.policy"},
    {"memory_bytes", "device.memory_bytes"},
    {"arena_bytes", "best.arena_bytes"},
    {"smallest_bytes", "smallest_bytes"},
    {"images_per_second", "images_per_second"},
    {"images_per_second_least", "slowest"},
    {"images_per_second_most", "fastest"},
    {"images_per_second_per_gib", "images_per_second_per_gib"},
    {"price", "price"},
    {"images_per_second_per_price", "images_per_second_per_price"},
};

static const char legend[] =
    "Policy: the fastest that fits; arena: what it takes of the card's memory; smallest: the least "
    "device memory under which any policy can be planned; per GiB of the card's memory. Rates "
    "are what vdnn would reach, other frameworks reach others.";

/* ---- the conclusion -------------------------------------------------------------------------- */

/* The first of the largest; NULL: no card has the figure. */
static const vdnn_card *most(const vdnn_cards *cards, vdnn_card_figure of)
{
    const vdnn_card *best = NULL;
    for (const vdnn_card *card = cards->cards; card < cards->cards + cards->count; card++)
        if (!isnan(card->figures[of]) && (best == NULL || card->figures[of] > best->figures[of]))
            best = card;
    return best;
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

static vdnn_rate_unit unit_of(const vdnn_card *card)
{
    return vdnn_graph_rate_unit(card->report->setup.graph);
}

/* In the network's unit, as the card's times are known. */
static void add_rate(const vdnn_card *card, double images_per_second, vdnn_text *text)
{
    const double value = images_per_second * unit_of(card).per_sample;
    const int digits = vdnn_report_digits(card->report);
    char cell[VDNN_REPORT_CELL_BYTES];
    json_t *number = json_real(value);
    if (digits > 0)
        vdnn_text_add(text, "%s", vdnn_rounded_text(cell, sizeof cell, value, digits));
    else
        vdnn_page_add_value(number, "digits", 0, text);
    json_decref(number);
}

static void add_conclusion(const vdnn_cards *cards, vdnn_text *text)
{
    char cell[VDNN_REPORT_CELL_BYTES];
    const vdnn_card *fastest = most(cards, VDNN_CARD_RATE),
                    *cheapest = most(cards, VDNN_CARD_PER_PRICE);
    if (fastest == NULL) {
        vdnn_text_add(text, "No policy fits on any of these cards.\n");
        return;
    }
    vdnn_text_add(text, "%s is the fastest with ", fastest->name);
    add_rate(fastest, fastest->figures[VDNN_CARD_RATE], text);
    vdnn_text_add(text, " %s under %s", unit_of(fastest).name,
                  vdnn_report_policy_text(fastest->best, cell));
    add_rivals(cards, fastest, text);
    vdnn_text_add(text, ",%s %s has the most %s per GiB", cheapest == NULL ? " and" : "",
                  most(cards, VDNN_CARD_PER_GIB)->name, unit_of(fastest).name);
    if (cheapest != NULL)
        vdnn_text_add(text, " and %s the most per unit of price", cheapest->name);
    vdnn_text_add(text, ".\n");
}

/* "vgg16, batch 256, in f32, on each of 3 cards" */
static void add_head(const vdnn_cards *cards, vdnn_text *text)
{
    const vdnn_report *first = cards->cards[0].report;
    vdnn_text_add(text, "%s, batch %lld, in %s, on ", first->setup.graph->name,
                  (long long)first->batch, vdnn_dtype_text(first->setup.graph->dtype));
    if (first->device_count > 1)
        vdnn_text_add(text, "%d of ", first->device_count);
    vdnn_text_add(text, cards->count == 1 ? "1 card" : "each of %zu cards", cards->count);
}

/* The conclusion, and how sure the times of each card are. */
static void add_notes(const vdnn_cards *cards, vdnn_text *text)
{
    add_conclusion(cards, text);
    vdnn_text_add(text, "%s\n", legend);
    for (size_t i = 0; i < cards->count; i++) {
        const vdnn_device_properties *properties = &cards->cards[i].report->setup.properties;
        char device[sizeof properties->name + 128];
        vdnn_text_add(text, "%s: %s\n", cards->cards[i].name,
                      vdnn_setup_device_text(device, sizeof device, properties));
    }
}

/* What the figures of each card's device model rest on. */
static void add_figures(const vdnn_cards *cards, vdnn_text *text)
{
    for (size_t i = 0; i < cards->count; i++) {
        const vdnn_card *card = &cards->cards[i];
        if (card->report->setup.properties.figure_count > 0)
            vdnn_text_add(text, "Of %s:\n", card->name);
        vdnn_report_add_figures(card->report, text);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

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
        "images_per_second", number_record(card->figures[VDNN_CARD_RATE]),
        "images_per_second_per_gib", number_record(card->figures[VDNN_CARD_PER_GIB]), "price",
        number_record(card->price > 0 ? card->price : (double)NAN), "images_per_second_per_price",
        number_record(card->figures[VDNN_CARD_PER_PRICE]));
    if (!isnan(card->slowest))
        (void)json_object_set_new(object, "images_per_second_range",
                                  json_pack("[f, f]", card->slowest, card->fastest));
    (void)json_object_set_new(object, "layout",
                              json_string(vdnn_layout_text(report->setup.graph->preferred)));
    (void)json_object_set_new(object, "policies", policies);
    return object;
}

static json_t *cards_record(const vdnn_report *report, json_t *rows)
{
    const vdnn_cards *cards = report->cards;
    const vdnn_report *first = cards->cards[0].report;
    const vdnn_graph *graph = first->setup.graph;
    return json_pack("{s:i, s:s, s:o, s:I, s:s, s:s, s:s, s:i, s:o, s:o, s:o, s:o}",
                     "schema_version", VDNN_SCHEMA_VERSION, "model", graph->name, "rate",
                     vdnn_record_rate_unit(graph), "batch", (json_int_t)first->batch, "rules",
                     graph->rules == VDNN_RULES_PAPER ? "paper" : "lean", "dtype",
                     vdnn_dtype_text(graph->dtype), "accounting",
                     report->options.ask.report->accounting, "devices", first->device_count,
                     "fastest", name_record(most(cards, VDNN_CARD_RATE)), "most_per_gib",
                     name_record(most(cards, VDNN_CARD_PER_GIB)), "most_per_price",
                     name_record(most(cards, VDNN_CARD_PER_PRICE)), "cards", rows);
}

/* ---- the table ------------------------------------------------------------------------------- */

static json_t *range_words(const vdnn_card *card)
{
    vdnn_text text = {0};
    if (isnan(card->slowest))
        return json_null();
    add_rate(card, card->slowest, &text);
    vdnn_text_add(&text, " to ");
    add_rate(card, card->fastest, &text);
    json_t *words = json_string(text.data);
    vdnn_text_fini(&text);
    return words;
}

/* null: the card has no such figure. */
static json_t *figure_words(const vdnn_card *card, vdnn_card_figure of)
{
    vdnn_text text = {0};
    if (isnan(card->figures[of]))
        return json_null();
    add_rate(card, card->figures[of], &text);
    json_t *words = json_string(text.data);
    vdnn_text_fini(&text);
    return words;
}

/* Where there are prices, the one with the most for the money is the best; else the fastest. */
static json_t *table_row(const vdnn_cards *cards, const vdnn_card *card, json_t *record)
{
    const vdnn_card *best = most(cards, cards->has_prices ? VDNN_CARD_PER_PRICE : VDNN_CARD_RATE);
    char cell[VDNN_REPORT_CELL_BYTES];
    json_t *row = json_copy(record);
    json_t *words =
        json_pack("{s:s, s:s?, s:o, s:o, s:o, s:{s:o, s:o, s:o}}", "class",
                  card == best         ? "best"
                  : card->best == NULL ? "no"
                                       : "yes",
                  "chosen", card->best == NULL ? NULL : vdnn_report_policy_text(card->best, cell),
                  "range", range_words(card), "slowest", number_record(card->slowest), "fastest",
                  number_record(card->fastest), "shown", "rate", figure_words(card, VDNN_CARD_RATE),
                  "per_gib", figure_words(card, VDNN_CARD_PER_GIB), "per_price",
                  figure_words(card, VDNN_CARD_PER_PRICE));
    (void)json_object_update(row, words);
    json_decref(words);
    return row;
}

void vdnn_cards_fill_table(const vdnn_report *report, vdnn_report_format format,
                           vdnn_report_table *table)
{
    const vdnn_cards *cards = report->cards;
    json_t *records = json_array();
    *table =
        (vdnn_report_table){.subject = "the report",
                            .columns = columns,
                            .column_count = sizeof columns / sizeof *columns - !cards->has_prices,
                            .fields = fields,
                            .field_count = sizeof fields / sizeof *fields,
                            .rows = json_array(),
                            .mark = "* ",
                            .bold = "**",
                            .rate = vdnn_graph_rate_unit(cards->cards[0].report->setup.graph),
                            .page = "cards.html"};
    for (size_t i = 0; i < cards->count; i++) {
        json_t *record = card_record(&cards->cards[i]);
        (void)json_array_append_new(records, record);
        (void)json_array_append_new(table->rows, table_row(cards, &cards->cards[i], record));
    }
    vdnn_text figures = {0};
    add_figures(cards, &figures);
    const bool has_figures = figures.length > 0;
    table->facts = json_pack(
        "{s:s, s:b, s:o, s:o}", "name", cards->cards[0].report->setup.graph->name, "has_figures",
        has_figures, "figures", vdnn_page_lines(&figures), "report", cards_record(report, records));
    add_head(cards, &table->head);
    add_notes(cards, &table->notes);
    if (format != VDNN_REPORT_HTML && report->options.ask.print->verbose)
        add_figures(cards, &table->notes);
}
