# One archive for a machine with a card where nothing can be installed (tools/kit.sh packs it).
#
# A kit is linked once more: its programs find what they want beside themselves, wherever they are.
KIT          ?= build/vdnn-$(VERSION)-kit.tar.gz
kit_root     := $(BUILD)/kit/vdnn-$(VERSION)-kit
# What only simulates runs on any other machine as well.
kit_programs := $(filter-out %/vdnnscale,$(programs:$(BIN)/%=$(kit_root)/bin/%))
kit_tests    := $(CARD_TESTS:$(CARD)/%=$(kit_root)/%)
# name in the kit:file
kit_files    := run.sh:tests/bench/run.sh tests/run.sh:tests/run.sh LICENSE:LICENSE \
                $(foreach file,$(wildcard tests/bench/*cuda*.py) tests/support/torch_driver.py,bench/$(notdir $(file)):$(file)) \
                $(if $(recorder),lib/$(notdir $(recorder)):$(recorder)) \
                $(foreach model,$(sort $(wildcard models/*.yaml models/devices/*.yaml)),share/vdnn/$(model):$(model))
# A dozen programs take less without what none of their own calls, and where segments need no pages of their own.
kit_link      = $(CC) $(C_FLAGS) $(LDFLAGS) -s $(filter %.o %.a,$^) -o $@ $(1) $(LIBS) -Wl,--gc-sections,-z,noseparate-code,--disable-new-dtags,-rpath,'$$ORIGIN/$(2)'

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

.PHONY: kit kit-archive
