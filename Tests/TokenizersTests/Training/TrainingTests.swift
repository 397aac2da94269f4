import JSON
import Synchronization
import TestFixtures
import Testing
import Tokenizers

@Suite("Training of tokenizers")
struct TrainingTests {
    private static let folder = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Goldens"

    private static let lines = (File.text(folder + "/training-corpus.txt") ?? "").split(separator: "\n").map {
        String($0)
    }

    /// A list of strings that Hugging Face's trainer gave.
    private static func expected(_ kind: StaticString, _ list: StaticString? = nil) throws -> [String] {
        let document = try JSONDocument(parsing: File.text(folder + "/training-expected.json") ?? "")
        return document.withRoot { root in
            let node = list.flatMap { root[kind]?[$0] } ?? root[kind]
            return node?.elements.map { $0.string ?? "" } ?? []
        }
    }

    private static func number(_ kind: StaticString, _ name: StaticString) throws -> Double {
        try JSONDocument(parsing: File.text(folder + "/training-expected.json") ?? "").withRoot { root in
            root[kind]?[name]?.double ?? .nan
        }
    }

    @Test("byte-level BPE learns the merges of Hugging Face's trainer, in their order")
    func bpe() throws {
        let document = try BPETrainer(vocabularySize: 1000, specialTokens: ["<s>", "</s>"]).train(on: Self.lines)
        guard case .bpe(let pieces, let merges) = document.model else { return }
        #expect(merges.map { pieces[$0.left] + " " + pieces[$0.right] } == (try Self.expected("bpe", "merges")))
        #expect(try pieces == Self.expected("bpe", "pieces"))
    }

    @Test("pairs that are too rare are not merged")
    func minimumFrequency() throws {
        let document = try BPETrainer(vocabularySize: 5000, minimumFrequency: 20).train(on: Self.lines)
        #expect(try Double(document.pieces.count) == Self.number("bpe", "frequent"))
    }

    @Test(
        "merges meet the definition, worked out naively",
        arguments: ["aaaa aaa aa ab", "abcabcab cab bca", "x", "aa aa"])
    func naive(text: String) throws {
        let document = try BPETrainer(vocabularySize: 266).train(on: [text])
        guard case .bpe(let pieces, let merges) = document.model else { return }
        var words = text.split(separator: " ").enumerated().map { index, word in
            (index == 0 ? [] : ["Ġ"]) + word.map { String($0) }
        }
        for merge in merges {
            var counts: [[String]: Int] = [:]
            for word in words { for pair in zip(word, word.dropFirst()) { counts[[pair.0, pair.1], default: 0] += 1 } }
            let pair = [pieces[merge.left], pieces[merge.right]]
            #expect(counts[pair] == counts.values.max())
            words = words.map { word in
                var result: [String] = []
                var index = 0
                while index < word.count {
                    let matches = Array(word[index...].prefix(2)) == pair
                    result.append(matches ? pair.joined() : word[index])
                    index += matches ? 2 : 1
                }
                return result
            }
        }
        #expect(merges.count == 10 || words.allSatisfy { $0.count < 2 })
    }

