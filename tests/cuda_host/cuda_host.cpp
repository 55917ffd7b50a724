#include "tests/cuda_host/cuda_host.h"

#include "tests/cuda_host/blocks.h"
#include "tests/cuda_host/library.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <thread>

namespace
{

/* ---- the machine, and what is to fail ---------------------------------------------------------
 */

struct fault {
    int calls, nth, error;
};

/* A block of a card's memory. */
struct block {
    size_t bytes;
    int card;
};

struct machine {
    std::mutex lock;
    std::map<std::string, long long> settings;
    std::map<std::string, fault> faults;
    std::map<uintptr_t, block> device_blocks;
    std::map<uintptr_t, size_t> registered;
    std::map<int, size_t> used_bytes;                     /* of each card */
    std::map<std::pair<int, std::string>, size_t> loaded; /* kernels, each on a card */
    long long copied_bytes[cudaMemcpyDefault + 1] = {};
    int live = 0;
    unsigned launches = 0;
    std::atomic<int> lost{cudaSuccess}; /* the error of a kernel, or one that sticks */

    machine()
    {
        reset();
        read(getenv("VDNN_CUDA_HOST"));
    }

    void reset()
    {
        settings = {{"devices", 1},
                    {"driver", CUDART_VERSION},
                    {"memory", static_cast<long long>(4) << 30},
                    {"capability", 90},
                    {"cublas", 13},
                    {"cufft", 12},
                    {"cudnn", 91300},
                    {"nccl", 22809},
                    {"fusion", 1},
                    {"module", 0},
                    {"order", 0},
                    {"sticky", 0}};
        faults.clear();
        for (const auto &kernel : loaded)
            used_bytes[kernel.first.first] -= kernel.second;
        loaded.clear();
        launches = 0;
        memset(copied_bytes, 0, sizeof copied_bytes);
        lost = cudaSuccess;
    }

    void read(const char *text)
    {
        char name[64];
        long long value;
        int nth, used;
        for (; text != nullptr && *text != '\0'; text += used, text += strspn(text, " ,")) {
            if (sscanf(text, "%63[^ =:]:%d=%lld%n", name, &nth, &value, &used) == 3)
                faults[name] = {0, nth, static_cast<int>(value)};
            else if (sscanf(text, "%63[^ =:]=%lld%n", name, &value, &used) == 2 &&
                     settings.count(name) == 1)
                settings[name] = value;
            else {
                (void)fprintf(stderr, "cuda_host: VDNN_CUDA_HOST is not understood from: %s\n",
                              text);
                abort();
            }
        }
    }
};

machine &card()
{
    static machine own;
    return own;
}

thread_local cudaError_t last_error = cudaSuccess;
thread_local int own_device = 0;

cudaError_t told(cudaError_t error)
{
    if (error != cudaSuccess)
        last_error = error;
    return error;
}

/* Counts a call; returns the error that a test injects. */
cudaError_t planned(const char *call)
{
    std::lock_guard<std::mutex> hold(card().lock);
    fault &own = card().faults[call];
    own.calls++;
    if (own.nth == 0 || own.calls != own.nth)
        return cudaSuccess;
    if (card().settings["sticky"] != 0)
        card().lost = own.error;
    return static_cast<cudaError_t>(own.error);
}

long long setting(const char *name)
{
    std::lock_guard<std::mutex> hold(card().lock);
    return card().settings[name];
}

/* What every call begins with. */
cudaError_t enter(const char *call, bool wants_card = true)
{
    cudaError_t error = planned(call);
    if (error == cudaSuccess)
        error = static_cast<cudaError_t>(card().lost.load());
    if (error == cudaSuccess && wants_card && setting("driver") < CUDART_VERSION)
        error = cudaErrorInsufficientDriver;
    if (error == cudaSuccess && wants_card && setting("devices") == 0)
        error = cudaErrorNoDevice;
    return told(error);
}

#define ENTER()                                                                                    \
    do {                                                                                           \
        cudaError_t entered = enter(__func__);                                                     \
        if (entered != cudaSuccess)                                                                \
            return entered;                                                                        \
    } while (0)

void count_live(int change)
{
    std::lock_guard<std::mutex> hold(card().lock);
    card().live += change;
}

double now()
{
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/* ---- streams and events ------------------------------------------------------------------------
 */

/* One recording of an event. */
struct moment {
    std::mutex lock;
    std::condition_variable came;
    bool is_complete = false;
    double time = 0;

    void complete()
    {
        std::lock_guard<std::mutex> hold(lock);
        is_complete = true;
        time = now();
        came.notify_all();
    }

    void wait()
    {
        std::unique_lock<std::mutex> hold(lock);
        came.wait(hold, [this] { return is_complete; });
    }
};

} // namespace

/* Events and streams belong to the card that was current when they were made. */
struct CUevent_st {
    const int card = own_device;
    std::shared_ptr<moment> last; /* NULL: never recorded */
    bool is_timed = true;
};

struct CUstream_st {
    const int card = own_device;
    std::mutex lock;
    std::condition_variable wake, idle;
    std::deque<std::function<void()>> queue;
    bool is_busy = false, is_closing = false;
    std::thread thread;

