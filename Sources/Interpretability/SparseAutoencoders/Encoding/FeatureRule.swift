internal import Glibc
internal import Tensors

/// How products x W_enc become features: the activation with its biases, in the form in which rows are scanned.
enum FeatureRule {
    /// The k largest of z + bias that are above 0.
    case largest(Int, bias: [Float])
    /// z + bias if above its floor: 0 for ReLU, max(θ, 0) for JumpReLU.
    case above(floor: [Float], bias: [Float])
    /// z · scale + bias if that and z + gate are above 0.
    case gated(gate: [Float], scale: [Float], bias: [Float])

    init(_ dictionary: SparseAutoencoder) {
        let bias = dictionary.encoderBias.elements
        switch dictionary.activation {
        case .relu: self = .above(floor: [Float](repeating: 0, count: bias.count), bias: bias)
        case .topK(let k): self = .largest(k, bias: bias)
        case .jumpReLU(let threshold): self = .above(floor: threshold.elements.map { max($0, 0) }, bias: bias)
        case .gated(let gate, let scale, let bias):
            self = .gated(gate: gate.elements, scale: scale.elements.map { expf($0) }, bias: bias.elements)
        }
    }

    /// Active features of a few rows, as they are found.
    struct Found {
        var counts: [Int] = []
        var features: [Int32] = []
        var values: [Float] = []
    }

    /// Appends the active features of one row.
    func select(_ z: UnsafePointer<Float>, count: Int, into found: inout Found) {
        let before = found.features.count
        switch self {
        case .largest(let k, let bias):
            bias.withUnsafeBufferPointer { selectLargest(z, k, $0.baseAddress, count, into: &found) }
        case .above(let floor, let bias):
            floor.withUnsafeBufferPointer { floor in
                bias.withUnsafeBufferPointer { bias in
                    selectAbove(z, floor.baseAddress!, bias.baseAddress!, count, into: &found)
                }
            }
        case .gated(let gate, let scale, let bias):
            for i in 0..<count where z[i] + gate[i] > 0 {
                let value = z[i] * scale[i] + bias[i]
                if value > 0 { found.append(i, value) }
            }
        }
        found.counts.append(found.features.count - before)
    }

    private func selectLargest(
        _ z: UnsafePointer<Float>, _ k: Int, _ bias: UnsafePointer<Float>?, _ count: Int, into found: inout Found
    ) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: k) { values in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: k) { indices in
                var best = LargestOfRow(k, above: 0, values: values.baseAddress!, indices: indices.baseAddress!)
                best.scan(z, plus: bias, count: count)
                for (index, value) in best.sortedByIndex() { found.append(Int(index), value) }
            }
        }
    }

    private func selectAbove(
        _ z: UnsafePointer<Float>, _ floor: UnsafePointer<Float>, _ bias: UnsafePointer<Float>, _ count: Int,
        into found: inout Found
    ) {
        var i = 0
        while i + 16 <= count {
            let block =
                UnsafeRawPointer(z + i).loadUnaligned(as: SIMD16<Float>.self)
                + UnsafeRawPointer(bias + i).loadUnaligned(as: SIMD16<Float>.self)
            let floors = UnsafeRawPointer(floor + i).loadUnaligned(as: SIMD16<Float>.self)
            if any(block .> floors) {
                for index in i..<i + 16 {
                    let value = z[index] + bias[index]
                    if value > floor[index] { found.append(index, value) }
                }
            }
            i += 16
        }
        while i < count {
            let value = z[i] + bias[i]
            if value > floor[i] { found.append(i, value) }
            i += 1
        }
    }
}

extension FeatureRule.Found {
    fileprivate mutating func append(_ feature: Int, _ value: Float) {
        features.append(Int32(truncatingIfNeeded: feature))
        values.append(value)
    }
}
