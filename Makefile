# Orrery: `make run` opens the workbench, `make test` runs every test. Nothing else needs to be installed by hand.

SHELL        := /bin/bash
CONFIG       ?= release
PREFIX       ?= /usr/local
READLINE     ?= 1
JOBS         ?= $(shell nproc)

# What the program is linked with, and what the tests drive it with.
BUILD_PACKAGES := libncurses-dev libreadline-dev libsqlite3-dev libstemmer-dev libzstd-dev zlib1g-dev libopenblas0-pthread libcurl4 pkg-config g++ libc6-dev
TEST_PACKAGES  := bubblewrap tmux python3-venv python3 procps poppler-utils libpq5

# Archives only, so that -l finds no shared library and the binary runs on a host that has none of them.
ARCHIVES     := .build/archives
ARCHIVE_DIR  := /usr/lib/$(shell gcc -print-multiarch 2>/dev/null || echo x86_64-linux-gnu)
ARCHIVE_LIBS := libncursesw.a libtinfo.a libreadline.a libsqlite3.a libstemmer.a libzstd.a libz.a

# Colors are a flag of the compiler: without one answer for terminals and pipes everything would be built twice.
SWIFT_FLAGS  := -c $(CONFIG) --jobs $(JOBS) --no-color-diagnostics
ifeq ($(READLINE),0)
SWIFT_FLAGS  += --traits WithoutReadline
endif
BINARY       := .build/$(CONFIG)/orrery
DEV_FLAGS    := -c debug --jobs $(JOBS) --no-color-diagnostics --scratch-path .build-debug
DEV_BINARY   := .build-debug/debug/orrery
VERSION      := $(shell sed -n 's/.*public static let number = "\(.*\)"/\1/p' Sources/Workspace/ProgramVersion.swift 2>/dev/null)
DIST         := orrery-$(VERSION)-$(shell uname -m)

ARGUMENTS    ?=
SUITE        ?=

.PHONY: build run check dev dev-test test bench install uninstall dist format lint setup setup-tests reference clean

build: setup $(ARCHIVES)/.made
	@swift build $(SWIFT_FLAGS) --product orrery

run: build
	@if [ -t 0 ] && [ -t 1 ]; then exec $(BINARY); else exec $(BINARY) show traces; fi

# Type-checks what changed, in seconds. ARGUMENTS="--dependents" also checks the callers, "--all" everything.
check:
	@python3 Tools/check.py $(ARGUMENTS)

# Builds the program and all tests without optimization. Later calls rebuild only what changed.
dev: setup setup-tests $(ARCHIVES)/.made
	@swift build $(DEV_FLAGS) --build-tests

# Runs the tests whose names match SUITE, such as WorkbenchTests.Training; all without SUITE.
dev-test: dev
	@ORRERY_BINARY=$(CURDIR)/$(DEV_BINARY) PATH="$(CURDIR)/.venv/bin:$$PATH" \
	    swift test $(DEV_FLAGS) --skip-build --parallel $(if $(SUITE),--filter '$(SUITE)')

test: setup setup-tests $(ARCHIVES)/.made
	swift build $(SWIFT_FLAGS) --build-tests
	ORRERY_BINARY=$(CURDIR)/$(BINARY) PATH="$(CURDIR)/.venv/bin:$$PATH" swift test $(SWIFT_FLAGS) --skip-build --parallel
	ORRERY_BINARY=$(CURDIR)/$(BINARY) Tests/EndToEnd/run.sh

bench: setup-tests build
	@swift build $(SWIFT_FLAGS) --product orrery-bench
	.venv/bin/python Benchmarks/bench.py --binary $(BINARY)

# What is missing is installed, and named; what is there costs nothing.
setup:
	@command -v swift >/dev/null || { echo "make: Swift 6.3 is needed: see https://www.swift.org/install" >&2; exit 1; }
	@Tools/install-packages.sh $(BUILD_PACKAGES)

setup-tests: .venv/.made
	@Tools/install-packages.sh $(TEST_PACKAGES)

