import System
import TestFixtures
import Testing
import Tokenizers
import Training

@Suite("Sequences to learn from")
struct SequenceDataTests {
    private let folder = TemporaryFolder()

    private func data(_ toml: String, _ overrides: [String] = []) throws -> SequenceData {
        try SequenceData(
            TrainingConfiguration("[data]\n" + toml, path: folder.file("x.toml"), overriding: overrides))
    }

    /// Tokens 0, 1, 2, ... of 16 bits.
    private func writeTokens(_ count: Int, _ name: String = "a.tokens", value: (Int) -> Int = { $0 }) {
        File.write((0..<count).flatMap { [UInt8(value($0) & 255), UInt8(value($0) >> 8)] }, to: folder.file(name))
    }

    private let rows = """
        kind = "tokens"
        train = ["a.tokens"]
        weights = ["a.weights"]
        validation_share = 0
        packing = "rows"
        order = "written"
        context = 4

        """

    @Test("sequences in rows are used unchanged, with their weights")
    func rowsAsWritten() throws {
        writeTokens(14)
        File.write((0..<14).map { UInt8($0 * 5) }, to: folder.file("a.weights"))
        var train = try data(rows).train
        #expect(train.count == 3)
        let batch = train.batch(from: 1, rows: 2)
        #expect(batch.inputs == [4, 5, 6, 7, 8, 9, 10, 11])
        #expect(batch.targets.prefix(3) == [5, 6, 7] && batch.targets[4..<7] == [9, 10, 11])
        #expect(batch.weights == [0.25, 0.3, 0.35, 0, 0.45, 0.5, 0.55, 0])
        // The next epoch begins again.
        #expect(train.batch(from: 3, rows: 1).inputs == [0, 1, 2, 3])
    }

    @Test("of a stream follow each other, and every token but the first few is a target once an epoch")
    func stream() throws {
        writeTokens(103)
        var train = try data(rows, ["data.packing=stream", "data.weights=[]", "data.order=shuffled"]).train
        for epoch in 0..<3 {
            var targets: [Int32] = []
            for item in 0..<train.count {
                let batch = train.batch(from: epoch * train.count + item, rows: 1)
                #expect(zip(batch.inputs, batch.targets).allSatisfy { $0 + 1 == $1 })
                targets += batch.targets
            }
            #expect(Set(targets).count == targets.count)
            #expect(targets.count == train.count * 4 && targets.count >= 96)
        }
    }

