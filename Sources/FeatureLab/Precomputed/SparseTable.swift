internal import Interpretability
internal import System
internal import Tensors
internal import Tokenizers

/// Activations of many sequences as the flat arrays of a safetensors file, which stay in the mapped file where they are
/// int32 and float32.
struct SparseTable {
    let tokenCount: Int
    private let path: String
    private let sequenceCount: Int
    private let tokens: Tensor<Int32>
    private let sequences: Tensor<Int32>
    private let starts: Tensor<Int32>
    private let features: Tensor<Int32>
    private let values: Tensor<Float>

    /// - Throws: An error if an array is missing, of another kind, or does not fit the others.
    init(_ path: String) throws {
        self.path = path
        do {
            let file = try TensorFile.open(path)
            tokens = try Self.integers(file, "tokens")
            sequences = try Self.integers(file, "sequence_starts")
            starts = try Self.integers(file, "starts")
            features = try Self.integers(file, "features")
            values = try file.tensor(named: "values").converted(to: Float.self).contiguous()
        } catch let error as TensorFileError {
            throw Problem(.missing, path, "the file has no activations", remedy: error.sentence)
        } catch let error as TensorError {
            throw Problem(.missing, path, "the file has no activations: \(error.problem)")
        }
        let tokenCount = tokens.count
        self.tokenCount = tokenCount
        guard let beyond = Int32(exactly: tokenCount), let entries = Int32(exactly: features.count) else {
            throw Self.wrong(
                path, "\(tokenCount) tokens or \(features.count) feature entries exceed the range of int32")
        }
        guard starts.count == tokenCount + 1 else {
            throw Self.wrong(
                path, "starts has \(starts.count) numbers, expected \(tokenCount + 1) for \(tokenCount) tokens")
        }
        sequenceCount = try sequences.withElements { all in
            all.count > 1 && all.last == beyond ? all.count - 1 : all.count
        }
        let fits = try starts.withElements { $0.first == 0 && $0.last == entries }
        guard values.shape == features.shape, fits else {
            throw Self.wrong(
                path, "starts, \(features.count) features, and \(values.count) values do not match")
        }
        guard try starts.withElements({ Self.rises($0, by: 0) }) else {
            throw Self.wrong(path, "starts do not increase")
        }
        let count = sequenceCount
        let isSequence = try sequences.withElements { all in
            let kept = UnsafeBufferPointer(rebasing: all[..<count])
            return kept.first == 0 && Self.rises(kept, by: 1) && (kept.last ?? 0) < max(1, beyond)
        }
        guard isSequence, tokenCount > 0 else {
            throw Self.wrong(path, "sequence_starts must increase from 0 and stay below \(tokenCount)")
        }
        guard try tokens.withElements({ all in all.allSatisfy { $0 >= 0 } }) else {
            throw Self.wrong(path, "a token is negative")
        }
    }

    private static func rises(_ numbers: UnsafeBufferPointer<Int32>, by least: Int) -> Bool {
        var index = 1
        while index < numbers.count {
            if Int(numbers[index]) - Int(numbers[index - 1]) < least { return false }
            index += 1
        }
        return true
    }

    private static func integers(_ file: TensorFile, _ name: String) throws -> Tensor<Int32> {
        let tensor = try file.tensor(named: name)
        guard !tensor.dataType.isFloatingPoint, tensor.shape.count == 1 else {
            throw Problem(
                .invalid, file.path, "\(name) is not a list of integers", remedy: "Store it as int32 or int64.")
        }
        return try tensor.converted(to: Int32.self).contiguous()
    }

    /// Returns sequences starting at number `first`; `nil` after the last one.
    func block(from first: Int, tokens limit: Int, features count: Int) throws -> FeatureBlock? {
        guard (0..<sequenceCount).contains(first) else { return nil }
        let ranges = try sequences.withElements { starts in
            var ranges: [Range<Int>] = []
            var tokens = 0
            for number in first..<sequenceCount where tokens < limit {
                let end = number + 1 < sequenceCount ? Int(starts[number + 1]) : tokenCount
                ranges.append(Int(starts[number])..<end)
                tokens += ranges[ranges.count - 1].count
            }
            return ranges
        }
        let texts = try tokens.withElements { tokens in ranges.map { Array(tokens[$0]) } }
        var block = FeatureBlock(sequences: texts, codes: SparseCodes(width: count))
        var problem: (token: Int, text: String)?
        try starts.withElements { starts throws(TensorError) in
            try features.withElements { features throws(TensorError) in
                try values.withElements { values throws(TensorError) in
                    var row = SparseRow()
                    for token in ranges[0].lowerBound..<ranges[ranges.count - 1].upperBound {
                        let range = Int(starts[token])..<Int(starts[token + 1])
                        row.removeAll()
                        for entry in range { row.append(features[entry], values[entry]) }
                        do throws(Problem) {
                            try row.move(to: &block.codes)
                        } catch {
                            problem = (token, error.what)
                            return
                        }
                    }
                }
            }
        }
        if let problem { throw Self.wrong(path, "token \(problem.token) \(problem.text)") }
        return block
    }

    private static func wrong(_ path: String, _ problem: String) -> Problem {
        Problem(
            .failed, path, problem,
            remedy: "Expected tokens [T], sequence_starts [S], starts [T + 1], features [N], and values [N].")
    }
}
