# Plans of two revisions side by side: what a change of the planner must leave as it was.

BASE  ?= HEAD
COUNT ?= 5000
print_plans := $(BUILD)/tests/compare/print_plans
compared    := build/compare

$(print_plans): %: %.o $(call object,$(SUPPORT_SRC) $(TOOL_SRC)) $(library) | $(programs)
	$(link_test)

compare-plans: all $(print_plans) ## compares all plans with those of another revision: BASE=REVISION COUNT=5000 EVERY=1
	@[ -e $(compared)/.git ] || git worktree add --force --detach $(compared) $(BASE) >/dev/null
	@git -C $(compared) checkout --quiet --detach $(BASE)
	@$(MAKE) --no-print-directory -C $(compared) -j$(JOBS) all $(print_plans)
	@$(PYTHON) tests/compare/compare_plans.py --base $(compared) --count $(COUNT) --every $(or $(EVERY),1)

.PHONY: compare-plans
