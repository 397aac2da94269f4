internal import Glibc
internal import Kernels
internal import System
public import Tokenizers

extension Transformer {
    /// One vector for each text: `[texts, D]`.
    ///
    /// - Parameters:
    ///   - tokenTypes: the segment of each token; zeros where none are given.
    ///   - pooling: the model's own where none is given; `.rank` counts as `.cls`.
    ///   - normalized: vectors have length 1.
    /// - Throws: `ModelError` for a decoder, for a text without tokens or with more than the model has positions.
    public func encode(
        _ texts: [[TokenID]], tokenTypes: [[Int]]? = nil, pooling: Pooling? = nil, normalized: Bool = true,
        in pass: ForwardPass
    ) throws(ModelError) -> Embeddings {
        let bert = try encoder()
        defer { pass.end() }
        try run(bert, texts, tokenTypes, in: pass)
        let width = configuration.width
        let rows = try pass.floats(.residual, pass.rows * width)
        var values = [Float](repeating: 0, count: texts.count * width)
        for (text, stretch) in pass.stretches.enumerated() {
            let first = rows + stretch.firstRow * width
            let mean = (pooling ?? configuration.pooling) == .mean
            for column in 0..<width {
                var sum: Double = 0
                for row in 0..<(mean ? stretch.count : 1) { sum += Double(first[row * width + column]) }
                values[text * width + column] = Float(sum / Double(mean ? stretch.count : 1))
            }
            if normalized { Self.normalize(&values, text * width..<(text + 1) * width) }
        }
        return Embeddings(count: texts.count, width: width, values: values)
    }

    /// The scores of a cross-encoder before any sigmoid: `[texts, labels]`.
    ///
    /// - Throws: `ModelError` where the model has no classification head.
    public func scores(
        _ texts: [[TokenID]], tokenTypes: [[Int]]? = nil, in pass: ForwardPass
    ) throws(ModelError) -> Embeddings {
        let bert = try encoder()
        guard let classifier = bert.classifier else {
            throw ModelError(
                path, problem: "the model has no classification head",
                remedy: "Use it for embeddings, or choose a cross-encoder.")
        }
        defer { pass.end() }
        try run(bert, texts, tokenTypes, in: pass)
        let (width, labels) = (configuration.width, classifier.outputs)
        let rows = try pass.floats(.residual, pass.rows * width)
        let firsts = try pass.floats(.delta, max(texts.count, pass.rows) * width)
        let pooled = try pass.floats(.pooled, texts.count * width)
        for (text, stretch) in pass.stretches.enumerated() {
            (firsts + text * width).update(from: rows + stretch.firstRow * width, count: width)
        }
        if let pooler = bert.pooler {
            try pooler(pass, firsts, xStride: width, rows: texts.count, into: pooled)
            for index in 0..<texts.count * width { pooled[index] = tanhf(pooled[index]) }
        } else {
            pooled.update(from: firsts, count: texts.count * width)
        }
        var values = [Float](repeating: 0, count: texts.count * labels)
        let output = try pass.floats(.logits, values.count)
        try classifier(pass, pooled, xStride: width, rows: texts.count, into: output)
        for index in values.indices { values[index] = output[index] }
        return Embeddings(count: texts.count, width: labels, values: values)
    }

    private func encoder() throws(ModelError) -> BERT {
        guard let bert = architecture as? BERT else {
            throw ModelError(path, problem: "decoders do not return embeddings", remedy: "Use an encoder such as BERT.")
        }
        return bert
    }

    private func run(
        _ bert: BERT, _ texts: [[TokenID]], _ types: [[Int]]?, in pass: ForwardPass
    ) throws(ModelError) {
        let start = pass.now()
        guard !texts.isEmpty else { throw ModelError(path, problem: "there are no texts to encode") }
        pass.tokens.removeAll(keepingCapacity: true)
        pass.tokenTypes.removeAll(keepingCapacity: true)
        for (index, tokens) in texts.enumerated() {
            guard !tokens.isEmpty else { throw ModelError(path, problem: "text \(index + 1) has no tokens") }
            try check(tokens, after: 0)
            pass.tokens.append(contentsOf: tokens)
            guard let types else { continue }
            guard index < types.count, types[index].count == tokens.count,
                types[index].allSatisfy({ (0..<max(configuration.tokenTypeCount, 1)).contains($0) })
            else {
                throw ModelError(
                    path,
                    problem: "text \(index + 1) needs one token type per token, each below "
                        + "\(configuration.tokenTypeCount)")
            }
            pass.tokenTypes.append(contentsOf: types[index])
        }
        pass.begin(self)
        for tokens in texts {
            pass.add(
                ForwardPass.Stretch(
                    cache: nil, firstRow: pass.rows, count: tokens.count, firstPosition: 0, outputs: 0,
                    length: tokens.count))
        }
        try bert.run(pass)
        pass.profile?.addPass(seconds: Clock.now(.monotonic) - start)
    }

    private static func normalize(_ values: inout [Float], _ range: Range<Int>) {
        let square = values[range].reduce(0.0) { $0 + Double($1) * Double($1) }
        guard square > 0 else { return }
        let scale = 1 / square.squareRoot()
        for index in range { values[index] = Float(Double(values[index]) * scale) }
    }
}
