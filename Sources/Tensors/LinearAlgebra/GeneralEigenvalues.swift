/// The eigenvalues of a square matrix that need not be symmetric: real ones, and complex ones in conjugate pairs.
///
/// ```swift
/// let turn = try GeneralEigenvalues(Tensor<Double>(rows: [[0, -1], [1, 0]]))
/// turn.imaginary.elements                          // [1, -1]: a quarter turn has the eigenvalues ±i
/// ```
///
/// The matrix is balanced, made upper Hessenberg by reflections, and deflated by QR steps with two shifts at once.
/// O(n³); values of a matrix with orthogonal eigenvectors are within a small multiple of n ε ‖A‖, others move more.
///
/// Source: Golub and Van Loan, Matrix Computations, 4th edition, algorithms 7.4.2, 7.5.1 and 7.5.2; Parlett and
/// Reinsch, "Balancing a matrix for calculation of eigenvalues and eigenvectors", Numerische Mathematik 13, 1969.
public struct GeneralEigenvalues<Scalar: FloatingAccumulator>: Sendable {
    /// Real parts, the values in descending order of magnitude.
    public let real: Tensor<Scalar>
    /// Imaginary parts: 0 for real values; of a pair the positive one comes first.
    public let imaginary: Tensor<Scalar>

    /// - Throws: `TensorError` where the matrix is not square or not finite, or where the steps do not converge.
    public init(_ matrix: Tensor<Scalar>) throws(TensorError) {
        let a = try Matrix(square: matrix, "eigenvalues")
        var hessenberg = Hessenberg(reducing: a)
        let values = try hessenberg.deflate(shape: matrix.shape).enumerated().sorted { x, y in
            let (left, right) = (x.element.magnitude, y.element.magnitude)
            return left == right ? x.offset < y.offset : left > right
        }
        real = try Tensor<Double>(values.map(\.element.real)).converted()
        imaginary = try Tensor<Double>(values.map(\.element.imaginary)).converted()
    }
}

private struct ComplexNumber {
    var real: Double
    var imaginary: Double

    var magnitude: Double {
        let (a, b) = (abs(real), abs(imaginary))
        if a == 0 || b == 0 { return a + b }
        return a > b ? Householder.hypotenuse(a, b) : Householder.hypotenuse(b, a)
    }
}

/// A matrix similar to the given one, with zeros below its first lower diagonal.
private struct Hessenberg {
    private let h: Matrix

    /// - Parameter a: is used as memory.
    init(reducing a: Matrix) {
        h = a
        balance()
        reduce()
    }

    /// Scales rows and columns by powers of two, which rounds nothing, until their norms are alike.
    private func balance() {
        let n = h.rows
        var isChanging = true
        while isChanging {
            isChanging = false
            for i in 0..<n {
                var (column, row) = (0.0, 0.0)
                for j in 0..<n where j != i {
                    column += abs(h[j, i])
                    row += abs(h[i, j])
                }
                guard column > 0, row > 0 else { continue }
                let before = column + row
                var factor = 1.0
                while column < row / 2, factor < 0x1p500 { (factor, column) = (factor * 2, column * 4) }
                while column >= row * 2, factor > 0x1p-500 { (factor, column) = (factor / 2, column / 4) }
                guard factor != 1, (column + row) / factor < 0.95 * before else { continue }
                isChanging = true
                VectorLoops.scale(h.row(i), by: 1 / factor, n)
                for j in 0..<n { h[j, i] *= factor }
            }
        }
    }

    /// A reflection from both sides for each column.
    private func reduce() {
        let n = h.rows
        guard n > 2 else { return }
        var v = [Double](repeating: 0, count: n)
        var sums = [Double](repeating: 0, count: n)
        for k in 0..<n - 2 {
            let rest = n - k - 1
            for i in 0..<rest { v[i] = h[k + 1 + i, k] }
            let (tau, side) = v.withUnsafeMutableBufferPointer { v in
                v.baseAddress.map { Householder.reflect($0[0], $0 + 1, rest - 1) } ?? (0, 0)
            }
            guard tau != 0 else { continue }
            v[0] = 1
            h[k + 1, k] = side
            for i in 1..<rest { h[k + 1 + i, k] = 0 }
            // From the left: rows k + 1 and on, a row at a time.
            for j in k + 1..<n { sums[j] = 0 }
            for i in 0..<rest { for j in k + 1..<n { sums[j] += v[i] * h[k + 1 + i, j] } }
            for i in 0..<rest { for j in k + 1..<n { h[k + 1 + i, j] -= tau * v[i] * sums[j] } }
            // From the right: columns k + 1 and on.
            for i in 0..<n {
                let row = h.row(i) + k + 1
                var sum = 0.0
                for j in 0..<rest { sum += row[j] * v[j] }
                for j in 0..<rest { row[j] -= tau * sum * v[j] }
            }
        }
    }

