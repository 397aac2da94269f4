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

    @Test("errors name the file, the reason, and a remedy")
    func errors() {
        #expect(throws: SmallFile.Failure.missing) { try SmallFile.read("/no/such/file", limit: 1) }
        #expect(throws: SmallFile.Failure.system(EISDIR)) { try SmallFile.read("/tmp", limit: 1) }
        let error = #expect(throws: Problem.self) { try SmallFile.text("/no/such/file") }
        #expect(error?.sentence == "/no/such/file: No such file or directory. Check the path and its permissions.")
        #expect(!SmallFile.replace("/no/such/folder/file", with: "".utf8))
    }
}
