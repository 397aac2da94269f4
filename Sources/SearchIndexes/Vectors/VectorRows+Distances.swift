internal import Kernels

extension VectorRows {
    /// What a product is taken from: 1 for a cosine, else 0.
    package var offset: Float { metric == .cosine ? 1 : 0 }

    /// A query as the rows are kept, of length 1 under a cosine, at `prepared`.
    ///
    /// - Throws: `SegmentError` where a number is not finite, and for a query without direction under a cosine.
    package func prepare(
        _ query: UnsafePointer<Float>, into prepared: UnsafeMutablePointer<Float>
    ) throws(SegmentError) {
        var square: Float = 0
        DistanceKernels(.dot).rows(query, query, dimension, dimension, 0, nil, 1, &square)
        square = -square
        if metric == .cosine, !square.isNormal {
            try prepareScaled(query, into: prepared)
            return
        }
        guard square.isFinite || (0..<dimension).allSatisfy({ query[$0].isFinite }) else {
            throw SegmentError(
                "query", problem: "the vector contains a number that is not finite", remedy: "Use another vector.")
        }
        let scale = metric == .cosine ? 1 / square.squareRoot() : 1
        for column in 0..<dimension { prepared[column] = query[column] * scale }
    }

    /// The same for lengths whose square no float holds.
    private func prepareScaled(
        _ query: UnsafePointer<Float>, into prepared: UnsafeMutablePointer<Float>
    ) throws(SegmentError) {
        let square = (0..<dimension).reduce(0.0) { $0 + Double(query[$1]) * Double(query[$1]) }
        guard square.isFinite else {
            throw SegmentError(
                "query", problem: "the vector contains a number that is not finite", remedy: "Use another vector.")
        }
        guard square > 0 else {
            throw SegmentError("query", problem: "a zero vector has no direction", remedy: "Use another vector.")
        }
        let scale = 1 / square.squareRoot()
        for column in 0..<dimension { prepared[column] = Float(Double(query[column]) * scale) }
    }

    /// The distances of a prepared query to listed rows, or to the first `count` where `slots` is `nil`.
    @inline(__always)
    package func distances(
        to query: UnsafePointer<Float>, slots: UnsafePointer<UInt32>?, count: Int,
        into distances: UnsafeMutablePointer<Float>
    ) {
        kernels.rows(query, base, stride, dimension, offset, slots, count, distances)
    }

    /// The distances of a prepared query to a block of rows one after the other.
    @inline(__always)
    package func distances(
        to query: UnsafePointer<Float>, from first: Int, count: Int, into distances: UnsafeMutablePointer<Float>
    ) {
        kernels.rows(query, row(first), stride, dimension, offset, nil, count, distances)
    }
}
