import Glibc
import System
import Testing

@Suite("Small files")
struct SmallFileTests {
    @Test("a replaced file is read back, and its mode is 0600")
    func replacing() throws {
        let path = "/tmp/orrery-small-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        defer { unlink(path) }
        #expect(SmallFile.replace(path, with: "one\n".utf8))
        #expect(SmallFile.replace(path, with: "two\n".utf8))
        #expect(try SmallFile.text(path) == "two\n")
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(throws: SmallFile.Failure.tooLong) { try SmallFile.read(path, limit: 3) }
        #expect(try SmallFile.read(path, limit: 4).count == 4)
    }

    @Test("the beginning of a regular file is read, and nothing else")
    func beginning() throws {
        let path = "/tmp/orrery-small-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        defer { unlink(path) }
        #expect(SmallFile.replace(path, with: "one\n".utf8))
        #expect(SmallFile.head(path, 3) == Array("one".utf8))
        #expect(SmallFile.head(path, 100) == Array("one\n".utf8))
        #expect(SmallFile.content(path, limit: 4) == Array("one\n".utf8))
        #expect(SmallFile.content(path, limit: 3) == nil)
        #expect(SmallFile.head("/proc/self/status", 5) == Array("Name:".utf8))
        #expect(SmallFile.head("/tmp", 1) == nil && SmallFile.head("/no/such/file", 1) == nil)
        unlink(path)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(SmallFile.head(path, 1) == nil && SmallFile.content(path, limit: 1) == nil)
    }

    @Test("errors name the file, the reason, and a remedy")
    func errors() {
        #expect(throws: SmallFile.Failure.missing) { try SmallFile.read("/no/such/file", limit: 1) }
        #expect(throws: SmallFile.Failure.system(EISDIR)) { try SmallFile.read("/tmp", limit: 1) }
        let error = #expect(throws: Problem.self) { try SmallFile.text("/no/such/file") }
        #expect(error?.sentence == "/no/such/file: No such file or directory. Check the path and its permissions.")
        let folder = #expect(throws: Problem.self) { try SmallFile.text("/tmp", remedy: "Use the recipe.") }
        #expect(folder?.sentence == "/tmp: expected a file, found a folder. Use the recipe.")
        #expect(!SmallFile.replace("/no/such/folder/file", with: "".utf8))
    }
}
