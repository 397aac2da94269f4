import Kernels
import Testing

/// A matrix of a test: elements in memory of exactly its size.
final class Matrix<Element: MatrixElement> {
    let rows: Int
    let columns: Int
    private let buffer: AlignedBuffer<Element>
    private let pointer: UnsafeMutablePointer<Element>

    init(_ rows: [[Element]]) throws {
        self.rows = rows.count
        columns = rows[0].count
        buffer = try AlignedBuffer(count: rows.count * rows[0].count)
        pointer = buffer.pointer
        for (index, value) in rows.joined().enumerated() { pointer[index] = value }
    }

    /// Seeded elements in [-0.5, 0.5).
    init(random rows: Int, _ columns: Int, seed: UInt64) throws {
        self.rows = rows
        self.columns = columns
        buffer = try AlignedBuffer(count: rows * columns)
        pointer = buffer.pointer
        var numbers = SeededNumbers(seed: seed)
        for index in 0..<rows * columns { pointer[index] = Element(numbers.next()) }
    }

    subscript(row: Int, column: Int) -> Element {
        get { pointer[row * columns + column] }
        set { pointer[row * columns + column] = newValue }
    }

    var view: MatrixView<Element> { MatrixView(UnsafePointer(pointer), rows: rows, columns: columns) }
    var mutableView: MutableMatrixView<Element> {
        MutableMatrixView(pointer, rows: rows, columns: columns)
    }
    var elements: [Element] { Array(UnsafeBufferPointer(start: pointer, count: rows * columns)) }
    /// The first rows and columns, the rest being a gap between rows.
    func corner(_ rows: Int, _ columns: Int) -> MatrixView<Element> {
        MatrixView(UnsafePointer(pointer), rows: rows, columns: columns, rowStride: self.columns)
    }
    func mutableCorner(_ rows: Int, _ columns: Int) -> MutableMatrixView<Element> {
        MutableMatrixView(pointer, rows: rows, columns: columns, rowStride: self.columns)
    }
}

extension MatrixProductPath {
    /// The paths of our own kernels.
    static let own: [MatrixProductPath] = [.portable, .avx2, .avx512]
}

/// Leaves a test of what this machine does not have, with the reason.
func skipUnlessAvailable(_ path: MatrixProductPath) throws {
    if let reason = path.unavailable { try Test.cancel("\(reason)") }
}

/// A product as it may be asked for.
struct ProductForm: CustomStringConvertible {
    var rows, columns, inner: Int
    var isATransposed = false
    var isBTransposed = false
    var gap = 0
    var accumulate = false

    /// Tiles with and without borders, sums of one block and of several, one row and many; every way to store A and B.
    static let all: [ProductForm] = {
        let sizes = [
            (1, 1, 1), (1, 70, 400), (2, 3, 5), (5, 64, 384), (6, 65, 385), (7, 31, 3), (13, 130, 50), (17, 16, 129),
            (64, 48, 7), (70, 5, 800), (100, 97, 101), (1, 1100, 6), (530, 3, 4), (130, 600, 2),
        ]
        return sizes.enumerated().flatMap { index, size in
            (0..<4).map { storage in
                ProductForm(
                    rows: size.0, columns: size.1, inner: size.2, isATransposed: storage & 1 != 0,
                    isBTransposed: storage & 2 != 0, gap: (index + storage) % 3, accumulate: (index + storage) % 2 == 0)
            }
        }
    }()

    var description: String {
        "[\(rows), \(inner)]\(isATransposed ? "ᵀ" : "") by [\(inner), \(columns)]\(isBTransposed ? "ᵀ" : "")"
            + (gap > 0 ? ", gap \(gap)" : "") + (accumulate ? ", accumulating" : "")
    }

    /// A matrix of these sizes, stored transposed or not, with the view that undoes the storage.
    func operand<Element>(
        _ rows: Int, _ columns: Int, isTransposed: Bool, seed: UInt64
    ) throws -> (Matrix<Element>, MatrixView<Element>) {
        let stored = isTransposed ? (columns, rows) : (rows, columns)
        let matrix = try Matrix<Element>(random: stored.0, stored.1 + gap, seed: seed)
        let view = matrix.corner(stored.0, stored.1)
        return (matrix, isTransposed ? view.transposed : view)
    }
}

/// Runs one product and compares it with the twin, element by element; what is between the rows must stay as it was.
func expectAgreement<Element: MatrixElement>(
    of element: Element.Type, _ form: ProductForm, _ path: MatrixProductPath, seed: UInt64,
    multiply: (MatrixView<Element>, MatrixView<Element>, MutableMatrixView<Element>, Bool) throws -> Void
) throws {
    let (a, viewA): (Matrix<Element>, _) = try form.operand(
        form.rows, form.inner, isTransposed: form.isATransposed, seed: seed)
    let (b, viewB): (Matrix<Element>, _) = try form.operand(
        form.inner, form.columns, isTransposed: form.isBTransposed, seed: seed + 1000)
    let before = try Matrix<Element>(random: form.rows, form.columns + form.gap, seed: seed + 2000)
    let c = try Matrix<Element>(random: form.rows, form.columns + form.gap, seed: seed + 2000)
    if !form.accumulate {
        for row in 0..<form.rows { for column in 0..<form.columns { c[row, column] = .nan } }
    }
    try withExtendedLifetime((a, b)) {
        try multiply(viewA, viewB, c.mutableCorner(form.rows, form.columns), form.accumulate)
        var worst = 0.0
        for row in 0..<form.rows {
            let twin = MatrixProductTwin.row(row, viewA, viewB)
            for column in 0..<form.columns {
                let old = form.accumulate ? Double(before[row, column]) : 0
                let error = abs(Double(c[row, column]) - (twin.sums[column] + old))
                // A rounding for every term, one for the old value, and those of this comparison itself.
                let unit = Double(Element.ulpOfOne) / 2 * Double(form.inner + 3)
                let ratio = error / (unit * (twin.magnitudes[column] + abs(old)))
                if !(ratio <= worst) { worst = ratio }
            }
            for column in form.columns..<form.columns + form.gap { #expect(c[row, column] == before[row, column]) }
        }
        #expect(worst <= 1, "\(path) \(element): \(form)")
    }
}
