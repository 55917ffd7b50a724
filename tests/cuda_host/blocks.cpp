#include "tests/cuda_host/blocks.h"

#include "tests/cuda_host/fiber.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
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

/* splitmix64 */
uint64_t random(uint64_t &state)
{
    uint64_t z = state += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

/* All numbers below a count, each once: by steps of a length that shares no factor with it. */
class sequence
{
  public:
    sequence() = default;

    sequence(uint64_t count_, uint64_t first, uint64_t step_)
        : at(first), step(step_), count(count_)
    {
    }

    static sequence up(uint64_t count)
    {
        return {count, 0, 1};
    }

    static sequence down(uint64_t count)
    {
        return {count, count - 1, count - 1};
    }

    static sequence shuffled(uint64_t count, uint64_t &state)
    {
        uint64_t step = 1 + random(state) % count;
        while (std::gcd(step, count) != 1)
            step = 1 + random(state) % count;
        return {count, random(state) % count, step};
    }

    uint64_t next()
    {
        uint64_t own = at;
        at += step;
        at -= at >= count ? count : 0;
        return own;
    }

  private:
    uint64_t at = 0, step = 1, count = 1;
};

/* In which order threads run: from the beginning of a block to their first barrier, and, by the
 * order of that, from each barrier to the next. */
class schedule
{
  public:
    explicit schedule(unsigned order_ = ASCENDING) : order(order_), state(order_)
    {
    }

    sequence begin(uint64_t count)
    {
        is_turned = false;
        if (order < FIRST_SHUFFLE)
            return order == DESCENDING ? sequence::down(count) : sequence::up(count);
        return sequence::shuffled(count, state);
    }

    sequence after_barrier(uint64_t count)
    {
        is_turned = !is_turned;
        if (order < FIRST_SHUFFLE)
            return order == ALTERNATING && is_turned ? sequence::down(count) : sequence::up(count);
        return sequence::shuffled(count, state);
    }

    sequence blocks(uint64_t count)
    {
        return sequence::shuffled(count, state);
    }

  private:
    enum { ASCENDING = 1, DESCENDING, ALTERNATING, FIRST_SHUFFLE };

    unsigned order;
    uint64_t state;
    bool is_turned = false;
};

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

    void launch(const char *name_, dim3 blocks, dim3 threads, unsigned order,
                const std::function<void()> &thread_)
    {
        name = name_;
        thread = &thread_;
        plan = schedule(order);
        count = threads.x * threads.y * threads.z;
        if (count == 0 || count > MOST_THREADS)
            fail("has a block of no, or more than 1024 threads");
        pieces.clear();
        here.threads = threads;
        here.blocks = blocks;
        uint64_t total = static_cast<uint64_t>(blocks.x) * blocks.y * blocks.z;
        sequence places = plan.blocks(total);
        for (uint64_t i = 0; i < total; i++)
            run_block(place_of(places.next(), blocks));
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

    static uint3 place_of(uint64_t i, dim3 size)
    {
        return {static_cast<unsigned>(i % size.x), static_cast<unsigned>(i / size.x % size.y),
                static_cast<unsigned>(i / size.x / size.y)};
    }

    static void entry();

    void run_block(uint3 block)
    {
        here.block = block;
        begun = done = waiting = 0;
        turns = plan.begin(count);
        for (piece &p : pieces)
            p.is_fresh = true;
        size_t used = 0;
        while (begun < count) {
            if (used == workers.size())
                workers.push_back({fiber_create(entry), {0, 0, 0}});
            resume(used++);
        }
        while (waiting > 0) {
            if (waiting != count)
                fail("has a barrier that some threads of a block do not come to");
            waiting = 0;
            turns = plan.after_barrier(used);
            for (size_t i = 0; i < used; i++)
                resume(turns.next());
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
    schedule plan;
    sequence turns; /* of the block's threads until the next barrier */
    size_t current = 0;
    unsigned count = 0, begun = 0, done = 0, waiting = 0;
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
        while (begun < count) {
            begun++;
            here.thread = place_of(turns.next(), here.threads);
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

void run_blocks(const char *name, dim3 blocks, dim3 threads, unsigned order,
                const std::function<void()> &thread)
{
    own_runner().launch(name, blocks, threads, order, thread);
}

} // namespace vdnn_cuda_host