    @Test("are a function of the seed and the turn alone")
    func pure() throws {
        writeTokens(5_000)
        let overrides = ["data.packing=stream", "data.weights=[]", "data.order=shuffled"]
        var forward = try data(rows, overrides).train
        let batches = (0..<50).map { forward.batch(from: $0 * 30, rows: 3) }
        var backward = try data(rows, overrides).train
        for turn in (0..<50).reversed() { #expect(backward.batch(from: turn * 30, rows: 3) == batches[turn]) }
        var other = try data(rows, overrides + ["run.seed=9"]).train
        #expect(other.batch(from: 0, rows: 3) != batches[0])
    }

    private let documents = """
        train = ["a.jsonl"]
        validation_share = 0
        packing = "documents"
        context = 12
        [data.tokenizer]
        vocabulary = 257

        """

    @Test("of documents begin with one, cut none that fits, and learn no prompt")
    func packing() throws {
        let texts = (0..<40).map {
            String("abcdefgh".prefix($0 % 8 + 1))
        }
        let records = texts.map { "{\"prompt\": \"?\", \"completion\": \"\($0)\"}\n" }.joined()
        File.write(records, to: folder.file("a.jsonl"))
        let data = try data(documents)
        let tokenizer = try #require(data.tokenizer)
        var train = data.train
        var found: [String] = []
        for item in 0..<train.count {
            let batch = train.batch(from: item, rows: 1)
            let ids = batch.inputs + [batch.targets[11]]
            let text = tokenizer.decode(ids, skippingSpecialTokens: false)
            let parts = text.components(separatedBy: "<|endoftext|>")
            #expect(text.hasPrefix("?"))
            found += parts.filter { !$0.isEmpty }
            for (place, target) in batch.targets.enumerated() {
                let isLearned = batch.weights[place] == 1
                if tokenizer.decode([target]) == "?" { #expect(!isLearned) }
                if tokenizer.decode([target]) == "a" { #expect(isLearned) }
            }
        }
        #expect(found.sorted() == texts.map { "?" + $0 }.sorted())
    }

    @Test("of a text are cut into tokens once")
    func cached() throws {
        File.write("One.\n<|endoftext|>\nTwo, three, four.\n", to: folder.file("a.txt"))
        let toml =
            "train = [\"a.txt\"]\ncontext = 8\nvalidation_share = 0\ncache = "
            + "\"kept\"\n[data.tokenizer]\nvocabulary = 257\n"
        let first = try data(toml)
        let names = TemporaryFolder.names(in: folder.file("kept"))
        #expect(names.count == 2)
        let second = try data(toml)
        #expect(second.digest == first.digest && second.vocabularySize == 257)
        #expect(TemporaryFolder.names(in: folder.file("kept")) == names)
        // A cache that is damaged is made again.
        for name in names where name.hasPrefix("tokens") { File.write("x", to: folder.file("kept/\(name)")) }
        #expect(try data(toml).digest == first.digest)
        File.write("Another text, long enough.", to: folder.file("a.txt"))
        #expect(try data(toml).digest != first.digest)
    }

    @Test(
        "that are not what they should be are a sentence",
        arguments: [
            ("a.txt", "", "the file has no text."),
            ("a.txt", "short", "are too few for one sequence of 16"),
            ("a.jsonl", "{\"text\": \"a\"}\n{\"txt\": 1}\n", "line 2: the record needs text"),
            ("a.jsonl", "{\"text\": ", "line 1: invalid JSON"),
            ("missing.txt", nil, "cannot open the file"),
        ] as [(String, String?, String)])
    func problems(name: String, content: String?, sentence: String) throws {
        if let content { File.write(content, to: folder.file(name)) }
        let toml = "train = [\"\(name)\"]\ncontext = 16\nvalidation_share = 0\n[data.tokenizer]\nvocabulary = 257\n"
        let error = try #require(throws: Problem.self) { try data(toml) }
        #expect(error.sentence.contains(sentence), "\(error)")
        #expect(error.sentence.contains(name))
    }

    @Test("of several files lie one after the other, with their weights")
    func joined() throws {
        writeTokens(8)
        writeTokens(6, "b.tokens") { $0 + 100 }
        File.write([UInt8](repeating: 100, count: 8), to: folder.file("a.weights"))
        File.write([UInt8](repeating: 50, count: 6), to: folder.file("b.weights"))
        let two = ["data.train=[a.tokens, b.tokens]", "data.weights=[a.weights, b.weights]"]
        var train = try data(rows, two).train
        let batch = train.batch(from: 0, rows: 3)
        #expect(batch.inputs == [0, 1, 2, 3, 4, 5, 6, 7, 100, 101, 102, 103])
        #expect(batch.weights == [1, 1, 1, 0, 1, 1, 1, 0, 0.5, 0.5, 0.5, 0])
        // Across the border.
        var stream = try data(rows, two + ["data.packing=stream", "data.context=10"]).train
        #expect(stream.batch(from: 0, rows: 1).targets == [1, 2, 3, 4, 5, 6, 7, 100, 101, 102])
        writeTokens(7)
        File.write([UInt8](repeating: 100, count: 7), to: folder.file("a.weights"))
        let error = try #require(throws: Problem.self) { try data(rows, two) }
        #expect(error.sentence.contains("7 tokens are not a multiple of data.context (4)"))
    }

    @Test("tokens without weight and tokens without document starts are errors")
    func nothingToLearn() throws {
        writeTokens(40)
        File.write([UInt8](repeating: 0, count: 40), to: folder.file("a.weights"))
        let error = try #require(throws: Problem.self) { try data(rows) }
        #expect(error.sentence.contains("all tokens are excluded from the loss"))
        let unknown = try #require(throws: Problem.self) { try data(rows, ["data.packing=documents"]) }
        #expect(unknown.sentence.contains("the document boundaries are unknown"))
    }

    @Test("of tokens that do not fit together are a sentence")
    func wrongTokens() throws {
        writeTokens(40)
        File.write([1, 2, 3], to: folder.file("a.weights"))
        #expect(throws: Problem.self) { try data(rows) }
        File.write([UInt8](repeating: 100, count: 40), to: folder.file("a.weights"))
        let error = try #require(throws: Problem.self) { try data(rows, ["data.vocabulary=20"]) }
        #expect(error.sentence.contains("token 39 is not below the vocabulary size 20"))
        File.write([1, 2, 3], to: folder.file("a.tokens"))
        #expect(throws: Problem.self) { try data(rows) }
    }
}

extension String {
    fileprivate func components(separatedBy word: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let range = rest.firstRange(of: word) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }
}
