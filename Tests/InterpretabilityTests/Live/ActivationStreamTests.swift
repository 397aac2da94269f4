import Interpretability
import Models
import Tensors
import Testing
import Tokenizers

/// Rows of hooks over many sequences.
struct ActivationStreamTests {
    private func sequences(_ model: InspectedModel) -> [[TokenID]] {
        let tokens = model.tokens(of: LiveModels.text)
        return [tokens, Array(tokens.reversed()), Array(tokens.prefix(9)), [tokens[0]]]
    }

    @Test("gives the rows of the hook in the order of the text, without skipped positions")
    func order() throws {
        let model = try LiveModels.mini()
        let (sequences, width) = (sequences(model), model.configuration.width)
        let source = try ModelActivationSource(
            model, hook: .residualPost(layer: 2), sequences: sequences,
            options: .init(batchTokens: 100, skippedPositions: 2, shuffledRows: 0))
        let expected = try sequences.filter { $0.count > 2 }.flatMap {
            try LiveModels.rows(.residualPost(layer: 2), model, $0).values.dropFirst(2 * width)
        }
        #expect(source.rowCount == expected.count / width && source.width == width)
        let rows = try source.next(rows: expected.count / width)
        expectSameNumbers(rows.elements, expected, within: 1e-3)
        #expect(source.epoch == 0 && source.rate > 0)
        // Starts over after the last row.
        expectSameNumbers(try source.next(rows: 3).elements, expected.prefix(3 * width), within: 1e-3)
    }

    @Test("shuffles by its seed, and gives each row once before it gives one again")
    func shuffling() throws {
        let model = try LiveModels.mini()
        let sequences = sequences(model)
        func rows(seed: UInt64) throws -> [Float] {
            let source = try ModelActivationSource(
                model, hook: .z(layer: 1), sequences: sequences, options: .init(shuffledRows: 4096, seed: seed))
            return try source.next(rows: 16).elements
        }
        #expect(try rows(seed: 1) == rows(seed: 1))
        #expect(try rows(seed: 1) != rows(seed: 2))
    }

    @Test("streams features of every token in the order of the text, from any sequence on")
    func features() throws {
        let model = try LiveModels.mini()
        let (sequences, hook) = (sequences(model), Hook.residualPost(layer: 3))
        let dictionary = try LiveModels.dictionary(width: model.configuration.width, features: 96, hook: hook)
        let stream = try FeatureStream(model, hook: hook, dictionary: dictionary, sequences: sequences, keepsRows: true)
        var numbers: [Int] = []
        while let block = try stream.next() {
            numbers.append(block.sequence)
            #expect(block.tokens == sequences[block.sequence] && block.codes.rows == block.tokens.count)
            #expect(block.codes.starts[1] == 0)
            let rows = try #require(block.rows)
            let all = try dictionary.encode(rows)
            for row in 1..<max(1, block.codes.rows) {
                #expect(block.codes[row].map(\.0) == all[row].map(\.0))
            }
        }
        #expect(numbers == [0, 1, 2, 3] && stream.readTokens == sequences.reduce(0) { $0 + $1.count })
        let rest = try FeatureStream(
            model, hook: hook, dictionary: dictionary, sequences: sequences, startingAt: 2)
        #expect(try rest.next()?.sequence == 2)
    }
}