    CUstream_st() : thread([this] { run(); })
    {
    }

    ~CUstream_st()
    {
        {
            std::lock_guard<std::mutex> hold(lock);
            is_closing = true;
        }
        wake.notify_all();
        thread.join();
    }

    void push(std::function<void()> work)
    {
        {
            std::lock_guard<std::mutex> hold(lock);
            queue.push_back(std::move(work));
        }
        wake.notify_all();
    }

    void drain()
    {
        std::unique_lock<std::mutex> hold(lock);
        idle.wait(hold, [this] { return queue.empty() && !is_busy; });
    }

  private:
    /* After a kernel failed nothing runs any more, but events complete, so that no wait is endless.
     */
    void run()
    {
        std::unique_lock<std::mutex> hold(lock);
        for (;;) {
            wake.wait(hold, [this] { return !queue.empty() || is_closing; });
            if (queue.empty())
                return;
            std::function<void()> work = std::move(queue.front());
            queue.pop_front();
            is_busy = true;
            hold.unlock();
            work();
            hold.lock();
            is_busy = false;
            if (queue.empty())
                idle.notify_all();
        }
    }
};

namespace
{

/* The legacy stream: what is queued there is complete when the call returns. */
void queue_work(cudaStream_t stream, std::function<void()> work)
{
    if (stream == nullptr)
        work();
    else
        stream->push(std::move(work));
}

/* A legacy stream is the current card's. */
int card_of(cudaStream_t stream)
{
    return stream == nullptr ? own_device : stream->card;
}

bool is_lost()
{
    return card().lost.load() != cudaSuccess;
}

/* ---- memory ------------------------------------------------------------------------------------
 */

enum { HOST = -1 };

/* The card with a block that holds all the bytes, or HOST. */
int home_of(const void *at, size_t bytes)
{
    std::lock_guard<std::mutex> hold(card().lock);
    auto address = reinterpret_cast<uintptr_t>(at);
    auto next = card().device_blocks.upper_bound(address);
    if (next == card().device_blocks.begin())
        return HOST;
    --next;
    const block &found = next->second;
    size_t offset = address - next->first;
    return offset <= found.bytes && bytes <= found.bytes - offset ? found.card : HOST;
}

bool is_of_other_card(const void *at, int own)
{
    int home = home_of(at, 1);
    return home != HOST && home != own;
}

/* Stricter than CUDA, which would also copy between cards: nothing here is meant to. */
bool fits_kind(const void *to, const void *from, size_t bytes, cudaMemcpyKind kind, int own)
{
    int to_home = home_of(to, bytes), from_home = home_of(from, bytes);
    bool to_card = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_card = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    bool is_kind = kind == cudaMemcpyDefault ||
                   ((to_home != HOST) == to_card && (from_home != HOST) == from_card);
    return bytes == 0 || (is_kind && (to_home == HOST || to_home == own) &&
                          (from_home == HOST || from_home == own));
}

cudaError_t fill(void *to, int value, size_t bytes, cudaStream_t stream)
{
    if (home_of(to, bytes) != card_of(stream))
        return told(cudaErrorInvalidValue);
    vdnn_cuda_host::run_on(stream, [to, value, bytes] { memset(to, value, bytes); });
    return cudaSuccess;
}

cudaError_t copy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream)
{
    if (!fits_kind(to, from, bytes, kind, card_of(stream)))
        return told(cudaErrorInvalidValue);
    {
        std::lock_guard<std::mutex> hold(card().lock);
        card().copied_bytes[kind] += static_cast<long long>(bytes);
    }
    vdnn_cuda_host::run_on(stream, [to, from, bytes] {
        if (bytes != 0)
            memcpy(to, from, bytes);
    });
    return cudaSuccess;
}

/* In which the next launch's threads run: as is set, else another one for each launch. */
unsigned next_order()
{
    constexpr unsigned KNUTH = 2654435769U, KINDS = 4;
    std::lock_guard<std::mutex> hold(card().lock);
    auto fixed = static_cast<unsigned>(card().settings["order"]);
    unsigned launch = card().launches++, kind = (launch * KNUTH >> 16) % KINDS;
    if (fixed != 0)
        return fixed;
    return kind + 1 < KINDS ? kind + 1 : KINDS + launch;
}

/* A block so large is asked for to learn whether the card has it: the host's pages stay untouched.
 */
constexpr size_t LARGE_BYTES = 256 << 20;

/* What was never written is NaN, but in a large block. */
void *take_block(size_t bytes)
{
    constexpr size_t ALIGNMENT = 512;
    void *fresh = nullptr;
    if (bytes >= LARGE_BYTES) {
        fresh = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        return fresh == MAP_FAILED ? nullptr : fresh;
    }
    if (posix_memalign(&fresh, ALIGNMENT, bytes) != 0)
        return nullptr;
    memset(fresh, 0xff, bytes);
    return fresh;
}

void free_block(void *block, size_t bytes)
{
    if (bytes >= LARGE_BYTES)
        (void)munmap(block, bytes);
    else
        free(block);
}

/* A kernel takes memory of the card when it is first launched there. */
bool load(const char *kernel)
{
    auto bytes = static_cast<size_t>(setting("module")),
         total = static_cast<size_t>(setting("memory"));
    std::lock_guard<std::mutex> hold(card().lock);
    size_t &used = card().used_bytes[own_device];
    if (card().loaded.count({own_device, kernel}) == 1)
        return true;
    if (used > total || bytes > total - used)
        return false;
    used += bytes;
    card().loaded[{own_device, kernel}] = bytes;
    return true;
}

/* Whether an argument of a kernel, or a part of one, is an address in another card's memory. */
bool strays(const void *arguments, size_t bytes, int own)
{
    const auto *at = static_cast<const char *>(arguments);
    if (setting("devices") < 2)
        return false;
    for (size_t i = 0; i + sizeof(void *) <= bytes; i += sizeof(void *)) {
        const void *word;
        memcpy(&word, at + i, sizeof word);
        if (is_of_other_card(word, own))
            return true;
    }
    return false;
}

} // namespace

