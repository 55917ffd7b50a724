# What is installed, and the documents that are generated for it: man pages and completions of programs from the
# table of options (tools/generate/manual.c), vdnn.3 from the comments of runtime/vdnn.h, the others from the pages
# that are read with the code (tools/generate/page.awk).

PAGE.7        := vdnn
PAGE.5        := vdnn-model vdnn-device vdnn-json
of.vdnn        = README.md
of.vdnn-model  = models/README.md
of.vdnn-device = models/devices/README.md
of.vdnn-json   = tools/json.md
what.vdnn        = trains deep networks in less memory than they need
what.vdnn-model  = files of networks, and their data
what.vdnn-device = files of simulated devices
what.vdnn-json   = what the programs write with --json

# What `install` puts where: FROM:TO, and links NAME:TARGET; `uninstall` removes the same, and the
# folders that are vdnn's alone.
lib       := $(LIBDIR:$(PREFIX)/%=%)
ifneq ($(filter /%,$(lib)),)
$(error LIBDIR=$(LIBDIR) is not below PREFIX=$(PREFIX))
endif
installed := $(foreach program,$(programs),$(program):bin/$(notdir $(program))) \
             runtime/vdnn.h:include/vdnn/vdnn.h $(public):$(lib)/libvdnn.a \
             $(shared):$(lib)/$(notdir $(shared)) $(foreach plugin,$(plugins),$(plugin):$(lib)/vdnn/$(notdir $(plugin))) \
             $(BUILD)/vdnn.pc:$(lib)/pkgconfig/vdnn.pc \
             $(foreach model,$(sort $(wildcard models/*.yaml models/devices/*.yaml)),$(model):share/vdnn/$(model)) \
             $(foreach program,$(programs),$(foreach page,$(BUILD)/docs/$(notdir $(program)),\
                 $(page).1:share/man/man1/$(notdir $(program)).1 \
                 $(page).bash:share/bash-completion/completions/$(notdir $(program)))) \
             $(foreach section,5 7,$(foreach page,$(PAGE.$(section)),\
                 $(BUILD)/docs/$(page).$(section):share/man/man$(section)/$(page).$(section))) \
             $(BUILD)/docs/vdnn.3:share/man/man3/vdnn.3 LICENSE:share/doc/vdnn/LICENSE README.md:share/doc/vdnn/README.md
linked    := $(lib)/$(SONAME):$(notdir $(shared)) $(lib)/libvdnn.so:$(SONAME)
folders   := $(lib)/vdnn share/vdnn/models/devices share/vdnn/models share/vdnn share/doc/vdnn include/vdnn

documents := $(foreach program,$(notdir $(programs)),$(BUILD)/docs/$(program).1 $(BUILD)/docs/$(program).bash) \
             $(PAGE.5:%=$(BUILD)/docs/%.5) $(PAGE.7:%=$(BUILD)/docs/%.7) $(BUILD)/docs/vdnn.3
manual    := $(BUILD)/tools/generate/manual

$(manual): $(manual).o $(call object,$(TOOL_SRC)) $(public)
	$(show)$(CC) $(C_FLAGS) $(LDFLAGS) $^ -o $@ $(LIBS)

$(BUILD)/docs/%.1: $(manual)
	@mkdir -p $(@D)
	$(show)$(manual) page $* >$@

$(BUILD)/docs/%.bash: $(manual) $(wildcard models/*.yaml models/devices/*.yaml)
	@mkdir -p $(@D)
	$(show)$(manual) completion $* $(basename $(notdir $(sort $(wildcard models/*.yaml)))) -- \
	    $(basename $(notdir $(sort $(wildcard models/devices/*.yaml)))) >$@

define page_rule
$(BUILD)/docs/$(1).$(2): tools/generate/page.awk runtime/vdnn.h $(of.$(1))
	@mkdir -p $$(@D)
	$$(show)awk -v name=$(1) -v section=$(2) -v what='$(what.$(1))' -v version=$(VERSION) -f $$< $(of.$(1)) >$$@
endef
$(foreach section,5 7,$(foreach page,$(PAGE.$(section)),$(eval $(call page_rule,$(page),$(section)))))

$(BUILD)/docs/vdnn.3: tools/generate/vdnn.3.awk runtime/vdnn.h
	@mkdir -p $(@D)
	$(show)awk -v version=$(VERSION) -f $< runtime/vdnn.h >$@

$(BUILD)/vdnn.pc: tools/vdnn.pc.in runtime/vdnn.h Makefile $(BUILD)/optional
	$(show)sed -e 's|@UP@|$(shell echo $(lib)/. | sed 's|[^/]*|..|g')|' -e 's|@VERSION@|$(VERSION)|' -e 's|@LIBS@|$(LIBS)|' $< >$@

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

DIST ?= build/dist

wheel: $(shared) $(programs) ## the Python package with library, programs and networks, in build/dist
	@$(PYTHON) tools/python/make_wheel.py $(VERSION) $(DIST) $(shared) $(programs)

deb: ## Debian packages, looked at by lintian, in build/dist
	@tools/setup.sh deb
	@JOBS=$(JOBS) tools/packaging/deb.sh $(VERSION) $(DIST)

.PHONY: install uninstall wheel deb
