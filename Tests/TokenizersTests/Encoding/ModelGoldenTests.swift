import Testing
import Tokenizers

/// Ids, byte ranges and decoded text are those of Hugging Face's tokenizers and of SentencePiece.
@Suite("Tokenizers of every family")
struct ModelGoldenTests {
    @Test("each family has a golden file")
    func thereIsAGoldenForEachFamily() throws {
        let families = try Set(ModelGolden.all.map { try $0.tokenizer().family })
        #expect(families == Set(Tokenizer.Family.allCases))
    }

    @Test("ids are the golden's", arguments: ModelGolden.all)
    func ids(golden: ModelGolden) throws {
        let tokenizer = try golden.tokenizer()
        for wanted in golden.cases {
            if let ids = wanted.ids { #expect(tokenizer.encode(wanted.text) == ids, "\(wanted.text.debugDescription)") }
            if let parsed = wanted.parsed ?? wanted.ids, !golden.isPieceModel {
                #expect(
                    tokenizer.encode(wanted.text, parsingSpecialTokens: true) == parsed,
                    "parsed: \(wanted.text.debugDescription)")
            }
        }
        #expect(golden.cases.count > 30)
    }

    @Test("offsets are byte ranges of the original text", arguments: ModelGolden.all)
    func offsets(golden: ModelGolden) throws {
        let tokenizer = try golden.tokenizer()
        for wanted in golden.cases {
            let encoding = tokenizer.encoding(of: wanted.text)
            let bytes = Array(wanted.text.utf8)
            #expect(encoding.ids == tokenizer.encode(wanted.text))
            #expect(encoding.offsets.count == encoding.count && encoding.typeIDs.count == encoding.count)
            #expect(encoding.offsets.allSatisfy { $0.upperBound <= bytes.count })
            guard let ranges = wanted.offsets else { continue }
            // Hugging Face counts characters: a token of a few bytes of one gets all of it.
            let whole = encoding.offsets.map { Self.widened($0, bytes) }
            #expect(whole == ranges, "\(wanted.text.debugDescription)")
        }
    }

    @Test("decoding gives the golden's text, at once and as a stream", arguments: ModelGolden.all)
    func decoding(golden: ModelGolden) throws {
        let tokenizer = try golden.tokenizer()
        for wanted in golden.cases {
            guard let ids = wanted.ids, let text = wanted.decoded else { continue }
            // Bytes that are no UTF-8 become one U+FFFD each there, and one for each broken character here.
            let decoded = tokenizer.decode(ids)
            // SentencePiece writes its unknown token as " ⁇ "; it is a special token that is skipped here.
            if !text.unicodeScalars.contains("\u{FFFD}"), !text.unicodeScalars.contains("\u{2047}") {
                #expect(decoded.utf8.elementsEqual(text.utf8), "\(wanted.text.debugDescription)")
            }
            var stream = StreamDecoder(tokenizer)
            var joined = ""
            for id in ids { joined += stream.append(id) }
            joined += stream.finish()
            #expect(joined.utf8.elementsEqual(decoded.utf8))
        }
    }

    @Test("pairs are joined as the template says", arguments: ModelGolden.all.filter { $0.pair != nil })
    func pairs(golden: ModelGolden) throws {
        let encoding = try golden.tokenizer().encoding(of: "the ring", and: "an orrery")
        #expect(encoding.ids == golden.pair?.ids)
        #expect(encoding.typeIDs == golden.pair?.types)
    }

    @Test("every piece has its id, and every id its piece", arguments: ModelGolden.all)
    func pieces(golden: ModelGolden) throws {
        let tokenizer = try golden.tokenizer()
        for id in 0..<TokenID(tokenizer.vocabularySize) {
            let piece = tokenizer.piece(id)
            #expect(!piece.isEmpty)
            if tokenizer.kind(of: id) == .normal { #expect(tokenizer.id(of: piece) == id) }
        }
        #expect(tokenizer.piece(-1).isEmpty && tokenizer.piece(TokenID(tokenizer.vocabularySize)).isEmpty)
        #expect(tokenizer.bytes(of: .max).isEmpty && tokenizer.kind(of: -7) == .unused)
    }

    private static func widened(_ range: Range<Int>, _ bytes: [UInt8]) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start > 0, start < bytes.count, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        while end < bytes.count, end > 0, bytes[end] & 0xC0 == 0x80 { end += 1 }
        return start..<end
    }
}
