#include "runtime/report/cards.h"

#include "runtime/base/heap.h"
#include "runtime/base/numbers/decimal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char prefix[] = "sim:";
enum { PREFIX = sizeof prefix - 1, NUMBER_BYTES = 64, ITEM_BYTES = PATH_MAX + NUMBER_BYTES };

bool vdnn_cards_are_asked(const vdnn_run_options *options)
{
    const char *device = options->ask.device;
    return options->ask.report->price != NULL ||
           (strncmp(device, prefix, PREFIX) == 0 && strchr(device, ',') != NULL);
}

static vdnn_card *find(const vdnn_cards *cards, const char *name)
{
    for (size_t i = 0; i < cards->count; i++)
        if (strcmp(cards->cards[i].name, name) == 0)
            return &cards->cards[i];
    return NULL;
}

/* ---- names and prices ------------------------------------------------------------------------ */

static vdnn_status add_name(const vdnn_run_options *options, const char *name, vdnn_cards *cards)
{
    if (name[0] == '\0')
        return vdnn_status_fail(VDNN_USAGE, "--device %s: a card's name is empty",
                                options->ask.device);
    if (find(cards, name) != NULL)
        return vdnn_status_fail(VDNN_USAGE, "--device %s: '%s' is named twice", options->ask.device,
                                name);
    const size_t size = strlen(name) + 1;
    char *copy = vdnn_heap_calloc(size, 1);
    if (copy == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a card's name");
    memcpy(copy, name, size);
    cards->cards[cards->count++].name = copy;
    return VDNN_OK;
}

/* Splits the item. */
static vdnn_status add_price(vdnn_cards *cards, char *item)
{
    char *equals = strchr(item, '='), number[NUMBER_BYTES];
    double price = 0;
    if (equals == NULL)
        return vdnn_status_fail(VDNN_USAGE,
                                "--price: expected NAME=X, for example h100=2.5, not '%s'", item);
    *equals = '\0';
    (void)snprintf(number, sizeof number, "%s", equals + 1);
    const char *why_not = vdnn_decimal_read_real(number, &price);
    if (why_not != NULL && why_not[0] != '\0')
        return vdnn_status_fail(VDNN_USAGE, "--price %s: '%s' %s", item, number, why_not);
    if (why_not != NULL || price <= 0)
        return vdnn_status_fail(VDNN_USAGE, "--price %s: '%s' is not a positive number", item,
                                number);
    vdnn_card *card = find(cards, item);
    if (card == NULL)
        return vdnn_status_fail(VDNN_USAGE,
                                "--price: '%s' is none of the cards of --device sim:A,B,C", item);
    if (card->price > 0)
        return vdnn_status_fail(VDNN_USAGE, "--price: '%s' has two prices", item);
    card->price = price;
    cards->has_prices = true;
    return VDNN_OK;
}

static vdnn_status read_names(const vdnn_run_options *options, vdnn_cards *cards)
{
    const char *list = options->ask.device + PREFIX;
    char item[ITEM_BYTES];
    size_t most = 1;
    if (strncmp(options->ask.device, prefix, PREFIX) != 0)
        return vdnn_status_fail(VDNN_USAGE,
                                "--price is of simulated cards: it requires --device "
                                "sim:A,B,C, not %s",
                                options->ask.device);
    for (const char *c = list; *c != '\0'; c++)
        most += *c == ',';
    cards->cards = vdnn_heap_calloc(most, sizeof *cards->cards);
    if (cards->cards == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for %zu cards", most);
    while (list != NULL) {
        list = vdnn_text_next_item(list, item, sizeof item);
        VDNN_TRY(add_name(options, item, cards));
    }
    return VDNN_OK;
}

static vdnn_status read_prices(const char *list, vdnn_cards *cards)
{
    char item[ITEM_BYTES];
    while (list != NULL) {
        list = vdnn_text_next_item(list, item, sizeof item);
        VDNN_TRY(add_price(cards, item));
    }
    return VDNN_OK;
}

/* Images of the feature-extraction layers alone are none of training; a profile is of one card. */
static vdnn_status check_options(const vdnn_run_options *options)
{
    if (options->counts_as_paper)
        return vdnn_status_fail(VDNN_USAGE, "comparing cards requires --accounting full: the "
                                            "paper's is of feature-extraction layers");
    if (options->ask.report->budgets != NULL || options->ask.report->run != NULL)
        return vdnn_status_fail(VDNN_USAGE,
                                "%s is for the report of one device; --device names "
                                "several cards, or --price is given",
                                options->ask.report->run != NULL ? "--run" : "--budgets");
    if (options->ask.profile != NULL)
        return vdnn_status_fail(VDNN_USAGE,
                                "--profile is of one device, and --device names several cards; "
                                "a recorded profile can be one of them: sim:FILE,NAME");
    return VDNN_OK;
}

/* ---- a card ---------------------------------------------------------------------------------- */

static void choose(vdnn_card *card)
{
    const vdnn_report *report = card->report;
    card->nearest = vdnn_report_smallest(report, false);
    for (size_t r = 0; r < report->row_count; r++) {
        const vdnn_report_row *row = &report->rows[r];
        if (row->micro_batches == 0 && row->verdict.fits &&
            (card->best == NULL ||
             row->footprint.step_seconds < card->best->footprint.step_seconds))
            card->best = row;
    }
}

static void rate(vdnn_card *card)
{
    const vdnn_report *report = card->report;
    const double gib = 0x1p-30 * (double)report->setup.properties.memory_bytes,
                 count = report->device_count, price = card->price > 0 ? card->price : (double)NAN,
                 rate = card->best == NULL ? (double)NAN
                                           : vdnn_samples_per_second(
                                                 report->batch, card->best->footprint.step_seconds);
    double range[2];
    const bool has_range = vdnn_report_range(report, range);
    card->slowest = has_range ? rate / range[1] : (double)NAN;
    card->fastest = has_range ? rate / range[0] : (double)NAN;
    card->figures[VDNN_CARD_RATE] = rate;
    card->figures[VDNN_CARD_PER_GIB] = rate / (count * gib);
    card->figures[VDNN_CARD_PER_PRICE] = rate / (count * price);
}

static vdnn_status fill(const vdnn_run_options *options, const vdnn_messages *messages,
                        const char *policies, vdnn_card *card)
{
    vdnn_session_options ask = options->ask; /* borrowed */
    vdnn_report_options report = *ask.report;
    vdnn_text device = {0};
    vdnn_text_add(&device, "%s%s", prefix, card->name);
    ask.size = sizeof ask;
    ask.device = device.data;
    report.price = NULL;
    ask.report = &report;
    vdnn_status status = VDNN_OK;
    if (device.failed)
        status = vdnn_status_fail(VDNN_NO_MEMORY, "no memory for a card's name");
    VDNN_IF_OK(status, vdnn_report_create(&ask, messages, policies, &card->report));
    vdnn_text_fini(&device);
    if (status != VDNN_OK)
        return status;
    choose(card);
    rate(card);
    return VDNN_OK;
}

vdnn_status vdnn_cards_create(const vdnn_run_options *options, const vdnn_messages *messages,
                              const char *policies, vdnn_cards **cards)
{
    vdnn_cards *fresh = vdnn_heap_calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return vdnn_status_fail(VDNN_NO_MEMORY, "no memory for the cards");
    vdnn_status status = read_names(options, fresh);
    VDNN_IF_OK(status, read_prices(options->ask.report->price, fresh));
    VDNN_IF_OK(status, check_options(options));
    for (size_t i = 0; status == VDNN_OK && i < fresh->count; i++)
        status = fill(options, messages, policies, &fresh->cards[i]);
    if (status == VDNN_OK)
        *cards = fresh;
    else
        vdnn_cards_destroy(fresh);
    return status;
}

void vdnn_cards_destroy(vdnn_cards *cards)
{
    if (cards == NULL)
        return;
    for (size_t i = 0; i < cards->count; i++) {
        vdnn_report_destroy(cards->cards[i].report);
        vdnn_heap_free(cards->cards[i].name);
    }
    vdnn_heap_free(cards->cards);
    vdnn_heap_free(cards);
}

/* What the message of a network that fits nowhere says of each card. */
static void add_smallest(const vdnn_card *card, vdnn_text *text)
{
    char people[32];
    vdnn_text_add(text, "\n    %s: ", card->name);
    if (card->nearest == NULL) {
        vdnn_text_add(text, "none under this --host-mem");
        return;
    }
    size_t bytes = card->nearest->verdict.smallest_bytes;
    vdnn_text_add(text, "%zu (%s), for policy %s", bytes,
                  vdnn_text_bytes(people, sizeof people, (double)bytes),
                  card->nearest->policy->name);
}

vdnn_status vdnn_cards_verdict(const vdnn_cards *cards)
{
    vdnn_text each = {0};
    for (size_t i = 0; i < cards->count; i++)
        if (cards->cards[i].best != NULL)
            return VDNN_OK;
    for (size_t i = 0; i < cards->count; i++)
        add_smallest(&cards->cards[i], &each);
    vdnn_status status =
        vdnn_status_fail(VDNN_NO_FIT,
                         "no policy fits on any of the %zu cards\n  the smallest --device-mem of "
                         "each:%s",
                         cards->count, each.failed ? "" : each.data);
    vdnn_text_fini(&each);
    return status;
}
