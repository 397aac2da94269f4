import Retrieval
import TestFixtures
import Testing

@Suite("Damaged files of every format")
struct ExtractionFuzzTests {
    static let samples: [(String, [UInt8])] = [
        ("a.txt", Array("Plain text, caf\u{E9} 月. Line two.\r\n".utf8)),
        (
            "a.md",
            Array(
                "---\ntitle: T\ntags: [a, b]\n---\n# A\ntext\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```swift\nlet x\n```\n## B\n"
                    .utf8)
        ),
        (
            "a.html",
            Array(
                "<!doctype html><html lang=de><head><title>T</title><meta name='a' content=\"b\"></head><body><h1>A &amp; b</h1><pre>\nx</pre><!-- c --><script>d</script><p>caf&#233;</body>"
                    .utf8)
        ),
        ("a.swift", Array("/// d\nstruct S<T> {\n  func f(_ s: String = \"}\") -> Int { /* } */ 1 }\n}\n".utf8)),
        ("a.py", Array("# c\n@d(1)\nclass A:\n    \"\"\"doc\"\"\"\n    def f(self): return [1,\n2]\n".utf8)),
        (
            "a.jsonl",
            Array(
                "{\"id\": 1, \"title\": \"t\", \"text\": \"a\\n\\ud83c\\udf19\", \"m\": [\"x\"]}\n{\"text\": \"b\"}\n"
                    .utf8)
        ),
        ("a.csv", Array("id,text,n\n1,\"a \"\"b\"\"\nc\",2024-05-06\n2,d,3.5\n".utf8)),
        ("a.tsv", Array("1\tA first passage.\n2\tAnother one here.\n".utf8)),
    ]

    @Test("2,000 mutations of each file are read or skipped with a reason", arguments: samples)
    func mutations(name: String, sample: [UInt8]) throws {
        var random = RandomText(seed: sample.count)
        let folder = TemporaryFolder()
        let path = folder.file(name)
        let chunkers = try ["automatic size=30 overlap=5", "markdown size=12", "code size=12"].map {
            try ChunkerOptions(parsing: $0).chunker()
        }
        for round in 0..<2000 {
            var bytes = sample
            for _ in 0...random.next(4) {
                let place = random.next(max(1, bytes.count))
                switch random.next(6) {
                case 0: bytes = Array(bytes.prefix(place))
                case 1: if place < bytes.count { bytes[place] = UInt8(random.next(256)) }
                case 2: bytes.insert(UInt8(random.next(256)), at: min(place, bytes.count))
                case 3:
                    bytes.insert(contentsOf: bytes.suffix(random.next(bytes.count + 1)), at: min(place, bytes.count))
                case 4: if place < bytes.count { bytes.remove(at: place) }
                default:
                    let marks = Array("\"'<>{}&;\\\n\r\t,#`-|(".utf8)
                    bytes.insert(
                        contentsOf: [UInt8](repeating: marks[random.next(marks.count)], count: 1 + random.next(40)),
                        at: min(place, bytes.count))
                }
            }
            File.write(bytes, to: path)
            let report = try Extraction.documents(of: path) { document in
                check(document, bytes, name, round)
                for chunk in try chunkers[round % 3].chunks(of: document) {
                    #expect(chunk.range.upperBound <= document.text.utf8.count)
                }
                return true
            }
            #expect(report.documents > 0 || report.skippedCount > 0 || !report.read.isEmpty, "\(name), round \(round)")
            #expect(report.skipped.allSatisfy { !$0.reason.isEmpty && !$0.reason.hasSuffix(".") })
        }
    }

    /// Checks that offsets are correct: copied text is equal, and generated text has ordered places inside the file.
    private func check(_ document: SourceDocument, _ bytes: [UInt8], _ name: String, _ round: Int) {
        let text = Array(document.text.utf8)
        for section in document.sections {
            #expect(
                section.range.upperBound <= text.count && !section.range.isEmpty
                    || section.range.lowerBound <= text.count, "\(name), round \(round)")
            if let parent = section.parent { #expect(document.sections.indices.contains(parent)) }
        }
        #expect(
            document.sections.map(\.range.lowerBound) == document.sections.map(\.range.lowerBound).sorted(),
            "\(name), round \(round)")
        guard let offsets = document.offsets else { return }
        var last = 0
        for place in text.indices {
            let range = offsets.sourceRange(of: place..<place + 1)
            guard range.lowerBound >= last, range.upperBound <= bytes.count else {
                Issue.record("\(name), round \(round): byte \(place) is at \(range) of \(bytes.count), after \(last)")
                return
            }
            if range.count == 1, text[place] < 0x80, bytes[range.lowerBound] != text[place],
                !(text[place] == 0x20 || bytes[range.lowerBound] == 0x5C)
            {
                Issue.record(
                    "\(name), round \(round): byte \(place) is \(text[place]), the source's is \(bytes[range.lowerBound])"
                )
                return
            }
            last = range.lowerBound
        }
    }

    @Test(
        "a line of ten megabytes is read",
        arguments: ["a.txt", "a.md", "a.html", "a.swift", "a.py", "a.csv", "a.jsonl"])
    func longLine(name: String) throws {
        let words = String(repeating: "word ", count: 2_000_000)
        let text = name == "a.jsonl" ? "{\"text\": \"\(words)\"}" : name == "a.csv" ? "text,n\n\"\(words)\",1\n" : words
        let found = try documents(name, text).documents
        #expect(found.count == 1)
        #expect((found.first?.text.utf8.count ?? 0) >= words.utf8.count - 1)
    }

    @Test("a file that ends inside a word is read to its end", arguments: samples)
    func truncated(name: String, sample: [UInt8]) throws {
        for length in 1..<sample.count { _ = try documents(name, Array(sample.prefix(length))) }
    }
}
