# vdnn. `make help` lists what can be made.
#
# One build directory for each configuration: build/release, build/debug, build/asan, build/tsan,
# build/fuzz, build/cuda. Sources are found by wildcard:
#     runtime/** alloc/ layers/ policies/ models/ traces/   -> build/CONFIG/libvdnn-whole.a for tests;
#         libvdnn.a and libvdnn.so.* with the functions of runtime/vdnn.h alone
#     tools/vdnn*.c   one program each, on libvdnn.a; the other tools/*.c are linked into every one
# Here are the configurations, the sources and the programs. The rest stands beside what it builds:
#     runtime/library.mk       the library
#     layers/cuda/cuda.mk      the CUDA device, where nvcc is found
#     tests/tests.mk           the tests and their runs; tests/selection.mk which run when;
#                              tests/cuda_host/cuda_host.mk those over the emulation of CUDA
#     tests/bench/bench.mk     benchmarks
#     tests/compare/compare.mk plans of two revisions side by side
#     tools/install.mk         man pages, completions, installing; tools/kit.mk the archive for a card

VERSION := $(shell sed -n 's/^.define VDNN_VERSION "\(.*\)"/\1/p' runtime/vdnn.h)
PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
CONFIG  ?= release
JOBS    ?= $(shell nproc)
PYTHON  ?= /usr/bin/python3

.DEFAULT_GOAL := all

# ---- configurations --------------------------------------------------------------------------------

# Stacks and profiles name lines, which -g1 knows; for a debugger there is CONFIG=debug.
CFLAGS_release := -O3 -g1 -fopenmp
# The release with kernels for every card; CONFIG=release has them in the form that a driver translates.
CFLAGS_cuda    := $(CFLAGS_release)
CFLAGS_debug   := -O0 -g3 -fopenmp
# What is compiled soonest and does not run for long: of null pointers the address sanitizer tells.
CFLAGS_asan    := -Og -g1 -fopenmp -fno-omit-frame-pointer -fsanitize=address,undefined \
                  -fno-sanitize=null,object-size -fno-sanitize-recover=all
# Nobody reads errno after a square root; without the flag no loop with one is vectorized.
CFLAGS_math    := -fno-math-errno
# libgomp is not instrumented, so each of its barriers would be reported as a race.
CFLAGS_tsan    := -O1 -g1 -Wno-unknown-pragmas -fsanitize=thread
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

# CC, CFLAGS, CPPFLAGS and LDFLAGS are the caller's, and added to what is set here. WERROR=yes: a warning is
# an error, as it is where changes are checked; other compilers have other warnings.
ifeq ($(origin CC),default)
CC       := $(or $(CC_$(CONFIG)),gcc)
endif
OBJCOPY  ?= objcopy
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion \
            -Wstrict-prototypes -Wmissing-prototypes -Wcast-qual -Wvla -Wundef -Wformat=2 \
            $(if $(WERROR),-Werror)
CPP_FLAGS := -I. -D_GNU_SOURCE $(CPPFLAGS_$(CONFIG)) $(CPPFLAGS)
# Only what runtime/vdnn.h marks can be seen from outside.
C_FLAGS  := -std=c11 $(WARNINGS) $(CFLAGS_$(CONFIG)) $(CFLAGS_math) -fPIC -fvisibility=hidden $(CFLAGS)
LIBS     := -ldnnl -ljemalloc -lyaml -ljansson -lz -lxxhash -ljpeg -lpng -lpthread -lm
# FFTW is optional: without it there are no convolutions by Fourier transforms.
FFTW     := $(shell pkg-config --exists fftw3f 2>/dev/null && echo yes)
ifneq ($(FFTW),)
CPP_FLAGS += -DVDNN_FFTW
LIBS     += -lfftw3f
endif
# hwloc is optional: it knows which memory is near a CUDA card, where there are several nodes of it.
HWLOC    := $(shell pkg-config --exists hwloc 2>/dev/null && echo yes)
ifneq ($(HWLOC),)
CPP_FLAGS += -DVDNN_HWLOC
LIBS     += -lhwloc
endif
# MPI is optional: a plug-in joins vdnn to each implementation whose compiler is there.
MPI      := $(foreach name,openmpi mpich,$(if $(shell command -v mpicc.$(name)),$(name)))
# NVTX is headers alone: with them profilers see the steps by name. CUDA_HOME says where to look.
CUDA_HOME ?= /usr/local/cuda
NVTX     := $(firstword $(foreach folder,$(CUDA_HOME)/include /usr/include build/nvtx,\
                $(patsubst %/nvtx3/nvToolsExtPayload.h,%,$(wildcard $(folder)/nvtx3/nvToolsExtPayload.h))))
ifneq ($(NVTX),)
CPP_FLAGS += -DVDNN_NVTX $(if $(filter-out /usr/include,$(NVTX)),-isystem $(NVTX))
endif
# The CUDA device is optional too: the runtime is linked in, cuBLAS looked for when a program runs.
NVCC      ?= $(firstword $(wildcard $(CUDA_HOME)/bin/nvcc))
CUDA      := $(if $(filter release cuda,$(CONFIG)),$(NVCC))
ifneq ($(CUDA),)
LIBS      += -L$(CUDA_HOME)/lib64 -lcudart_static -ldl -lrt
endif

# V=1 shows whole commands.
say  := @$(if $(V),: ,echo )
show := $(if $(V),,@)

