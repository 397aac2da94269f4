internal import Glibc
internal import Models
internal import Tensors

/// Cosines and sines of the first positions, `[positions, pairs]` each.
struct RotaryTable<Scalar: FloatingAccumulator> {
    let pairs: Int
    let isAdjacent: Bool
    let cosines: Tensor<Scalar>
    let sines: Tensor<Scalar>

    /// - Parameter isWindowed: windowed layers may turn at a base of their own.
    init(_ rotary: RotaryEmbedding, isWindowed: Bool, positions: Int) throws(TensorError) {
        let angles = RotaryAngles(rotary, isWindowed: isWindowed)
        let frequencies = angles.frequencies(length: positions)
        let amplitude = angles.amplitude
        pairs = frequencies.count
        isAdjacent = rotary.pairing == .adjacent
        func table(_ function: (Double) -> Double) throws(TensorError) -> Tensor<Scalar> {
            try Tensor(shape: [positions, frequencies.count]) { numbers throws(TensorError) in
                for position in 0..<positions {
                    for (pair, frequency) in frequencies.enumerated() {
                        // The product is rounded to float32, as models were trained.
                        let angle = Double(Float(position) * frequency)
                        numbers[position * frequencies.count + pair] = Scalar(Float(function(angle)) * amplitude)
                    }
                }
            }
        }
        cosines = try table { cos($0) }
        sines = try table { sin($0) }
    }
}
