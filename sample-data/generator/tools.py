"""Tool calls of a coding agent on files that exist only here, so that what is read and edited agrees."""

import difflib

from .claude_code import Call


class Files:
    """A small project in memory, and the tools that read and change it."""

    def __init__(self, root, contents):
        self.root = root
        self.contents = dict(contents)
        self.committed = dict(contents)

    def whole(self, path):
        return f"{self.root}/{path}"

    def read(self, path, pause=0.03):
        lines = self.contents[path].splitlines()
        shown = "\n".join(f"{number:6}→{line}" for number, line in enumerate(lines, 1))
        raw = {
            "type": "text",
            "file": {
                "filePath": self.whole(path),
                "content": self.contents[path],
                "numLines": len(lines),
                "startLine": 1,
                "totalLines": len(lines),
            },
        }
        return Call("Read", {"file_path": self.whole(path)}, shown, raw, pause=pause)

    def edit(self, path, old, new):
        before = self.contents[path]
        arguments = {"file_path": self.whole(path), "old_string": old, "new_string": new, "replace_all": False}
        if before.count(old) != 1:
            return Call(
                "Edit",
                arguments,
                f"<tool_use_error>String to replace not found in file.\nString: {old}</tool_use_error>",
                error=True,
                pause=0.02,
            )
        after = before.replace(old, new)
        self.contents[path] = after
        at = before[: before.index(old)].count("\n")
        lines = after.splitlines()[max(0, at - 3) : at + new.count("\n") + 4]
        shown = "\n".join(f"{number:6}→{line}" for number, line in enumerate(lines, max(0, at - 3) + 1))
        raw = {
            "filePath": self.whole(path),
            "oldString": old,
            "newString": new,
            "originalFile": before,
            "structuredPatch": patch(before, after),
            "userModified": False,
            "replaceAll": False,
        }
        return Call(
            "Edit",
            arguments,
            f"The file {self.whole(path)} has been updated. Here's the result of running "
            f"`cat -n` on a snippet of the edited file:\n{shown}",
            raw,
            pause=0.05,
        )

    def write(self, path, content):
        self.contents[path] = content
        raw = {"type": "create", "filePath": self.whole(path), "content": content, "structuredPatch": []}
        return Call(
            "Write",
            {"file_path": self.whole(path), "content": content},
            f"File created successfully at: {self.whole(path)}",
            raw,
            pause=0.04,
        )

    def diff(self):
        """What `git diff` says of tracked files."""
        parts = []
        for path, before in self.committed.items():
            after = self.contents.get(path, "")
            if after != before:
                body = "".join(
                    difflib.unified_diff(before.splitlines(True), after.splitlines(True), f"a/{path}", f"b/{path}")
                )
                parts.append(f"diff --git a/{path} b/{path}\n{body}")
        return "".join(parts).rstrip("\n")

    def commit(self):
        self.committed = dict(self.contents)


def patch(before, after):
    """The hunks of a change as the session log holds them."""
    hunks = []
    old, new = before.splitlines(), after.splitlines()
    for group in difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(3):
        lines = []
        for tag, a, b, c, d in group:
            if tag == "equal":
                lines += [" " + line for line in old[a:b]]
                continue
            lines += ["-" + line for line in old[a:b]] + ["+" + line for line in new[c:d]]
        hunks.append(
            {
                "oldStart": group[0][1] + 1,
                "oldLines": group[-1][2] - group[0][1],
                "newStart": group[0][3] + 1,
                "newLines": group[-1][4] - group[0][3],
                "lines": lines,
            }
        )
    return hunks


def bash(command, description, output, exit_code=0, pause=0.4, progress=()):
    arguments = {"command": command, "description": description}
    if exit_code:
        return Call("Bash", arguments, f"Exit code {exit_code}\n{output}", error=True, pause=pause, progress=progress)
    raw = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
    return Call("Bash", arguments, output, raw, pause=pause, progress=progress)


def grep(pattern, lines, where=None):
    shown = "\n".join(lines) if lines else "No matches found"
    arguments = {"pattern": pattern, "output_mode": "content", "-n": True}
    if where:
        arguments["path"] = where
    return Call(
        "Grep",
        arguments,
        shown,
        {
            "mode": "content",
            "numFiles": len({line.split(":")[0] for line in lines}),
            "content": shown,
            "numLines": len(lines),
        },
        pause=0.06,
    )


def glob(pattern, paths):
    return Call(
        "Glob",
        {"pattern": pattern},
        "\n".join(paths),
        {"filenames": paths, "numFiles": len(paths), "durationMs": 11, "truncated": False},
        pause=0.04,
    )


def todo(*items):
    """A list of tasks: (content, status, what is shown while it runs)."""
    todos = [{"content": content, "status": status, "activeForm": active} for content, status, active in items]
    return Call(
        "TodoWrite",
        {"todos": todos},
        "Todos have been modified successfully. Ensure that you continue to use "
        "the todo list to track your progress. Please proceed with the current tasks if applicable",
        {"oldTodos": [], "newTodos": todos},
        pause=0.01,
    )
