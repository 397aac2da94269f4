import Glibc
import Retrieval
import TestFixtures
import Testing

@Suite("Walking a folder")
struct FolderWalkTests {
    private func folder(_ files: [String: String]) -> TemporaryFolder {
        let folder = TemporaryFolder()
        for (name, text) in files {
            var path = folder.path
            for part in name.split(separator: "/").dropLast() {
                path += "/" + part
                mkdir(path, 0o755)
            }
            File.write(text, to: folder.file(name))
        }
        return folder
    }

    @Test("identifiers are sorted paths below the root, however the root is written", arguments: ["", "/"])
    func order(ending: String) throws {
        let folder = folder(["b.txt": "x", "a/z.md": "x", "a/b/c.py": "x", "B.html": "<p>x", "noSuffix": "x"])
        let listing = try Extraction.files(of: folder.path + ending)
        #expect(listing.files.map(\.name) == ["B.html", "a/b/c.py", "a/z.md", "b.txt", "noSuffix"])
        #expect(listing.files.map(\.kind) == [.html, .code, .markdown, .text, .text])
        #expect(listing.bytes == 8)
        #expect(listing.files.allSatisfy { $0.modified > 1_500_000_000_000_000_000 })
        #expect(try Extraction.files(of: folder.file("b.txt")).files.map(\.name) == ["b.txt"])
    }

    @Test("hidden, version control, binary, empty, and linked files are skipped with a reason")
    func skipped() throws {
        let folder = folder([
            ".hidden": "x", ".git/config": "x", "node_modules/a.js": "x", "a.txt": "x", "empty.txt": "",
            "b.bin": "\u{0}\u{1}\u{0}",
        ])
        symlink("/etc", folder.file("out"))
        symlink("a.txt", folder.file("inside"))
        symlink("nowhere", folder.file("dangling"))
        mkfifo(folder.file("pipe"), 0o600)
        let listing = try Extraction.files(of: folder.path)
        #expect(listing.files.map(\.name) == ["a.txt"])
        let reasons = Dictionary(
            uniqueKeysWithValues: listing.report.skipped.map {
                (String($0.path.dropFirst(folder.path.utf8.count + 1)), $0.reason)
            })
        #expect(
            reasons == [
                ".hidden": "hidden", ".git": "version control data", "node_modules": "tool folder",
                "empty.txt": "empty file", "b.bin": "binary file",
                "out": "symbolic link to a location outside the folder",
                "inside": "symbolic link; its target is read separately",
                "dangling": "broken symbolic link",
                "pipe": "not a regular file",
            ])
    }

    @Test(
        "exclude patterns work as in .gitignore",
        arguments: [
            (["*.log"], ["a.txt", "build/x.txt", "docs/a/old/y.txt", "docs/old/z.txt"]),
            (["build/"], ["a.txt", "docs/a/old/y.txt", "docs/old/z.txt", "e.log"]),
            (["/docs/**/old"], ["a.txt", "build/x.txt", "e.log"]),
            (["docs/*/old"], ["a.txt", "build/x.txt", "docs/old/z.txt", "e.log"]),
            (["*.txt", "!a.txt"], ["a.txt", "e.log"]),
            (["[a-e].*"], ["build/x.txt", "docs/a/old/y.txt", "docs/old/z.txt"]),
            (["# a comment", "", "?.log"], ["a.txt", "build/x.txt", "docs/a/old/y.txt", "docs/old/z.txt"]),
        ])
    func excludes(patterns: [String], left: [String]) throws {
        let folder = folder([
            "a.txt": "x", "e.log": "x", "build/x.txt": "x", "docs/old/z.txt": "x", "docs/a/old/y.txt": "x",
        ])
        var options = ExtractionOptions()
        options.excludes = patterns
        #expect(try Extraction.files(of: folder.path, options: options).files.map(\.name) == left)
    }

    @Test("a folder's own .gitignore is followed on request")
    func gitignore() throws {
        let folder = folder([
            ".gitignore": "*.tmp\n", "a.tmp": "x", "b.txt": "x", "c/.gitignore": "/b.txt\n", "c/b.txt": "x",
            "c/d/b.txt": "x",
        ])
        var options = ExtractionOptions()
        #expect(try Extraction.files(of: folder.path, options: options).files.count == 4)
        options.followsGitignore = true
        #expect(try Extraction.files(of: folder.path, options: options).files.map(\.name) == ["b.txt", "c/d/b.txt"])
    }

    @Test("a hostile pattern is matched in bounded time")
    func hostilePattern() throws {
        let folder = folder([String(repeating: "a", count: 200): "x"])
        var options = ExtractionOptions()
        options.excludes = [
            String(repeating: "a*", count: 100) + "b", String(repeating: "**/", count: 200) + "b", "[", "[a", "\\",
        ]
        #expect(try Extraction.files(of: folder.path, options: options).files.count == 1)
    }

    @Test("only the requested kinds are listed")
    func kinds() throws {
        let folder = folder(["a.txt": "x", "b.md": "x"])
        var options = ExtractionOptions()
        options.kinds = [.markdown]
        let listing = try Extraction.files(of: folder.path, options: options)
        #expect(listing.files.map(\.name) == ["b.md"])
        #expect(listing.report.skipped.map(\.reason) == ["kind text was not requested"])
    }

    @Test("a missing path is an error with the path")
    func missing() {
        #expect {
            _ = try Extraction.files(of: "/nowhere/x")
        } throws: {
            "\($0)" == "/nowhere/x: cannot be opened: No such file or directory. Check the path and its "
                + "permissions."
        }
    }

    @Test("deeply nested folders are walked")
    func deep() throws {
        let folder = TemporaryFolder()
        var path = folder.path
        for _ in 0..<300 {
            path += "/d"
            mkdir(path, 0o755)
        }
        File.write("x", to: path + "/a.txt")
        #expect(try Extraction.files(of: folder.path).files.count == 1)
    }

    @Test("a file's digest depends on its bytes")
    func digest() throws {
        let folder = folder(["a.txt": "one", "b.txt": "one", "c.txt": "two"])
        let files = try Extraction.files(of: folder.path).files
        let digests = try files.map { try Extraction.digest(of: $0) }
        #expect(digests[0] == digests[1] && digests[0] != digests[2])
    }
}
