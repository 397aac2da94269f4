import Agents
import Glibc
import TestFixtures
import Testing

@Suite("Search")
struct SearchTests {
    static let documents = [
        "The lighthouse of Vell has a green lamp.", "The baker of Vell sells rye bread.",
        "A green boat lies in the harbor of Orm.", "The baker of Orm sells rye bread.",
    ]

    private func answer(_ query: String, _ documents: [String] = documents) throws -> String {
        try SearchTool(documents).call(ToolArguments(["query": .string(query)]), isCancelled: { false })
    }

    @Test(
        "gives the document that shares the most telling words; of equal ones the first",
        arguments: [
            ("lamp of the lighthouse", 0), ("who sells bread in Orm?", 3), ("green", 0), ("GREEN boat", 2),
            ("rye bread", 1), ("baker Orm", 3), ("lamp lamp lamp boat harbor", 2),
        ])
    func best(query: String, index: Int) throws { #expect(try answer(query) == Self.documents[index]) }

    @Test("says that nothing matches")
    func none() throws {
        #expect(try answer("submarine") == "no document matches submarine")
        #expect(try answer(" ?!\n") == "no document matches ?!")
        #expect(try answer("lamp", []) == "no document matches lamp")
    }

    @Test("a document comes on one line")
    func oneLine() throws {
        #expect(try answer("green", ["\n A green\n  lamp,\r\nlit  by night.\n"]) == "A green lamp, lit  by night.")
    }

    @Test("documents are the lines of a file, or the files of a folder")
    func files() throws {
        let folder = TemporaryFolder()
        File.write("first about owls\n\n second about otters \n", to: folder.file("notes.txt"))
        let lines = try SearchTool(contentsOf: folder.file("notes.txt"))
        #expect(lines.count == 2)
        let otters = ToolArguments(["query": .string("otters")])
        #expect(try lines.call(otters, isCancelled: { false }) == "second about otters")
        File.write("\n\n", to: folder.file("empty.txt"))
        File.write("hidden otters otters", to: folder.file(".hidden"))
        let files = try SearchTool(contentsOf: folder.path)
        #expect(files.count == 1)
        #expect(try files.call(otters, isCancelled: { false }) == "first about owls second about otters")
        #expect(throws: ToolError.self) { try SearchTool(contentsOf: folder.file("none")) }
    }

    private func makeFolders(_ names: [String], in folder: TemporaryFolder) {
        for name in names { #expect(mkdir(folder.file(name), 0o700) == 0) }
    }

    @Test("a folder is read with its subfolders; binary and empty files are skipped with a reason")
    func subfolders() throws {
        let folder = TemporaryFolder()
        makeFolders(["notes", "notes/birds"], in: folder)
        File.write("about owls", to: folder.file("notes/birds/owls.md"))
        File.write("about otters", to: folder.file("notes/otters.txt"))
        File.write("", to: folder.file("notes/empty.txt"))
        File.write([0x7F, 0x45, 0x4C, 0x46, 0, 1], to: folder.file("notes/tool"))
        File.write([0x63, 0x61, 0x66, 0xE9], to: folder.file("notes/latin.txt"))
        let tool = try SearchTool(contentsOf: folder.file("notes"))
        #expect(tool.count == 2)
        #expect(tool.reading.files == 2 && tool.reading.bytes == 22)
        #expect(
            tool.reading.skipped == [
                folder.file("notes/empty.txt") + ": empty file",
                folder.file("notes/latin.txt") + ": not UTF-8 text", folder.file("notes/tool") + ": binary file",
            ])
    }

    @Test("links that leave the folder are refused; links within it add nothing")
    func links() throws {
        let folder = TemporaryFolder()
        makeFolders(["secret", "notes"], in: folder)
        File.write("root:x:0:0 secret", to: folder.file("secret/passwd"))
        File.write("about owls", to: folder.file("notes/owls.txt"))
        for (link, target) in [
            ("notes/passwd", "../secret/passwd"), ("notes/away", "../secret"), ("notes/gone", "nowhere"),
            ("notes/again.txt", "owls.txt"), ("notes/circle", "."),
        ] {
            #expect(symlink(target, folder.file(link)) == 0)
        }
        let tool = try SearchTool(contentsOf: folder.file("notes"))
        #expect(tool.count == 1)
        #expect(
            tool.reading.skipped
                == ["away", "gone", "passwd"].map {
                    folder.file("notes/\($0)") + ": symbolic link to a location outside the folder"
                })
        let query = ToolArguments(["query": .string("secret root")])
        #expect(try tool.call(query, isCancelled: { false }) == "no document matches secret root")
    }

    @Test("a folder or file without readable text is an error that names it")
    func nothingToRead() throws {
        let folder = TemporaryFolder()
        makeFolders(["binary", "empty"], in: folder)
        File.write([0, 1, 2], to: folder.file("binary/a.bin"))
        for name in ["binary", "binary/a.bin", "empty"] {
            let error = #expect(throws: ToolError.self) { try SearchTool(contentsOf: folder.file(name)) }
            #expect(error?.sentence.hasPrefix(folder.file(name) + ": ") == true)
        }
    }
}
