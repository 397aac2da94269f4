package import Kernels
internal import System

/// An array of weights with its gradient and what Adam keeps of it; zero at first.
package final class DictionaryParameter {
    package let name: String
    package let count: Int
    package let values, gradient, first, second: AlignedBuffer<Float>

    init(_ name: String, count: Int) throws(Problem) {
        func buffer() throws(Problem) -> AlignedBuffer<Float> {
            do {
                return try AlignedBuffer<Float>(count: count)
            } catch {
                throw Problem(
                    .invalid, "dictionary", "four copies of \(name) (\(count) numbers each) do not fit in memory",
                    remedy: "Use fewer features.")
            }
        }
        self.name = name
        self.count = count
        values = try buffer()
        gradient = try buffer()
        first = try buffer()
        second = try buffer()
    }

    /// The pieces of `range` for a step of Adam.
    func part(_ range: Range<Int>) -> StepArray<Float> {
        let start = range.lowerBound
        return StepArray(
            weights: values.pointer + start, gradient: gradient.pointer + start, first: first.pointer + start,
            second: second.pointer + start, count: range.count)
    }
}
