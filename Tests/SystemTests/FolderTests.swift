import Glibc
import System
import TestFixtures
import Testing

@Suite("Folders")
struct FolderTests {
    private let folder = TemporaryFolder()

    @Test("entries are sorted, and links to folders are not folders")
    func entries() throws {
        mkdir(folder.file("b"), 0o755)
        symlink("b", folder.file("c"))
        close(open(folder.file("a"), O_CREAT | O_WRONLY, 0o644))
        let entries = try Folder.entries(of: folder.path)
        #expect(entries.map(\.name) == ["a", "b", "c"])
        #expect(entries.map(\.isFolder) == [false, true, false])
        #expect(try Folder.names(in: folder.path, limit: 2).count == 2)
    }

    @Test("a missing folder is an error with the system's reason")
    func missing() {
        let path = folder.file("none")
        #expect(throws: Folder.Unreadable(path: path, code: ENOENT)) { try Folder.names(in: path) }
        #expect(Folder.Unreadable(path: path, code: ENOENT).reason == "No such file or directory")
        #expect(Folder.readableNames(in: path) == [])
    }
}
