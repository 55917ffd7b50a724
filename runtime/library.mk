# The library: $(library) with all symbols, for tests; $(public) and $(shared) with those of
# runtime/vdnn.h alone. Its sources are LIBRARY_SRC of the Makefile.

# oneDNN uses OpenMP also where this code does not.
LIBS += $(if $(findstring -fopenmp,$(C_FLAGS)),,-lgomp)

# Libraries are made anew when a file joins or leaves them, and what knows whether an optional part is
# there when one comes or goes.
$(eval $(call stamp,objects,$(call object,$(LIBRARY_SRC))))
$(eval $(call stamp,optional,FFTW=$(FFTW) HWLOC=$(HWLOC) NVTX=$(NVTX) CUDA=$(CUDA)))

$(call object,layers/registry.c runtime/comm/collectives.c runtime/device/device_kinds.c runtime/base/nvtx.c runtime/report/doctor.c): $(BUILD)/optional

$(call object,runtime/report/page/files.c): $(wildcard runtime/report/page/*.html runtime/report/page/*.css runtime/report/page/*.js)

# A row for each member of the options in runtime/vdnn.h.
$(BUILD)/runtime/setup/session_members.o: $(BUILD)/runtime/setup/session_members.inc
$(BUILD)/runtime/setup/session_members.o: CPP_FLAGS += -I$(BUILD)
$(BUILD)/%.inc: %.awk runtime/vdnn.h Makefile | found
	@mkdir -p $(@D)
	$(say)"AWK  $@"
	$(show)$(CC) -E -P runtime/vdnn.h | awk -f $< >$@

$(library): $(call object,$(LIBRARY_SRC)) $(BUILD)/objects
	@rm -f $@
	$(say)"AR   $@"
	$(show)$(AR) qcs $@ $(filter %.o,$^)

# One object in which whatever is not of the interface has become local.
$(public): $(call object,$(LIBRARY_SRC)) runtime/vdnn.map $(BUILD)/objects
	@rm -f $@
	$(say)"AR   $@"
	$(show)$(LD) -r $(filter %.o,$^) -o $(@D)/vdnn.o
	$(show)sed -n 's/^ *\(vdnn_[a-z_]*\);/\1/p' runtime/vdnn.map >$(@D)/vdnn.symbols
	$(show)$(OBJCOPY) --keep-global-symbols=$(@D)/vdnn.symbols $(@D)/vdnn.o
	$(show)$(AR) qcs $@ $(@D)/vdnn.o

# The shared library uses the malloc of its process (runtime/base/machine/jemalloc.h), and cannot hold the CUDA
# runtime: a library that a running program loads has no static thread-local memory, or very little.
shared_libs  := $(patsubst -lcudart_static,-lcudart -Wl$(comma)-rpath$(comma)$(CUDA_HOME)/lib64,\
                    $(filter-out -ljemalloc,$(LIBS)))

# It stays in a process that closes it, for the next time: OpenMP's threads, oneDNN and what FFTW allocates
# stay too, and a child made by fork must know that there were threads.
$(shared): $(call object,$(LIBRARY_SRC)) runtime/vdnn.map $(BUILD)/objects
	$(say)"LINK $@"
	$(show)$(CC) $(C_FLAGS) $(LDFLAGS) -shared -Wl,-soname,$(SONAME),-z,nodelete -Wl,--version-script=runtime/vdnn.map \
	    $(if $(findstring sanitize,$(C_FLAGS)),,-Wl,-z,defs) $(filter %.o,$^) -o $@ \
	    $(shared_libs)
	@ln -sf $(@F) $(@D)/$(SONAME)
	@ln -sf $(@F) $(@D)/libvdnn.so

# They call MPI and nothing else, and serve every configuration.
$(plugins): build/lib/vdnn/libvdnn-mpi-%.so: runtime/comm/mpi/plugin.c runtime/comm/mpi/plugin.h Makefile | found
	@mkdir -p $(@D)
	$(say)"LINK $@"
	$(show)mpicc.$* -I. -D_GNU_SOURCE -std=c11 $(WARNINGS) -O2 -g -fPIC -fvisibility=hidden -shared $< -o $@

# What NVTX_INJECTION64_PATH can name: it stands alone, in whatever program it is loaded into.
$(recorder): tests/support/recorder/nvtx_recorder.c Makefile | found
	@mkdir -p $(@D) $(BUILD)/tests/support
	$(say)"LINK $@"
	$(show)$(CC) $(CPP_FLAGS) $(C_FLAGS) -MMD -MP -MF $(BUILD)/tests/support/recorder.d -shared $< -o $@
