public import System
public import Tensors

extension SparseCodes {
    /// The codes of a matrix of features, `[rows, F]`: what is above 0.
    public init(dense: Tensor<Float>) throws(Problem) {
        guard dense.rank == 2 else {
            throw Problem(.invalid, "codes", "expected rows of features, found shape \(dense.shape)")
        }
        self.init(width: dense.shape[1])
        let (rows, width) = (dense.shape[0], dense.shape[1])
        let elements = dense.elements
        for row in 0..<rows {
            for feature in 0..<width where elements[row * width + feature] > 0 {
                features.append(Int32(feature))
                values.append(elements[row * width + feature])
            }
            starts.append(features.count)
        }
    }

    /// All features of all rows, `[rows, F]`: mostly zeros, so that it is for few rows or few features.
    public func dense() throws(Problem) -> Tensor<Float> {
        try check()
        return try telling {
            try Tensor(shape: [rows, width]) { memory in
                memory.update(repeating: 0)
                for row in 0..<rows {
                    for place in starts[row]..<starts[row + 1] {
                        memory[row * width + Int(features[place])] = values[place]
                    }
                }
            }
        }
    }

    /// The rows of a range as codes of their own.
    public func rows(_ range: Range<Int>) -> SparseCodes {
        let range = range.clamped(to: 0..<rows)
        let (first, end) = (starts[range.lowerBound], starts[range.upperBound])
        return SparseCodes(
            width: width, starts: starts[range.lowerBound...range.upperBound].map { $0 - first },
            features: Array(features[first..<end]), values: Array(values[first..<end]))
    }

    /// Adds the rows of other codes of the same width after these.
    public mutating func append(_ other: SparseCodes) {
        precondition(width == other.width, "codes of \(width) and \(other.width) features cannot be combined")
        let first = features.count
        starts.append(contentsOf: other.starts.dropFirst().map { $0 + first })
        features.append(contentsOf: other.features)
        values.append(contentsOf: other.values)
    }

    /// Whether rows lie one after the other and every feature exists: its parts can be changed one by one.
    func check() throws(Problem) {
        var fits = starts.first == 0 && starts.last == features.count && features.count == values.count
        for row in 0..<max(0, rows) where fits { fits = starts[row] <= starts[row + 1] }
        var most: Int32 = -1
        var least: Int32 = 0
        for feature in features {
            most = max(most, feature)
            least = min(least, feature)
        }
        guard fits, least >= 0, Int(most) < width else {
            throw Problem(
                .invalid, "codes",
                "the row starts or the \(features.count) feature numbers are out of range for \(width) features")
        }
    }
}
