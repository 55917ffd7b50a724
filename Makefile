# vdnn. `make help` lists what can be made.
#
# One build directory for each configuration: build/release, build/debug, build/asan, build/tsan,
# build/fuzz, build/cuda.
# Sources are found by wildcard:
#     runtime/** alloc/ layers/ policies/ models/ traces/   -> build/CONFIG/libvdnn-whole.a for tests;
#         libvdnn.a and libvdnn.so.* with the functions of runtime/vdnn.h alone
#     tools/vdnn*.c   one program each, on libvdnn.a; the other tools/*.c are linked into every one
#     tools/generate/*.c   writes the man pages and completions from the table of options
#     tests/{unit/*,contract,property}/test_*.c, tests/bench/bench_*.c   one executable each, with
#                                                                      tests/support/*.c
#     layers/*/*.cu, layers/cuda/, runtime/device/cuda/   the CUDA device, where nvcc is found
#     tests/cuda_host/   what stands in for CUDA in build/CONFIG/cuda_host, where tests of that device run
#     tests/gpu/test_*.c   tests of the CUDA device that run there too, and in build/CONFIG/card on a card
#     tests/fuzz/fuzz_*.c   the same with the corpus of that name; in CONFIG=fuzz with libFuzzer

VERSION := $(shell sed -n 's/^.define VDNN_VERSION "\(.*\)"/\1/p' runtime/vdnn.h)
PREFIX  ?= /usr/local
CONFIG  ?= release
JOBS    ?= $(shell nproc)
PYTHON  ?= /usr/bin/python3

# ---- configurations --------------------------------------------------------------------------------

CFLAGS_release := -O3 -g -fopenmp
# The release with kernels for every card; CONFIG=release has them in the form that a driver translates.
CFLAGS_cuda    := $(CFLAGS_release)
CFLAGS_debug   := -O0 -g3 -fopenmp
CFLAGS_asan    := -O1 -g -fopenmp -fno-omit-frame-pointer -fsanitize=address,undefined \
                  -fno-sanitize-recover=all
# Nobody reads errno behind a root; without the flag no loop with one becomes a vector loop.
CFLAGS_math    := -fno-math-errno
# libgomp is not instrumented, so each of its barriers would be reported as a race.
CFLAGS_tsan    := -O1 -g -Wno-unknown-pragmas -fsanitize=thread
# Only clang has libFuzzer. Parsers need no threads; a network of 60 layers shows what one of
# 100,000 would, in less time.
CC_fuzz        := clang
CFLAGS_fuzz    := -O1 -g -Wno-unknown-pragmas -fno-omit-frame-pointer \
                  -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
CPPFLAGS_fuzz  := -DVDNN_MODEL_MAX_LAYERS=60 -DVDNN_MODEL_MAX_SOURCES=600

ifeq ($(CFLAGS_$(CONFIG)),)
$(error CONFIG=$(CONFIG) is none of release, debug, asan, tsan, fuzz, cuda)
endif

BUILD := build/$(CONFIG)
comma := ,
BIN   := $(if $(filter release,$(CONFIG)),build/bin,$(BUILD)/bin)

# ---- compiler and libraries ------------------------------------------------------------------------

CC       := $(or $(CC_$(CONFIG)),gcc)
OBJCOPY  ?= objcopy
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion \
            -Wstrict-prototypes -Wmissing-prototypes -Wcast-qual -Wvla -Wundef -Wformat=2 -Werror
CPPFLAGS := -I. -D_GNU_SOURCE $(shell pkg-config --cflags openblas 2>/dev/null) \
            $(CPPFLAGS_$(CONFIG))
# Only what runtime/vdnn.h marks can be seen from outside.
CFLAGS   := -std=c11 $(WARNINGS) $(CFLAGS_$(CONFIG)) $(CFLAGS_math) -fPIC -fvisibility=hidden
LIBS     := -ldnnl -lopenblas -ljemalloc -lyaml -ljansson -lz -lxxhash -ljpeg -lpng -lpthread -lm
# FFTW is optional: without it there are no convolutions by Fourier transforms.
FFTW     := $(shell pkg-config --exists fftw3f 2>/dev/null && echo yes)
ifneq ($(FFTW),)
CPPFLAGS += -DVDNN_FFTW
LIBS     += -lfftw3f
endif
# hwloc is optional: it knows which memory is near a CUDA card, where there are several nodes of it.
HWLOC    := $(shell pkg-config --exists hwloc 2>/dev/null && echo yes)
ifneq ($(HWLOC),)
CPPFLAGS += -DVDNN_HWLOC
LIBS     += -lhwloc
endif
# NVTX is headers alone: with them profilers see the steps by name. CUDA_HOME says where to look.
CUDA_HOME ?= /usr/local/cuda
NVTX     := $(firstword $(foreach folder,$(CUDA_HOME)/include /usr/include,\
                $(patsubst %/nvtx3/nvToolsExtPayload.h,%,$(wildcard $(folder)/nvtx3/nvToolsExtPayload.h))))
