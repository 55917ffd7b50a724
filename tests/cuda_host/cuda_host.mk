# The emulation of CUDA on the CPU: the objects that know of CUDA, made once more with its headers and
# linked before the library; tests of its own, and tests of contracts with another device.

HOST         := $(BUILD)/cuda_host
HOST_SRC     := layers/registry.c runtime/device/device_kinds.c runtime/comm/collectives.c $(CUDA_SRC) $(KERNEL_SRC) \
                $(sort $(wildcard tests/cuda_host/*.cpp))
HOST_TEST_SRC := $(sort $(wildcard tests/cuda_host/test_*.c)) $(CARD_SRC)
HOST_TESTS   := $(HOST_TEST_SRC:%.c=$(HOST)/%)
host_objects := $(patsubst %.cu,$(HOST)/%.cu.o,$(patsubst %.cpp,$(HOST)/%.o,$(patsubst %.c,$(HOST)/%.o,$(HOST_SRC))))
host_runs    := $(patsubst tools/%.c,$(HOST)-bin/%,$(PROGRAM_SRC))

CXX          := g++
CXXFLAGS     := -std=c++17 $(filter-out -Wstrict-prototypes -Wmissing-prototypes,$(WARNINGS)) \
                $(CFLAGS_$(CONFIG)) $(CFLAGS_math) -fPIC

$(host_objects) $(HOST_TESTS:%=%.o): CPP_FLAGS += -DVDNN_CUDA -Itests/cuda_host/include
# Which libraries the loader finds is the tests' to say.
$(HOST)/layers/cuda/library.o: CPP_FLAGS += $(foreach call,dlopen dlerror dlsym dlclose,-D$(call)=vdnn_cuda_host_$(call))
$(HOST_TESTS:%=%.o): CPP_FLAGS += -DVDNN_TEST_GPU_BIN='"$(HOST)-bin"' $(TEST_DEFINES) -DVDNN_TEST_DEVICE='"cuda"'

$(HOST)/%.o: %.c Makefile tests/cuda_host/cuda_host.mk | found
	@mkdir -p $(@D)
	$(say)"CC   $< (emulation of CUDA)"
	$(show)$(CC) $(CPP_FLAGS) $(C_FLAGS) -MMD -MP -c $< -o $@

# A kernel is compiled more often than it is run here.
$(HOST)/%.cu.o: CXXFLAGS += -O1
$(HOST)/%.cu.o: %.cu Makefile tests/cuda_host/cuda_host.mk | found
	@mkdir -p $(@D)
	$(say)"CXX  $< (emulation of CUDA)"
	$(show)$(CXX) $(CPP_FLAGS) $(CXXFLAGS) -MMD -MP -x c++ -c $< -o $@

$(HOST)/%.o: %.cpp Makefile tests/cuda_host/cuda_host.mk | found
	@mkdir -p $(@D)
	$(say)"CXX  $<"
	$(show)$(CXX) $(CPP_FLAGS) $(CXXFLAGS) -MMD -MP -c $< -o $@

$(eval $(call stamp,host_objects,$(host_objects)))

$(host_runs): $(HOST)-bin/%: $(BUILD)/tools/%.o $(call object,$(TOOL_SRC)) $(host_objects) $(library) $(BUILD)/host_objects
	@mkdir -p $(@D)
	$(say)"LINK $@"
	$(show)$(CXX) $(CXXFLAGS) $(filter %.o %.a,$^) -o $@ $(LIBS)

$(HOST)/tests/cuda_host/test_rows $(HOST)/tests/cuda_host/test_bench_cuda: | $(HOST)/tests/contract/test_layers

$(HOST_TESTS): %: %.o $(call object,$(SUPPORT_SRC) $(TOOL_SRC)) $(host_objects) $(library) $(BUILD)/host_objects | $(host_runs) $(recorder)
	@mkdir -p $(@D)
	$(say)"LINK $@"
	$(show)$(CXX) $(CXXFLAGS) $(filter %.o %.a,$^) $(fast_link) -o $@ -lcmocka $(LIBS)
