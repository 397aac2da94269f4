internal import Glibc
public import System
public import Tensors

extension LogisticProbe {
    /// The class of each row.
    public func predict(_ rows: Tensor<Float>) throws(Problem) -> [Int] {
        let decisions = try decisions(rows)
        let columns = decisions.shape[1]
        let flat = decisions.elements
        return (0..<decisions.shape[0]).map { row in
            if columns == 1 { return classes[flat[row] > 0 ? 1 : 0] }
            let own = flat[row * columns..<(row + 1) * columns]
            let best = own.indices.max { own[$0] < own[$1] } ?? own.startIndex
            return classes[best - own.startIndex]
        }
    }

    /// `[n, K]`: the probability of each class.
    public func probabilities(_ rows: Tensor<Float>) throws(Problem) -> Tensor<Double> {
        let decisions = try decisions(rows)
        return try telling {
            guard decisions.shape[1] == 1 else { return try softmax(decisions) }
            let second = decisions.elements.map { 1 / (1 + exp(-$0)) }
            return try Tensor(second.flatMap { [1 - $0, $0] }, shape: [second.count, 2])
        }
    }

    /// Returns `[n, 1]` for two classes, above 0 for the larger class; otherwise `[n, K]`.
    public func decisions(_ rows: Tensor<Float>) throws(Problem) -> Tensor<Double> {
        guard rows.rank == 2, rows.shape[1] == means.count else {
            throw Problem(
                .invalid, "probe", "expected rows of \(means.count) numbers, found \(rows.shape)",
                remedy: "Use activations of the hook the probe was fitted on.")
        }
        return try telling {
            let inputs = try (rows.converted(to: Double.self) - means) / deviations
            return try matmul(inputs, coefficients.transposed()) + Tensor(intercepts)
        }
    }

    /// The direction in the space of the activations along which a class becomes likelier, `[d]`: w/σ.
    public func direction(of label: Int) throws(Problem) -> Tensor<Float> {
        guard let place = classes.firstIndex(of: label) else {
            throw Problem(
                .unknown, "class \(label)",
                "unknown; the probe's classes are \(classes.map(String.init).joined(separator: ", "))")
        }
        return try telling {
            let isBinary = coefficients.shape[0] == 1
            let row = try coefficients[isBinary ? 0 : place] / deviations
            return try (isBinary && place == 0 ? row * -1 : row).converted(to: Float.self)
        }
    }

    /// How many rows it has right.
    func hits(_ rows: Tensor<Float>, _ labels: [Int]) throws(Problem) -> Int {
        zip(try predict(rows), labels).reduce(0) { $0 + ($1.0 == $1.1 ? 1 : 0) }
    }
}
