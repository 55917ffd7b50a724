# The CUDA device: the kernels (layers/*/*.cu), what they share (layers/cuda/), and runtime/device/cuda/.
# nvcc compiles them where it is found ($(CUDA)); tests/cuda_host/cuda_host.mk has them without it.

# Compute capabilities, the oldest first. Machine code of one runs on cards of the same major number that
# are not older; PTX, which the driver translates, on every card that is not older, so it is of the oldest,
# or of 8.0 where that is listed too: what our kernels can use of a card (bf16, tf32) begins there.
# ARCHS=90 on the command line compiles for those cards alone, in a seventh of the time.
ARCHS        := $(if $(filter cuda,$(CONFIG)),75 80 86 89 90 100 120)
PTX          := $(or $(filter 80,$(ARCHS)),$(firstword $(ARCHS)),75)
card_code    := $(strip $(ARCHS:%=sm_%) compute_$(PTX))
NVCCFLAGS    := -std=c++17 -O3 $(if $(WERROR),-Werror all-warnings) --threads 0 --compress-mode=size \
                $(foreach code,$(card_code),-gencode arch=compute_$(lastword $(subst _, ,$(code)))$(comma)code=$(code)) \
                -Xcompiler -Wall,-Wextra,-Werror,-fPIC,-fvisibility=hidden \
                -Xcompiler -fno-exceptions,-fno-rtti,-fno-threadsafe-statics

# No other file may depend on it, so that the objects of all others serve both.
ifneq ($(CUDA),)
$(BUILD)/layers/registry.o $(BUILD)/runtime/device/device_kinds.o $(BUILD)/runtime/comm/collectives.o: CPP_FLAGS += -DVDNN_CUDA
endif
$(call object,$(CUDA_SRC)): CPP_FLAGS += -isystem $(CUDA_HOME)/include
$(call object,$(CUDA_SRC)): $(BUILD)/optional layers/cuda/cuda.mk

# NCCL's declarations are checked against its header, where there is one.
$(BUILD)/layers/cuda/nccl.o: CPP_FLAGS += $(if $(wildcard $(CUDA_HOME)/include/nccl.h),-DVDNN_NCCL_HEADER)

# Kernels are compiled anew where other cards are asked for than last time.
$(eval $(call stamp,card_code,$(card_code)))

$(BUILD)/runtime/device/cuda/card.o: CPP_FLAGS += -DVDNN_CUDA_OLDEST=$(firstword $(ARCHS) $(PTX))
$(BUILD)/runtime/device/cuda/card.o: $(BUILD)/card_code

$(BUILD)/%.cu.o: %.cu layers/cuda/cuda.mk $(BUILD)/card_code | found
	@mkdir -p $(@D)
	$(say)"NVCC $<"
	$(show)$(CUDA) -I. -D_GNU_SOURCE -DVDNN_CUDA $(NVCCFLAGS) -MMD -MP -c $< -o $@

cuda: ## the programs with kernels for every card, in build/cuda/bin; needs nvcc; ARCHS="80 90" for these alone
	@[ -n "$(NVCC)" ] || { echo "cuda: there is no nvcc in $(CUDA_HOME)/bin: set CUDA_HOME or NVCC" >&2; exit 1; }
	@$(MAKE) --no-print-directory CONFIG=$@ all
	@for program in build/cuda/bin/*; do $(PYTHON) tools/cuda_code.py $$program $$(cat build/cuda/card_code) || exit 1; done

.PHONY: cuda