ifneq ($(NVTX),)
CPPFLAGS += -DVDNN_NVTX $(if $(filter-out /usr/include,$(NVTX)),-isystem $(NVTX))
endif
# The CUDA device is optional too: the runtime is linked in, cuBLAS looked for when a program runs.
NVCC      ?= $(firstword $(wildcard $(CUDA_HOME)/bin/nvcc))
CUDA      := $(if $(filter release cuda,$(CONFIG)),$(NVCC))
ifneq ($(CUDA),)
LIBS      += -L$(CUDA_HOME)/lib64 -lcudart_static -ldl -lrt
endif
DATADIR  := $(PREFIX)/share/vdnn
TEST_DEFINES := -DVDNN_TEST_BIN='"$(BIN)"' -DVDNN_TEST_RECORDER='"$(BUILD)/libvdnn-nvtx-recorder.so"' \
                -DVDNN_TEST_COSTS='"$(BUILD)/tests/bench/bench_cost"' -DVDNN_TEST_NVCC='"$(NVCC)"'

# ---- what there is to build ------------------------------------------------------------------------

LIBRARY_DIRS := runtime alloc layers policies models traces
CUDA_SRC     := $(sort $(wildcard layers/cuda/*.c runtime/device/cuda/*.c))
KERNEL_SRC   := $(sort $(wildcard layers/*/*.cu))
LIBRARY_SRC  := $(filter-out $(if $(FFTW),,layers/conv/cpu_fft.c) traces/recorder/% $(if $(CUDA),,$(CUDA_SRC)),\
                    $(sort $(shell find $(LIBRARY_DIRS) -name '*.c'))) $(if $(CUDA),$(KERNEL_SRC))
