#include "tests/support/stated_forms.h"

#include <stddef.h>
#include <string.h>

enum { CLASSES, NAMES, SIZES, ORDER, COPIES, PLACES };

static const char *const names[VDNN_STATED_FORMS] = {
    [CLASSES] = "classes", [NAMES] = "names",   [SIZES] = "sizes",
    [ORDER] = "order",     [COPIES] = "copies", [PLACES] = "places"};

static const struct {
    const char *part;
    int form;
    const char *other; /* and this; NULL: nothing else */
} rows[] = {
    {"takes a buffer of the wrong class", CLASSES, NULL},
    {"are kept between training steps, and nothing else is", CLASSES, NULL},
    {"the plan names buffer", NAMES, NULL},
    {"are summed in the order", NAMES, NULL},
    {"are summed one by one", NAMES, NULL},
    {"not into a buffer for them", NAMES, NULL},
    {"to a buffer for them", NAMES, NULL},
    {"a step is of part", NAMES, NULL},
    {"are loaded ahead into one buffer", NAMES, NULL},
    {"the plan keeps", SIZES, NULL},
    {"a run needs", SIZES, NULL},
    {"a step without a kernel takes", SIZES, NULL},
    {"a piece of", SIZES, NULL},
    {"a sum over devices of", SIZES, NULL},
    {"than the result of the loss", SIZES, NULL},
    {"over the devices: device 0", NAMES, NULL},
    {"forward used none", ORDER, NULL},
    {"each may wait for the other", ORDER, NULL},
    {"the statistics of this device alone", ORDER, NULL},
    {"than the layer's parameters; step", ORDER, "(update"},
    {"a copy of parameters is not between", COPIES, NULL},
    {"the parameters as they were before the step", COPIES, NULL},
    {"a copy moves map", COPIES, NULL},
    {"is taken from elsewhere", PLACES, NULL},
    {"do not keep the same copies of weights", PLACES, NULL},
    {"device 0 sums the gradient of", PLACES, NULL},
};

int vdnn_stated_form_of(const char *message)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strstr(message, rows[i].part) != NULL &&
            (rows[i].other == NULL || strstr(message, rows[i].other) != NULL))
            return rows[i].form;
    return -1;
}

const char *vdnn_stated_form_name(int form)
{
    return names[form];
}
