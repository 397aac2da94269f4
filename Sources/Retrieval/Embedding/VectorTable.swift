internal import SearchIndexes
internal import System
internal import Tensors

/// The rows of a file of vectors: `.npy`, `.npz`, `.fvecs`, `.bvecs`, DiskANN's `.bin`.
struct VectorTable {
    let path: String
    let count: Int
    let dimension: Int
    private let read: (Int, UnsafeMutablePointer<Float>) throws(SegmentError) -> Void

    /// - Parameter array: Of an `.npz`, which array; `nil` takes the only one with two axes.
    init(_ path: String, array: String? = nil) throws(Problem) {
        self.path = path
        if path.hasSuffix(".npz") {
            let tensor = try Self.tensor(path, array)
            guard tensor.shape.count == 2, tensor.shape[1] > 0 else {
                throw Problem(.invalid, path, "the array must have two axes")
            }
            let (rows, width) = (tensor.shape[0], tensor.shape[1])
            let values = tensor.elements
            (count, dimension) = (rows, width)
            read = { row, target throws(SegmentError) in
                for column in 0..<width { target[column] = values[row * width + column] }
            }
            return
        }
        do throws(SegmentError) {
            let file = try VectorFile(contentsOf: path)
            (count, dimension) = (file.count, file.dimension)
            read = { row, target throws(SegmentError) in try file.read(row, into: target) }
        } catch {
            throw Problem(.failed, error.place, error.problem, remedy: error.remedy)
        }
    }

    private static func tensor(_ path: String, _ array: String?) throws(Problem) -> Tensor<Float> {
        var wide: [String] = []
        do throws(TensorFileError) {
            let file = try TensorFile.open(path)
            if let array { return try file.tensor(named: array, as: Float.self) }
            for candidate in file.names where try file.shape(of: candidate).count == 2 { wide.append(candidate) }
            if wide.count == 1 { return try file.tensor(named: wide[0], as: Float.self) }
        } catch {
            throw Problem(error, in: path)
        }
        throw Problem(
            .invalid, path, "\(wide.count) arrays have two axes, expected 1",
            remedy: wide.isEmpty ? "" : "Name one of \(wide.joined(separator: ", ")).")
    }

    /// Returns a row, its numbers finite.
    func row(_ row: Int) throws(Problem) -> [Float] {
        var vector = [Float](repeating: 0, count: dimension)
        do throws(SegmentError) { try read(row, &vector) } catch {
            throw Problem(.failed, error.place, error.problem, remedy: error.remedy)
        }
        guard vector.allSatisfy(\.isFinite) else {
            throw Problem(.invalid, path, "row \(row) contains a number that is not finite", remedy: "Remove the row.")
        }
        return vector
    }
}
