import JSON
import Testing

/// Tests that all parser variants and a naive parser agree on whether text is valid, and on its tape.
@Suite("JSON parser variants")
struct JSONVariantTests {
    @Test("all parsers agree on random and damaged text", arguments: 0..<8)
    func randomTexts(seed: UInt64) {
        var agreement = Agreement()
        var texts = RandomJSON(seed: seed)
        for _ in 0..<1500 {
            agreement.check(texts.valid())
            agreement.check(texts.damaged())
            agreement.check(texts.noise())
        }
        // The generator must produce both valid and invalid text.
        #expect(agreement.accepted > 1000 && agreement.rejected > 1000)
    }

    @Test("all parsers agree wherever the text starts relative to a block boundary")
    func blockBoundaries() {
        var agreement = Agreement()
        let texts = [
            #"{"a":"b","c":[1,2.5,true,null],"d":{}}"#, #"["\\\\\"\\","é€😀",-1e5]"#, #""\"\\\"""#, #"[1,tru]"#,
            "[\"\u{1}\"]", #"{"a":"b" "c":1}"#, #"["abc"#,
        ]
        for text in texts {
            for before in 0...200 {
                agreement.check(Array(repeatElement(0x20, count: before)) + text.utf8)
            }
            for inside in 0...200 {
                let prefix = Array("[\"".utf8) + repeatElement(UInt8(ascii: "x"), count: inside) + Array("\",".utf8)
                agreement.check(prefix + Array(text.utf8) + [UInt8(ascii: "]")])
            }
        }
    }

    @Test("all parsers agree on runs of backslashes of every length")
    func backslashes() {
        var agreement = Agreement()
        for before in [0, 1, 2, 60, 61, 62, 63, 64, 126, 127, 128] {
            for run in 0...140 {
                let text = "\"" + String(repeating: "x", count: before) + String(repeating: "\\", count: run)
                agreement.check(Array(text.utf8) + Array("\"".utf8))
                agreement.check(Array(text.utf8) + Array("\",1]".utf8))
                agreement.check(Array("[".utf8) + Array(text.utf8) + Array("\",\"\\\\\"]".utf8))
            }
        }
    }

    @Test("all parsers agree on pairs of bytes")
    func pairsOfBytes() {
        var agreement = Agreement()
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max where first % 5 == second % 5 || first >= 0xC0 {
                agreement.check([0x22, first, second, 0x22])
                agreement.check([0x5B, first, second, 0x5D])
            }
        }
    }
}

/// A comparison of all parsers on many texts.
private struct Agreement {
    static let depth = 8
    private(set) var accepted = 0
    private(set) var rejected = 0
    private let parsers: [JSONParser] = JSONParser.Variant.allCases.compactMap {
        let parser = JSONParser(maximumDepth: Agreement.depth)
        return parser.use($0) ? parser : nil
    }

    mutating func check(_ text: [UInt8], _ location: SourceLocation = #_sourceLocation) {
        let expected = NaiveJSON.tape(of: text, maximumDepth: Agreement.depth)
        if expected == nil { rejected += 1 } else { accepted += 1 }
        var errors: [JSONError] = []
        for parser in parsers {
            // The copy has exactly this length, so that a sanitizer can detect reads beyond it.
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count)
            defer { copy.deallocate() }
            _ = copy.initialize(from: text)
            do {
                let tape = try parser.parse(UnsafeBufferPointer(copy)).tape
                if tape != expected {
                    Issue.record("accepted, or parsed differently: \(String(decoding: text, as: UTF8.self))")
                }
            } catch {
                if expected != nil {
                    Issue.record("\(error.sentence) \(String(decoding: text, as: UTF8.self))")
                }
                errors.append(error)
            }
            if parser.disagreements != 0 {
                Issue.record("a fast variant rejected \(String(decoding: text, as: UTF8.self))")
            }
        }
        if Set(errors.map(\.sentence)).count > 1 {
            Issue.record("different errors: \(errors)", sourceLocation: location)
        }
    }
}
