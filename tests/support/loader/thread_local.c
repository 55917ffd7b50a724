/* A library with thread-local memory, of both models: that which every thread gets when it first
 * uses it, and that which is reserved before a program runs, of which all libraries that it loads
 * share less than two kilobytes. */

static _Thread_local char large[4096];
static _Thread_local char reserved[64] __attribute__((tls_model("initial-exec")));

int vdnn_thread_local_use(int value);

int vdnn_thread_local_use(int value)
{
    large[0] = (char)value;
    reserved[0] = (char)value;
    return large[0] + reserved[0];
}
