#include "runtime/comm/sockets.h"

#include "runtime/base/system.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HOST_BYTES = 256, PORT_BYTES = 8, BACKLOG = 512, MILLISECONDS = 1000 };

double vdnn_socket_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- addresses ------------------------------------------------------------------------------- */

typedef struct host_port {
    char host[HOST_BYTES], port[PORT_BYTES];
} host_port;

static bool take_text(char *to, size_t size, const char *from, size_t length)
{
    if (length == 0 || length >= size)
        return false;
    memcpy(to, from, length);
    to[length] = '\0';
    return true;
}

static bool split(const char *address, host_port *parts)
{
    const char *colon = strrchr(address, ':');
    if (colon == NULL)
        return false;
    const char *port = colon + 1;
    const bool in_brackets = address[0] == '[' && colon > address && colon[-1] == ']';
    const char *host = in_brackets ? address + 1 : address;
    const size_t length = (size_t)(colon - host) - (in_brackets ? 1 : 0);
    return strspn(port, "0123456789") == strlen(port) &&
           (in_brackets || memchr(host, ':', length) == NULL) &&
           take_text(parts->host, sizeof parts->host, host, length) &&
           take_text(parts->port, sizeof parts->port, port, strlen(port)) &&
           strtol(parts->port, NULL, 10) <= UINT16_MAX;
}

/* Some tables of hosts have a name twice. */
static bool has_endpoint(const vdnn_endpoints *found, const vdnn_endpoint *at)
{
    for (int32_t i = 0; i < found->count; i++)
        if (memcmp(&found->all[i], at, sizeof *at) == 0)
            return true;
    return false;
}

static void add_endpoint(const vdnn_endpoint *at, vdnn_endpoints *found)
{
    if (found->count < VDNN_ENDPOINT_MOST && !has_endpoint(found, at))
        found->all[found->count++] = *at;
}

static void take_endpoint(const struct addrinfo *from, vdnn_endpoints *found)
{
    vdnn_endpoint at;
    memset(&at, 0, sizeof at);
    if (from->ai_addrlen > sizeof at || (from->ai_family != AF_INET && from->ai_family != AF_INET6))
        return;
    memcpy(&at, from->ai_addr, from->ai_addrlen);
    add_endpoint(&at, found);
}

vdnn_status vdnn_socket_resolve(const char *address, vdnn_endpoints *found)
{
    host_port parts;
    if (!split(address, &parts))
        return vdnn_status_fail(VDNN_USAGE,
                                "\"%s\" is no address of rank 0: expected HOST:PORT or "
                                "[HOST]:PORT, with a port up to 65535",
                                address);
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    struct addrinfo *all = NULL;
    const int error = getaddrinfo(parts.host, parts.port, &hints, &all);
    *found = (vdnn_endpoints){0};
    for (const struct addrinfo *one = all; error == 0 && one != NULL; one = one->ai_next)
        take_endpoint(one, found);
    if (error == 0)
        freeaddrinfo(all);
    if (found->count > 0)
        return VDNN_OK;
    return vdnn_status_fail(VDNN_USAGE, "the host of %s, where rank 0 is met, is not known: %s",
                            address, error == 0 ? "no address" : gai_strerror(error));
}

bool vdnn_socket_is_local_name(const char *address)
{
    host_port parts;
    struct in_addr v4;
    if (!split(address, &parts))
        return false;
    return strcmp(parts.host, "localhost") == 0 || strcmp(parts.host, "::1") == 0 ||
           (inet_pton(AF_INET, parts.host, &v4) == 1 && strncmp(parts.host, "127.", 4) == 0);
}

