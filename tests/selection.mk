# Which tests run where; `make check-long` runs each in the release.
# Names are of programs in tests/, or of folders, for all programs in them.

# Run by `make check` with the address sanitizer instead of in the release: what handles memory, input
# and failures, and no tests of kernels, whose code is another with -O3.
CHECK_ASAN := \
    unit/base \
    unit/comm \
    unit/data \
    unit/device/test_collective \
    unit/device/test_device \
    unit/device/test_measure \
    unit/device/test_measure_contention \
    unit/device/test_settle \
    unit/device/test_stored_rows \
    unit/exec \
    unit/layers/test_cost \
    unit/layers/test_tensor \
    unit/models \
    unit/plan \
    unit/report \
    unit/train/test_checkpoint \
    unit/train/test_doctor \
    unit/train/test_schedule \
    unit/train/test_session \
    unit/train/test_session_threads \
    contract/test_allocators \
    contract/test_faults \
    contract/test_file_tier \
    contract/test_locked \
    contract/test_poison \
    contract/test_profile_kept \
    fuzz

# Left to `make check-long`: what trains or plans for long, oracles that few machines have, what is
# installed, drawn and packed, and most of the emulation of CUDA.
LONG := \
    $(addprefix unit/device/test_,calibrate measure_clock) \
    $(addprefix unit/train/test_,replan) \
    $(addprefix contract/test_,budgets cards cuda_code data_parallel demo disk every_option explain \
        fault_scenes gallery install kit known_faults locale max_batch mpi nvtx \
        orientations page paper_figures part_times parts processes profile_cache \
        programs report restarts simulated_plans snapshot terminal timings torch trace_checked \
        trust) \
    $(addprefix property/test_,devices part_search training winograd) \
    $(addprefix cuda_host/test_,bench_cuda calibrate layouts libraries loads_ahead several_cards \
        training_cuda trust_cuda weight_copies) \
    $(addprefix gpu/test_,poison training)

# The same for what runs over the emulation of CUDA alone; on the CPU `make check` runs it.
LONG_OVER_CUDA := \
    contract/test_layers

# What one change is tried with, by `make quick`: in the release, a second each at most.
QUICK := \
    unit \
    fuzz \
    contract/test_allocators \
    contract/test_elementwise \
    contract/test_layers \
    contract/test_rooms \
    property/test_bound \
    property/test_chains \
    property/test_checker \
    property/test_decisions \
    property/test_opt \
    property/test_parts \
    property/test_plan_changes \
    property/test_plans

# Run by `make check-tsan`: what starts threads, or programs that do. OpenMP is off there, so that
# tests of kernels, parsers and plans alone have one thread.
TSAN := \
    unit/base/test_heap \
    unit/base/test_status \
    unit/comm \
    unit/data/test_loader \
    unit/device \
    unit/exec/test_executor \
    unit/layers/test_batchnorm \
    unit/train/test_api \
    unit/train/test_doctor \
    unit/train/test_schedule \
    unit/train/test_session \
    unit/train/test_session_threads \
    contract/test_bad_input \
    contract/test_bad_places \
    contract/test_budgets \
    contract/test_data_parallel \
    contract/test_every_option \
    contract/test_exit_codes \
    contract/test_explain \
    contract/test_fault_scenes \
    contract/test_faults \
    contract/test_file_tier \
    contract/test_borders \
    contract/test_layers \
    contract/test_nvtx \
    contract/test_paper_figures \
    contract/test_pictures \
    contract/test_pipeline \
    contract/test_poison \
    contract/test_profile_kept \
    contract/test_programs \
    contract/test_report \
    contract/test_resume \
    contract/test_several_devices \
    contract/test_simulated \
    contract/test_simulated_plans \
    contract/test_torch \
    contract/test_weights \
    property/test_same_bits \
    property/test_stages \
    fuzz/fuzz_device

# The same over the emulation of CUDA.
TSAN_HOST := \
    cuda_host/test_bench_cuda \
    cuda_host/test_cuda_place \
    cuda_host/test_device_cuda \
    cuda_host/test_layouts \
    cuda_host/test_libraries \
    cuda_host/test_rows \
    cuda_host/test_training_cuda \
    cuda_host/test_two_cards \
    cuda_host/test_weight_copies \
    gpu \
    contract/test_borders \
    contract/test_layers \
    contract/test_nvtx \
    unit/layers/test_batchnorm

# Valgrind is some fifty times slower, has no AVX-512, computes long doubles in 64 bits and does not
# follow programs, and the code that oneDNN generates reads beyond its own blocks: these run no kernels
# and no programs.
UNDER_VALGRIND := \
    unit/base/test_json \
    unit/base/test_random \
    unit/base/test_system \
    unit/data \
    unit/device/test_device_model \
    unit/device/test_measure \
    unit/exec/test_timeline \
    unit/layers/test_cost \
    unit/layers/test_tensor \
    unit/models \
    unit/plan \
    unit/train \
    property/test_bound \
    property/test_checker \
    property/test_checker_loads \
    property/test_checker_memory \
    property/test_checker_network \
    property/test_checker_order \
    property/test_checker_reads \
    property/test_checker_recomputes \
    property/test_checker_steps \
    property/test_corruptions \
    property/test_decisions \
    property/test_error_bound \
    property/test_plans \
    fuzz

# Run by `make check-portable` on other processors, some twenty times slower than on this one: modules, and each row
# of layers once.
PORTABLE := \
    unit \
    contract/test_elementwise \
    contract/test_layers

# Run on a card too, where there is one, and over the emulation of CUDA: what depends on the device.
ON_A_CARD := \
    gpu \
    contract/test_borders \
    contract/test_layers \
    contract/test_nvtx \
    property/test_parts \
    unit/layers/test_batchnorm

# $(call tests_of,NAMES,SOURCES): those of the sources that are named; a name of none is a mistake.
tests_of = $(foreach name,$(1),$(or $(filter tests/$(name).c tests/$(name)/%,$(2)),\
               $(error tests/selection.mk: there is no test tests/$(name))))
