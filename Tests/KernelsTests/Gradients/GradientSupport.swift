import Kernels
import Testing

/// What the tests of the passes of training share.
enum GradientSupport {
    static let paths = GradientPath.allCases.filter(\.isPresent)
    /// Around the ends of vectors of 4 and 16.
    static let widths = [1, 3, 15, 16, 17, 33, 128, 200]
    /// One row, a few, and more than one chunk of sums has.
    static let heights = [1, 5, 130]

    static func numbers(_ count: Int, seed: UInt64, around center: Float = 0) -> [Float] {
        var bits = SeededBits(seed: seed)
        return (0..<count).map { _ in center + 2 * bits.signedUnit() }
    }

    /// Calls `body` with memory that ends in a mark, and checks that the mark is still there.
    static func guarded(_ count: Int, _ body: (UnsafeMutablePointer<Float>) -> Void) -> [Float] {
        var numbers = [Float](repeating: 77, count: count + 1)
        numbers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
        #expect(numbers.removeLast() == 77, "the number behind the result was written")
        return numbers
    }
}

extension [Float] {
    var doubles: [Double] { map(Double.init) }

    /// Checks that every number is within `tolerance` of the expected one, relative to it or to `scale`, whichever is
    /// larger.
    func expect(
        _ expected: [Double], within tolerance: Double = 1e-6, scale: Double = 1, _ what: String,
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(count == expected.count, sourceLocation: location)
        let worst = zip(self, expected).enumerated().max { error($0.element, scale) < error($1.element, scale) }
        guard let worst, !(error(worst.element, scale) <= tolerance) else { return }
        Issue.record(
            "\(what): number \(worst.offset) is \(worst.element.0) rather than \(worst.element.1)",
            sourceLocation: location)
    }

    private func error(_ pair: (Float, Double), _ scale: Double) -> Double {
        let error = abs(Double(pair.0) - pair.1) / Swift.max(abs(pair.1), scale)
        return error.isNaN ? .infinity : error
    }
}
