/// A query as the vectors of a file are compared with it.
struct VamanaQuery {
    let numbers: [Float]

    /// - Throws: `SegmentError` where a number is not finite, and for zeros under a cosine.
    init(_ query: UnsafePointer<Float>, _ dimension: Int, _ metric: Metric) throws(SegmentError) {
        var numbers = Array(UnsafeBufferPointer(start: query, count: dimension))
        let square = numbers.reduce(0.0) { $0 + Double($1) * Double($1) }
        guard square.isFinite else {
            throw SegmentError(
                "query", problem: "the vector contains a number that is not finite", remedy: "Use another vector.")
        }
        if metric == .cosine {
            guard square > 0 else {
                throw SegmentError("query", problem: "a zero vector has no direction", remedy: "Use another vector.")
            }
            let scale = 1 / square.squareRoot()
            for column in numbers.indices { numbers[column] = Float(Double(numbers[column]) * scale) }
        }
        self.numbers = numbers
    }
}
