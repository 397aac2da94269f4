internal import Kernels

/// What the loss of a row needs of the decoder.
extension LearnedWeights {
    /// y = Σ f W_dec − x, with x without b_dec: the error x̂ − x. Adds to the tile's sums; returns ‖x̂ − x‖².
    func error(
        _ row: DictionaryRow, features: UnsafeBufferPointer<UInt32>, values: UnsafePointer<Float>,
        into y: UnsafeMutablePointer<Float>, _ tile: DictionaryTile
    ) -> Float {
        decode(features, values, into: y)
        let squares = tile.errorSums.withUnsafeMutableBufferPointer { sums in
            sums.baseAddress.map { SparseFeatures.difference(y, row.input, into: y, sums: $0, count: width) } ?? 0
        }
        tile.errorSquares += Double(squares)
        tile.rowLosses.append(squares)
        return squares
    }

    /// y = Σ f W_dec.
    func decode(
        _ features: UnsafeBufferPointer<UInt32>, _ values: UnsafePointer<Float>, into y: UnsafeMutablePointer<Float>
    ) {
        SparseGram.sum(of: features, weights: values, rows: decoder.values.pointer, width: width, into: y)
    }

    /// products[i] = y · W_dec[features[i]].
    func products(
        _ y: UnsafePointer<Float>, _ features: UnsafeBufferPointer<UInt32>, into products: UnsafeMutablePointer<Float>
    ) {
        SparseFeatures.products(
            of: y, with: features, of: decoder.values.pointer, width: width, into: products)
    }
}

extension FeatureEntries {
    /// Features of some entries.
    func features(_ range: Range<Int>) -> UnsafeBufferPointer<UInt32> {
        UnsafeBufferPointer(start: features + range.lowerBound, count: range.count)
    }

    /// Coefficients and deltas of entries whose numbers are the features' values: f and y · W_dec, times a scale.
    func weigh(_ range: Range<Int>, by scale: Float) {
        for entry in range {
            coefficients[entry] = numbers[entry] * scale
            deltas[entry] *= scale
        }
    }
}