# $(call stamp,NAME,VALUE): build/CONFIG/NAME, written where the value is another than last time; what
# is made of a list that may change depends on its stamp.
define stamp
$$(BUILD)/$(1): found
	@mkdir -p $$(@D)
	@echo '$(2)' | cmp -s - $$@ || echo '$(2)' >$$@
endef

# ---- what there is to build ------------------------------------------------------------------------

CUDA_SRC     := $(sort $(wildcard layers/cuda/*.c runtime/device/cuda/*.c runtime/comm/cuda/*.c))
KERNEL_SRC   := $(sort $(wildcard layers/*/*.cu))
LEFT_OUT     := $(if $(FFTW),,layers/conv/cpu_fft.c) $(if $(CUDA),,$(CUDA_SRC)) runtime/comm/mpi/plugin.c
LIBRARY_SRC  := $(filter-out $(LEFT_OUT),$(sort $(shell find runtime alloc layers policies models traces -name '*.c'))) \
                $(if $(CUDA),$(KERNEL_SRC))
PROGRAM_SRC  := $(sort $(wildcard tools/vdnn*.c))
TOOL_SRC     := $(filter-out $(PROGRAM_SRC),$(sort $(wildcard tools/*.c)))

object   = $(patsubst %.cu,$(BUILD)/%.cu.o,$(patsubst %.c,$(BUILD)/%.o,$(1)))
library  := $(BUILD)/libvdnn-whole.a
public   := $(BUILD)/libvdnn.a
SONAME   := libvdnn.so.$(firstword $(subst ., ,$(VERSION)))
shared   := $(BUILD)/libvdnn.so.$(VERSION)
programs := $(patsubst tools/%.c,$(BIN)/%,$(PROGRAM_SRC))
plugins  := $(MPI:%=build/lib/vdnn/libvdnn-mpi-%.so)
recorder := $(if $(NVTX),$(BUILD)/libvdnn-nvtx-recorder.so)

all: $(programs) $(public) $(shared) $(recorder) $(plugins) ## the programs, in build/bin, and the library (default)

# ---- rules -----------------------------------------------------------------------------------------

$(BUILD)/runtime/report/doctor.o $(BUILD)/runtime/train/description.o: CPP_FLAGS += -DVDNN_CONFIG='"$(CONFIG)"'
$(BUILD)/models/places.o: CPP_FLAGS += -DVDNN_DATADIR='"$(PREFIX)/share/vdnn"'
$(BUILD)/runtime/comm/mpi/load.o: CPP_FLAGS += -DVDNN_LIBDIR='"$(LIBDIR)/vdnn"'

$(BUILD)/%.o: %.c Makefile | found
	@mkdir -p $(@D)
	$(say)"CC   $<"
	$(show)$(CC) $(CPP_FLAGS) $(C_FLAGS) -MMD -MP -c $< -o $@

$(programs): $(BIN)/%: $(BUILD)/tools/%.o $(call object,$(TOOL_SRC)) $(public)
	@mkdir -p $(@D)
	$(say)"LINK $@"
	$(show)$(CC) $(C_FLAGS) $(LDFLAGS) $^ -o $@ $(LIBS)

# Says what was found and what is left out; stops with a hint where a library is missing.
found:
	@CC='$(CC)' CPPFLAGS='$(CPPFLAGS)' LDFLAGS='$(LDFLAGS)' tools/setup.sh --found "vdnn $(VERSION), $(CONFIG)" "$(CUDA)"

include runtime/library.mk layers/cuda/cuda.mk tests/tests.mk tests/bench/bench.mk tests/compare/compare.mk tools/install.mk tools/kit.mk

debug asan tsan: ## the programs in that configuration, in build/CONFIG/bin
	@$(MAKE) --no-print-directory CONFIG=$@ all

demo: ## trains LeNet under a budget it does not fit in, then prints the report of VGG-16
	@tools/setup.sh build
	@$(MAKE) --no-print-directory -j$(JOBS) CONFIG=release all
	@tools/demo.sh

gallery: all ## every kind of picture that vdnn draws, with the commands: build/gallery/index.html
	@$(PYTHON) tools/gallery.py --bin $(BIN) $(GALLERY)

pictures: all ## draws the pictures of README.md again
	@$(PYTHON) tools/gallery.py --bin $(BIN) --pictures .

lint: $(BUILD)/runtime/setup/session_members.inc ## formatting, clang-tidy, cppcheck, and the project's own rules
	@tools/setup.sh check
	@tools/lint.sh $(CPP_FLAGS) -I$(BUILD) $(patsubst %,-isystem %,$(firstword $(shell mpicc.openmpi --showme:incdirs 2>/dev/null))) $(WARNINGS) -Werror -DVDNN_CUDA -Itests/cuda_host/include $(TEST_DEFINES) -DVDNN_TEST_GPU_BIN=\"x\" -std=c11

clean: ## removes everything built
	rm -rf build

help: ## this list
	@awk -F ':.*## ' '/^[a-z].*:.*## / {printf "  %-24s %s\n", $$1, $$2}' $(filter-out %.d,$(MAKEFILE_LIST))
	@echo '  CONFIG=release|debug|asan|tsan|fuzz|cuda  PREFIX=$(PREFIX)  SETUP=no: install no packages  V=1'

.PHONY: all found debug asan tsan demo gallery pictures lint clean help
.SECONDARY:
.DELETE_ON_ERROR:

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
