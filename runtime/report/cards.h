#ifndef VDNN_RUNTIME_REPORT_CARDS_H
#define VDNN_RUNTIME_REPORT_CARDS_H

/* A comparison of simulated cards for one network and batch. For each card it shows the fastest
 * policy that fits, and images per second with their range, per GiB and per unit of money.
 *
 * With --devices there are that many of each card: images per second are those of all of them
 * together, and are divided by the memory and price of all of them.
 *
 * Invariant: each card's figures are those of the report of that card alone. Threads: pure.
 *
 *     if (vdnn_cards_are_asked(&options))                           // sim:A,B,C, or prices
 *         status = vdnn_cards_create(&options, &messages, NULL, &cards);
 *     vdnn_cards_fill_table(report, format, &table);                // report->cards
 *     status = vdnn_cards_verdict(cards);                           // VDNN_NO_FIT: on none
 *     vdnn_cards_destroy(cards);
 */

#include "runtime/report/report.h"
#include "runtime/report/table.h"

/* Images per second, and these divided by GiB and by price. */
typedef enum vdnn_card_figure {
    VDNN_CARD_RATE,
    VDNN_CARD_PER_GIB,
    VDNN_CARD_PER_PRICE,
    VDNN_CARD_FIGURES
} vdnn_card_figure;

typedef struct vdnn_card {
    char *name;                     /* owned; as given */
    double price;                   /* 0: no price was given */
    vdnn_report *report;            /* owned */
    const vdnn_report_row *best;    /* borrowed: the fastest that fits; NULL: none fits */
    const vdnn_report_row *nearest; /* borrowed: with the smallest budget; NULL: host too small */
    /* NaN: no policy fits, the model has no range, or there is no price */
    double figures[VDNN_CARD_FIGURES];
    double slowest, fastest; /* images per second, by the range of the step's time */
} vdnn_card;

typedef struct vdnn_cards {
    vdnn_card *cards;
    size_t count;
    bool has_prices;
} vdnn_cards;

bool vdnn_cards_are_asked(const vdnn_run_options *options);
/* VDNN_USAGE if a card is named twice, a price is not a positive number or names no given card, or
 * an option is for one card only; other statuses as in vdnn_report_create. */
vdnn_status vdnn_cards_create(const vdnn_run_options *options, const vdnn_messages *messages,
                              const char *policies, vdnn_cards **cards);
/* Accepts NULL. */
void vdnn_cards_destroy(vdnn_cards *cards);

/* VDNN_NO_FIT, with each card's smallest budget, if the network fits on none. */
vdnn_status vdnn_cards_verdict(const vdnn_cards *cards);
/* Fills the table that vdnn_report_write writes for a report with cards. */
void vdnn_cards_fill_table(const vdnn_report *report, vdnn_report_format format,
                           vdnn_report_table *table);

#endif