PROGRAM_SRC  := $(sort $(wildcard tools/vdnn*.c))
TOOL_SRC     := $(filter-out $(PROGRAM_SRC),$(sort $(wildcard tools/*.c)))
SUPPORT_SRC  := $(sort $(wildcard tests/support/*.c))
BENCH_SRC    := $(sort $(wildcard tests/bench/bench_*.c))
FUZZ_SRC     := $(sort $(wildcard tests/fuzz/fuzz_*.c))
REPLAY_SRC   := tests/fuzz/replay.c tests/support/files.c tests/support/vdnn_test.c
FUZZ_HELP    := $(filter-out $(FUZZ_SRC) $(REPLAY_SRC),$(sort $(wildcard tests/fuzz/*.c))) \
                tests/support/test_profile.c
TEST_SRC     := $(sort $(wildcard $(foreach kind,unit/* contract property,tests/$(kind)/test_*.c))) \
                $(FUZZ_SRC)

object   = $(patsubst %.cu,$(BUILD)/%.cu.o,$(patsubst %.c,$(BUILD)/%.o,$(1)))
library  := $(BUILD)/libvdnn-whole.a
public   := $(BUILD)/libvdnn.a
SONAME   := libvdnn.so.$(firstword $(subst ., ,$(VERSION)))
shared   := $(BUILD)/libvdnn.so.$(VERSION)
programs := $(patsubst tools/%.c,$(BIN)/%,$(PROGRAM_SRC))
tests    := $(patsubst %.c,$(BUILD)/%,$(TEST_SRC))
replays  := $(patsubst %.c,$(BUILD)/%,$(FUZZ_SRC))
recorder := $(if $(NVTX),$(BUILD)/libvdnn-nvtx-recorder.so)
fuzzers  := $(patsubst tests/fuzz/%.c,$(BUILD)/bin/%,$(FUZZ_SRC))
benches  := $(patsubst %.c,$(BUILD)/%,$(BENCH_SRC))

# The part of the tests that `make check` repeats under the sanitizers: all that is quick, and all
# in which several threads meet.
ASAN_TESTS := $(filter build/%,$(patsubst tests/%.c,build/asan/tests/%,\
                  $(filter-out %/test_install.c %/test_kit.c %/test_cuda_code.c %/test_demo.c %/test_every_option.c %/test_paper_figures.c,$(filter tests/unit/% tests/contract/% tests/fuzz/%,$(TEST_SRC)))))
TSAN_TESTS := $(patsubst tests/%.c,build/tsan/tests/%,\
                  $(foreach name,device executor loader session_threads,$(filter %/test_$(name).c,$(TEST_SRC)) \
                                 $(filter $(wildcard tests/*/test_$(name)_*.c tests/unit/*/test_$(name)_*.c),$(TEST_SRC))))

# Tests that want a CUDA card: where there is none, each is skipped with the reason.
CARD         := $(BUILD)/card
CARD_SRC     := $(sort $(wildcard tests/gpu/test_*.c)) tests/contract/test_layers.c tests/contract/test_nvtx.c \
                tests/unit/layers/test_batchnorm.c
CARD_TESTS   := $(if $(CUDA),$(patsubst %.c,$(CARD)/%,$(CARD_SRC)))

# Over the stand-in: the objects that know of CUDA, made once more with its headers and linked before
# the library; tests of its own, and tests of contracts with another device.
HOST         := $(BUILD)/cuda_host
HOST_SRC     := layers/registry.c runtime/device/device.c $(CUDA_SRC) $(KERNEL_SRC) \
                $(sort $(wildcard tests/cuda_host/*.cpp))
HOST_TEST_SRC := $(sort $(wildcard tests/cuda_host/test_*.c)) $(CARD_SRC)
HOST_TESTS   := $(HOST_TEST_SRC:%.c=$(HOST)/%)
host_objects := $(patsubst %.cu,$(HOST)/%.cu.o,$(patsubst %.cpp,$(HOST)/%.o,$(patsubst %.c,$(HOST)/%.o,$(HOST_SRC))))
host_runs    := $(patsubst tools/%.c,$(HOST)-bin/%,$(PROGRAM_SRC))

# V=1 shows whole commands.
say  := @$(if $(V),: ,echo )
show := $(if $(V),,@)

# ---- rules -----------------------------------------------------------------------------------------

all: $(programs) $(public) $(shared) $(recorder) ## the programs, in build/bin, and the library (default)

tests: $(tests) $(HOST_TESTS) $(CARD_TESTS) all ## the test executables

$(BUILD)/tests/%.o: CPPFLAGS += $(TEST_DEFINES)
$(BUILD)/runtime/report/doctor_facts.o: CPPFLAGS += -DVDNN_CONFIG='"$(CONFIG)"'
$(BUILD)/models/places.o: CPPFLAGS += -DVDNN_DATADIR='"$(DATADIR)"'

$(BUILD)/%.o: %.c Makefile | found
	@mkdir -p $(@D)
	$(say)"CC   $<"
	$(show)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

# ---- CUDA

# Compute capabilities, the oldest first. Machine code of one runs on cards of the same major number that
# are not older; PTX, which the driver translates, on every card that is not older, so it is of the oldest,
# or of 8.0 where that is listed too: what our kernels can use of a card (bf16, tf32) begins there.
# ARCHS=90 on the command line compiles for those cards alone, in a seventh of the time.
ARCHS        := $(if $(filter cuda,$(CONFIG)),75 80 86 89 90 100 120)
PTX          := $(or $(filter 80,$(ARCHS)),$(firstword $(ARCHS)),75)
card_code    := $(strip $(ARCHS:%=sm_%) compute_$(PTX))
NVCCFLAGS    := -std=c++17 -O3 -Werror all-warnings --threads 0 --compress-mode=size \
                $(foreach code,$(card_code),-gencode arch=compute_$(lastword $(subst _, ,$(code)))$(comma)code=$(code)) \
                -Xcompiler -Wall,-Wextra,-Werror,-fPIC,-fvisibility=hidden \
                -Xcompiler -fno-exceptions,-fno-rtti,-fno-threadsafe-statics
CXX          := g++
CXXFLAGS     := -std=c++17 $(filter-out -Wstrict-prototypes -Wmissing-prototypes,$(WARNINGS)) \
                $(CFLAGS_$(CONFIG)) $(CFLAGS_math) -fPIC

# No other file may depend on it, so that the objects of all others serve both.
ifneq ($(CUDA),)
$(BUILD)/layers/registry.o $(BUILD)/runtime/device/device.o: CPPFLAGS += -DVDNN_CUDA
endif
$(call object,$(CUDA_SRC)): CPPFLAGS += -isystem $(CUDA_HOME)/include

# Written where another list is asked for than last time: then kernels are compiled anew.
$(BUILD)/card_code: found
	@mkdir -p $(@D)
	@echo '$(card_code)' | cmp -s - $@ || echo '$(card_code)' >$@

$(BUILD)/runtime/device/cuda/card.o: CPPFLAGS += -DVDNN_CUDA_OLDEST=$(firstword $(ARCHS) $(PTX))
$(BUILD)/runtime/device/cuda/card.o: $(BUILD)/card_code

$(BUILD)/%.cu.o: %.cu Makefile $(BUILD)/card_code | found
	@mkdir -p $(@D)
	$(say)"NVCC $<"
	$(show)$(CUDA) -I. -D_GNU_SOURCE -DVDNN_CUDA $(NVCCFLAGS) -MMD -MP -c $< -o $@

$(host_objects) $(HOST_TESTS:%=%.o): CPPFLAGS += -DVDNN_CUDA -Itests/cuda_host/include
# Which libraries the loader finds is the tests' to say.
$(HOST)/layers/cuda/library.o: CPPFLAGS += $(foreach call,dlopen dlerror dlsym dlclose,-D$(call)=vdnn_cuda_host_$(call))
$(HOST_TESTS:%=%.o): CPPFLAGS += -DVDNN_TEST_GPU_BIN='"$(HOST)-bin"'
$(CARD_TESTS:%=%.o): CPPFLAGS += -DVDNN_TEST_GPU_BIN='"$(BIN)"'
$(HOST_TESTS:%=%.o) $(CARD_TESTS:%=%.o): CPPFLAGS += $(TEST_DEFINES) -DVDNN_TEST_DEVICE='"cuda"'

$(CARD)/%.o: %.c Makefile | found
	@mkdir -p $(@D)
	$(say)"CC   $< (for a card)"
	$(show)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(HOST)/%.o: %.c Makefile | found
	@mkdir -p $(@D)
	$(say)"CC   $< (stand-in for CUDA)"
	$(show)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(HOST)/%.cu.o: %.cu Makefile | found
	@mkdir -p $(@D)
	$(say)"CXX  $< (stand-in for CUDA)"
	$(show)$(CXX) $(CPPFLAGS) $(CXXFLAGS) -MMD -MP -x c++ -c $< -o $@

$(HOST)/%.o: %.cpp Makefile | found
	@mkdir -p $(@D)
	$(say)"CXX  $<"
	$(show)$(CXX) $(CPPFLAGS) $(CXXFLAGS) -MMD -MP -c $< -o $@

$(host_runs): $(HOST)-bin/%: $(BUILD)/tools/%.o $(call object,$(TOOL_SRC)) $(host_objects) $(library)
	@mkdir -p $(@D)
	$(say)"LINK $@"
	$(show)$(CXX) $(CXXFLAGS) $^ -o $@ $(LIBS)

$(HOST)/tests/cuda_host/test_rows $(HOST)/tests/cuda_host/test_bench_cuda: | $(HOST)/tests/contract/test_layers

$(HOST_TESTS): %: %.o $(call object,$(SUPPORT_SRC) $(TOOL_SRC)) $(host_objects) $(library) | $(host_runs) $(recorder)
	@mkdir -p $(@D)
	$(say)"LINK $@"
	$(show)$(CXX) $(CXXFLAGS) $^ -o $@ -lcmocka $(LIBS)

# ---- the library and what is made of it

$(library): $(call object,$(LIBRARY_SRC))
	@rm -f $@
	$(say)"AR   $@"
	$(show)ar qcs $@ $^

# One object in which whatever is not of the interface has become local.
$(public): $(call object,$(LIBRARY_SRC)) runtime/vdnn.map
	@rm -f $@
	$(say)"AR   $@"
	$(show)$(LD) -r $(filter %.o,$^) -o $(@D)/vdnn.o
	$(show)sed -n 's/^ *\(vdnn_[a-z_]*\);/\1/p' runtime/vdnn.map >$(@D)/vdnn.symbols
	$(show)$(OBJCOPY) --keep-global-symbols=$(@D)/vdnn.symbols $(@D)/vdnn.o
	$(show)ar qcs $@ $(@D)/vdnn.o

# The shared library must not bring its host program another malloc halfway (what one of the two
# gave the other would be asked to free), so it has a jemalloc of its own, whose names of the C
# library are taken away.
malloc_names := aligned_alloc calloc free malloc malloc_usable_size memalign posix_memalign realloc valloc

$(BUILD)/jemalloc.o: $(shell $(CC) -print-file-name=libjemalloc_pic.a)
	@mkdir -p $(@D)
	$(show)$(LD) -r -u mallctl -u mallocx -u dallocx $< -o $@
	$(show)$(OBJCOPY) $(foreach name,$(malloc_names),--redefine-sym $(name)=vdnn_je_$(name)) $@

# Nor can it hold the CUDA runtime: the thread-local memory of that wants whole pages, which a
# library that a running program loads cannot have.
shared_libs  := $(patsubst -lcudart_static,-lcudart -Wl$(comma)-rpath$(comma)$(CUDA_HOME)/lib64,\
                    $(filter-out -ljemalloc,$(LIBS)))

$(shared): $(call object,$(LIBRARY_SRC)) $(BUILD)/jemalloc.o runtime/vdnn.map
	$(say)"LINK $@"
	$(show)$(CC) $(CFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=runtime/vdnn.map \
	    $(if $(findstring sanitize,$(CFLAGS)),,-Wl,-z,defs) $(filter %.o,$^) -o $@ \
	    $(shared_libs)
	@ln -sf $(@F) $(@D)/$(SONAME)
	@ln -sf $(@F) $(@D)/libvdnn.so

# What NVTX_INJECTION64_PATH can name: it stands alone, in whatever program it is loaded into.
$(recorder): traces/recorder/nvtx_recorder.c Makefile | found
	@mkdir -p $(@D) $(BUILD)/traces
	$(say)"LINK $@"
	$(show)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -MF $(BUILD)/traces/recorder.d -shared $< -o $@

$(programs): $(BIN)/%: $(BUILD)/tools/%.o $(call object,$(TOOL_SRC)) $(public)
	@mkdir -p $(@D)
	$(say)"LINK $@"
	$(show)$(CC) $(CFLAGS) $^ -o $@ $(LIBS)

define link_test
	@mkdir -p $(@D)
	$(say)"LINK $@"
	$(show)$(CC) $(CFLAGS) $^ -o $@ -lcmocka $(LIBS)
endef

$(filter-out $(replays),$(tests)) $(benches) $(CARD_TESTS): %: %.o $(call object,$(SUPPORT_SRC) $(TOOL_SRC)) \
                                                $(library) | $(programs) $(recorder)
	$(link_test)

$(BUILD)/tests/contract/test_paper_figures: | $(BUILD)/tests/bench/bench_cost

fuzz_objects := $(call object,$(FUZZ_HELP) $(TOOL_SRC)) $(library)

$(replays): %: %.o $(call object,$(REPLAY_SRC)) $(fuzz_objects)
	$(link_test)

$(fuzzers): private CFLAGS += -fsanitize=fuzzer
$(fuzzers): $(BUILD)/bin/%: $(BUILD)/tests/fuzz/%.o $(fuzz_objects)
	$(link_test)

# Says what was found and what is left out; stops with a hint where a library is missing.
found:
	@tools/setup.sh --found "vdnn $(VERSION), $(CONFIG)" "$(CUDA)"

cuda: ## the programs with kernels for every card, in build/cuda/bin; needs nvcc; ARCHS="80 90" for these alone
	@[ -n "$(NVCC)" ] || { echo "cuda: there is no nvcc in $(CUDA_HOME)/bin: set CUDA_HOME or NVCC" >&2; exit 1; }
	@$(MAKE) --no-print-directory CONFIG=$@ all
	@for program in build/cuda/bin/*; do $(PYTHON) tools/cuda_code.py $$program $$(cat build/cuda/card_code) || exit 1; done

debug asan tsan: ## the programs in that configuration, in build/CONFIG/bin
	@$(MAKE) --no-print-directory CONFIG=$@ all

# ---- checks ----------------------------------------------------------------------------------------

check: ## builds and runs all tests, a part of them with sanitizers; ends with the counts
	@tools/setup.sh check
	@$(MAKE) --no-print-directory -j$(JOBS) CONFIG=release all tests
	@$(MAKE) --no-print-directory -j$(JOBS) CONFIG=asan $(ASAN_TESTS)
	@$(MAKE) --no-print-directory -j$(JOBS) CONFIG=tsan found $(TSAN_TESTS)
	@VDNN_TEST_JOBS=$(JOBS) tests/run.sh $(patsubst tests/%.c,build/release/tests/%,$(TEST_SRC)) \
	    $(HOST_TESTS:$(BUILD)/%=build/release/%) $(ASAN_TESTS) $(TSAN_TESTS)

check-long: ## the same with every case of the seeded tests
	@VDNN_TEST_COUNT_PERCENT=100 $(MAKE) --no-print-directory check

# The claims of these are the CPU's: where there is a card, `--device auto` would take it.
check check-asan check-tsan check-valgrind bench demo: export CUDA_VISIBLE_DEVICES :=

check-cuda: ## the tests that want a CUDA card; skips them with the reason where there is none
	@tools/setup.sh check
	@[ -n "$(NVCC)" ] || { echo "check-cuda: skipped: there is no nvcc in $(CUDA_HOME)/bin, so no CUDA device is built" >&2; }
	@$(MAKE) --no-print-directory -j$(JOBS) CONFIG=$(CONFIG) all $(CARD_TESTS)
	@[ -z "$(CARD_TESTS)" ] || VDNN_TEST_JOBS=1 tests/run.sh $(CARD_TESTS)

# Which tests are repeated in full is told by what they include. Under the thread sanitizer OpenMP is
# off, so that tests of kernels, parsers and plans alone have one thread: those are run that include
# what starts others, or start programs. How well networks learn is not asked again there. All run
# under the address sanitizer.
includes    = $(shell grep -$(1)E '^.include (<pthread|"($(2)))' $(3))
STARTS      := runtime/(exec|device|train|vdnn|data/loader)|tests/support/(program|run_json|bad_case|every_fault|faulty_device|gpu)
starting    = $(filter-out tests/property/test_training.c,$(call includes,l,$(STARTS),$(1)))
CHECK_asan  := $(TEST_SRC)
CHECK_tsan  := $(call starting,$(TEST_SRC))
HOST_asan   := $(HOST_TEST_SRC)
HOST_tsan   := $(if $(HOST_TESTS),$(call starting,$(HOST_TEST_SRC)))

check-asan check-tsan: check-%: ## all tests, those of several threads and programs, in that configuration
	@tools/setup.sh check
	@$(MAKE) --no-print-directory -j$(JOBS) CONFIG=$* all $(CHECK_$*:%.c=build/$*/%) $(HOST_TESTS:$(BUILD)/%=build/$*/%)
	@VDNN_TEST_JOBS=$(JOBS) VDNN_TEST_LIMIT_SECONDS=3600 tests/run.sh $(CHECK_$*:%.c=build/$*/%) \
	    $(if $(HOST_TESTS),$(HOST_$*:%.c=$(HOST:$(BUILD)/%=build/$*/%)/%))

# Valgrind is some fifty times slower, has no AVX-512, computes long doubles in 64 bits and does not
# follow programs, and the code that oneDNN makes reads beyond its own blocks: left out are tests that
# run kernels or programs, and test_text; what a test counts is lowered.
VALGRIND := valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect \
            --errors-for-leak-kinds=definite,indirect
KERNELS  := runtime/exec|tests/support/(layer_case|conv_check|program|run_json|bad_case)
VALGRIND_TESTS := $(patsubst %.c,build/release/%,$(filter-out %/test_text.c,\
                      $(call includes,L,$(KERNELS),$(filter tests/unit/% tests/property/%,$(TEST_SRC))) $(FUZZ_SRC)))

check-valgrind: ## the tests without kernels and programs, and the fuzz corpora, under valgrind
	@tools/setup.sh valgrind
	@$(MAKE) --no-print-directory -j$(JOBS) CONFIG=release all $(VALGRIND_TESTS)
	@VDNN_TEST_UNDER="$(VALGRIND)" VDNN_TEST_COUNT_PERCENT=1 ONEDNN_MAX_CPU_ISA=AVX2 OMP_NUM_THREADS=1 \
	    VDNN_TEST_JOBS=$(JOBS) tests/run.sh $(VALGRIND_TESTS)

fuzz: ## runs the fuzz targets with clang's sanitizers; FUZZ="yaml idx" selects, FUZZ_RUNS=N or FUZZ_SECONDS=N each
	@tools/setup.sh fuzz
	@$(MAKE) --no-print-directory -j$(JOBS) CONFIG=fuzz fuzzers
	@tests/fuzz.sh $(FUZZ)

fuzzers: $(fuzzers)

bench: all $(benches) ## benchmarks against PyTorch and this machine; BENCH="vgg16 lenet" selects, "planning" too
	@$(PYTHON) tests/bench/bench.py --bin $(BIN) --bench $(BUILD)/tests/bench --out build/bench $(BENCH)

bench-cuda: all $(CARD_TESTS) ## what the CUDA device does on this machine's card, beside PyTorch, in under 8 minutes; BENCH="speed cap" selects, BENCH=first is the order for a new card
	@$(PYTHON) tests/bench/bench_cuda.py --bin $(BIN) --tests $(CARD)/tests --out build/bench-cuda $(BENCH)

calibrate: $(BUILD)/tests/bench/bench_cost ## fits the cost model of convolutions to measured times; CALIBRATE="--rows --leave-out" says more
	@$(PYTHON) tools/calibrate.py --costs $< $(CALIBRATE)

paper: all ## regenerates the figures of the vDNN paper on a simulated Titan X, beside the paper's: build/paper/paper.md
	@$(PYTHON) tools/paper.py --report $(BIN)/vdnnreport --out build/paper

lint: ## formatting, clang-tidy, cppcheck, and the project's own rules
	@tools/setup.sh check
	@tools/lint.sh $(CPPFLAGS) $(WARNINGS) -DVDNN_CUDA -Itests/cuda_host/include $(TEST_DEFINES) -DVDNN_TEST_GPU_BIN=\"x\" -std=c11

# ---- the rest --------------------------------------------------------------------------------------

demo: ## trains LeNet under a budget it does not fit in, then prints the report of VGG-16
	@tools/setup.sh build
	@$(MAKE) --no-print-directory -j$(JOBS) CONFIG=release all
	@tools/demo.sh

# What `install` puts where: FROM:TO, and links NAME:TARGET; `uninstall` removes the same, and the
# folders that are vdnn's alone.
installed := $(foreach program,$(programs),$(program):bin/$(notdir $(program))) \
             runtime/vdnn.h:include/vdnn/vdnn.h $(public):lib/libvdnn.a \
             $(shared):lib/$(notdir $(shared)) $(BUILD)/vdnn.pc:lib/pkgconfig/vdnn.pc \
             $(foreach model,$(sort $(wildcard models/*.yaml models/devices/*.yaml)),$(model):share/vdnn/$(model)) \
             $(foreach program,$(programs),$(foreach page,$(BUILD)/docs/$(notdir $(program)),\
                 $(page).1:share/man/man1/$(notdir $(program)).1 \
                 $(page).bash:share/bash-completion/completions/$(notdir $(program)))) \
             $(BUILD)/docs/vdnn.3:share/man/man3/vdnn.3 LICENSE:share/doc/vdnn/LICENSE README.md:share/doc/vdnn/README.md
linked    := lib/$(SONAME):$(notdir $(shared)) lib/libvdnn.so:$(SONAME)
folders   := share/vdnn/models/devices share/vdnn/models share/vdnn share/doc/vdnn include/vdnn

documents := $(foreach program,$(notdir $(programs)),$(BUILD)/docs/$(program).1 $(BUILD)/docs/$(program).bash) \
             $(BUILD)/docs/vdnn.3
manual    := $(BUILD)/tools/generate/manual

$(manual): $(manual).o $(call object,$(TOOL_SRC)) $(public)
	$(show)$(CC) $(CFLAGS) $^ -o $@ $(LIBS)

$(BUILD)/docs/%.1: $(manual)
	@mkdir -p $(@D)
	$(show)$(manual) page $* >$@

$(BUILD)/docs/%.bash: $(manual) $(wildcard models/*.yaml)
	@mkdir -p $(@D)
	$(show)$(manual) completion $* $(basename $(notdir $(sort $(wildcard models/*.yaml)))) >$@

$(BUILD)/docs/vdnn.3: tools/generate/vdnn.3.awk runtime/vdnn.h
	@mkdir -p $(@D)
	$(show)awk -v version=$(VERSION) -f $< runtime/vdnn.h >$@

$(BUILD)/vdnn.pc: tools/vdnn.pc.in Makefile
	$(show)sed -e 's|@VERSION@|$(VERSION)|' -e 's|@LIBS@|$(LIBS)|' $< >$@

install: all $(BUILD)/vdnn.pc $(documents) ## programs, library, header, networks, man pages, completions below DESTDIR and PREFIX
	@set -e; root=$(DESTDIR)$(PREFIX); \
	for pair in $(installed); do \
	    mode=644; case $$pair in */bin/*) mode=755;; esac; \
	    install -D -m $$mode "$${pair%%:*}" "$$root/$${pair#*:}"; done; \
	for pair in $(linked); do ln -sf "$${pair#*:}" "$$root/$${pair%%:*}"; done; \
	echo "installed below $$root"

uninstall: ## removes what install put there
	@root=$(DESTDIR)$(PREFIX); \
	for pair in $(installed); do rm -f "$$root/$${pair#*:}"; done; \
	for pair in $(linked); do rm -f "$$root/$${pair%%:*}"; done; \
	for folder in $(folders); do rmdir "$$root/$$folder" 2>/dev/null || true; done

# A kit is linked once more: its programs find what they want beside themselves, wherever they are.
KIT          ?= build/vdnn-$(VERSION)-kit.tar.gz
kit_root     := $(BUILD)/kit/vdnn-$(VERSION)-kit
kit_programs := $(programs:$(BIN)/%=$(kit_root)/bin/%)
kit_tests    := $(CARD_TESTS:$(CARD)/%=$(kit_root)/%)
# name in the kit:file
kit_files    := run.sh:tests/bench/run.sh tests/run.sh:tests/run.sh LICENSE:LICENSE \
                $(foreach file,$(wildcard tests/bench/*cuda*.py) tests/support/torch_driver.py,bench/$(notdir $(file)):$(file)) \
                $(if $(recorder),lib/$(notdir $(recorder)):$(recorder)) \
                $(foreach model,$(sort $(wildcard models/*.yaml models/devices/*.yaml)),share/vdnn/$(model):$(model))
kit_link      = $(CC) $(CFLAGS) -s $(filter %.o %.a,$^) -o $@ $(1) $(LIBS) -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/$(2)'

$(kit_programs): $(kit_root)/bin/%: $(BUILD)/tools/%.o $(call object,$(TOOL_SRC)) $(public)
	@mkdir -p $(@D)
	$(say)"LINK $@"
	$(show)$(call kit_link,,../lib)

$(kit_tests): $(kit_root)/%: $(CARD)/%.o $(call object,$(SUPPORT_SRC) $(TOOL_SRC)) $(library)
	@mkdir -p $(@D)
	$(say)"LINK $@"
	$(show)$(call kit_link,-lcmocka,../../lib:$$ORIGIN/../../../lib)

kit: ## one archive for a machine with a card where nothing can be installed; KIT=FILE.tar.gz; ARCHS=90: for compute capability 9.0 alone
	@[ -n "$(NVCC)" ] || { echo "kit: there is no nvcc in $(CUDA_HOME)/bin: set CUDA_HOME or NVCC" >&2; exit 1; }
	@$(MAKE) --no-print-directory -j$(JOBS) CONFIG=$(if $(filter command line,$(origin CONFIG)),$(CONFIG),cuda) kit-archive

kit-archive: $(kit_programs) $(kit_tests) $(recorder)
	@set -e; for pair in $(kit_files); do \
	    install -D -m $$([ -x "$${pair#*:}" ] && echo 755 || echo 644) "$${pair#*:}" "$(kit_root)/$${pair%%:*}"; done
	@tools/kit.sh $(kit_root) $(KIT) $(VERSION)

clean: ## removes everything built
	rm -rf build

help: ## this list
	@awk -F ':.*## ' '/^[a-z].*:.*## / {printf "  %-24s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo '  CONFIG=release|debug|asan|tsan|fuzz|cuda  PREFIX=$(PREFIX)  SETUP=no: install no packages  V=1'

.PHONY: all tests found cuda debug asan tsan check check-cuda check-long check-asan check-tsan check-valgrind fuzz fuzzers bench bench-cuda calibrate paper lint demo install uninstall \
        kit kit-archive clean help
.SECONDARY:
.DELETE_ON_ERROR:

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