bool vdnn_endpoint_is_loopback(const vdnn_endpoint *at)
{
    return at->any.sa_family == AF_INET ? ntohl(at->v4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET
                                        : IN6_IS_ADDR_LOOPBACK(&at->v6.sin6_addr);
}

void vdnn_endpoint_set_port(vdnn_endpoint *at, int port)
{
    if (at->any.sa_family == AF_INET)
        at->v4.sin_port = htons((uint16_t)port);
    else
        at->v6.sin6_port = htons((uint16_t)port);
}

void vdnn_endpoint_set_any(vdnn_endpoint *at)
{
    if (at->any.sa_family == AF_INET)
        at->v4.sin_addr.s_addr = htonl(INADDR_ANY);
    else
        at->v6.sin6_addr = in6addr_any;
}

int vdnn_endpoint_port(const vdnn_endpoint *at)
{
    return ntohs(at->any.sa_family == AF_INET ? at->v4.sin_port : at->v6.sin6_port);
}

const char *vdnn_endpoint_text(const vdnn_endpoint *at, char text[VDNN_ENDPOINT_TEXT_BYTES])
{
    char host[INET6_ADDRSTRLEN] = "?";
    const bool is_v4 = at->any.sa_family == AF_INET;
    (void)inet_ntop(at->any.sa_family,
                    is_v4 ? (const void *)&at->v4.sin_addr : (const void *)&at->v6.sin6_addr, host,
                    sizeof host);
    (void)snprintf(text, VDNN_ENDPOINT_TEXT_BYTES, is_v4 ? "%s:%d" : "[%s]:%d", host,
                   vdnn_endpoint_port(at));
    return text;
}

static socklen_t bytes_of(const vdnn_endpoint *at)
{
    return at->any.sa_family == AF_INET ? sizeof at->v4 : sizeof at->v6;
}

/* ---- open ------------------------------------------------------------------------------------ */

static int open_socket(const vdnn_endpoint *at, int *file)
{
    *file = vdnn_system_socket(at->any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    return *file < 0 ? errno : 0;
}

/* Small messages leave at once. */
static void hurry(int file)
{
    (void)vdnn_system_setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
}

int vdnn_socket_own(int file, vdnn_endpoint *at)
{
    socklen_t bytes = sizeof *at;
    return vdnn_system_getsockname(file, &at->any, &bytes) == 0 ? 0 : errno;
}

int vdnn_socket_listen_at(const vdnn_endpoint *at, int *listener, int *port)
{
    vdnn_endpoint own;
    int file, error = open_socket(at, &file);
    if (error != 0)
        return error;
    /* A port that a process left a moment ago can be used. */
    (void)vdnn_system_setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    /* Addresses of both families have a socket each. */
    if (at->any.sa_family == AF_INET6)
        (void)vdnn_system_setsockopt(file, IPPROTO_IPV6, IPV6_V6ONLY, &(int){1}, sizeof(int));
    if (vdnn_system_bind(file, &at->any, bytes_of(at)) != 0 ||
        vdnn_system_listen(file, BACKLOG) != 0)
        error = errno;
    if (error == 0)
        error = vdnn_socket_own(file, &own);
    if (error != 0) {
        (void)vdnn_system_close(file);
        return error;
    }
    *listener = file;
    *port = vdnn_endpoint_port(&own);
    return 0;
}

void vdnn_socket_close_all(vdnn_listeners *listeners)
{
    for (int32_t i = 0; i < listeners->count; i++)
        (void)vdnn_system_close(listeners->files[i]);
    listeners->count = 0;
}

/* Some hosts know themselves as 127.0.1.1, where no other host finds them: they listen at all their
 * addresses. */
static void widen(const char *address, vdnn_endpoints *found)
{
    const bool is_local = vdnn_socket_is_local_name(address);
    bool is_hidden = false;
    for (int32_t i = 0; i < found->count && !is_local; i++)
        is_hidden |= vdnn_endpoint_is_loopback(&found->all[i]);
    if (!is_hidden)
        return;
    const in_port_t port = htons((uint16_t)vdnn_endpoint_port(&found->all[0]));
    vdnn_endpoint all[2];
    memset(all, 0, sizeof all);
    all[0].v4 = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = port};
    all[1].v6 = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = port};
    found->count = 0;
    for (int i = 0; i < 2; i++)
        add_endpoint(&all[i], found);
}

/* At one after the other, those of other hosts left out, until the port is taken at one. */
static int listen_at_all(vdnn_endpoints *found, vdnn_listeners *listeners, int *port,
                         const vdnn_endpoint **failed)
{
    int last = EADDRNOTAVAIL;
    for (int32_t i = 0; i < found->count; i++) {
        vdnn_endpoint *at = &found->all[i];
        if (vdnn_endpoint_port(at) == 0 && listeners->count > 0)
            vdnn_endpoint_set_port(at, *port);
        const int error = vdnn_socket_listen_at(at, &listeners->files[listeners->count], port);
        *failed = error == 0 ? *failed : at;
        if (error == EADDRINUSE)
            return error;
        last = error == 0 ? last : error;
        listeners->count += error == 0;
    }
    return listeners->count > 0 ? 0 : last;
}

vdnn_status vdnn_socket_listen(const char *address, vdnn_listeners *listeners, int *port)
{
    char text[VDNN_ENDPOINT_TEXT_BYTES] = "";
    vdnn_endpoints found;
    const vdnn_endpoint *failed = NULL;
    listeners->count = 0;
    VDNN_TRY(vdnn_socket_resolve(address, &found));
    widen(address, &found);
    const int error = listen_at_all(&found, listeners, port, &failed);
    if (error == 0)
        return VDNN_OK;
    vdnn_socket_close_all(listeners);
    return vdnn_status_fail(VDNN_USAGE, "rank 0 cannot be met at %s (%s): %s%s", address,
                            failed == NULL ? "" : vdnn_endpoint_text(failed, text), strerror(error),
                            error == EADDRINUSE      ? "; choose another port"
                            : error == EADDRNOTAVAIL ? "; the address is none of this host's"
                                                     : "");
}

