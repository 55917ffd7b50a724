#ifndef VDNN_RUNTIME_COMM_SOCKETS_H
#define VDNN_RUNTIME_COMM_SOCKETS_H

/* Sockets of TCP, with deadlines.
 *
 * Invariant: no call waits beyond its deadline, a broken connection raises no signal, and what a
 * signal interrupts is resumed.
 * Threads: any, each socket by one.
 *
 *     status = vdnn_socket_listen("localhost:0", &listeners, &port);
 *     const double until = vdnn_socket_now() + timeout;
 *     error = vdnn_socket_connect(&endpoint, until, &file);        // errno's number; 0: connected
 *     error = vdnn_socket_send(file, bytes, count, until);
 *     error = vdnn_socket_receive(file, bytes, count, until);
 */

#include "runtime/base/status.h"

#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>

typedef union vdnn_endpoint {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} vdnn_endpoint;

enum { VDNN_ENDPOINT_MOST = 16, VDNN_ENDPOINT_TEXT_BYTES = 64 };

typedef struct vdnn_endpoints {
    int32_t count;
    vdnn_endpoint all[VDNN_ENDPOINT_MOST];
} vdnn_endpoints;

/* Sockets that listen at the addresses of one name, all at one port. */
typedef struct vdnn_listeners {
    int32_t count;
    int files[VDNN_ENDPOINT_MOST];
} vdnn_listeners;

/* Seconds of a clock that only advances. */
double vdnn_socket_now(void);

/* What HOST:PORT or [HOST]:PORT stands for. VDNN_USAGE if it is neither or does not resolve. */
vdnn_status vdnn_socket_resolve(const char *address, vdnn_endpoints *found);
/* Whether HOST of the address names this host to itself: localhost, 127.0.0.1, ::1. */
bool vdnn_socket_is_local_name(const char *address);

bool vdnn_endpoint_is_loopback(const vdnn_endpoint *at);
int vdnn_endpoint_port(const vdnn_endpoint *at);
void vdnn_endpoint_set_port(vdnn_endpoint *at, int port);
/* All addresses of this host, of the same family. */
void vdnn_endpoint_set_any(vdnn_endpoint *at);
const char *vdnn_endpoint_text(const vdnn_endpoint *at, char text[VDNN_ENDPOINT_TEXT_BYTES]);

/* Sockets that listen at all addresses of HOST:PORT that are this host's, and their port, which the
 * system chooses for 0. VDNN_USAGE if none is this host's or the port is taken at one. */
vdnn_status vdnn_socket_listen(const char *address, vdnn_listeners *listeners, int *port);
void vdnn_socket_close_all(vdnn_listeners *listeners);
/* At one address that is known. errno's number. */
int vdnn_socket_listen_at(const vdnn_endpoint *at, int *listener, int *port);
/* The next one that waits, without waiting for one; -1, and errno, if there is none. */
int vdnn_socket_accept(int listener, vdnn_endpoint *from);
/* The address of this end. errno's number. */
int vdnn_socket_own(int file, vdnn_endpoint *at);

/* Without waiting: 0, EINPROGRESS, or why it cannot be; of one in progress that poll finds
 * writable, `finish` says what became of it. */
int vdnn_socket_begin_connect(const vdnn_endpoint *to, int *file);
int vdnn_socket_finish_connect(int file);

/* errno's number; ECONNRESET where the other end has closed the connection. */
int vdnn_socket_connect(const vdnn_endpoint *to, double until, int *file);
int vdnn_socket_send(int file, const void *bytes, size_t count, double until);
int vdnn_socket_receive(int file, void *bytes, size_t count, double until);

/* What can be sent, or has arrived, without waiting; 0 for nothing now. errno's number. */
int vdnn_socket_send_some(int file, const void *bytes, size_t count, size_t *sent);
int vdnn_socket_receive_some(int file, void *bytes, size_t most, size_t *received);

/* Waits for one of them, or until the deadline: errno's number, ETIMEDOUT then. */
int vdnn_socket_wait(struct pollfd *set, size_t count, double until);

#endif
