#!/usr/bin/env python3
"""Type-checks changed Swift files in seconds, without generating code.

usage: check.py                  check the files that differ from main, committed or not
       check.py FILE...          check these files
       check.py --dependents     also check every file of the modules that import a changed one
       check.py --all            check every file of the project
       check.py --module NAME    check every file of a module; repeatable
       check.py --since REF      compare with REF instead of main
       check.py --built DIR      use the build of another checkout (default: this one, then other worktrees)

The compiler flags and the interfaces of unchanged modules come from one earlier build (`make dev` or `make build`). Interfaces
of changed modules are generated without function bodies, in .build-typecheck. Nothing is linked or run, and errors that the
compiler finds only later, such as a missing return, are not reported: a build and the tests have the last word.
"""

import argparse
import concurrent.futures
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

from typecheck.package import Package  # noqa: E402
from typecheck.plan import BuildPlan, plans  # noqa: E402

# Number of files per compiler process: large enough to share parsing, small enough for two processes.
BATCH = 40


def git(root, *arguments):
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True).stdout.splitlines()


def built_checkout(root):
    """Returns the checkout with a build to use: this one, or another worktree of the repository."""
    worktrees = [line.split(" ", 1)[1] for line in git(root, "worktree", "list", "--porcelain") if line.startswith("worktree ")]
    for checkout in [root, *worktrees]:
        if plans(checkout):
            return os.path.realpath(checkout)
    raise SystemExit("typecheck: no build found. Run make dev once.")


def changed_files(root, since):
    base = since or next(iter(git(root, "merge-base", "HEAD", "main")), "HEAD")
    names = git(root, "diff", "--name-only", base) + git(root, "ls-files", "--others", "--exclude-standard")
    paths = [os.path.join(root, name) for name in names if name.endswith(".swift")]
    return [path for path in paths if os.path.exists(path)]


class Checker:
    """Runs the compiler's front end on the modules of a package."""

    def __init__(self, package, plan):
        self.package = package
        self.overlay = os.path.join(package.root, ".build-typecheck")
        os.makedirs(self.overlay, exist_ok=True)
        # Interfaces of changed modules hide those of the build.
        self.flags = ["-I", self.overlay, *plan.flags(package), "-module-cache-path", os.path.join(self.overlay, "ModuleCache")]

    def run(self, *arguments):
        command = ["swiftc", "-frontend", *arguments, *self.flags]
        return subprocess.run(command, cwd=self.package.root, capture_output=True, text=True)

    def emit_interface(self, name):
        """Generates the interface of a module. Returns the compiler's errors, or an empty string."""
        path = os.path.join(self.overlay, name + ".swiftmodule")
        result = self.run("-emit-module", "-module-name", name, "-experimental-skip-non-inlinable-function-bodies",
                          "-o", path, *self.package.targets[name].sources())
        return result.stderr if result.returncode else ""

    def check(self, name, files):
        """Checks files of a module. Returns the compiler's errors, or an empty string."""
        chosen = set(files)
        others = [path for path in self.package.targets[name].sources() if path not in chosen]
        primary = [argument for path in files for argument in ("-primary-file", path)]
        result = self.run("-typecheck", "-module-name", name, *primary, *others)
        return result.stderr if result.returncode else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--root", default=".")
    parser.add_argument("--built")
    parser.add_argument("--since")
    parser.add_argument("--module", action="append", default=[])
    parser.add_argument("--dependents", action="store_true")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    start = time.time()
    root = os.path.realpath(options.root)
    package = Package(root)
    plan = BuildPlan(os.path.realpath(options.built) if options.built else built_checkout(root))

    files = [os.path.realpath(path) for path in options.files] or changed_files(root, options.since)
    by_module = {}
    for path in files:
        if name := package.owner(path):
            by_module.setdefault(name, []).append(path)
    complete = set(package.swift if options.all else options.module)
    if unknown := complete - package.swift:
        raise SystemExit(f"typecheck: unknown module {', '.join(sorted(unknown))}")
    touched = set(by_module) | complete
    affected = package.dependents(touched)
    if options.dependents:
        complete |= affected
    # A module without an interface in the build is new.
    affected |= {name for name in package.dependencies(affected) & package.swift
                 if not os.path.exists(os.path.join(plan.interfaces, name + ".swiftmodule"))}

    checker = Checker(package, plan)
    order = package.ordered(affected)
    interfaces = [name for name in order if package.targets[name].has_interface]
    for name in interfaces:
        if errors := checker.emit_interface(name):
            print(f"The interface of {name} does not compile:\n{errors.replace(root + '/', '')[:8000]}")
            return 1
    jobs = []
    for name in order:
        chosen = package.targets[name].sources() if name in complete else by_module.get(name, [])
        jobs += [(name, chosen[start:start + BATCH]) for start in range(0, len(chosen), BATCH)]
    failed = False
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for errors in pool.map(lambda job: checker.check(*job), jobs):
            if errors:
                failed = True
                print(errors.replace(root + "/", "")[:8000])
    count = sum(len(chosen) for _, chosen in jobs)
    print(f"typecheck: {count:,} files of {len({name for name, _ in jobs})} modules "
          f"{'FAILED' if failed else 'passed'} in {time.time() - start:.1f} s")
    return 1 if failed else 0


sys.exit(main())
