"""Compiler flags, taken from the plan of an earlier build."""

import glob
import json
import os
import re
import shutil

# Flags that produce files or belong to one module. The first set has an argument.
DROPPED_WITH_ARGUMENT = {
    "-emit-module-path", "-output-file-map", "-num-threads", "-module-name", "-package-name", "-module-cache-path",
    "-entry-point-function-name", "-user-module-version", "-index-store-path", "-emit-objc-header-path",
}
DROPPED = {
    "-emit-dependencies", "-emit-module", "-c", "-whole-module-optimization", "-serialize-diagnostics", "-parseable-output",
    "-emit-objc-header", "-O", "-Onone", "-g", "-enable-batch-mode", "-incremental", "-parse-as-library",
}
# Flags whose argument belongs to them when duplicates are removed.
WITH_ARGUMENT = {
    "-Xcc", "-I", "-F", "-target", "-sdk", "-plugin-path", "-swift-version", "-enable-upcoming-feature",
    "-enable-experimental-feature", "-load-plugin-executable", "-external-plugin-path", "-in-process-plugin-server-path",
}


def plans(checkout):
    """Returns the build plans of a checkout: .build and other scratch folders, release and debug."""
    return [path for name in ("release", "debug")
            for path in glob.glob(os.path.join(checkout, ".build*", name + ".yaml"))]


class BuildPlan:
    """The newest build plan of a checkout."""

    def __init__(self, checkout):
        newest = max(plans(checkout), key=os.path.getmtime)
        with open(newest) as file:
            text = file.read()
        self.checkout = checkout
        self.commands = {}
        for name, command in re.findall(
                r'"C\.([A-Za-z0-9_]+)-[^"\n]*\.module":\n(?:    [^\n]*\n)*?    args: (\[.*\])', text):
            arguments = json.loads(command)
            self.commands[name] = arguments[1:] if arguments[0].endswith("swiftc") else arguments

    @property
    def interfaces(self):
        """Folder with the compiled interfaces of all modules."""
        return next((c[c.index("-I") + 1] for c in self.commands.values() if "-I" in c), "")

    def flags(self, package):
        """Returns the flags for every target of a package, which may be in another checkout.

        The flags of all targets are combined, so a target can import one that it did not import when it was built.
        """
        combined, seen, package_name, strict = [], set(), None, []
        own = [command for name, command in self.commands.items() if name in package.targets]
        for command in own:
            kept, name = relevant(command)
            package_name = name or package_name
            for group in groups(kept):
                if group in seen or group[0] in (
                        "-swift-version", "-warnings-as-errors", "-suppress-warnings", "-enable-upcoming-feature"):
                    continue
                seen.add(group)
                combined += [self.moved(flag, package.root) for flag in group]
            strict = strict or strictness(command)
        toolchain = os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("swiftc"))))
        plugins = os.path.join(toolchain, "lib/swift/host/plugins")
        combined += ["-swift-version", "6", *strict, "-plugin-path", plugins, "-plugin-path",
                     os.path.join(plugins, "testing"), "-parse-as-library"]
        return combined + (["-package-name", package_name] if package_name else [])

    def moved(self, flag, root):
        """Replaces the sources of the built checkout, such as headers of C targets, by those of another one."""
        return flag.replace(os.path.join(self.checkout, "Sources"), os.path.join(root, "Sources"))


def relevant(command):
    """Returns the flags of a command that matter for type checking, and the package name."""
    kept, package_name, index = [], None, 0
    while index < len(command):
        flag = command[index]
        following = command[index + 1] if index + 1 < len(command) else ""
        if flag == "-package-name":
            package_name = following
        if flag in DROPPED_WITH_ARGUMENT:
            index += 2
        elif flag in DROPPED or flag.startswith("@") or re.fullmatch(r"-j\d+", flag) or flag.endswith(".swift"):
            index += 1
        elif flag == "-Xcc" and following == "-g":
            index += 2
        elif flag == "-Xfrontend" and following in DROPPED_WITH_ARGUMENT:
            index += 4
        elif flag == "-Xfrontend":
            kept.append(following)
            index += 2
        else:
            kept.append(flag)
            index += 1
    return kept, package_name


def groups(flags):
    """Splits flags into groups of a flag and its arguments."""
    index = 0
    while index < len(flags):
        length = 1
        if flags[index] in WITH_ARGUMENT:
            length = 4 if tuple(flags[index:index + 2]) == ("-Xcc", "-I") else 2
        yield tuple(flags[index:index + length])
        index += length


def strictness(command):
    """Returns the flags that turn on warnings as errors and features of future language modes."""
    return [flag for index, flag in enumerate(command)
            if flag in ("-warnings-as-errors", "-enable-upcoming-feature")
            or (index and command[index - 1] == "-enable-upcoming-feature")]