/* ---- what tests call ---------------------------------------------------------------------------
 */

void vdnn_cuda_host_reset(void)
{
    std::lock_guard<std::mutex> hold(card().lock);
    card().reset();
    last_error = cudaSuccess;
}

bool vdnn_cuda_host_set(const char *name, long long value)
{
    std::lock_guard<std::mutex> hold(card().lock);
    bool is_known = card().settings.count(name) == 1;
    if (is_known)
        card().settings[name] = value;
    return is_known;
}

void vdnn_cuda_host_fail(const char *call, int nth, int error)
{
    std::lock_guard<std::mutex> hold(card().lock);
    card().faults[call] = {0, nth, error};
}

int vdnn_cuda_host_calls(const char *call)
{
    std::lock_guard<std::mutex> hold(card().lock);
    return card().faults[call].calls;
}

long long vdnn_cuda_host_bytes(cudaMemcpyKind kind)
{
    std::lock_guard<std::mutex> hold(card().lock);
    return card().copied_bytes[kind];
}

int vdnn_cuda_host_live(void)
{
    std::lock_guard<std::mutex> hold(card().lock);
    return card().live;
}

/* ---- cuBLAS and the loader: library.h
 * ------------------------------------------------------------ */

namespace vdnn_cuda_host
{

long long setting_of(const char *name)
{
    return setting(name);
}

int planned_error(const char *call)
{
    return planned(call);
}

int library_error(const char *call)
{
    return told(planned(call));
}

void run_on(cudaStream_t stream, std::function<void()> work)
{
    queue_work(stream, [work] {
        if (!is_lost())
            work();
    });
}

int current_card()
{
    return own_device;
}

bool can_use(int own, cudaStream_t stream, std::initializer_list<const void *> places)
{
    bool can = own == own_device && own == card_of(stream);
    for (const void *at : places)
        can = can && !is_of_other_card(at, own);
    return can;
}

void enqueue(const char *name, dim3 blocks, dim3 threads, cudaStream_t stream,
             std::function<void()> thread, const void *arguments, size_t argument_bytes)
{
    if (enter("launch") != cudaSuccess)
        return;
    if (card_of(stream) != own_device) {
        (void)told(cudaErrorInvalidResourceHandle);
        return;
    }
    if (blocks.x == 0 || blocks.y == 0 || blocks.z == 0 || blocks.y > 65535 || blocks.z > 65535) {
        (void)told(cudaErrorInvalidValue);
        return;
    }
    if (!load(name)) {
        (void)told(cudaErrorMemoryAllocation);
        return;
    }
    bool is_lost_there = strays(arguments, argument_bytes, own_device);
    unsigned order = next_order();
    run_on(stream, [name, blocks, threads, order, thread, is_lost_there] {
        cudaError_t error = planned("kernel");
        if (error == cudaSuccess && is_lost_there)
            error = cudaErrorIllegalAddress;
        if (error != cudaSuccess)
            card().lost = error;
        else
            run_blocks(name, blocks, threads, order, thread);
    });
}

} // namespace vdnn_cuda_host

