import Agents
import TestFixtures
import Testing

@Suite("Lookup")
struct LookupTests {
    private func table() throws -> LookupTable {
        try LookupTable([
            (key: "Norway capital", value: "Oslo"), (key: "Norway  population", value: "5500000"),
            (key: "Mira boat", value: "the Heron"), (key: "Mila boat", value: "the Tern"),
        ])
    }

    @Test(
        "gives the value of a key, in any case and spacing, or says that there is none and what is near",
        arguments: [
            ("Norway capital", "Oslo"), ("  NORWAY\t capital ", "Oslo"), ("Norway population", "5500000"),
            ("Norway capitol", "no entry for Norway capitol; near: Norway capital"),
            ("Mika boat", "no entry for Mika boat; near: Mira boat, Mila boat"),
            ("Sweden  capital", "no entry for Sweden capital"), ("", "no entry for "), ("x", "no entry for x"),
            ("Mira boats", "no entry for Mira boats; near: Mira boat, Mila boat"),
        ])
    func answers(key: String, answer: String) throws { #expect(try table().answer(to: key) == answer) }

    @Test(
        "tables are read from every form",
        arguments: [
            #"{"Norway capital": "Oslo", "Norway population": 5500000}"#,
            #"{"Norway": {"capital": "Oslo", "population": 5500000}}"#,
            #"[{"key": "Norway capital", "value": "Oslo"}, {"key": "Norway population", "value": 5500000}]"#,
            "Norway capital,Oslo\nNorway population,5500000\n",
            "key,value\r\n\"Norway capital\",\"Oslo\"\r\n\r\nNorway population,5500000",
            "\u{FEFF}subject\tattribute\tvalue\nNorway\tcapital\tOslo\nNorway\tpopulation\t5500000",
            "Norway,capital,Oslo\nNorway,population,5500000\nNorway,population,5500000",
        ])
    func forms(text: String) throws {
        let table = try LookupTable(text: text)
        #expect(table.count == 2)
        #expect(table["norway capital"] == "Oslo")
        #expect(table["norway population"] == "5500000")
    }

    @Test("quoted fields may hold separators, quotes and line breaks")
    func quotes() throws {
        let table = try LookupTable(text: "motto,\"one, \"\"two\"\"\nthree\"\n")
        #expect(table["motto"] == "one, \"two\"\nthree")
    }

    @Test(
        "an invalid table is rejected with a sentence that names the place",
        arguments: [
            ("{\"a\": ", "the table is not valid JSON"), ("[1]", "entry 1 of the table needs a key and a value"),
            ("{\"a\": [1]}", "the value of \"a\" must be a string, a number, or a Boolean"),
            ("{\"a\": {\"b\": null}}", "the value of \"a b\" must be a string, a number, or a Boolean"),
            ("a,1\nb", "line 2: 1 column; expected key,value"), ("a,1\na,2", "line 2: the key \"a\" has two values"),
            (" ,1", "line 1: the table has an empty key"), ("a,\"1", "line 1: unclosed quote"),
            (String(repeating: "[", count: 100_000), "the table is not valid JSON"),
        ])
    func problems(text: String, sentence: String) throws {
        let error = #expect(throws: ToolError.self) { try LookupTable(text: text) }
        #expect(error?.sentence.contains(sentence) == true, "\(error?.sentence ?? "")")
    }

    @Test("a file is named in the sentence")
    func files() throws {
        let folder = TemporaryFolder()
        let path = folder.file("table.csv")
        File.write("a,1\nb\n", to: path)
        let error = #expect(throws: ToolError.self) { try LookupTable(contentsOf: path) }
        #expect(error?.sentence.hasPrefix(path + ": line 2") == true)
        #expect(throws: ToolError.self) { try LookupTable(contentsOf: folder.file("none.csv")) }
        let other = #expect(throws: ToolError.self) { try LookupTable(contentsOf: folder.path) }
        #expect(other?.sentence.contains("not a regular file") == true)
    }
}
