import Retrieval
import TestFixtures
import Testing

@Suite("Reading files of records")
struct RecordReaderTests {
    @Test("the members of a JSON line become text, title, id, and typed metadata")
    func jsonLines() throws {
        let line = """
            {"id": 7, "title": "T", "body": "a\\n\\u00e9\\ud83c\\udf19b", "year": 1990, "open": true, "day": "2024-05-06", \
            "at": "2024-05-06T01:00:00Z", "tags": ["x", "y"], "none": null, "more": {"a": 1}, "metadata": {"deep": "d"}}
            {"text": "second", "content": "not the text"}
            """
        let (found, report) = try documents("notes.jsonl", line)
        #expect(found.map(\.id) == ["7", "notes.jsonl#2"])
        #expect(found.map(\.title) == ["T", ""])
        #expect(found.map(\.text) == ["a\né🌙b", "second"])
        #expect(
            found[0].metadata == [
                "year": .number(1990), "open": .bool(true), "day": .date(1_714_953_600_000_000_000),
                "at": .date(1_714_957_200_000_000_000), "tags": .texts(["x", "y"]), "more": .text("{\"a\": 1}"),
                "deep": .text("d"),
            ])
        #expect(found[1].metadata == ["content": .text("not the text")])
        #expect(report.documents == 2)
        let bytes = Array(line.utf8)
        #expect(found[0].source(of: "é🌙", in: bytes) == "\\u00e9\\ud83c\\udf19")
        #expect(found[0].source(of: "a\n", in: bytes) == "a\\n")
        #expect(found[1].source(of: "second", in: bytes) == "second")
        #expect(String(decoding: bytes[found[1].origin.bytes], as: UTF8.self).hasPrefix("{\"text\""))
    }

    @Test(
        "a damaged line is skipped and named, and the other lines are read",
        arguments: [
            ("{\"text\": \"cut", "invalid JSON"), ("[1, 2]", "neither an object nor a string"),
            ("{\"x\": 1}", "no text in any of the members"),
            ("{\"text\": 5}", "no text in any"), ("nonsense", "invalid JSON"),
            (String(repeating: "[", count: 5000), "invalid JSON"),
        ])
    func damagedLines(line: String, reason: String) throws {
        let (found, report) = try documents("a.jsonl", "{\"text\": \"one\"}\n\(line)\n{\"text\": \"three\"}")
        #expect(found.map(\.text) == ["one", "three"])
        #expect(report.skipped.map(\.line) == [2])
        #expect(report.skipped.first?.reason.contains(reason) == true, "\(report.skipped)")
    }

    @Test("a record over the limit is skipped, and the next one is read")
    func longRecord() throws {
        var options = ExtractionOptions()
        options.maximumRecordBytes = 1000
        let text = "{\"text\": \"\(String(repeating: "x", count: 5000))\"}\n{\"text\": \"short\"}\n"
        let (found, report) = try documents("a.jsonl", Array(text.utf8), options: options)
        #expect(found.map(\.text) == ["short"])
        #expect(
            report.skipped.first?.sentence.contains("line 1: the record has 5012 bytes, more than the limit of 1000")
                == true)
    }

    @Test("the members that contain the text can be chosen")
    func fields() throws {
        var options = ExtractionOptions()
        (options.fields.text, options.fields.id) = (["abstract"], ["doi"])
        let (found, _) = try documents(
            "a.jsonl", Array("{\"doi\": \"10.1/x\", \"abstract\": \"A\", \"text\": \"B\"}".utf8), options: options)
        #expect(
            found.map(\.id) == ["10.1/x"] && found.map(\.text) == ["A"] && found[0].metadata == ["text": .text("B")])
    }

    @Test("reading ends when the receiver returns false")
    func ends() throws {
        let folder = TemporaryFolder()
        for name in ["a.jsonl", "b.jsonl"] {
            File.write(String(repeating: "{\"text\": \"x\"}\n", count: 9), to: folder.file(name))
        }
        var count = 0
        let report = try Extraction.documents(of: folder.path) { _ in
            count += 1
            return count < 3
        }
        #expect(count == 3 && report.wasEnded && report.read.count == 1)
    }

    struct Stop: Error {}

    @Test("errors from the receiver are rethrown")
    func throwing() {
        #expect(throws: Stop.self) {
            _ = try documents("a.txt", "x").documents.map { _ in throw Stop() }
        }
        let folder = TemporaryFolder()
        File.write("x", to: folder.file("a.txt"))
        #expect(throws: Stop.self) { _ = try Extraction.documents(of: folder.path) { _ in throw Stop() } }
    }

    @Test("a table's rows become documents with typed columns")
    func table() throws {
        let csv = "id,text,price,code\n1,\"He said \"\"no\"\",\nthen left\",2.5,007\n2,plain,,x\n"
        let (found, report) = try documents("a.csv", csv)
        #expect(found.map(\.id) == ["1", "2"])
        #expect(found.map(\.text) == ["He said \"no\",\nthen left", "plain"])
        #expect(found[0].metadata == ["price": .number(2.5), "code": .text("007")])
        #expect(found[1].metadata == ["code": .text("x")])
        #expect(found.map(\.origin.line) == [2, 4])
        #expect(found[1].source(of: "plain", in: Array(csv.utf8)) == "plain")
        #expect(report.skipped.isEmpty && report.read[0].notes.isEmpty)
    }

    @Test(
        "a table without a text column is read as names and values, with any separator",
        arguments: [
            ("a.csv", "name;height\nM;42\n"), ("a.tsv", "name\theight\nM\t42\n"), ("a.csv", "name|height\r\nM|42\r\n"),
            ("a.csv", "\u{FEFF}name,height\nM,42"),
        ])
    func columns(name: String, text: String) throws {
        let document = try #require(try documents(name, text).documents.first)
        #expect(document.text == "height: 42" || document.text == "name: M\nheight: 42")
        #expect(document.metadata["height"] == .number(42))
        #expect(document.source(of: "42", in: Array(text.utf8)) == "42")
    }

    @Test("rows of numbers have no header and get numbered columns")
    func withoutHeader() throws {
        let (found, _) = try documents("a.csv", "1,2\n3,4\n")
        #expect(found.map(\.text) == ["column 1: 1\ncolumn 2: 2", "column 1: 3\ncolumn 2: 4"])
    }

    @Test("an unclosed quote affects only its own line, which is reported")
    func openQuote() throws {
        let (found, report) = try documents("a.csv", "id,text\n1,one\n2,\"open\n3,three\n4,four\n")
        #expect(found.map(\.text) == ["one", "\"open", "three", "four"])
        #expect(report.read[0].notes == ["Line 3: unclosed quote; the line was read without quotes."])
    }

    @Test("MS MARCO passages and documents are detected by their columns")
    func msMarco() throws {
        let passages = try documents("collection.tsv", "0\tThe first \"passage.\n1\tThe second one.\n").documents
        #expect(
            passages.map(\.id) == ["0", "1"] && passages.map(\.text) == ["The first \"passage.", "The second one."])
        let pages = try documents("docs.tsv", "D1\thttp://x\tTitle\tA body.\n").documents
        #expect(pages.map(\.title) == ["Title"] && pages[0].metadata == ["url": .text("http://x")])
        #expect(pages[0].kind == .msMarco)
        #expect(try documents("t.tsv", "id\tn\n1\t2\n").documents.map(\.kind) == [.table])
    }

    @Test("a BEIR folder yields its corpus as documents, and its queries and judgments separately")
    func beir() throws {
        let folder = TemporaryFolder()
        File.write(
            "{\"_id\": \"d1\", \"title\": \"T\", \"text\": \"body\", \"metadata\": {}}\n",
            to: folder.file("corpus.jsonl"))
        File.write("{\"_id\": \"q1\", \"text\": \"what?\"}\n", to: folder.file("queries.jsonl"))
        let collection = try BEIRCollection(folder: folder.path)
        #expect(try collection.queries() == [BEIRCollection.Query(id: "q1", text: "what?")])
        var found: [SourceDocument] = []
        let report = try Extraction.documents(of: folder.path) { document in
            found.append(document)
            return true
        }
        #expect(found.map(\.id) == ["d1"] && found.map(\.kind) == [.beir] && found.map(\.title) == ["T"])
        #expect(report.skipped.map(\.reason) == ["queries of a BEIR collection, not documents"])
    }

    @Test("the reference collections are read completely")
    func realCollections() throws {
        let folder = "../shared/data/retrieval/cranfield"
        guard let collection = try? BEIRCollection(folder: folder) else {
            print("skipped: \(folder) is not here")
            return
        }
        var count = 0
        let report = try Extraction.documents(of: folder) { _ in
            count += 1
            return true
        }
        #expect(count == report.documents && count > 900)
        #expect(collection.splits == ["test"])
        let judgments = try collection.judgments("test")
        #expect(judgments.first == BEIRCollection.Judgment(query: "1", document: "184", grade: 3))
        #expect(try Set(judgments.map(\.query)).isSubset(of: collection.queries().map(\.id)))
    }
}
