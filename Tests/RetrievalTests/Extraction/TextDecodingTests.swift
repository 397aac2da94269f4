import Retrieval
import Testing

@Suite("Decoding text to UTF-8")
struct TextDecodingTests {
    static let text = "Der Mond – 月 🌙 is é."

    static func utf16(_ text: String, little: Bool, mark: Bool) -> [UInt8] {
        ((mark ? [0xFEFF] : []) + Array(text.utf16)).flatMap { unit in
            little ? [UInt8(unit & 0xFF), UInt8(unit >> 8)] : [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        }
    }

    @Test(
        "an encoding is detected and reported",
        arguments: [
            (Array(text.utf8), text, nil),
            ([0xEF, 0xBB, 0xBF] + Array(text.utf8), text, nil),
            (utf16(text, little: true, mark: true), text, "UTF-16 (little-endian)"),
            (utf16(text, little: false, mark: true), text, "UTF-16 (big-endian)"),
            (utf16("plain words", little: true, mark: false), "plain words", "UTF-16 (little-endian)"),
            (utf16("plain words", little: false, mark: false), "plain words", "UTF-16 (big-endian)"),
            ([0x63, 0x61, 0x66, 0xE9, 0x20, 0x80, 0x35], "café €5", "Latin-1"),
            (Array("日本 ".utf8) + [0xFF] + Array("語".utf8), "日本 \u{FFFD}語", "one invalid sequence"),
            ([0xFF, 0xFE, 0x41, 0x00, 0x42], "A\u{FFFD}", "invalid sequences (1)"),
        ] as [([UInt8], String, String?)])
    func encodings(bytes: [UInt8], text: String, note: String?) throws {
        let (found, report) = try documents("a.txt", bytes)
        #expect(found.map(\.text) == [text])
        let notes = report.read.first?.notes.joined() ?? ""
        #expect(note.map { notes.contains($0) } ?? notes.isEmpty, "\(notes)")
    }

    @Test("every scalar maps to its own bytes", arguments: ["utf8", "mark", "little", "big", "latin"])
    func offsets(encoding: String) throws {
        let text = encoding == "latin" ? "caf\u{E9} \u{FC}\u{F6} x" : Self.text
        let pieces: [[UInt8]] = text.unicodeScalars.map { scalar in
            switch encoding {
            case "little", "big": Self.utf16(String(scalar), little: encoding == "little", mark: false)
            case "latin": [UInt8(scalar.value)]
            default: Array(String(scalar).utf8)
            }
        }
        let mark: [UInt8] =
            switch encoding {
            case "mark": [0xEF, 0xBB, 0xBF]
            case "little": [0xFF, 0xFE]
            case "big": [0xFE, 0xFF]
            default: []
            }
        let document = try #require(try documents("a.txt", mark + pieces.flatMap(\.self)).documents.first)
        #expect(document.text == text)
        var place = 0
        var source = mark.count
        for (scalar, piece) in zip(text.unicodeScalars, pieces) {
            let length = String(scalar).utf8.count
            #expect(document.sourceRange(of: place..<place + length) == source..<source + piece.count)
            place += length
            source += piece.count
        }
        #expect(document.sourceRange(of: 0..<place) == mark.count..<source)
    }

    @Test("line ends stay as they are")
    func lineEnds() throws {
        #expect(try documents("a.txt", "a\r\nb\rc\n").documents.first?.text == "a\r\nb\rc\n")
    }

    @Test("binary files are skipped, with the reason", arguments: ["a.txt", "a.md", "a.py", "a"])
    func binary(name: String) throws {
        let (found, report) = try documents(name, [0x7F, 0x45, 0x4C, 0x46, 0, 1, 2, 0, 0, 0, 7, 0, 0, 9, 200, 201, 0])
        #expect(found.isEmpty)
        #expect(report.skipped.map(\.reason) == ["binary file"])
    }

    @Test("a file over the limit is skipped, with the limit")
    func limit() throws {
        var options = ExtractionOptions()
        options.maximumFileBytes = 10
        let (found, report) = try documents("a.txt", Array("eleven bytes".utf8), options: options)
        #expect(found.isEmpty)
        #expect(report.skipped.first?.sentence.contains("12 bytes exceed the limit of 10") == true)
    }

    @Test("equal documents have equal digests, and any change leads to another")
    func digests() throws {
        let one = SourceDocument(id: "a", title: "t", text: "x", metadata: ["k": .number(1), "l": .bool(true)])
        var other = one
        other.id = "b"
        #expect(one.digest == other.digest)
        for change: (inout SourceDocument) -> Void in [
            { $0.text = "y" }, { $0.title = "" }, { $0.metadata["k"] = .number(2) }, { $0.metadata["k"] = nil },
        ] {
            var changed = one
            change(&changed)
            #expect(changed.digest != one.digest)
        }
    }
}