    @Test("WordPiece learns the pieces of Hugging Face's trainer, but for ties, which that one breaks at random")
    func wordPiece() throws {
        let document = try WordPieceTrainer(vocabularySize: 800).train(on: Self.lines)
        let difference = Set(document.pieces).symmetricDifference(try Self.expected("wordpiece"))
        #expect(document.pieces.count == 800)
        #expect(difference.count <= 16)
        #expect(document.pieces.prefix(5) == ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    }

    @Test("the rarest characters go where the alphabet is limited")
    func alphabetLimit() throws {
        let trainer = WordPieceTrainer(vocabularySize: 60, alphabetLimit: 20)
        let pieces = try trainer.train(on: Self.lines).pieces
        #expect(pieces.dropFirst(5).filter { $0.unicodeScalars.count == 1 }.count == 20)
    }

    @Test("Unigram learns the pieces of Hugging Face's trainer, and explains unseen text as well")
    func unigram() throws {
        let seen = Array(Self.lines.prefix(Self.lines.count * 9 / 10))
        let document = try UnigramTrainer(vocabularySize: 600).train(on: seen)
        guard case .unigram(let pieces, let scores, _) = document.model else { return }
        #expect(pieces.count == 600)
        #expect(try Set(pieces) == Set(Self.expected("unigram", "pieces")))
        let held = Array(Self.lines.dropFirst(seen.count))
        let tokenizer = try Tokenizer(json: Array(document.json.utf8))
        let lowest = scores.min() ?? 0
        var total = 0.0
        for line in held {
            for id in tokenizer.encode(line, addingSpecialTokens: false) {
                total += id == 0 ? lowest - 10 : scores[Int(id)]
            }
        }
        let perCharacter = total / Double(held.reduce(0) { $0 + $1.unicodeScalars.count })
        #expect(try abs(perCharacter / Self.number("unigram", "logLikelihood") - 1) < 0.001)
    }

    @Test("a trained tokenizer is written as a tokenizer.json that reads back and encodes")
    func documents() throws {
        let documents = [
            try BPETrainer(vocabularySize: 400, specialTokens: ["<s>"]).train(on: Self.lines),
            try BPETrainer(vocabularySize: 400, pattern: .qwen2).train(on: Self.lines),
            try WordPieceTrainer(vocabularySize: 300).train(on: Self.lines),
            try UnigramTrainer(vocabularySize: 300).train(on: Self.lines),
        ]
        for document in documents {
            let tokenizer = try Tokenizer(json: Array(document.json.utf8))
            #expect(tokenizer.vocabularySize == document.pieces.count)
            for (id, piece) in document.pieces.enumerated() { #expect(tokenizer.piece(TokenID(id)) == piece) }
            let line = "fing shaingen bil"
            let ids = tokenizer.encode(line, addingSpecialTokens: false)
            #expect(ids.count < line.count)
            #expect(tokenizer.decode(ids) == line)
        }
    }

    @Test(
        "invalid training input is an error",
        arguments: [
            (BPETrainer(vocabularySize: 100), ["a"], TrainingError.vocabularyTooSmall(wanted: 100, needed: 256)),
            (BPETrainer(), [], .noText), (BPETrainer(), [""], .noText),
            (BPETrainer(specialTokens: ["a", "a"]), ["a"], .badSpecialToken("a")),
            (BPETrainer(specialTokens: [""]), ["a"], .badSpecialToken("")),
        ])
    func refusals(trainer: BPETrainer, texts: [String], error: TrainingError) {
        #expect(throws: error) { try trainer.train(on: texts) }
        #expect(error.sentence.hasSuffix("."))
    }

    @Test("the other trainers refuse too")
    func otherRefusals() {
        #expect(throws: TrainingError.vocabularyTooSmall(wanted: 5, needed: 8)) {
            try WordPieceTrainer(vocabularySize: 5).train(on: ["ab"])
        }
        #expect(throws: TrainingError.badSpecialToken("[UNK]")) {
            try WordPieceTrainer(specialTokens: []).train(on: ["a"])
        }
        #expect(throws: TrainingError.vocabularyTooSmall(wanted: 3, needed: 4)) {
            try UnigramTrainer(vocabularySize: 3).train(on: ["ab"])
        }
        #expect(throws: TrainingError.badSpecialToken("<unk>")) {
            try UnigramTrainer(specialTokens: []).train(on: ["a"])
        }
        #expect(throws: TrainingError.noText) { try UnigramTrainer().train(on: []) }
    }

    @Test("training reports its progress, and ends when canceled")
    func monitoring() throws {
        let stages = Mutex<[TrainingMonitor.Stage]>([])
        let monitor = TrainingMonitor(report: { stage, _, _ in stages.withLock { $0.append(stage) } })
        _ = try BPETrainer(vocabularySize: 400).train(on: Self.lines, monitor: monitor)
        _ = try UnigramTrainer(vocabularySize: 300).train(on: Self.lines, monitor: monitor)
        #expect(Set(stages.withLock { $0 }) == Set(TrainingMonitor.Stage.allCases))
        let cancelled = TrainingMonitor(isCancelled: { true })
        #expect(throws: TrainingError.cancelled) { try BPETrainer().train(on: Self.lines, monitor: cancelled) }
        #expect(throws: TrainingError.cancelled) { try WordPieceTrainer().train(on: Self.lines, monitor: cancelled) }
        #expect(throws: TrainingError.cancelled) { try UnigramTrainer().train(on: Self.lines, monitor: cancelled) }
    }
}
