internal import Kernels

extension DictionaryStep {
    /// Gradients of all weights from the columns, and the norm of all of them together.
    func sumGradients() {
        let (width, features) = (weights.width, weights.features)
        let chunks = (features + Self.chunkFeatures - 1) / Self.chunkFeatures
        var squares = [Double](repeating: 0, count: chunks)
        // What b_dec gets through the encoder, by chunk: −Σ (Σ δ) W_enc.
        var pulls = [Float](repeating: 0, count: chunks * width)
        squares.withUnsafeMutableBufferPointer { squares in
            pulls.withUnsafeMutableBufferPointer { pulls in
                nonisolated(unsafe) let (squares, pulls) = (squares, pulls)  // every chunk writes numbers of its own
                pool.run(chunks: chunks) { chunk, _ in
                    guard let pull = pulls.baseAddress else { return }
                    let start = chunk * Self.chunkFeatures
                    for feature in start..<min(features, start + Self.chunkFeatures) {
                        squares[chunk] += sumGradients(of: feature, pull: pull + chunk * width)
                    }
                }
            }
        }
        sumDecoderBias(pulls, chunks: chunks)
        var total = squares.reduce(0, +)
        for vector in objective.vectors.indices {
            let gradient = objective.vectors[vector].gradient.pointer
            for feature in 0..<features { gradient[feature] = columns.sums[vector][feature] }
        }
        for parameter in [weights.decoderBias, weights.encoderBias] + objective.vectors {
            total += WholeArrays.sumsOfSquares([UnsafeBufferPointer(parameter.gradient.elements)], pool: .single)[0]
        }
        gradientNorm = total.squareRoot()
    }

    /// The gradients of a feature's encoder and decoder rows and bias; returns the sum of squares of the rows.
    private func sumGradients(of feature: Int, pull: UnsafeMutablePointer<Float>) -> Double {
        let width = weights.width
        let (start, end) = (columns.starts[feature], columns.starts[feature + 1])
        let encoder = weights.encoder.gradient.pointer + feature * width
        let decoder = weights.decoder.gradient.pointer + feature * width
        SparseGram.sum(
            of: UnsafeBufferPointer(start: columns.rows + start, count: end - start), weights: columns.deltas + start,
            rows: inputs.pointer, width: width, into: encoder)
        SparseGram.sum(
            of: UnsafeBufferPointer(start: columns.targets + start, count: end - start),
            weights: columns.coefficients + start, rows: outputs.pointer, width: width, into: decoder)
        var delta: Float = 0
        for entry in start..<end { delta += columns.deltas[entry] }
        weights.encoderBias.gradient.pointer[feature] = objective.hasEncoderBias ? delta : 0
        let row = weights.decoderRow(feature)
        var along = objective.pull(
            feature: feature, coefficients: UnsafeBufferPointer(start: columns.coefficients + start, count: end - start)
        )
        if configuration.hasUnitDecoder {
            var product: Float = 0
            withUnsafePointer(to: UInt32(feature)) { index in
                weights.products(decoder, UnsafeBufferPointer(start: index, count: 1), into: &product)
            }
            along -= product
        }
        if along != 0 { Elementwise.add(along, times: row, to: decoder, count: width) }
        if delta != 0 {
            Elementwise.add(-delta, times: weights.encoder.values.pointer + feature * width, to: pull, count: width)
        }
        return WholeArrays.sumOfSquares(encoder, count: width) + WholeArrays.sumOfSquares(decoder, count: width)
    }

    /// Σ of the rows' first output gradients, and what comes through the encoder.
    private func sumDecoderBias(_ pulls: [Float], chunks: Int) {
        let (width, gradient) = (weights.width, weights.decoderBias.gradient.pointer)
        let scale = 2 / Float(configuration.batchRows)
        for i in 0..<width {
            var direct: Float = 0
            for tile in tiles { direct += objective.hasOwnOutputSums ? tile.outputSums[i] : tile.errorSums[i] }
            gradient[i] = direct * scale
        }
        pulls.withUnsafeBufferPointer { pulls in
            guard let pulls = pulls.baseAddress else { return }
            for chunk in 0..<chunks { Elementwise.add(pulls + chunk * width, to: gradient, count: width) }
        }
    }
}
