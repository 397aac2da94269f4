internal import Glibc
internal import Hashing

/// One product of seeded matrices: A [m, k] and B [k, n] with elements in [-0.5, 0.5), and C [m, n].
public final class MatrixProductProblem<Element: MatrixElement>: KernelProblem {
    public let shape: KernelShape
    package let a: AlignedBuffer<Element>
    package let b: AlignedBuffer<Element>
    package let c: AlignedBuffer<Element>
    private let seed: UInt64
    private lazy var expected = MatrixProductTwin.rows(sample, of: self)

    /// - Throws: `KernelError.memory` where the three matrices do not fit.
    public init(_ shape: KernelShape, seed: UInt64) throws(KernelError) {
        self.shape = shape
        self.seed = seed
        let (m, n, k) = (shape["m"], shape["n"], shape["k"])
        a = try AlignedBuffer(count: Self.area(m, k))
        b = try AlignedBuffer(count: Self.area(k, n))
        c = try AlignedBuffer(count: Self.area(m, n))
        var numbers = SeededNumbers(seed: seed)
        for index in 0..<a.count { a.pointer[index] = Element(numbers.next()) }
        for index in 0..<b.count { b.pointer[index] = Element(numbers.next()) }
        poisonOutput()
    }

    private static func area(_ rows: Int, _ columns: Int) -> Int {
        let (area, overflow) = rows.multipliedReportingOverflow(by: columns)
        return overflow ? .max : area
    }

    var viewA: MatrixView<Element> { MatrixView(a.pointer, rows: shape["m"], columns: shape["k"]) }
    var viewB: MatrixView<Element> { MatrixView(b.pointer, rows: shape["k"], columns: shape["n"]) }
    var viewC: MutableMatrixView<Element> { MutableMatrixView(c.pointer, rows: shape["m"], columns: shape["n"]) }

    var operands: ProductOperands<Element> {
        ProductOperands(a: viewA, b: viewB, panels: nil, c: viewC, accumulate: false)
    }

    public var workingSet: Int { a.byteCount + b.byteCount + c.byteCount }

    /// All bits set is a NaN of either type.
    public func poisonOutput() { memset(c.pointer, 0xFF, c.byteCount) }

    /// The rows that are compared: all where that is quick, otherwise the first, the last and some between them.
    private var sample: [Int] {
        let rows = shape["m"]
        let affordable = max(2, (1 << 24) / max(1, shape["n"] * shape["k"]))
        guard rows > affordable else { return Array(0..<rows) }
        var numbers = SeededNumbers(seed: seed ^ 0x5A3B_1E00)
        let between = (0..<affordable - 2).map { _ in Int((numbers.next() + 0.5) * Double(rows)) }
        return Set([0, rows - 1] + between).sorted()
    }

    /// Compares C with the twin: |error| <= k u Σ|a||b|, u being half a unit in the last place of 1.
    ///
    /// Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, section 3.5; k u is γ(k) to first
    /// order and a little sharper.
    @_specialize(where Element == Float)
    @_specialize(where Element == Double)
    public func agreement() -> KernelAgreement {
        let columns = shape["n"]
        let unit = Double(shape["k"]) * Double(Element.ulpOfOne) / 2
        var worst = -1.0
        var place = ""
        for row in expected {
            for column in 0..<columns {
                let found = Double(c.pointer[row.index * columns + column])
                let error = abs((found - row.sums[column]) - row.remainders[column])
                let bound = unit * row.magnitudes[column]
                let ratio = !error.isFinite ? .infinity : bound > 0 ? error / bound : error > 0 ? .infinity : 0
                if ratio > worst {
                    worst = ratio
                    place = "C[\(row.index), \(column)] is \(found), expected \(row.sums[column])"
                }
            }
        }
        return KernelAgreement(
            worst: max(worst, 0), bound: "k u Σ|a||b|", place: place, compared: expected.count * columns)
    }
}

/// Numbers in [-0.5, 0.5) from a seed: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
package struct SeededNumbers {
    private var generator: SplitMix64

    package init(seed: UInt64) { generator = SplitMix64(state: seed) }

    package mutating func next() -> Double {
        generator.nextUnit() - 0.5
    }
}
