"""The targets of Package.swift, their files, and the order in which they compile."""

import glob
import json
import os
import subprocess


class Package:
    """The manifest of a checkout."""

    def __init__(self, root):
        self.root = root
        dump = subprocess.run(["swift", "package", "dump-package"], cwd=root, capture_output=True, text=True)
        if dump.returncode:
            raise SystemExit(f"typecheck: cannot read {root}/Package.swift:\n{dump.stderr[-2000:]}")
        self.targets = {target["name"]: Target(target, root) for target in json.loads(dump.stdout)["targets"]}
        self.swift = {name for name, target in self.targets.items() if target.sources()}

    def owner(self, path):
        """Returns the target that compiles a file; None if no target does."""
        return next((name for name, target in self.targets.items() if target.contains(path)), None)

    def dependents(self, names):
        """Returns the given targets and all targets that import one of them, directly or not."""
        found = set(names)
        while True:
            more = {n for n in self.swift if self.targets[n].needs & found} - found
            if not more:
                return found
            found |= more

    def dependencies(self, names):
        """Returns all targets that the given targets import, directly or not."""
        found = set()
        waiting = list(names)
        while waiting:
            for name in self.targets[waiting.pop()].needs - found:
                if name in self.targets:
                    found.add(name)
                    waiting.append(name)
        return found

    def ordered(self, names):
        """Returns targets with each one after the targets that it imports."""
        order, seen = [], set()

        def visit(name):
            if name in seen or name not in self.targets:
                return
            seen.add(name)
            for need in sorted(self.targets[name].needs):
                visit(need)
            if name in names and name in self.swift:
                order.append(name)

        for name in sorted(names):
            visit(name)
        return order


class Target:
    """One target: its folder, its kind, and the targets that it imports."""

    def __init__(self, description, root):
        self.name = description["name"]
        self.kind = description["type"]
        self.needs = {next(iter(d.values()))[0] for d in description["dependencies"]}
        folder = "Tests" if self.kind == "test" else "Sources"
        self.path = os.path.join(root, description.get("path") or os.path.join(folder, self.name))
        self.excluded = [os.path.join(self.path, name) for name in description.get("exclude", [])]

    @property
    def has_interface(self):
        """Whether other targets can import the target."""
        return self.kind not in ("test", "executable")

    def contains(self, path):
        return path.startswith(self.path + os.sep) and not any(path.startswith(e) for e in self.excluded)

    def sources(self):
        found = glob.glob(os.path.join(self.path, "**", "*.swift"), recursive=True)
        return sorted(path for path in found if self.contains(path))
