/// Seeded rows `[rows, columns]` and the output that the rungs of a row operation fill.
package final class RowProblem: KernelProblem {
    package let rows, columns: Int
    package let input, output: AlignedBuffer<Float>
    /// `[columns]`; `nil` if the operation or the shape has none.
    package let gain, bias: AlignedBuffer<Float>?
    private let function: Function
    private let seed: UInt64

    package enum Function: Sendable {
        case softmax
        case layerNorm(epsilon: Float)
        case rmsNorm(epsilon: Float)
    }

    /// Numbers in -8 ..< 8, as logits and activations are, about a mean that the seed moves from row to row.
    package init(
        _ function: Function, rows: Int, columns: Int, hasGain: Bool = false, hasBias: Bool = false, seed: UInt64
    ) throws(KernelError) {
        let (count, overflow) = rows.multipliedReportingOverflow(by: columns)
        guard !overflow else { throw .memory(bytes: nil) }
        self.function = function
        self.rows = rows
        self.columns = columns
        self.seed = seed
        input = try AlignedBuffer(count: count)
        output = try AlignedBuffer(count: count)
        gain = hasGain ? try AlignedBuffer(count: columns) : nil
        bias = hasBias ? try AlignedBuffer(count: columns) : nil
        var bits = SeededBits(seed: seed)
        for row in 0..<rows {
            let mean = bits.signedUnit()
            for i in row * columns..<(row + 1) * columns { input.pointer[i] = 7 * bits.signedUnit() + mean }
        }
        for i in 0..<columns {
            gain?.pointer[i] = 1 + bits.signedUnit() / 2
            bias?.pointer[i] = bits.signedUnit()
        }
    }

    package var workingSet: Int {
        input.byteCount + output.byteCount + (gain?.byteCount ?? 0) + (bias?.byteCount ?? 0)
    }

    package func poisonOutput() { output.elements.update(repeating: .nan) }

    /// Rows that are compared: as many as take a few milliseconds.
    private static let comparedNumbers = 1 << 18

    package func agreement() -> KernelAgreement {
        var bits = SeededBits(seed: seed ^ 0x726f_7773)
        let compared = bits.sample(of: rows, atMost: max(2, Self.comparedNumbers / columns))
        var agreement = KernelAgreement(worst: 0, bound: bound, place: "", compared: compared.count * columns)
        for row in compared {
            let found = output.pointer + row * columns
            for (column, element) in twin(row: row).enumerated() {
                agreement.consider(Double(found[column]), beside: element.expected, allowed: element.allowed) {
                    "row \(row), column \(column)"
                }
            }
        }
        agreement.refuseUnwritten(in: output.elements, isUnwritten: \.isNaN) { [columns] index in
            "row \(index / columns), column \(index % columns)"
        }
        return agreement
    }

    private func twin(row: Int) -> [RowTwin.Element] {
        let x = UnsafeBufferPointer(start: input.pointer + row * columns, count: columns)
        switch function {
        case .softmax: return RowTwin.softmax(x)
        case .layerNorm(let epsilon):
            return RowTwin.layerNorm(x, gain: gain?.pointer, bias: bias?.pointer, epsilon: epsilon)
        case .rmsNorm(let epsilon): return RowTwin.rmsNorm(x, gain: gain?.pointer, epsilon: epsilon)
        }
    }

    private var bound: String {
        switch function {
        case .softmax: "(16 + |x - max| + columns / 32) u y"
        case .layerNorm: "(8 + columns / 32) u ((1 + |normalized|) |gain| + |bias|)"
        case .rmsNorm: "(8 + columns / 32) u |y|"
        }
    }
}