/* ---- errors ------------------------------------------------------------------------------------
 */

cudaError_t cudaPeekAtLastError(void)
{
    return card().lost != cudaSuccess ? static_cast<cudaError_t>(card().lost.load()) : last_error;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return error;
}

const char *cudaGetErrorName(cudaError_t error)
{
    switch (error) {
#define X(name, number, text)                                                                      \
    case name:                                                                                     \
        return #name;
        VDNN_CUDA_HOST_ERROR_TABLE(X)
#undef X
    }
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    switch (error) {
#define X(name, number, text)                                                                      \
    case name:                                                                                     \
        return text;
        VDNN_CUDA_HOST_ERROR_TABLE(X)
#undef X
    }
    return "unrecognized error code";
}

/* ---- the machine -------------------------------------------------------------------------------
 */

cudaError_t cudaDriverGetVersion(int *version)
{
    cudaError_t error = enter(__func__, false);
    if (error == cudaSuccess)
        *version = static_cast<int>(setting("driver"));
    return error;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    cudaError_t error = enter(__func__, false);
    if (error == cudaSuccess)
        *version = CUDART_VERSION;
    return error;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 0;
    ENTER();
    *count = static_cast<int>(setting("devices"));
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device)
{
    ENTER();
    if (device < 0 || device >= setting("devices"))
        return told(cudaErrorInvalidDevice);
    *properties = {};
    (void)snprintf(properties->name, sizeof properties->name, "CUDA emulated on the CPU");
    properties->totalGlobalMem = static_cast<size_t>(setting("memory"));
    properties->major = static_cast<int>(setting("capability") / 10);
    properties->minor = static_cast<int>(setting("capability") % 10);
    properties->multiProcessorCount = 2;
    properties->l2CacheSize = 1 << 16; /* before each timed run a sweep fills several of it */
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    ENTER();
    if (device < 0 || device >= setting("devices"))
        return told(cudaErrorInvalidDevice);
    own_device = device;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    ENTER();
    *device = own_device;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    ENTER();
    if (device < 0 || device >= setting("devices"))
        return told(cudaErrorInvalidDevice);
    int capability = static_cast<int>(setting("capability"));
    *value = attribute == cudaDevAttrComputeCapabilityMajor ? capability / 10 : capability % 10;
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    ENTER();
    return cudaSuccess;
}

/* ---- memory ------------------------------------------------------------------------------------
 */

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    ENTER();
    auto total = static_cast<size_t>(setting("memory"));
    std::lock_guard<std::mutex> hold(card().lock);
    *total_bytes = total;
    size_t used = card().used_bytes[own_device];
    *free_bytes = total > used ? total - used : 0;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **block, size_t bytes)
{
    ENTER();
    auto total = static_cast<size_t>(setting("memory"));
    std::lock_guard<std::mutex> hold(card().lock);
    size_t &used = card().used_bytes[own_device];
    void *fresh = bytes > total - used ? nullptr : take_block(bytes);
    if (fresh == nullptr)
        return told(cudaErrorMemoryAllocation);
    card().device_blocks[reinterpret_cast<uintptr_t>(fresh)] = {bytes, own_device};
    used += bytes;
    card().live++;
    *block = fresh;
    return cudaSuccess;
}

