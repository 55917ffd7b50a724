# The tests, and the targets that run them:
#     tests/{unit/*,contract,property}/test_*.c   one executable each, with tests/support/*.c
#     tests/gpu/test_*.c   tests of the CUDA device: in build/CONFIG/card for a card, in
#                          build/CONFIG/cuda_host over the emulation of CUDA (cuda_host/cuda_host.mk)
#     tests/fuzz/fuzz_*.c   replay the corpus of that name; in CONFIG=fuzz with libFuzzer
# Which of them run when, with a sanitizer, under valgrind or on a card: tests/selection.mk.

SUPPORT_SRC  := $(sort $(wildcard tests/support/*.c))
FUZZ_SRC     := $(sort $(wildcard tests/fuzz/fuzz_*.c))
REPLAY_SRC   := tests/fuzz/replay.c tests/support/files.c
FUZZ_HELP    := $(filter-out $(FUZZ_SRC) $(REPLAY_SRC),$(sort $(wildcard tests/fuzz/*.c))) \
                tests/support/policy_ask.c tests/support/test_profile.c tests/support/vdnn_test.c
TEST_SRC     := $(sort $(wildcard $(foreach kind,unit/* contract property,tests/$(kind)/test_*.c))) \
                $(FUZZ_SRC)
GPU_SRC      := $(sort $(wildcard tests/gpu/test_*.c))

tests    := $(patsubst %.c,$(BUILD)/%,$(TEST_SRC))
replays  := $(patsubst %.c,$(BUILD)/%,$(FUZZ_SRC))
fuzzers  := $(patsubst tests/fuzz/%.c,$(BUILD)/bin/%,$(FUZZ_SRC))

include tests/selection.mk

CARD         := $(BUILD)/card
CARD_SRC     := $(call tests_of,$(ON_A_CARD),$(GPU_SRC) $(TEST_SRC))
CARD_TESTS   := $(if $(CUDA),$(patsubst %.c,$(CARD)/%,$(CARD_SRC)))

include tests/cuda_host/cuda_host.mk

# $(call built,CONFIG,NAMES): the programs of those tests in that configuration.
built = $(patsubst %.c,build/$(1)/%,$(call tests_of,$(2),$(TEST_SRC)))
# $(call over_cuda,CONFIG,SOURCES): the programs of those tests over the emulation of CUDA.
over_cuda = $(patsubst %.c,build/$(1)/cuda_host/%,$(2))

long_src       := $(call tests_of,$(LONG),$(sort $(TEST_SRC) $(HOST_TEST_SRC)))
long_host_src  := $(long_src) $(call tests_of,$(LONG_OVER_CUDA),$(HOST_TEST_SRC))
check_asan     := $(call built,asan,$(CHECK_ASAN))
check_release  := $(filter-out $(check_asan:build/asan/%=build/release/%),\
                      $(patsubst %.c,build/release/%,$(filter-out $(long_src),$(TEST_SRC)))) \
                  $(call over_cuda,release,$(filter-out $(long_host_src),$(HOST_TEST_SRC)))
check_long     := $(TEST_SRC:%.c=build/release/%) $(call over_cuda,release,$(HOST_TEST_SRC))
quick          := $(filter-out $(long_src:%.c=build/release/%),$(call built,release,$(QUICK)))
CHECK_asan     := $(TEST_SRC:%.c=build/asan/%) $(call over_cuda,asan,$(HOST_TEST_SRC))
CHECK_tsan     := $(call built,tsan,$(TSAN)) \
                  $(call over_cuda,tsan,$(call tests_of,$(TSAN_HOST),$(HOST_TEST_SRC)))
portable       := $(patsubst %.c,$(BUILD)/%,$(call tests_of,$(PORTABLE),$(TEST_SRC)))
VALGRIND_TESTS := $(call built,release,$(UNDER_VALGRIND))

# ---- how they are built

TEST_DEFINES := -DVDNN_TEST_BIN='"$(BIN)"' -DVDNN_TEST_BUILD='"$(BUILD)"' -DVDNN_TEST_RECORDER='"$(BUILD)/libvdnn-nvtx-recorder.so"' \
                -DVDNN_TEST_COSTS='"$(BUILD)/tests/bench/bench_cost"' -DVDNN_TEST_NVCC='"$(NVCC)"'

$(BUILD)/tests/%.o: CPP_FLAGS += $(TEST_DEFINES)
$(tests:%=%.o): C_FLAGS += -O1 # their work is the library's and their support's
# Kernels are compared with its sums in float64, which take longer than all they are compared with.
$(BUILD)/tests/support/reference.o: C_FLAGS += -O3 -fno-sanitize=all
$(tests:%=%.o) $(call object,$(SUPPORT_SRC)): tests/tests.mk
$(CARD_TESTS:%=%.o): CPP_FLAGS += -DVDNN_TEST_GPU_BIN='"$(BIN)"' $(TEST_DEFINES) -DVDNN_TEST_DEVICE='"cuda"'

tests: $(tests) $(HOST_TESTS) $(CARD_TESTS) all ## the test executables

$(CARD)/%.o: %.c Makefile tests/tests.mk | found
	@mkdir -p $(@D)
	$(say)"CC   $< (for a card)"
	$(show)$(CC) $(CPP_FLAGS) $(C_FLAGS) -MMD -MP -c $< -o $@

# Tests are linked by the hundred and run here alone: by gold, where it is there, in a third of the time,
# or by lld, in a fifth.
fast_link := $(if $(filter fuzz,$(CONFIG)),,$(if $(shell command -v ld.lld),-fuse-ld=lld,\
             $(if $(shell command -v ld.gold),-fuse-ld=gold)))
$(CARD_TESTS): fast_link :=

define link_test
	@mkdir -p $(@D)
	$(say)"LINK $@"
	$(show)$(CC) $(C_FLAGS) $(LDFLAGS) $(fast_link) $^ -o $@ -lcmocka $(LIBS)
endef

$(filter-out $(replays),$(tests)) $(CARD_TESTS): %: %.o $(call object,$(SUPPORT_SRC) $(TOOL_SRC)) \
                                                $(library) | $(programs) $(recorder)
	$(link_test)

# Its planning is made up.
$(BUILD)/tests/unit/plan/test_keep_maps: private C_FLAGS += -Wl,--wrap=vdnn_planning_excess

$(BUILD)/tests/contract/test_mpi: | $(plugins)
$(BUILD)/tests/contract/test_dlopen: | $(shared) $(BUILD)/load_library $(BUILD)/libthread-local.so
$(BUILD)/tests/contract/test_paper_figures $(BUILD)/tests/contract/test_timings: | $(BUILD)/tests/bench/bench_cost

# What loads the library at run time has none of what that needs, no OpenMP either.
$(BUILD)/load_library: tests/support/loader/load_library.c runtime/vdnn.h
$(BUILD)/libthread-local.so: tests/support/loader/thread_local.c
$(BUILD)/libthread-local.so: private C_FLAGS += -shared
$(BUILD)/load_library $(BUILD)/libthread-local.so: Makefile tests/tests.mk | found
	@mkdir -p $(@D)
	$(say)"LINK $@"
	$(show)$(CC) $(CPP_FLAGS) $(filter-out -fopenmp,$(C_FLAGS)) $(filter %.c,$^) -o $@

fuzz_objects := $(call object,$(FUZZ_HELP) $(TOOL_SRC)) $(library)

$(replays): %: %.o $(call object,$(REPLAY_SRC)) $(fuzz_objects)
	$(link_test)

$(fuzzers): private C_FLAGS += -fsanitize=fuzzer
$(fuzzers): $(BUILD)/bin/%: $(BUILD)/tests/fuzz/%.o $(fuzz_objects)
	$(link_test)

# ---- how they are run

check: ## builds and runs what a change must pass, a part of it with the address sanitizer; ends with the counts
	@tools/setup.sh check
	@$(MAKE) --no-print-directory -j$(JOBS) CONFIG=release all $(check_release)
	@$(MAKE) --no-print-directory -j$(JOBS) CONFIG=asan found $(check_asan)
	@VDNN_TEST_JOBS=$(JOBS) tests/run.sh $(check_release) $(check_asan)

quick: ## the tests that one change is tried with
	@$(MAKE) --no-print-directory -j$(JOBS) CONFIG=release all $(quick)
	@VDNN_TEST_JOBS=$(JOBS) tests/run.sh $(quick)

check-long: ## every test with every case; PART=K/N: the Kth of N parts, as of all that follow
	@tools/setup.sh check
	@$(MAKE) --no-print-directory -j$(JOBS) CONFIG=release tests
	@VDNN_TEST_COUNT_PERCENT=100 VDNN_TEST_JOBS=$(JOBS) VDNN_TEST_LIMIT_SECONDS=3600 tests/run.sh $(check_long)

# Of all tests of a target, those of one part, such as PART=2/3.
quick check check-long check-asan check-tsan check-valgrind: export VDNN_TEST_PART = $(PART)

# The claims of these are the CPU's: where there is a card, `--device auto` would take it.
quick check check-long check-asan check-tsan check-valgrind bench demo: export CUDA_VISIBLE_DEVICES :=

check-cuda: ## the tests that want a CUDA card; skips them with the reason where there is none
	@tools/setup.sh check
	@[ -n "$(NVCC)" ] || { echo "check-cuda: skipped: there is no nvcc in $(CUDA_HOME)/bin, so no CUDA device is built" >&2; }
	@$(MAKE) --no-print-directory -j$(JOBS) CONFIG=$(CONFIG) all $(CARD_TESTS)
	@[ -z "$(CARD_TESTS)" ] || VDNN_TEST_JOBS=1 tests/run.sh $(CARD_TESTS)

check-asan check-tsan: check-%: ## all tests, those of several threads and programs, in that configuration
	@tools/setup.sh check
	@$(MAKE) --no-print-directory -j$(JOBS) CONFIG=release all # what is installed, and in a kit
	@$(MAKE) --no-print-directory -j$(JOBS) CONFIG=$* all $(CHECK_$*)
	@VDNN_TEST_JOBS=$(JOBS) VDNN_TEST_LIMIT_SECONDS=3600 tests/run.sh $(CHECK_$*)

VALGRIND := valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect \
            --errors-for-leak-kinds=definite,indirect

# What a test counts is lowered: valgrind is slow.
check-valgrind: ## the tests without kernels and programs, and the fuzz corpora, under valgrind
	@tools/setup.sh valgrind
	@$(MAKE) --no-print-directory -j$(JOBS) CONFIG=release all $(VALGRIND_TESTS)
	@VDNN_TEST_UNDER="$(VALGRIND)" VDNN_TEST_COUNT_PERCENT=1 ONEDNN_MAX_CPU_ISA=AVX2 OMP_NUM_THREADS=1 \
	    VDNN_TEST_JOBS=$(JOBS) tests/run.sh $(VALGRIND_TESTS)

# By an emulator of the processor, as tests/portable.sh says.
portable: $(portable)
	@VDNN_TEST_UNDER="$(UNDER)" VDNN_TEST_JOBS=$(JOBS) tests/run.sh $(portable)

check-portable: ## unit tests and layers on AArch64, cross-compiled, and on x86-64 without AVX, by qemu-user
	@tools/setup.sh portable || true
	@MAKE="$(MAKE) --no-print-directory" JOBS=$(JOBS) tests/portable.sh

fuzz: ## runs the fuzz targets with clang's sanitizers; FUZZ="yaml idx" selects, FUZZ_RUNS=N or FUZZ_SECONDS=N each
	@tools/setup.sh fuzz
	@$(MAKE) --no-print-directory -j$(JOBS) CONFIG=fuzz fuzzers
	@tests/fuzz.sh $(FUZZ)

fuzzers: $(fuzzers)

.PHONY: tests quick check check-long check-cuda check-asan check-tsan check-valgrind portable check-portable fuzz fuzzers
