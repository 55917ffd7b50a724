#include "tools/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* NULL: not set, or set to nothing. */
static const char *variable(vdnn_terminal_environment *environment, const char *name)
{
    const char *value = environment(name);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

int vdnn_terminal_columns(int file, vdnn_terminal_environment *environment)
{
    enum { LEAST = 20, MOST = 10000 };
    struct winsize size = {0};
    const char *given = variable(environment, "COLUMNS");
    char *end = NULL;
    const long asked = given == NULL ? 0 : strtol(given, &end, 10);
    if (given != NULL && *end == '\0' && asked >= LEAST && asked <= MOST)
        return (int)asked;
    return ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool vdnn_terminal_draws(int file, vdnn_terminal_environment *environment)
{
    const char *kind = variable(environment, "TERM");
    return isatty(file) == 1 && (kind == NULL || strcmp(kind, "dumb") != 0);
}

bool vdnn_terminal_has_utf8(vdnn_terminal_environment *environment)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *locale = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && locale == NULL; i++)
        locale = variable(environment, names[i]);
    return locale != NULL &&
           (strcasestr(locale, "utf-8") != NULL || strcasestr(locale, "utf8") != NULL);
}

void vdnn_terminal_mask(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c != '\0'; c++) {
        if ((*c < ' ' && *c != '\n' && *c != '\t') || *c == 127)
            *c = '?';
        if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0)
            c[0] = c[1] = '?';
    }
}