/* Also of a card that is lost: its memory goes with it. */
cudaError_t cudaFree(void *block)
{
    cudaError_t error = enter(__func__);
    if (block == nullptr)
        return error;
    std::lock_guard<std::mutex> hold(card().lock);
    auto found = card().device_blocks.find(reinterpret_cast<uintptr_t>(block));
    if (found == card().device_blocks.end())
        return told(cudaErrorInvalidValue);
    card().used_bytes[found->second.card] -= found->second.bytes;
    free_block(block, found->second.bytes);
    card().device_blocks.erase(found);
    card().live--;
    return error;
}

cudaError_t cudaHostRegister(void *block, size_t bytes, unsigned flags)
{
    (void)flags;
    ENTER();
    std::lock_guard<std::mutex> hold(card().lock);
    auto begin = reinterpret_cast<uintptr_t>(block);
    for (const auto &other : card().registered)
        if (begin < other.first + other.second && other.first < begin + bytes)
            return told(cudaErrorHostMemoryAlreadyRegistered);
    card().registered[begin] = bytes;
    card().live++;
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *block)
{
    cudaError_t error = enter(__func__);
    std::lock_guard<std::mutex> hold(card().lock);
    if (card().registered.erase(reinterpret_cast<uintptr_t>(block)) == 0)
        return told(cudaErrorHostMemoryNotRegistered);
    card().live--;
    return error;
}

/* What was never written is NaN. */
cudaError_t cudaHostAlloc(void **block, size_t bytes, unsigned flags)
{
    constexpr size_t PAGE = 4096;
    ENTER();
    void *fresh = nullptr;
    if (flags != cudaHostAllocPortable || posix_memalign(&fresh, PAGE, bytes) != 0)
        return told(cudaErrorMemoryAllocation);
    memset(fresh, 0xff, bytes);
    std::lock_guard<std::mutex> hold(card().lock);
    card().registered[reinterpret_cast<uintptr_t>(fresh)] = bytes;
    card().live++;
    *block = fresh;
    return cudaSuccess;
}

cudaError_t cudaFreeHost(void *block)
{
    cudaError_t error = enter(__func__);
    std::lock_guard<std::mutex> hold(card().lock);
    if (card().registered.erase(reinterpret_cast<uintptr_t>(block)) == 0)
        return told(cudaErrorInvalidValue);
    card().live--;
    free(block);
    return error;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    ENTER();
    return fill(to, value, bytes, stream);
}

cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
    ENTER();
    return fill(to, value, bytes, nullptr);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    ENTER();
    return copy(to, from, bytes, kind, stream);
}

/* A card does not call it once a kernel has failed. */
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t run, void *argument)
{
    ENTER();
    queue_work(stream, [run, argument] {
        if (!is_lost())
            run(argument);
    });
    return cudaSuccess;
}

/* ---- streams -----------------------------------------------------------------------------------
 */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    ENTER();
    if (flags != cudaStreamNonBlocking)
        return told(cudaErrorNotSupported);
    *stream = new CUstream_st;
    count_live(1);
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    cudaError_t error = enter(__func__);
    delete stream;
    count_live(-1);
    return error;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    if (stream != nullptr)
        stream->drain();
    ENTER();
    return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    (void)flags;
    ENTER();
    if (event->last != nullptr)
        queue_work(stream, [last = event->last] { last->wait(); });
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    ENTER();
    *event = new CUevent_st;
    count_live(1);
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    ENTER();
    *event = new CUevent_st;
    (*event)->is_timed = (flags & cudaEventDisableTiming) == 0;
    count_live(1);
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    cudaError_t error = enter(__func__);
    delete event;
    count_live(-1);
    return error;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    ENTER();
    if (event->card != card_of(stream))
        return told(cudaErrorInvalidResourceHandle);
    auto fresh = std::make_shared<moment>();
    event->last = fresh;
    queue_work(stream, [fresh] { fresh->complete(); });
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    if (event->last != nullptr)
        event->last->wait();
    ENTER();
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    ENTER();
    if (start->card != end->card || start->last == nullptr || end->last == nullptr ||
        !start->is_timed || !end->is_timed)
        return told(cudaErrorInvalidResourceHandle);
    std::lock_guard<std::mutex> first(start->last->lock);
    if (start != end) {
        std::lock_guard<std::mutex> second(end->last->lock);
        if (!start->last->is_complete || !end->last->is_complete)
            return told(cudaErrorNotReady);
    }
    *milliseconds = static_cast<float>(1e3 * (end->last->time - start->last->time));
    return cudaSuccess;
}
