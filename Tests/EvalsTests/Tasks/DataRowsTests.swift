import Evals
import JSON
import System
import TestFixtures
import Testing

@Suite("Rows of data files")
struct DataRowsTests {
    let folder = TemporaryFolder()

    private func rows(_ text: String, _ name: String) throws -> [DataRow] {
        let path = folder.unique("rows") + name
        File.write(text, to: path)
        return try DataRows.all(path)
    }

    @Test("JSON Lines, lists, and an object with a list give the same rows")
    func shapes() throws {
        let lines = try rows("{\"q\": 1}\n\n{\"q\": 2}\n", ".jsonl")
        #expect(lines.map(\.fields) == (try rows("[{\"q\": 1}, {\"q\": 2}]", ".json").map(\.fields)))
        #expect(
            lines.map(\.fields)
                == (try rows("{\"canary\": 0, \"examples\": [{\"q\": 1}, {\"q\": 2}]}", ".json").map(\.fields)))
        #expect(lines.map(\.line) == [1, 3])
        #expect(try rows("{\"q\": 1}\n", ".jsonl").count == 1)
    }

    @Test("a table keeps line feeds, commas, and quotes inside quotes, and knows its lines")
    func table() throws {
        let rows = try rows("\u{FEFF}a,b\r\n\"one\ntwo, \"\"three\"\"\",x\r\n4,\r\n", ".csv")
        #expect(rows.map { $0.fields["a"]?.string } == ["one\ntwo, \"three\"", "4"])
        #expect(rows.map { $0.fields["b"]?.string } == ["x", ""])
        #expect(rows.map(\.line) == [2, 4])
    }

    @Test(
        "errors have their line",
        arguments: [
            ("{\"q\": 1}\n{\"q\": \n", ".jsonl", 2, "the line is not valid JSON"),
            ("{\"q\": 1}\n7\n", ".jsonl", 2, "the row is not an object"),
            ("a,b\n1,2\n1,2,3\n", ".csv", 3, "the row has 3 fields, but the first line has 2"),
            ("a,b\n1,\"2\n", ".csv", 2, "a quoted field is not closed"),
            ("a,a\n", ".csv", 1, "two columns have the same name"),
        ])
    func wrong(text: String, name: String, line: Int, problem: String) {
        do {
            _ = try rows(text, name)
            Issue.record("it was read")
        } catch {
            #expect((error as? Problem)?.subject.hasSuffix(", line \(line)") == true)
            #expect((error as? Problem)?.what == problem)
        }
    }

    @Test("reading stops after the limit; a million rows are not held")
    func bounded() throws {
        let path = folder.file("many.jsonl")
        File.write(String(repeating: "{\"q\": 1}\n", count: 1_000_000), to: path)
        #expect(try DataRows.all(path, limit: 3).count == 3)
        var count = 0
        try DataRows.read(path) { _ in
            count += 1
            return true
        }
        #expect(count == 1_000_000)
    }

    @Test("a case is appended, and replaced under its own id")
    func cases() throws {
        let path = folder.file("cases.jsonl")
        for target in ["one", "two"] {
            for id in ["a", "b"] {
                let row = JSONValue.object([
                    .init(key: "id", value: .string(id)), .init(key: "target", value: .string(target)),
                ])
                try TaskCases.append(row, id: id, to: path)
            }
        }
        #expect(try DataRows.all(path).map { $0.fields["id"]?.string } == ["a", "b"])
        #expect(try DataRows.all(path).map { $0.fields["target"]?.string } == ["two", "two"])
        #expect(folder.names == ["cases.jsonl"])
    }
}