.venv/.made: Benchmarks/requirements.txt
	@Tools/install-packages.sh $(TEST_PACKAGES)
	python3 -m venv .venv
	.venv/bin/pip install --quiet --disable-pip-version-check -r Benchmarks/requirements.txt
	@touch $@

$(ARCHIVES)/.made: Makefile
	@mkdir -p $(ARCHIVES)
	@for library in $(ARCHIVE_LIBS); do ln -sf $(ARCHIVE_DIR)/$$library $(ARCHIVES)/$$library; done
	@ln -sf $$(gcc -print-file-name=libstdc++.a) $(ARCHIVES)/libstdc++.a
	@touch $@

install: build
	@Tools/install.sh $(BINARY) $(DESTDIR)$(PREFIX)

uninstall:
	@Tools/uninstall.sh $(DESTDIR)$(PREFIX)

# A tarball that runs from any folder of a host with glibc: bin/orrery finds ../share/orrery.
dist: build
	@Tools/dist.sh $(BINARY) $(DIST) dist
	@echo "dist/$(DIST).tar.gz  $$(du -h dist/$(DIST).tar.gz | cut -f1)"

# Files that are made from the program's own definitions. The pictures show the sample workspace as a fresh home opens it;
# :messages in the last one takes away the sentence about the imported log.
reference: build
	@$(BINARY) reference keys > KEYS.md
	@folder=$$(mktemp -d); XDG_DATA_HOME=$$folder XDG_CONFIG_HOME=$$folder $(BINARY) show traces --trace 7e57 \
	    --size 120x36 --keys "]e" --theme dark --format svg > Documentation/traces.svg; rm -rf $$folder
	@folder=$$(mktemp -d); export XDG_DATA_HOME=$$folder XDG_CONFIG_HOME=$$folder; $(BINARY) kernel ceilings > /dev/null; \
	    $(BINARY) kernel run gemm-f32 --size 1024 > /dev/null; \
	    $(BINARY) show kernels --size 120x36 --theme dark --format svg > Documentation/kernels.svg; rm -rf $$folder
	@folder=$$(mktemp -d); export XDG_DATA_HOME=$$folder XDG_CONFIG_HOME=$$folder; \
	    $(BINARY) show tokens --size 120x36 --keys "<enter>]]]" --theme dark --format svg > Documentation/tokens.svg; \
	    rm -rf $$folder
	@folder=$$(mktemp -d); export XDG_DATA_HOME=$$folder XDG_CONFIG_HOME=$$folder; \
	    $(BINARY) show training --size 120x26 --keys "L" --theme dark --format svg > Documentation/training.svg; \
	    rm -rf $$folder
	@folder=$$(mktemp -d); export XDG_DATA_HOME=$$folder XDG_CONFIG_HOME=$$folder; \
	    $(BINARY) show retrieval --size 120x36 --keys "/can pets come along?<enter>wwiki/visitors.html<enter>" --theme dark \
	    --format svg > Documentation/retrieval.svg; rm -rf $$folder
	@folder=$$(mktemp -d); export XDG_DATA_HOME=$$folder XDG_CONFIG_HOME=$$folder; \
	    $(BINARY) show attention --size 120x36 --theme dark --keys "]" --format svg > Documentation/attention.svg; \
	    rm -rf $$folder
	@folder=$$(mktemp -d); export XDG_DATA_HOME=$$folder XDG_CONFIG_HOME=$$folder; \
	    $(BINARY) show features --size 120x36 --theme dark --format svg > Documentation/features.svg; rm -rf $$folder
	@folder=$$(mktemp -d); export XDG_DATA_HOME=$$folder XDG_CONFIG_HOME=$$folder; \
	    $(BINARY) show evals --log sample-data/evals/recorded/before.jsonl --log sample-data/evals/recorded/after.jsonl \
	    --size 120x36 --theme dark --keys ":messages<enter><esc>G<space>k<space>d" --format svg > Documentation/evals.svg; \
	    rm -rf $$folder

format:
	@swift format -i --parallel -r Package.swift Sources Tests

lint:
	@swift format lint --strict --parallel -r Package.swift Sources Tests
	@python3 Tools/prose.py

clean:
	rm -rf .build dist
