#include "tests/cuda_host/library.h"

#include <condition_variable>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

extern "C" {
#include "layers/cuda/nccl.h"
}

/* Sums over cards by threads of their streams, which meet; taken in the order of the ranks. */

namespace
{

enum { SYSTEM_ERROR = 2, INVALID = 4, ABORTED = 6 };

/* What all ranks of one identification have in common. */
struct hall {
    std::mutex lock;
    std::condition_variable changed;
    int ranks = 0, joined = 0, arrived = 0;
    int reading = 0; /* ranks that have met and read what the others brought */
    long long meetings = 0;
    bool is_aborted = false;
    std::vector<const float *> from;

    /* All ranks are there, or one has gone. */
    bool meet()
    {
        std::unique_lock<std::mutex> hold(lock);
        long long before = meetings;
        if (!is_aborted && ++arrived == ranks) {
            arrived = 0;
            meetings++;
            reading = ranks;
            changed.notify_all();
        }
        changed.wait(hold, [&] { return is_aborted || meetings != before; });
        return meetings != before;
    }

    /* All who met have read: what they brought may change, or go. Also where one was aborted. */
    void end_reading()
    {
        std::unique_lock<std::mutex> hold(lock);
        reading--;
        changed.notify_all();
        changed.wait(hold, [&] { return reading == 0; });
    }
};

std::mutex lock;
std::map<std::string, std::shared_ptr<hall>> halls;
long long ids;
thread_local int depth;

} // namespace

struct ncclComm {
    std::shared_ptr<hall> at;
    int rank, card;
};

namespace
{

bool can(ncclComm *comm, cudaStream_t stream, const void *values)
{
    return vdnn_cuda_host::can_use(comm->card, stream, {values});
}

/* The sum of the ranks from first to last, on those whose rank is the root, or on all. */
void run(const ncclComm &own, const float *from, float *to, size_t count, int first, int last,
         int root)
{
    hall &all = *own.at;
    {
        std::lock_guard<std::mutex> hold(all.lock);
        all.from[(size_t)own.rank] = from;
    }
    if (!all.meet())
        return;
    std::vector<float> sum(count);
    std::copy_n(all.from[(size_t)first], count, sum.begin());
    for (int r = first + 1; r <= last; r++)
        for (size_t i = 0; i < count; i++)
            sum[i] += all.from[(size_t)r][i];
    all.end_reading();
    if (root < 0 || root == own.rank)
        std::copy_n(sum.begin(), count, to);
}

int enqueue(const char *name, const void *from, void *to, size_t count, int type, ncclComm *comm,
            cudaStream_t stream, int first, int last, int root)
{
    int error = vdnn_cuda_host::library_error(name);
    if (error != 0)
        return error;
    if (comm == nullptr || type != VDNN_NCCL_F32 || !can(comm, stream, from) ||
        !can(comm, stream, to))
        return INVALID;
    ncclComm own = *comm;
    vdnn_cuda_host::run_on(stream, [=] {
        run(own, static_cast<const float *>(from), static_cast<float *>(to), count, first, last,
            root);
    });
    return 0;
}

int planned(const char *name)
{
    return vdnn_cuda_host::library_error(name);
}

} // namespace

extern "C" {

int ncclGetVersion(int *version)
{
    *version = static_cast<int>(vdnn_cuda_host::setting_of("nccl"));
    return planned("ncclGetVersion");
}

const char *ncclGetErrorString(int status)
{
    return status == ABORTED ? "remote process exited or there was a network error"
                             : "unhandled system error";
}

int ncclGetUniqueId(vdnn_nccl_id *id)
{
    std::lock_guard<std::mutex> hold(lock);
    memset(id, 0, sizeof *id);
    memcpy(id->internal, &++ids, sizeof ids);
    return planned("ncclGetUniqueId");
}

int ncclCommInitRank(vdnn_nccl_comm *comm, int ranks, vdnn_nccl_id id, int rank)
{
    int error = planned("ncclCommInitRank");
    std::shared_ptr<hall> at;
    {
        std::lock_guard<std::mutex> hold(lock);
        auto &place = halls[std::string(id.internal, sizeof id.internal)];
        if (place == nullptr)
            place = std::make_shared<hall>();
        at = place;
    }
    std::unique_lock<std::mutex> hold(at->lock);
    at->ranks = ranks;
    at->from.resize((size_t)ranks);
    at->is_aborted |= error != 0; /* the others would wait until they find out */
    at->joined++;
    at->changed.notify_all();
    at->changed.wait(hold, [&] { return at->joined == ranks || at->is_aborted; });
    if (error != 0 || at->is_aborted)
        return error != 0 ? error : SYSTEM_ERROR;
    *comm = new ncclComm{at, rank, vdnn_cuda_host::current_card()};
    return 0;
}

int ncclCommAbort(vdnn_nccl_comm comm)
{
    {
        std::lock_guard<std::mutex> hold(comm->at->lock);
        comm->at->is_aborted = true;
        comm->at->changed.notify_all();
    }
    delete comm;
    return 0;
}

int ncclCommDestroy(vdnn_nccl_comm comm)
{
    delete comm;
    return planned("ncclCommDestroy");
}

int ncclCommGetAsyncError(vdnn_nccl_comm comm, int *status)
{
    std::lock_guard<std::mutex> hold(comm->at->lock);
    *status = comm->at->is_aborted ? ABORTED : 0;
    return planned("ncclCommGetAsyncError");
}

int ncclGroupStart(void)
{
    int error = planned("ncclGroupStart");
    depth += error == 0;
    return error;
}

int ncclGroupEnd(void)
{
    if (depth == 0)
        return INVALID;
    depth--;
    return planned("ncclGroupEnd");
}

int ncclAllReduce(const void *from, void *to, size_t count, int type, int operation,
                  vdnn_nccl_comm comm, cudaStream_t stream)
{
    return operation != VDNN_NCCL_SUM ? INVALID
                                      : enqueue("ncclAllReduce", from, to, count, type, comm,
                                                stream, 0, comm->at->ranks - 1, -1);
}

int ncclReduce(const void *from, void *to, size_t count, int type, int operation, int root,
               vdnn_nccl_comm comm, cudaStream_t stream)
{
    return operation != VDNN_NCCL_SUM ? INVALID
                                      : enqueue("ncclReduce", from, to, count, type, comm, stream,
                                                0, comm->at->ranks - 1, root);
}

int ncclBroadcast(const void *from, void *to, size_t count, int type, int root, vdnn_nccl_comm comm,
                  cudaStream_t stream)
{
    return enqueue("ncclBroadcast", from, to, count, type, comm, stream, root, root, -1);
}

} // extern "C"