    /// Splits off one value or a pair after another from the end.
    mutating func deflate(shape: [Int]) throws(TensorError) -> [ComplexNumber] {
        var values: [ComplexNumber] = []
        var high = h.rows - 1
        var steps = 0
        while high >= 0 {
            let low = start(of: high)
            if low == high {
                values.append(ComplexNumber(real: h[high, high], imaginary: 0))
                (high, steps) = (high - 1, 0)
            } else if low == high - 1 {
                values += pair(high)
                (high, steps) = (high - 2, 0)
            } else {
                steps += 1
                guard steps <= 100 else {
                    throw TensorError("eigenvalues", shape, problem: "did not converge in 100 steps for one eigenvalue")
                }
                step(low, high, isExceptional: steps % 10 == 0)
            }
        }
        return values
    }

    /// The first row of the block that ends with row `high`: where the element below the diagonal is negligible.
    private func start(of high: Int) -> Int {
        var low = high
        while low > 0 {
            var neighbors = abs(h[low - 1, low - 1]) + abs(h[low, low])
            if neighbors == 0 { neighbors = h.all.largest(low - 1...high) }
            if abs(h[low, low - 1]) <= 0x1p-53 * neighbors {
                h[low, low - 1] = 0
                return low
            }
            low -= 1
        }
        return 0
    }

    /// The values of the block of rows `high - 1` and `high`.
    private func pair(_ high: Int) -> [ComplexNumber] {
        let (a, b) = (h[high - 1, high - 1], h[high - 1, high])
        let (c, d) = (h[high, high - 1], h[high, high])
        let half = (a - d) / 2
        let discriminant = half * half + b * c
        guard discriminant >= 0 else {
            let side = (-discriminant).squareRoot()
            return [
                ComplexNumber(real: d + half, imaginary: side), ComplexNumber(real: d + half, imaginary: -side),
            ]
        }
        // The sign that adds; the other value by their product.
        let root = half + (half < 0 ? -discriminant.squareRoot() : discriminant.squareRoot())
        let other = root == 0 ? d : d - b * c / root
        return [ComplexNumber(real: d + root, imaginary: 0), ComplexNumber(real: other, imaginary: 0)]
    }

    /// One step of the QR algorithm with the shifts of the last two rows, in real numbers, on the block alone.
    ///
    /// - Parameter isExceptional: takes shifts from the side diagonal, for blocks that the others turn in a circle.
    private func step(_ low: Int, _ high: Int, isExceptional: Bool) {
        var sum = h[high - 1, high - 1] + h[high, high]
        var product = h[high - 1, high - 1] * h[high, high] - h[high - 1, high] * h[high, high - 1]
        if isExceptional {
            let side = abs(h[high, high - 1]) + abs(h[high - 1, high - 2])
            (sum, product) = (1.5 * side, side * side)
        }
        // The first column of (H - s₁)(H - s₂).
        let (a, b) = (h[low, low], h[low + 1, low + 1])
        var x = a * a + h[low, low + 1] * h[low + 1, low] - sum * a + product
        var y = h[low + 1, low] * (a + b - sum)
        var z = h[low + 1, low] * h[low + 2, low + 1]
        for k in low..<high {
            let size = min(3, high - k + 1)
            let v = Reflector(x, y, size == 3 ? z : 0)
            for column in max(low, k - 1)...high { v.apply(to: h, column: column, from: k, size) }
            for row in low...min(k + 3, high) { v.apply(to: h, row: row, from: k, size) }
            guard k + 1 < high else { break }
            x = h[k + 1, k]
            y = h[k + 2, k]
            z = k + 3 <= high ? h[k + 3, k] : 0
        }
        for row in low + 2...high { for column in low..<row - 1 { h[row, column] = 0 } }
    }
}

/// A reflection of two or three neighboring rows or columns.
private struct Reflector {
    private var factor = 0.0
    private var second = 0.0
    private var third = 0.0

    init(_ x: Double, _ y: Double, _ z: Double) {
        var rest = (y, z)
        factor = withUnsafeMutableBytes(of: &rest) { bytes in
            let pointer = bytes.assumingMemoryBound(to: Double.self).baseAddress
            return pointer.map { Householder.reflect(x, $0, 2).factor } ?? 0
        }
        (second, third) = factor == 0 ? (0, 0) : rest
    }

    func apply(to h: Matrix, column: Int, from first: Int, _ size: Int) {
        var sum = h[first, column] + second * h[first + 1, column]
        if size == 3 { sum += third * h[first + 2, column] }
        sum *= factor
        h[first, column] -= sum
        h[first + 1, column] -= sum * second
        if size == 3 { h[first + 2, column] -= sum * third }
    }

    func apply(to h: Matrix, row: Int, from first: Int, _ size: Int) {
        let place = h.row(row) + first
        var sum = place[0] + second * place[1]
        if size == 3 { sum += third * place[2] }
        sum *= factor
        place[0] -= sum
        place[1] -= sum * second
        if size == 3 { place[2] -= sum * third }
    }
}

extension MatrixBlock {
    /// The largest magnitude in the square of these rows and columns.
    fileprivate func largest(_ range: ClosedRange<Int>) -> Double {
        var largest = 0.0
        for row in range { for column in range { largest = max(largest, abs(pointer[row * stride + column])) } }
        return largest
    }
}