int vdnn_socket_accept(int listener, vdnn_endpoint *from)
{
    socklen_t bytes = sizeof *from;
    int file;
    do
        file = vdnn_system_accept4(listener, &from->any, &bytes, SOCK_NONBLOCK | SOCK_CLOEXEC);
    while (file < 0 && (errno == EINTR || errno == ECONNABORTED));
    if (file >= 0)
        hurry(file);
    return file;
}

/* ---- wait ------------------------------------------------------------------------------------ */

int vdnn_socket_wait(struct pollfd *set, size_t count, double until)
{
    for (;;) {
        const double left = until - vdnn_socket_now();
        const int milliseconds = left <= 0 ? 0 : left > 1e6 ? -1 : (int)(left * MILLISECONDS) + 1;
        const int ready = vdnn_system_poll(set, (nfds_t)count, milliseconds);
        if (ready > 0)
            return 0;
        if (ready < 0 && errno != EINTR && errno != EAGAIN)
            return errno;
        if (ready == 0 && left <= 0)
            return ETIMEDOUT;
    }
}

static int wait_for(int file, short what, double until)
{
    struct pollfd one = {.fd = file, .events = what};
    return vdnn_socket_wait(&one, 1, until);
}

int vdnn_socket_begin_connect(const vdnn_endpoint *to, int *file)
{
    int error = open_socket(to, file);
    if (error != 0)
        return error;
    if (vdnn_system_connect(*file, &to->any, bytes_of(to)) != 0)
        error = errno == EINTR ? EINPROGRESS : errno;
    if (error != 0 && error != EINPROGRESS)
        (void)vdnn_system_close(*file);
    else if (error == 0)
        hurry(*file);
    return error;
}

int vdnn_socket_finish_connect(int file)
{
    int error = 0;
    socklen_t bytes = sizeof error;
    if (vdnn_system_getsockopt(file, SOL_SOCKET, SO_ERROR, &error, &bytes) != 0)
        error = errno;
    if (error == 0)
        hurry(file);
    return error;
}

int vdnn_socket_connect(const vdnn_endpoint *to, double until, int *file)
{
    int error = vdnn_socket_begin_connect(to, file);
    if (error != EINPROGRESS)
        return error;
    error = wait_for(*file, POLLOUT, until);
    if (error == 0)
        error = vdnn_socket_finish_connect(*file);
    if (error != 0)
        (void)vdnn_system_close(*file);
    return error;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static bool is_not_yet(int error)
{
    return error == EAGAIN || error == EWOULDBLOCK;
}

int vdnn_socket_send_some(int file, const void *bytes, size_t count, size_t *sent)
{
    ssize_t done;
    do
        done = vdnn_system_send(file, bytes, count, MSG_NOSIGNAL);
    while (done < 0 && errno == EINTR);
    *sent = done < 0 ? 0 : (size_t)done;
    return done >= 0 || is_not_yet(errno) ? 0 : errno;
}

int vdnn_socket_receive_some(int file, void *bytes, size_t most, size_t *received)
{
    ssize_t done;
    do
        done = vdnn_system_recv(file, bytes, most, 0);
    while (done < 0 && errno == EINTR);
    *received = done < 0 ? 0 : (size_t)done;
    if (done == 0 && most > 0)
        return ECONNRESET;
    return done >= 0 || is_not_yet(errno) ? 0 : errno;
}

int vdnn_socket_send(int file, const void *bytes, size_t count, double until)
{
    const char *from = bytes;
    size_t sent = 0;
    int error = 0;
    for (size_t done = 0; error == 0 && done < count; done += sent) {
        error = vdnn_socket_send_some(file, from + done, count - done, &sent);
        if (error == 0 && sent == 0)
            error = wait_for(file, POLLOUT, until);
    }
    return error;
}

int vdnn_socket_receive(int file, void *bytes, size_t count, double until)
{
    char *to = bytes;
    size_t received = 0;
    int error = 0;
    for (size_t done = 0; error == 0 && done < count; done += received) {
        error = vdnn_socket_receive_some(file, to + done, count - done, &received);
        if (error == 0 && received == 0)
            error = wait_for(file, POLLIN, until);
    }
    return error;
}
