/// Some rows of a batch, worked on by one thread: their entries and sums.
final class DictionaryTile {
    let entries = FeatureEntries()
    /// Σ (x̂ − x) by dimension.
    var errorSums: [Float]
    /// Σ (x − b_dec) by dimension.
    var inputSums: [Float]
    /// Σ of the first output gradient by dimension, if it differs from the error.
    var outputSums: [Float]
    var errorSquares = 0.0
    var inputSquares = 0.0
    var reconstruction = 0.0
    var sparsity = 0.0
    var auxiliary = 0.0
    var active = 0
    /// ‖x − x̂‖² of each row.
    var rowLosses: [Float] = []

    init(width: Int) {
        errorSums = [Float](repeating: 0, count: width)
        inputSums = errorSums
        outputSums = errorSums
    }

    func begin() {
        entries.removeAll()
        for i in errorSums.indices { (errorSums[i], inputSums[i], outputSums[i]) = (0, 0, 0) }
        (errorSquares, inputSquares, reconstruction, sparsity, auxiliary, active) = (0, 0, 0, 0, 0, 0)
        rowLosses.removeAll(keepingCapacity: true)
    }
}

/// One row of a batch in the hands of an objective.
struct DictionaryRow {
    let index: Int
    /// `[F]`: (x − b_dec) W_enc; the bias is for the objective to add.
    let activations: UnsafeMutablePointer<Float>
    /// `[d]`: x − b_dec.
    let input: UnsafePointer<Float>
    /// `[slots, d]`: gradients of what is decoded, for the objective to write.
    let outputs: UnsafeMutablePointer<Float>
}

/// Memory in which one thread looks for features.
final class SelectionScratch {
    let maxima: UnsafeMutablePointer<Float>
    let features: UnsafeMutablePointer<UInt32>
    let numbers, dense: UnsafeMutablePointer<Float>

    init(features count: Int) {
        maxima = .allocate(capacity: 1024)
        features = .allocate(capacity: count)
        numbers = .allocate(capacity: count)
        dense = .allocate(capacity: count)
    }

    deinit {
        maxima.deallocate()
        features.deallocate()
        numbers.deallocate()
        dense.deallocate()
    }
}
