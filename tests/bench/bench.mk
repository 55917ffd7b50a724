# Benchmarks, and what is fitted to measurements or set beside the paper's.

BENCH_SRC    := $(sort $(wildcard tests/bench/bench_*.c tests/bench/*/bench_*.c))
benches      := $(patsubst %.c,$(BUILD)/%,$(BENCH_SRC))

$(benches): %: %.o $(call object,$(SUPPORT_SRC) $(TOOL_SRC)) $(library) | $(programs) $(recorder)
	$(link_test)

bench: all $(benches) ## benchmarks against PyTorch and this machine; BENCH="vgg16 lenet" selects, "planning", "roofline", "opt", "budgets", "packing", "published", "rivals", "dtr", "partition", "trace" too
	@$(PYTHON) tests/bench/bench.py --bin $(BIN) --bench $(BUILD)/tests/bench --out build/bench $(BENCH)

bench-cuda: all $(CARD_TESTS) ## what the CUDA device does on this machine's card, beside PyTorch, in under 8 minutes; BENCH="speed cap" selects, BENCH=first is the order for a new card
	@$(PYTHON) tests/bench/bench_cuda.py --bin $(BIN) --tests $(CARD)/tests --out build/bench-cuda $(BENCH)

calibrate: $(BUILD)/tests/bench/bench_cost all ## fits the cost model of convolutions to measured times, and compares device models with published ones; CALIBRATE="--rows --leave-out" says more
	@$(PYTHON) models/devices/calibrate.py --costs $< $(CALIBRATE)
	@$(PYTHON) models/devices/timings.py --costs $< --report $(BIN)/vdnnreport
	@$(PYTHON) models/devices/scaling.py --costs $< --scale $(BIN)/vdnnscale

paper: all ## regenerates the figures of the vDNN paper on a simulated Titan X, beside the paper's: build/paper/paper.md
	@$(PYTHON) tools/paper.py --report $(BIN)/vdnnreport --out build/paper $(PAPER)

.PHONY: bench bench-cuda calibrate paper
