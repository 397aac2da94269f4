import Tensors

/// Seeded random numbers for twins.
struct SeededNumbers: RandomNumberGenerator {
    var seed: UInt64

    mutating func next() -> UInt64 {
        seed &+= 0x9E37_79B9_7F4A_7C15
        var z = seed
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func tensor(_ shape: [Int]) throws -> Tensor<Float> {
        let count = shape.reduce(1, *)
        return try Tensor((0..<count).map { _ in Float.random(in: -1...1, using: &self) }, shape: shape)
    }
}
