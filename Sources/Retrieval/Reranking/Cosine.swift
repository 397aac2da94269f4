/// Likeness of vectors by their angle.
enum Cosine {
    /// Returns the vector scaled to length 1; the zero vector is unchanged.
    static func unit(_ vector: [Float]) -> [Float] {
        let square = vector.reduce(0.0) { $0 + Double($1) * Double($1) }
        guard square > 0 else { return vector }
        let scale = 1 / square.squareRoot()
        return vector.map { Float(Double($0) * scale) }
    }

    /// Σ x·y: of two vectors with length 1, their cosine.
    static func dot(_ one: [Float], _ other: [Float]) -> Double {
        var sum = 0.0
        for index in 0..<min(one.count, other.count) { sum += Double(one[index]) * Double(other[index]) }
        return sum
    }
}
