internal import Interpretability
internal import JSON
internal import System
internal import Tensors
internal import Tokenizers

/// Activations of features that were computed elsewhere, as blocks for a builder.
///
/// Two forms are read, the first also gzipped:
/// - JSON lines, one a sequence: `{"tokens": [5, 17], "features": [[3, 40], []], "values": [[0.5, 2.25], []]}`.
/// - safetensors with `tokens` [T], `sequence_starts` [S], `starts` [T + 1], `features` [N] and `values` [N]: row t is
///   `starts[t] ..< starts[t + 1]`. A last `sequence_starts` of T is allowed.
///
/// Features of a row may come in any order, and values of 0 are left out.
///
/// ```swift
/// let activations = try PrecomputedActivations("codes.safetensors", features: dictionary.featureCount)
/// try store.buildIndex(of: dictionary.id) { first in try activations.block(from: first) }
/// ```
public final class PrecomputedActivations {
    private let path: String
    private let features: Int
    private let table: SparseTable?
    private var lines: JSONSource?
    private var nextLine = 0
    /// Tokens of a block.
    private static let blockTokens = 1 << 15

    /// - Parameter features: F of the dictionary.
    /// - Throws: An error if the file has neither of the two formats.
    public init(_ path: String, features: Int) throws {
        self.path = path
        self.features = features
        table = path.hasSuffix(".safetensors") ? try SparseTable(path) : nil
        if table == nil { lines = try JSONSource(path) }
    }

    /// Number of tokens of all sequences; `nil` if only reading the whole file would tell.
    public var tokenCount: Int? { table?.tokenCount }

    /// Returns sequences starting at number `first`; `nil` after the last one.
    ///
    /// - Throws: An error if the file holds something else, with the line or the tensor.
    public func block(from first: Int) throws -> FeatureBlock? {
        if let table { return try table.block(from: first, tokens: Self.blockTokens, features: features) }
        if first < nextLine || lines == nil {
            lines = try JSONSource(path)
            nextLine = 0
        }
        guard let lines else { return nil }
        while nextLine < first {
            guard try lines.skip() else { return nil }
            nextLine += 1
        }
        var block = FeatureBlock(sequences: [], codes: SparseCodes(width: features))
        var tokens = 0
        while tokens < Self.blockTokens {
            let isRead = try lines.next { node, line in
                tokens += try append(node, line, to: &block)
            }
            if !isRead { break }
            nextLine += 1
        }
        return block.sequences.isEmpty ? nil : block
    }

    private func append(_ node: JSONNode, _ line: Int, to block: inout FeatureBlock) throws -> Int {
        guard let tokens = node["tokens"], let features = node["features"], let values = node["values"],
            tokens.kind == .array, features.kind == .array, values.kind == .array
        else { throw wrong(line, "tokens, features, and values must be arrays") }
        guard tokens.count == features.count, tokens.count == values.count else {
            throw wrong(
                line, "counts differ: \(tokens.count) tokens, \(features.count) features, and \(values.count) values")
        }
        var sequence: [TokenID] = []
        for token in tokens.elements {
            guard let id = token.int.flatMap({ TokenID(exactly: $0) }), id >= 0 else {
                throw wrong(line, "a token is not a valid ID")
            }
            sequence.append(id)
        }
        for (features, values) in zip(features.elements, values.elements) {
            guard features.kind == .array, values.kind == .array, features.count == values.count else {
                throw wrong(line, "a token has \(features.count) features but \(values.count) values")
            }
            var row = SparseRow()
            for (feature, value) in zip(features.elements, values.elements) {
                guard let number = feature.int.flatMap({ Int32(exactly: $0) }), let value = value.double else {
                    throw wrong(line, "a feature or value is not a number")
                }
                row.append(number, Float(value))
            }
            do throws(Problem) {
                try row.move(to: &block.codes)
            } catch {
                throw wrong(line, error.what)
            }
        }
        block.sequences.append(sequence)
        return sequence.count
    }

    private func wrong(_ line: Int, _ problem: String) -> Problem {
        Problem(
            .invalid, path, "line \(line): \(problem)",
            remedy: #"Each line is {"tokens": [...], "features": [[...], ...], "values": [[...], ...]}."#)
    }
}
