/// The scalar twin of the distance kernels, in float64.
package enum DistanceTwin {
    package struct Element {
        package var expected: Double
        package var allowed: Double
    }

    /// Σ (x − y)², or offset − Σ x·y, with the error that the kernels may have: (dimension / 16 + 8) 2⁻²⁴ of the sizes
    /// of all terms.
    package static func distance(
        _ sum: DistanceKernels.Sum, _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, dimension: Int,
        offset: Float = 0
    ) -> Element {
        var total = 0.0
        var size = Double(abs(offset))
        for column in 0..<dimension {
            let (a, b) = (Double(x[column]), Double(y[column]))
            let term = sum == .l2 ? (a - b) * (a - b) : a * b
            total += term
            // A difference is rounded before it is squared.
            size += abs(term)
        }
        let expected = sum == .l2 ? total : Double(offset) - total
        return Element(expected: expected, allowed: (Double(dimension) / 16 + 8) * 0x1p-24 * size + 0x1p-126)
    }

    /// The same of codes, exact.
    package static func distance(
        _ sum: DistanceKernels.Sum, _ x: UnsafePointer<Int8>, _ y: UnsafePointer<Int8>, count: Int
    ) -> Int {
        (0..<count).reduce(0) { total, column in
            let (a, b) = (Int(x[column]), Int(y[column]))
            return sum == .l2 ? total + (a - b) * (a - b) : total - a * b
        }
    }
}
