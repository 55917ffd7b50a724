#include "tests/cuda_host/blocks.h"

#include "tests/cuda_host/fiber.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace vdnn_cuda_host
{

namespace
{

/* A block's memory for one declaration of a kernel; kept from block to block. */
struct piece {
    const void *site;
    std::unique_ptr<unsigned char[]> bytes;
    size_t size;
    bool is_fresh;
};

/* A fiber on which threads of the block run. */
struct worker {
    fiber *own;
    uint3 thread; /* that stands at a barrier */
};

enum { POISON = 0xff, MOST_THREADS = 1024 };

class runner
{
  public:
    runner() = default;
    runner(const runner &) = delete;
    runner &operator=(const runner &) = delete;
    ~runner()
    {
        for (const worker &w : workers)
            fiber_destroy(w.own);
    }

    void launch(const char *name_, dim3 blocks, dim3 threads, const std::function<void()> &thread_)
    {
        name = name_;
        thread = &thread_;
        count = threads.x * threads.y * threads.z;
        if (count == 0 || count > MOST_THREADS)
            fail("has a block of no, or more than 1024 threads");
        pieces.clear();
        here.threads = threads;
        here.blocks = blocks;
        uint64_t total = static_cast<uint64_t>(blocks.x) * blocks.y * blocks.z;
        for (uint64_t i = 0; i < total; i++)
            run_block(place_of(shuffle(i, total), blocks));
    }

    void wait()
    {
        size_t own = current;
        workers[own].thread = here.thread;
        waiting++;
        fiber_switch(*workers[own].own, home);
        here.thread = workers[own].thread;
    }

    void *memory(const void *site, size_t bytes)
    {
        for (piece &p : pieces)
            if (p.site == site)
                return fresh(p);
        pieces.push_back(
            {site, std::unique_ptr<unsigned char[]>(new unsigned char[bytes]), bytes, true});
        return fresh(pieces.back());
    }

    [[noreturn]] void work();

  private:
    static void *fresh(piece &p)
    {
        if (p.is_fresh)
            memset(p.bytes.get(), POISON, p.size);
        p.is_fresh = false;
        return p.bytes.get();
    }

    [[noreturn]] void fail(const char *what) const
    {
        (void)fprintf(stderr, "cuda_host: kernel %s %s\n", name, what);
        abort();
    }

    /* Every i below total once, far from the one before. */
    static uint64_t shuffle(uint64_t i, uint64_t total)
    {
        constexpr uint64_t PRIME = 1000003;
        return total % PRIME == 0 ? total - 1 - i : (i * PRIME + total / 2) % total;
    }

    static uint3 place_of(uint64_t i, dim3 size)
    {
        return {static_cast<unsigned>(i % size.x), static_cast<unsigned>(i / size.x % size.y),
                static_cast<unsigned>(i / size.x / size.y)};
    }

    static void entry();

    void run_block(uint3 block)
    {
        here.block = block;
        next = done = waiting = 0;
        for (piece &p : pieces)
            p.is_fresh = true;
        size_t used = 0;
        while (next < count) {
            if (used == workers.size())
                workers.push_back({fiber_create(entry), {0, 0, 0}});
            resume(used++);
        }
        while (waiting > 0) {
            if (waiting != count)
                fail("has a barrier that some threads of a block do not come to");
            waiting = 0;
            for (size_t i = 0; i < used; i++)
                resume(i);
            if (waiting > 0 && done > 0)
                fail("has a barrier that some threads of a block do not come to");
        }
    }

    void resume(size_t i)
    {
        current = i;
        fiber_switch(home, *workers[i].own);
    }

    const char *name = "";
    const std::function<void()> *thread = nullptr;
    std::vector<piece> pieces;
    std::vector<worker> workers;
    fiber home;
    size_t current = 0;
    unsigned count = 0, next = 0, done = 0, waiting = 0;
};

runner &own_runner()
{
    static thread_local runner own;
    return own;
}

/* Takes threads until one waits; once it went on to its end, the others have been taken. */
void runner::work()
{
    fiber_begin(home);
    for (;;) {
        while (next < count) {
            here.thread = place_of(next++, here.threads);
            (*thread)();
            done++;
        }
        fiber_switch(*workers[current].own, home);
    }
}

void runner::entry()
{
    own_runner().work();
}

} // namespace

void barrier()
{
    own_runner().wait();
}

void *shared(const void *site, size_t bytes)
{
    return own_runner().memory(site, bytes);
}

void run_blocks(const char *name, dim3 blocks, dim3 threads, const std::function<void()> &thread)
{
    own_runner().launch(name, blocks, threads, thread);
}

} // namespace vdnn_cuda_host
