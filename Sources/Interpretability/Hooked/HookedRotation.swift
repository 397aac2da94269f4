internal import Glibc
internal import Models
internal import Tensors

/// Cosines and sines by which heads turn, `[positions, pairs]` each.
///
/// In float32 angles are rounded as models were trained; in float64, where frequencies are not scaled, they are exact.
struct HookedRotation<Scalar: FloatingAccumulator> {
    let cosines: Tensor<Scalar>
    let sines: Tensor<Scalar>
    let isAdjacent: Bool

    init(_ rotary: RotaryEmbedding, isWindowed: Bool, positions: Int) throws {
        let angles = RotaryAngles(rotary, isWindowed: isWindowed)
        var frequencies = angles.frequencies(length: positions).map(Double.init)
        let ownBase = isWindowed ? rotary.windowedBase : nil
        let isExact = Scalar.self == Double.self
        if isExact, rotary.scaling == .none || ownBase != nil {
            let base = Double(ownBase ?? rotary.base)
            frequencies = frequencies.indices.map { 1 / pow(base, Double(2 * $0) / Double(rotary.width)) }
        }
        let amplitude = Double(angles.amplitude)
        func table(_ function: (Double) -> Double) throws -> Tensor<Scalar> {
            var numbers: [Scalar] = []
            numbers.reserveCapacity(positions * frequencies.count)
            for position in 0..<positions {
                for frequency in frequencies {
                    let angle =
                        isExact ? Double(position) * frequency : Double(Float(position) * Float(frequency))
                    numbers.append(Scalar(function(angle) * amplitude))
                }
            }
            return try Tensor(numbers, shape: [positions, frequencies.count])
        }
        isAdjacent = rotary.pairing == .adjacent
        cosines = try table { cos($0) }
        sines = try table { sin($0) }
    }
}
