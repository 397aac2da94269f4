import Agents
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
}
